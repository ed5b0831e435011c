"""From a spec to a target: what is found, what is refused, and in which words."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.errors import TargetError
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import ExecutionResult
from tenxgraph_tui.evaluation.recorder import Recorder, recording
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.targets import resolve


@pytest.fixture(autouse=True)
def _imports_are_forgotten() -> Iterator[None]:
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if name.startswith(("_target_", "my_")):
            del sys.modules[name]


def run(spec: str, base: Path, case: EvalCase | None = None, **kw: Any) -> ExecutionResult:
    async def go() -> ExecutionResult:
        source = resolve(spec, base=base, **kw)
        source.load()
        target = await source.open()
        used = case or EvalCase.single_turn("case", "hello")
        recorder = Recorder(CaseKey(0, used.eval_id))
        with recording(recorder):
            return await target.run(used, recorder)

    return asyncio.run(go())


AGENTS = """
from tenxgraph_tui.evaluation.testing.create import create_eval_app
from tenxgraph_tui.graph import END, AgentState, StateGraph

def plain(messages):
    return "plain " + messages[-1]["content"]

async def awaited(messages):
    return "awaited " + messages[-1]["content"]

def build():
    graph = StateGraph[AgentState]()
    graph.add_node("MAIN", lambda state: "graph " + state.context[-1].text())
    graph.set_entry_point("MAIN")
    graph.add_edge("MAIN", END)
    return graph

async def build_later():
    return build()

uncompiled = build()
compiled = build().compile()
pair = create_eval_app(build())
def build_pair():
    return create_eval_app(build())
def build_plain():
    return plain
class Agent:
    async def __call__(self, messages):
        return "object " + messages[-1]["content"]
