"""The text of a copied test: what it says, and that nothing agents say can become a part of it."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.errors import TargetError
from tenxgraph_tui.evaluation.config import CriterionConfig, CustomCriterion, EvalConfig
from tenxgraph_tui.evaluation.events import CaseInfo, CaseStatus, SetInfo, VerdictPreview
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import CaseKey, Verdict
from tenxgraph_tui.evaluation.target_options import TargetOptions
from tenxgraph_tui.targets import resolve
from tenxgraph_tui.tui.as_test import Grounds, literal, target_here, text_of

OFFLINE = EvalPresets.combine(EvalPresets.tool_usage(strict=False), EvalPresets.quick_check())
NASTY = [
    'ends """ and goes on',
    "a \\ backslash",
    "two\nlines\rand\u2028more",
    "quote \" and ' quote",
    "\x00 nul \x1b[2J",
    "half a pair \ud83d",
    "emoji \U0001f680 ❤️",
    "import os; os.system('x')",
    "right \u202e to left",
    "{braces} {0}",
    "# -*- coding: utf-7 -*-",
]
STORABLE = [text for text in NASTY if "\ud83d" not in text]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def case(eval_id: str = "tokyo", status: CaseStatus = CaseStatus.FAILED, **fields: Any) -> Any:
    return CaseProgress(CaseKey(0, eval_id), CaseInfo(eval_id=eval_id), status=status, **fields)


def grounds(of: CaseProgress, here: Path, **fields: Any) -> Grounds:
    values: dict[str, Any] = {
        "number": 18,
        "target": "agents.py:weather",
        "file": "weather.evalset.json",
        "config": OFFLINE.model_dump(mode="json"),
        "root": here,
    }
    return Grounds(of, **(values | fields))


def verdict(reason: str = "call 2: city", score: float = 0.599) -> dict[str, VerdictPreview]:
    found = VerdictPreview("rouge_match", Verdict.FAILED, score, 0.6, reason)
    fine = VerdictPreview("node_order_score", Verdict.PASSED, 1.0, 1.0, "all of them")
    return {one.criterion: one for one in (found, fine)}


def test_it_says_why_and_asks_for_the_case_alone(here: Path) -> None:
    assert (
        text_of(grounds(case(verdicts=verdict()), here))
        == """\
from tenxgraph_tui.evaluation import EvalConfig, assert_eval_passed
from tenxgraph_tui.targets import evaluate_target


# Failed in run #18:
# - rouge_match 0.59, needs 0.60: call 2: city
# Its paths go from the folder that pytest is started in.
def test_tokyo() -> None:
    config = EvalConfig.model_validate(
        {
            "criteria": {
                "tool_name_match": {"threshold": 1.0},
                "trajectory": {"threshold": 1.0, "match_type": "IN_ORDER", "check_args": True},
                "rouge_match": {"threshold": 0.5},
            },
        },
    )
    report = evaluate_target(
        "agents.py:weather",
        "weather.evalset.json",
        config,
        only=["tokyo"],
    )
    assert_eval_passed(report)
"""
    )


def test_a_case_that_passed_can_be_kept_as_it_is(here: Path) -> None:
    text = text_of(grounds(case(status=CaseStatus.PASSED), here))
    assert "# Passed in run #18.\n" in text


def test_what_an_error_says_is_its_reason(here: Path) -> None:
    text = text_of(grounds(case(status=CaseStatus.ERROR, error="timed out\nafter 10 s"), here))
    assert "# Error in run #18:\n# - timed out after 10 s\n" in text


def test_the_project_and_its_variables_are_named_where_they_are_not_here(here: Path) -> None:
    text = text_of(grounds(case(), here, root=here / "below", env_file=str(here / ".env")))
    assert '        only=["tokyo"],\n        root="below",\n    )\n' in text
    assert "# The agent's variables are in .env: they have to be set.\n" in text


@pytest.mark.parametrize(
    ("target", "kind"), [("http://a/chat", "http"), ("model:gpt-4o", "model"), ("a.py:b", None)]
)
def test_it_says_of_its_server_or_model_what_the_settings_say(
    here: Path, target: str, kind: str | None
) -> None:
    said: dict[str, Any] = {
        "http": {"http://a": {"answer": "text", "body": "{{ 'a \"b\" \\ ' | tojson }}"}},
        "model": {"system_prompt": 'Be "kind".\n', "tools": ["tools.py:look"]},
    }
    options = TargetOptions.model_validate({**said, "root": str(here)})
    text = text_of(grounds(case(), here, target=target, options=options))
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.keyword)]
    given = next((node.value for node in calls if node.arg == "options"), None)
    if kind is None:
        assert given is None
        assert "TargetOptions" not in text
    else:
        assert isinstance(given, ast.Call)
        assert ast.literal_eval(given.args[0]) == {kind: said[kind]}
        assert "import TargetOptions" in text


def config_in(text: str) -> EvalConfig:
    """The config that the test would make."""
    call = next(
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "EvalConfig.model_validate"
    )
    return EvalConfig.model_validate(ast.literal_eval(call.args[0]))


