"""Eval modules as 10xGraph's documents have them written, with objects of its own classes."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tenxgraph_tui.evaluation import CriterionConfig, EvalConfig, EvalPresets, MatchType
from tenxgraph_tui.evaluation.formats.confevals import read_confeval
from tenxgraph_tui.evaluation.formats.modules import EvalModule, read_module

pytest.importorskip("tenxgraph", reason="10xGraph is not installed (it needs Python 3.12)")

Read = Callable[[str], EvalModule]

IMPORTS = """\
from tenxgraph.qa.evaluation import ConversationScenario, CriterionConfig, EvalCase, EvalConfig
from tenxgraph.qa.evaluation import EvalPresets, EvalSet, EvalSetBuilder, MatchType, Rubric
from tenxgraph.qa.evaluation import ToolCall, UserSimulatorConfig
"""


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Read]:
    """Write `weather_eval.py` below the imports of 10xGraph's names, and read it."""
    monkeypatch.setattr(sys, "path", [*sys.path])

    def write_and_read(text: str) -> EvalModule:
        path = tmp_path / "weather_eval.py"
        path.write_text(IMPORTS + textwrap.dedent(text), encoding="utf-8")
        return read_module(str(path), tmp_path)

    yield write_and_read
    for name in [name for name in sys.modules if name.startswith("_target_")]:
        del sys.modules[name]


def test_what_its_builder_builds_goes_by_the_file_and_keeps_its_cases(read: Read) -> None:
    found = read("""
        def get_eval_set() -> EvalSet:
            return (
                EvalSetBuilder(name="weather")
                .add_case(query="Hi", expected="Hello", expected_node_order=["MAIN"], name="greet")
                .add_tool_test(
                    query="How is London?",
                    tool_name="get_weather",
                    tool_args={"location": "London"},
                    expected_response="sunny",
                    case_id="london",
                )
                .add_multi_turn(conversation=[("a", "b"), ("c", "d")], expected_tools=["other"])
                .build()
            )
    """)

    assert not found.problems
    (made,) = found.sets.values()
    assert (made.eval_set_id, made.name) == ("weather_eval", "weather")
    first, second, third = made.eval_cases
    assert (first.eval_id, first.name) == ("case_1", "greet")
    assert first.conversation[0].expected_node_order == ["MAIN"]
    (call,) = second.conversation[0].expected_tool_trajectory
    assert (call.name, call.args) == ("get_weather", {"location": "London"})
    assert [turn.user_content.get_text() for turn in third.conversation] == ["a", "c"]


def test_what_is_filled_in_after_it_was_made_is_not_lost(read: Read) -> None:
    found = read("""
        EVAL_CONFIG = EvalConfig()
        EVAL_CONFIG.enable_criterion("rouge_match", CriterionConfig.rouge_match(0.3))
        EVAL_CONFIG.reporter.enabled = False

        def later() -> EvalSet:
            made = EvalSet(eval_set_id="later")
            case = EvalCase.single_turn(eval_id="one", user_query="hi", expected_response="ho")
            case.tags.append("smoke")
            case.metadata["who"] = "me"
            made.add_case(case)
            return made

        def nameless() -> EvalSet:
            return EvalSet(eval_cases=later().eval_cases)
    """)

    later, nameless = found.sets.values()
    (case,) = later.eval_cases
    assert (case.eval_id, case.tags, case.metadata) == ("one", ["smoke"], {"who": "me"})
    assert (later.eval_set_id, nameless.eval_set_id) == ("later", "nameless")
    config = EvalConfig.model_validate(later.metadata["config"])
    assert config.criteria.rouge_match == CriterionConfig.rouge_match(0.3)
    assert not config.reporter.enabled


def test_every_criterion_and_setting_of_its_config_is_ours(read: Read) -> None:
    found = read("""
        def config() -> EvalConfig:
            return EvalConfig(
                criteria={
                    "tool_name_match": CriterionConfig.tool_name_match(0.7),
                    "trajectory": CriterionConfig.trajectory(0.9, MatchType.IN_ORDER, True),
                    "contains_keywords": CriterionConfig.contains_keywords(["sun"]),
                    "rubric_based": CriterionConfig.rubric_based(
                        [Rubric(rubric_id="short", content="is short", weight=2.0)]
                    ),
                    "safety": CriterionConfig.safety(),
                },
                timeout=12.0,
                max_concurrency=3,
            )

        def sunny() -> EvalSet:
            return EvalSetBuilder("sunny").add_case("Hi", "Hello").build()
    """)

    (made,) = found.sets.values()
    config = EvalConfig.model_validate(made.metadata["config"])
    criteria = config.criteria
    assert criteria.tool_name_match == CriterionConfig.tool_name_match(0.7)
    assert criteria.trajectory == CriterionConfig.trajectory(
        0.9, MatchType.IN_ORDER, check_args=True
    )
    assert criteria.contains_keywords == CriterionConfig.contains_keywords(["sun"])
    assert criteria.rubric_based is not None
    assert [(each.content, each.weight) for each in criteria.rubric_based.rubrics] == [
        ("is short", 2.0)
    ]
    assert criteria.safety == CriterionConfig.safety()
    assert (config.timeout, config.max_concurrency) == (12.0, 3)


@pytest.mark.parametrize("preset", ["quick_check", "tool_usage", "comprehensive"])
def test_its_presets_are_ours_in_a_confeval_too(read: Read, tmp_path: Path, preset: str) -> None:
    path = tmp_path / "confeval.py"
    path.write_text(f"{IMPORTS}\ndef get_eval_config():\n    return EvalPresets.{preset}()\n")

    found = read_confeval(path, tmp_path)

    assert (found.config, found.config_name) == (getattr(EvalPresets, preset)(), "get_eval_config")


def test_its_scenarios_are_listed(read: Read) -> None:
    found = read("""
        SIMULATOR_CONFIG = UserSimulatorConfig(model="openai/gpt-4o-mini", max_invocations=8)

        def get_scenarios() -> list[ConversationScenario]:
            return [ConversationScenario(scenario_id="trip", goals=["a packing list"])]
    """)

    assert (found.scenarios, found.problems) == (("trip",), ())


def test_what_its_classes_refuse_is_told_in_a_line(read: Read) -> None:
    found = read("""
        EVAL = 1
        def get_eval_config() -> EvalConfig:
            return EvalConfig(criteria={"node_order_score": CriterionConfig.node_order()})
    """)

    (problem,) = found.problems
    told = "get_eval_config() raised ValidationError: EvalConfig: criteria.node_order_score: "
    assert told in problem
    assert "\n" not in problem
