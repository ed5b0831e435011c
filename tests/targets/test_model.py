"""A model as the agent: its prompt, its tools, the limits of the loop, and what goes wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.errors import ConfigError, EndpointError, TargetError
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import ExecutionResult
from tenxgraph_tui.evaluation.recorder import Recorder, recording
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.evaluation.target_options import TargetOptions
from tenxgraph_tui.targets import resolve
from tests.evaluation.judging.server import ModelServer, model_server

KEY = "private-token-4711"

TOOLS = '''
import asyncio

def weather(city: str) -> dict:
    """Today's weather."""
    return {"city": city, "degrees": 3}

async def fails(city: str, strict: bool = False) -> str:
    """Always fails."""
    raise RuntimeError(f"no {city}")
'''


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture
def ask(server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "my_tools.py").write_text(TOOLS)
    monkeypatch.setenv("MODEL_KEY", KEY)

    def asking(script: str, *turns: str, **options: Any) -> ExecutionResult:
        described = {"base_url": server.url, "api_key": "env:MODEL_KEY", **options}
        known = TargetOptions.model_validate({"model": described, "root": str(tmp_path)})
        case = EvalCase.multi_turn("case", [(turn, "") for turn in turns or ("hello",)])

        async def run() -> ExecutionResult:
            source = resolve(f"model:{script}", base=Path("/"), options=known)
            source.load()
            target = await source.open()
            recorder = Recorder(CaseKey(0, "case"))
            with recording(recorder):
                return await target.run(case, recorder)

        return asyncio.run(run())

    return asking


def test_a_model_answers_with_its_prompt_and_remembers(ask: Any, server: ModelServer) -> None:
    done = ask("say@first|say@second", "one", "two", system_prompt="Be kind.", temperature=0.5)
    assert done.responses() == ["first", "second"]
    last = server.asked("say@first|say@second")[-1]
    told = [(message["role"], message["content"]) for message in last.body["messages"]]
    assert told == [
        ("system", "Be kind."),
        ("user", "one"),
        ("assistant", "first"),
        ("user", "two"),
    ]
    assert last.body["temperature"] == 0.5
    assert "max_tokens" not in last.body
    assert last.headers["authorization"] == f"Bearer {KEY}"
    usage = done.token_usage
    assert (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens) == (200, 40, 80)
    assert {reply.model for reply in done.node_responses} == {"openai/say@first|say@second"}


def test_it_calls_tools_until_it_answers(ask: Any, server: ModelServer) -> None:
    script = "call@weather=Oslo,fails=Rome|call@gone=Bonn|say@cold"
    done = ask(script, tools=["my_tools.py:weather", "my_tools:fails"])
    assert done.actual_response == "cold"
    seen = [(call.name, call.args, call.result, call.error) for call in done.tool_calls]
    assert seen[0] == ("weather", {"city": "Oslo"}, {"city": "Oslo", "degrees": 3}, None)
    assert seen[1] == ("fails", {"city": "Rome"}, None, "RuntimeError: no Rome")
    assert seen[2][0] == "gone"
    assert "the tools are: fails, weather" in str(seen[2][3])
    assert done.node_visits == ["MAIN", "TOOL", "MAIN", "TOOL", "MAIN"]
    asked = server.asked(script)
    offered = [tool["function"] for tool in asked[0].body["tools"]]
    assert [(tool["name"], tool["description"]) for tool in offered] == [
        ("weather", "Today's weather."),
        ("fails", "Always fails."),
    ]
    assert offered[1]["parameters"]["required"] == ["city"]
    told = [message["role"] for message in asked[-1].body["messages"]]
    assert told == ["user", "assistant", "tool", "tool", "assistant", "tool"]


def test_a_model_that_never_answers_is_stopped(ask: Any, server: ModelServer) -> None:
    script = "call@weather=Oslo|call@weather=Bonn"
    told = r"^target model:.* asked for tools 3 times without an answer, and model\.max_steps"
    with pytest.raises(Exception, match=told) as caught:
        ask(script, tools=["my_tools.py:weather"], max_steps=3)
    assert isinstance(caught.value.__cause__ or caught.value, EndpointError)
    assert len(server.asked(script)) == 3


@pytest.mark.parametrize(
    ("script", "options", "told"),
    [
        ("401", {}, "target model:401: it refused the key (401): said 401 to Bearer ***"),
        ("500", {"retries": 1}, "target model:500: its server failed (500)"),
        ("empty", {}, "target model:empty: its response has no choices"),
        ("html", {"retries": 0}, "target model:html: its server answered with something else than"),
        ("slow", {"timeout": 0.3, "retries": 0}, "target model:slow: it did not answer within 0.3"),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_one_line_without_the_key(
    ask: Any, server: ModelServer, script: str, options: Any, told: str
) -> None:
    with pytest.raises(Exception, match="target model") as caught:
        ask(script, **options)
    error = caught.value.__cause__ or caught.value
    assert isinstance(error, EndpointError)
    assert str(error).startswith(told)
    assert KEY not in str(error)
    assert len(server.asked(script)) == 1 + options.get("retries", 0)


def test_a_server_that_is_not_there_is_named(ask: Any) -> None:
    with pytest.raises(Exception, match=r"it cannot be reached: .*\(http://127.0.0.1:9/v1\)"):
        ask("say@hi", base_url="http://127.0.0.1:9/v1", retries=0)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("def f(a: int, config, state): 'Adds.'", []),
        ("def f(a: int): pass", ["f has no docstring: the model is told its name alone"]),
        ("def f(a, b=1): 'Adds.'", ["f: the model is told no type for a, b: annotate it"]),
    ],
    ids=["described", "without a docstring", "without types"],
)
def test_what_a_model_is_not_told_of_a_tool_is_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, written: str, told: list[str]
) -> None:
    (tmp_path / "my_own.py").write_text(written)
    described = {"base_url": "http://127.0.0.1:9/v1", "tools": ["my_own.py:f"]}
    known = TargetOptions.model_validate({"model": described, "root": str(tmp_path)})
    resolve("model:m", base=tmp_path, options=known).load()
    assert [each.getMessage() for each in caplog.records] == [
        f"model.tools: my_own.py:{warning}" for warning in told
    ]


def test_what_may_pass_is_asked_again(ask: Any, server: ModelServer) -> None:
    assert ask("429@0|503|say@there").actual_response == "there"
    assert len(server.asked("429@0|503|say@there")) == 3


def test_the_judges_key_is_for_the_judges_server_alone(
    ask: Any, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TENXGRAPH_TUI_JUDGE_API_KEY", "of-the-judge")
    ask("say@no-key", api_key=None)
    assert server.asked("say@no-key")[0].headers["authorization"] == "Bearer none"


@pytest.mark.parametrize(
    ("name", "options", "told"),
    [
        ("gpt-4o", {}, "target model 'gpt-4o' has no key: set OPENAI_API_KEY"),
        ("llama3", {}, "target model 'llama3': write its provider too, like mistral/llama3"),
        ("m", {"base_url": "there"}, "target base URL 'there': write it like http://localhost"),
        ("m", {"base_url": "http://a", "api_key": "env:GONE"}, "model.api_key needs the variable"),
        ("m", {"base_url": "http://a", "tools": ["my_none:f"]}, "model.tools: .*no module 'my_no"),
        ("m", {"base_url": "http://a", "tools": ["gone.py:f"]}, "model.tools: .*there is no file"),
        ("m", {"base_url": "http://a", "tools": ["a"]}, "model.tools: .*names no attribute"),
    ],
)
def test_what_is_missing_is_found_before_the_first_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, options: Any, told: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    known = TargetOptions.model_validate({"model": options, "root": str(tmp_path)})
    source = resolve(f"model:{name}", base=tmp_path, options=known)
    with pytest.raises((ConfigError, TargetError), match=told):
        source.load()