def test_the_config_is_that_of_the_run_whatever_it_holds(here: Path) -> None:
    words = CriterionConfig.contains_keywords(["a", *STORABLE], 0.9)
    config = EvalConfig(timeout=12.5, max_concurrency=9)
    config.criteria.contains_keywords = words
    config.criteria.node_order = CriterionConfig(enabled=False)
    config.custom = [
        CustomCriterion(criterion="manners:Polite", args={"names": ["x"] * 40, "deep": {"a": None}})
    ]
    text = text_of(grounds(case(), here, config=json.loads(config.model_dump_json())))
    made = config_in(text)
    assert made.criteria.contains_keywords == words
    assert made.criteria.node_order is None
    assert made.custom == config.custom
    assert made.timeout == 12.5


def test_the_timeout_of_the_settings_holds_here_too(here: Path) -> None:
    assert config_in(text_of(grounds(case(), here, timeout=7.0))).timeout == 7.0
    assert config_in(text_of(grounds(case(), here))).timeout == EvalConfig().timeout


@pytest.mark.parametrize("nasty", NASTY)
def test_what_is_said_stays_in_literals_and_comments(here: Path, nasty: str) -> None:
    plain = text_of(grounds(case(verdicts=verdict("x")), here))
    odd = case(nasty, verdicts=verdict(nasty), error=None)
    odd_error = case(nasty, status=CaseStatus.ERROR, error=nasty)
    for each in (odd, odd_error):
        text = text_of(
            grounds(each, here, target=f"{nasty}.py:x", file=f"{nasty}.json", env_file=nasty)
        )
        shape = [type(node).__name__ for node in ast.walk(ast.parse(_pasted(text)))]
        assert shape == [type(node).__name__ for node in ast.walk(ast.parse(plain))]
        strings = {
            node.value
            for node in ast.walk(ast.parse(_pasted(text)))
            if isinstance(node, ast.Constant)
        }
        assert {nasty, f"{nasty}.py:x", f"{nasty}.json"} <= strings


def _pasted(text: str) -> str:
    """As it comes out of the clipboard."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


@pytest.mark.parametrize(
    ("eval_id", "name"),
    [
        ("two words-and.dots", "test_two_words_and_dots"),
        ("münchen_umlaut", "test_münchen_umlaut"),
        ("7 days²", "test_7_days_"),
        ("", "test_"),
        ("x" * 300, f"test_{'x' * 80}"),
    ],
)
def test_a_test_is_called_after_its_case(here: Path, eval_id: str, name: str) -> None:
    text = text_of(grounds(case(eval_id), here))
    (function,) = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
    assert function.name == name


def test_long_reasons_are_shortened_and_broken(here: Path) -> None:
    text = text_of(grounds(case(verdicts=verdict("word " * 200)), here))
    assert max(map(len, text.splitlines())) <= 96
    assert "word…" in text.replace(" …", "…")


@pytest.mark.parametrize(
    "value",
    [{}, [], {"a": []}, {"a": {"b": ["x" * 60, "y" * 60]}}, [1.5, True, None, -3], "x" * 200],
)
def test_a_literal_is_the_value_again(value: Any) -> None:
    assert ast.literal_eval(literal(value, 8)) == value


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        pytest.param("agents.py:x", "evals/agents.py:x", id="beside the set"),
        pytest.param("root.py:x", "root.py:x", id="at the root"),
        pytest.param("../root.py:a.b", "root.py:a.b", id="above the set"),
        pytest.param("replay:a.script.json", "replay:evals/a.script.json", id="a recording"),
        pytest.param("package.module:x", "package.module:x", id="a module"),
        pytest.param("gone.py:x", "gone.py:x", id="nowhere"),
    ],
)
def test_a_target_is_named_as_it_is_found_from_here(here: Path, spec: str, told: str) -> None:
    (here / "evals").mkdir()
    for name in ("root.py", "evals/agents.py", "evals/a.script.json"):
        (here / name).touch()
    info = SetInfo(eval_set_id="a", target=spec)
    file = here / "evals" / "a.evalset.json"
    assert target_here(info, file, here, said=None) == told


def test_a_run_that_is_replayed_is_said_to_be_out_of_reach(here: Path) -> None:
    info = SetInfo(eval_set_id="a", target="replay:#17")
    target = target_here(info, here / "weather.evalset.json", here, said=None)
    text = text_of(grounds(case(verdicts=verdict()), here, target=target))
    assert "# replay:#17 is a run in the project's store, which a test cannot\n" in text
    with pytest.raises(TargetError, match="only tenxgraph-tui itself knows the runs that are kept"):
        resolve(target, base=here, root=here)
    recorded = text_of(grounds(case(), here, target="replay:a.script.json"))
    assert "cannot\n" not in recorded


@pytest.mark.parametrize("spec", ["http://***@127.0.0.1:8000/a.py", "model:openai/gpt-4o"])
def test_what_is_no_file_stays_as_it_is(here: Path, spec: str) -> None:
    info = SetInfo(eval_set_id="a", target=spec)
    assert target_here(info, Path("evals/a.evalset.json"), here, said=None) == spec


def test_the_target_of_the_command_line_is_right_already(here: Path) -> None:
    (here / "evals").mkdir()
    (here / "evals" / "agents.py").touch()
    info = SetInfo(eval_set_id="a", target="agents.py:x")
    file = Path("evals/a.evalset.json")
    assert target_here(info, file, here, said="agents.py:x") == "agents.py:x"