agent = Agent()
number = 3
"""


@pytest.mark.parametrize(
    ("attr", "answer"),
    [
        pytest.param("plain", "plain hello", id="a function"),
        pytest.param("awaited", "awaited hello", id="an async function"),
        pytest.param("agent", "object hello", id="an object with an async call"),
        pytest.param("Agent", "object hello", id="a class without arguments"),
        pytest.param("uncompiled", "graph hello", id="an uncompiled graph"),
        pytest.param("compiled", "graph hello", id="a compiled graph"),
        pytest.param("pair", "graph hello", id="a pair"),
        pytest.param("build", "graph hello", id="a factory of a graph"),
        pytest.param("build_later", "graph hello", id="an async factory"),
        pytest.param("build_pair", "graph hello", id="a factory of a pair"),
        pytest.param("build_plain", "plain hello", id="a factory of a function"),
    ],
)
def test_whatever_can_answer_is_a_target(tmp_path: Path, attr: str, answer: str) -> None:
    (tmp_path / "my_agents.py").write_text(AGENTS)
    assert run(f"my_agents.py:{attr}", tmp_path).actual_response == answer
    assert run(f"my_agents:{attr}", tmp_path).actual_response == answer


@pytest.mark.parametrize(
    ("spec", "source", "told"),
    [
        pytest.param("my_a.py:x", None, "there is no file", id="a missing file"),
        pytest.param("my_a.py", "", "write my_a.py:NAME", id="a file without an attribute"),
        pytest.param("my_a.py:plian", "plain = 1", "did you mean 'plain'?", id="a misspelt name"),
        pytest.param("my_b:x", None, "there is no module 'my_b'", id="a missing module"),
        pytest.param("my_a.py:x", "import nope", "No module named 'nope'", id="a missing package"),
        pytest.param("my_a.py:x", "def (:", "my_a.py:1", id="a syntax error"),
        pytest.param("my_a.py:x", "\nraise ValueError('k')", "my_a.py:2", id="an error on import"),
        pytest.param("my_a.py:x", "raise SystemExit(3)", "SystemExit: 3", id="an exit on import"),
        pytest.param("my_a.py:x", "x = 3", "an object of int", id="nothing that can answer"),
        pytest.param("my_a.py:x", "x = None", "is None", id="nothing at all"),
        pytest.param(
            "my_a.py:x",
            "def x(): return 'hi'",
            "x takes no arguments, so it was called for the target, and gave an object of str",
            id="a function that forgot the messages",
        ),
        pytest.param(
            "my_a.py:x",
            "import json\nfrom pathlib import Path\ndef agent(messages): return ''",
            "it has agent",
            id="imports are not offered",
        ),
        pytest.param("replay:none.json", None, "there is no file", id="a missing recording"),
    ],
)
def test_what_cannot_be_loaded_is_refused_in_one_line(
    tmp_path: Path, spec: str, source: str | None, told: str
) -> None:
    if source is not None:
        (tmp_path / "my_a.py").write_text(source)
    with pytest.raises(TargetError) as refused:
        run(spec, tmp_path)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_set_may_not_reach_out_of_its_project(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (tmp_path / "my_a.py").write_text("def x(messages): return ''")
    with pytest.raises(TargetError, match="outside the project"):
        resolve("../my_a.py:x", base=root, root=root)


def test_loading_afresh_runs_the_projects_modules_again(tmp_path: Path) -> None:
    (tmp_path / "my_helper.py").write_text("import itertools\ncount = itertools.count()\n")
    (tmp_path / "my_a.py").write_text(
        "import my_helper, json\nmade = next(my_helper.count)\n"
        "json.my_mark = getattr(json, 'my_mark', 0) + 1\n"
        "def x(messages): return f'{made} {json.my_mark}'\n"
    )

    async def answers() -> list[str]:
        source = resolve("my_a.py:x", base=tmp_path)
        found = []
        for afresh in (False, False, True):
            source.load(afresh=afresh)
            target = await source.open()
            recorder = Recorder(CaseKey(0, "case"))
            with recording(recorder):
                result = await target.run(EvalCase.single_turn("case", "q"), recorder)
            found.append(result.actual_response)
        return found

    assert asyncio.run(answers()) == ["0 1", "0 1", "0 2"]
    del json.my_mark  # type: ignore[attr-defined]  # left there by the agent


RECORDING = {
    "case": {
        "turns": [
            {
                "steps": [
                    {
                        "text": "Let me look.",
                        "tool_calls": [
                            {"name": "search", "args": {"q": "x"}, "result": [1], "delay": 0.01},
                            {"name": "nope", "unregistered": True},
                            {"name": "bad", "error": "ValueError: broken"},
                        ],
                        "usage": {"input_tokens": 10, "output_tokens": 2},
                    }
                ],
                "response": "Found it.",
                "usage": {"input_tokens": 20, "output_tokens": 3},
            }
        ]
    },
    "raises": {"turns": [{"steps": [{"raise": "no connection"}]}]},
}


def test_a_recording_is_played_as_the_agent_did_it(tmp_path: Path) -> None:
    (tmp_path / "run.script.json").write_text(json.dumps(RECORDING))
    result = run("replay:run.script.json", tmp_path)
    assert result.actual_response == "Found it."
    assert [(c.name, c.result, c.error) for c in result.tool_calls] == [
        ("search", [1], None),
        ("nope", None, "no tool is called 'nope'"),
        ("bad", None, "ValueError: broken"),
    ]
    assert result.node_visits == ["MAIN", "TOOL", "MAIN"]
    assert (result.token_usage.input_tokens, result.token_usage.output_tokens) == (30, 5)
    assert result.messages[1]["content"] == "Let me look."
    assert result.node_responses[0].response_text == ""


def test_a_recorded_failure_fails_again(tmp_path: Path) -> None:
    (tmp_path / "run.script.json").write_text(json.dumps(RECORDING))
    with pytest.raises(RuntimeError, match="no connection"):
        run("replay:run.script.json", tmp_path, EvalCase.single_turn("raises", "q"))
    with pytest.raises(TargetError, match="no recording of 'other'"):
        run("replay:run.script.json", tmp_path, EvalCase.single_turn("other", "q"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param('{"a": ', "run.script.json:1:7", id="cut off"),
        pytest.param('{"a": {"turnz": []}}', "did you mean 'turns'?", id="a misspelt key"),
        pytest.param('{"a": {"turns": [{"delay": -1}]}}', "a.turns.0.delay", id="a bad value"),
    ],
)
def test_a_broken_recording_is_refused_with_its_position(
    tmp_path: Path, text: str, told: str
) -> None:
    (tmp_path / "run.script.json").write_text(text)
    with pytest.raises(TargetError) as refused:
        run("replay:run.script.json", tmp_path)
    assert told in str(refused.value)
