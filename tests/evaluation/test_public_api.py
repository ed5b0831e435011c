"""The library's names, parameters, kinds and defaults are the documented ones.

`tests/data/public_api.json` holds the facts, measured from 10xGraph: a parameter is `[name, kind]`
or `[name, kind, default]`, a member `[kind]` or `[kind, parameters]`.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import operator
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

import tenxgraph_tui
from tenxgraph_tui import evaluation
from tenxgraph_tui.evaluation import testing

API: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data/public_api.json").read_text(encoding="utf-8")
)

ADDITIONS = {
    "CRITERIA_REGISTRY": "what a config may name",
    "CustomCriterion": "an entry of EvalConfig.custom",
    "MarkdownReporter": "beyond the seed",
    "NotEvaluated": "what a criterion's score may be",
    "Score": "what a criterion's score may be",
    "Verdict": "what a CriterionResult concluded",
    "record_node": "for agents that are no graphs",
    "record_tool_call": "for agents that are no graphs",
}

NAMES = [*API, *ADDITIONS]

DIFFERENT_DEFAULTS = {
    "AgentEvaluator.evaluate(parallel)": (None, "the config decides"),
    "AgentEvaluator.evaluate(max_concurrency)": (None, "the config decides"),
}

KINDS: dict[Any, str] = {
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "positional",
    inspect.Parameter.KEYWORD_ONLY: "keyword",
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}
AWAITED = {
    "AgentEvaluator.evaluate_file",
    "QuickEval.batch",
    "QuickEval.check",
    "QuickEval.conversation_flow",
    "QuickEval.from_builder",
    "QuickEval.preset",
    "QuickEval.tool_usage",
}
"""The class methods that return a coroutine; the facts do not say it."""


def documented_callables() -> Iterator[tuple[str, list[list[Any]]]]:
    """(dotted name, documented parameters) of every function, constructor and method."""
    for name in NAMES:
        facts = API.get(name, {})
        if "parameters" in facts:
            yield name, facts["parameters"]
        for member, (_, *parameters) in facts.get("members", {}).items():
            if parameters:
                yield f"{name}.{member}", parameters[0]


def parameters_of(ours: Callable[..., Any]) -> list[list[Any]]:
    found: list[list[Any]] = []
    for parameter in inspect.signature(ours).parameters.values():
        if parameter.name == "self":
            continue
        row: list[Any] = [parameter.name, KINDS[parameter.kind]]
        default = parameter.default
        if default is not inspect.Parameter.empty:
            row.append("<factory>" if repr(default) == "<factory>" else default)
        found.append(row)
    return found


def expected_of(name: str, documented: list[list[Any]]) -> list[list[Any]]:
    return [
        [*row[:2], DIFFERENT_DEFAULTS[key][0]]
        if (key := f"{name}({row[0]})") in DIFFERENT_DEFAULTS
        else row
        for row in documented
    ]


def test_every_documented_name_is_exported_and_no_other_but_ours() -> None:
    assert set(evaluation.__all__) == set(NAMES)
    assert len(set(evaluation.__all__)) == len(evaluation.__all__)
    assert set(evaluation.__all__) <= set(dir(evaluation))


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_the_same_object_in_the_package(name: str) -> None:
    assert getattr(tenxgraph_tui, name) is getattr(evaluation, name)
    assert name in dir(tenxgraph_tui)


@pytest.mark.parametrize("name", testing.__all__)
def test_the_helpers_are_in_their_own_package_too(name: str) -> None:
    assert getattr(testing, name) is getattr(evaluation, name)


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    for package in (evaluation, tenxgraph_tui):
        with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
            _ = package.Nothing


@pytest.mark.parametrize(
    ("name", "documented"), [pytest.param(*each, id=each[0]) for each in documented_callables()]
)
def test_parameters_kinds_and_defaults(name: str, documented: list[list[Any]]) -> None:
    expected = expected_of(name, documented)
    found = parameters_of(operator.attrgetter(name)(evaluation))
    assert found[: len(expected)] == expected
    added = found[len(expected) :]
    assert [row[0] for row in added if row[1] != "keyword" or len(row) < 3] == []


@pytest.mark.parametrize("name", [name for name in NAMES if "members" in API.get(name, {})])
def test_members_and_their_kinds(name: str) -> None:
    ours = getattr(evaluation, name)
    for member, (kind, *_) in API[name]["members"].items():
        raw = inspect.getattr_static(ours, member)
        is_async = inspect.iscoroutinefunction(getattr(ours, member))
        match kind:
            case "property":
                assert isinstance(raw, property), member
            case "classmethod":
                assert isinstance(raw, classmethod), member
                assert is_async is (f"{name}.{member}" in AWAITED), member
            case "async method":
                assert is_async, member
            case "method":
                assert callable(raw), member
                assert not is_async, member
            case "attr":
                assert hasattr(ours, member), member
            case _:
                pytest.fail(f"{member}: no such kind: {kind}")


@pytest.mark.parametrize("name", [name for name in NAMES if "fields" in API.get(name, {})])
def test_fields_and_their_defaults(name: str) -> None:
    model: type[BaseModel] = getattr(evaluation, name)
    for field, documented in API[name]["fields"].items():
        ours = model.model_fields[field]
        if ours.is_required():
            assert documented == "required", field
        elif ours.default_factory is not None:
            made = ours.get_default(call_default_factory=True, validated_data={})
            assert f"factory {type(made).__name__}" == documented, field
        else:
            assert ours.default == documented, field


def test_the_result_of_the_reporters_is_a_dataclass() -> None:
    assert dataclasses.is_dataclass(evaluation.ReporterOutput)
    assert evaluation.ReporterOutput().errors == []


def test_importing_every_name_is_light() -> None:
    probe = (
        "from tenxgraph_tui.evaluation import *\n"
        "import sys\n"
        "heavy = {'rich', 'textual', 'numpy', 'litellm', 'pytest', '_pytest', 'jinja2',"
        " 'rouge_score', 'nltk', 'tenxgraph', 'langgraph'}\n"
        "print(sorted(heavy & set(sys.modules)), len(AgentEvaluator.__mro__))\n"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] 2"
