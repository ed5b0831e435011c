"""Criteria of one's own: written as 10xGraph documents it, named in a config, run end to end."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation import (
    AgentEvaluator,
    BaseCriterion,
    CriterionConfig,
    CriterionResult,
    EvalCase,
    EvalConfig,
    EvalPresets,
    EvalSet,
    ExecutionResult,
    SyncCriterion,
    create_eval_app,
)
from tenxgraph_tui.evaluation.config import CustomCriterion
from tenxgraph_tui.evaluation.criteria import CRITERIA_REGISTRY, build
from tenxgraph_tui.evaluation.criteria.composite import CompositeCriterion
from tenxgraph_tui.evaluation.criteria.text import RougeMatchCriterion
from tenxgraph_tui.evaluation.results import EvalCaseResult, Verdict
from tenxgraph_tui.graph import END, StateGraph


class MaxLengthCriterion(SyncCriterion):
    name = "max_length"
    description = "Response must stay under a number of characters"

    def __init__(self, config: CriterionConfig | None = None, limit: int = 500) -> None:
        super().__init__(config)
        self.limit = limit

    def evaluate_sync(self, actual: ExecutionResult, expected: EvalCase) -> CriterionResult:
        length = len(actual.actual_response)
        return self._result(1.0 if length <= self.limit else 0.0, {"length": length})


class PoliteCriterion(BaseCriterion):
    name = "polite"
    description = "Response must contain a courtesy word"

    async def evaluate(self, actual: ExecutionResult, expected: EvalCase) -> CriterionResult:
        await asyncio.sleep(0)
        ok = "please" in actual.actual_response.lower()
        return self._result(1.0 if ok else 0.0, {"polite": ok})


class HandMade(BaseCriterion):
    """Compares with the threshold by itself, as the older documents show it."""

    name = "my_criterion"

    async def evaluate(self, actual: ExecutionResult, expected: EvalCase) -> CriterionResult:
        score = 0.5
        return CriterionResult(
            criterion=self.name,
            score=score,
            passed=score >= self.threshold,
            threshold=self.threshold,
            details={"custom_data": "…"},
        )


class Unreachable(BaseCriterion):
    name = "unreachable"

    async def evaluate(self, actual: ExecutionResult, expected: EvalCase) -> CriterionResult:
        return self._failure("the service does not answer")


class Choosy(MaxLengthCriterion):
    name = "choosy"

    def validate_config(self) -> list[str]:
        return ["limit must be positive"] if self.limit <= 0 else super().validate_config()


class BadCheck(MaxLengthCriterion):
    def validate_config(self) -> list[str]:
        raise KeyError("limit")


@pytest.fixture(autouse=True)
def _reports_fall_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def short_and_similar(config: CriterionConfig) -> BaseCriterion:
    return CompositeCriterion([MaxLengthCriterion(limit=20), RougeMatchCriterion()], config=config)


def a_number(config: CriterionConfig) -> int:
    return 7


A_TEXT = "text"
HERE = __name__


async def evaluated(config: EvalConfig, answer: str = "Hello, please wait") -> EvalCaseResult:
    graph: StateGraph[Any] = StateGraph()
    graph.add_node("MAIN", lambda state: answer).set_entry_point("MAIN").add_edge("MAIN", END)
    app, collector = create_eval_app(graph)
    config.reporter.enabled = False
    eval_set = EvalSet(eval_cases=[EvalCase.single_turn("c", "hi", "Hello")])
    report = await AgentEvaluator(app, collector, config).evaluate(eval_set)
    return report.results[0]


def custom(*entries: Any) -> EvalConfig:
    return EvalConfig.model_validate({"custom": list(entries)})


@pytest.mark.parametrize(
    ("entry", "answer", "verdict"),
    [
        pytest.param(MaxLengthCriterion, "short", "passed", id="sync, it passes"),
        pytest.param(
            {"criterion": MaxLengthCriterion, "args": {"limit": 3}},
            "short",
            "failed",
            id="sync, with arguments, it fails",
        ),
        pytest.param(PoliteCriterion, "Please wait", "passed", id="async, it passes"),
        pytest.param(PoliteCriterion, "Wait", "failed", id="async, it fails"),
        pytest.param(
            {"criterion": HandMade, "config": {"threshold": 0.5}}, "x", "passed", id="by hand"
        ),
        pytest.param(HandMade, "x", "failed", id="by hand, below the default threshold"),
        pytest.param(Unreachable, "x", "error", id="it cannot tell"),
        pytest.param(f"{HERE}:short_and_similar", "Hello", "passed", id="a function that makes it"),
        pytest.param("exact_match", "Hello", "passed", id="by its name in the registry"),
    ],
)
async def test_a_criterion_of_ones_own_checks_a_case(entry: Any, answer: str, verdict: str) -> None:
    result = await evaluated(custom(entry), answer)

    assert [each.verdict.value for each in result.criterion_results] == [verdict]
    assert result.passed is (verdict == "passed")
    assert (result.error is not None) is (verdict == "error")


async def test_it_is_reported_beside_those_of_the_slots() -> None:
    config = EvalPresets.quick_check()
    config.custom.append(CustomCriterion(criterion=f"{HERE}:MaxLengthCriterion"))

    result = await evaluated(config, "Hello")

    assert [each.criterion for each in result.criterion_results] == ["rouge_match", "max_length"]
    own = result.get_criterion_result("max_length")
    assert own is not None
    assert own.details == {"length": 5}


async def test_it_is_enough_for_a_case_that_expects_nothing() -> None:
    graph: StateGraph[Any] = StateGraph()
    graph.add_node("MAIN", lambda state: "hi").set_entry_point("MAIN").add_edge("MAIN", END)
    app, collector = create_eval_app(graph)
    config = EvalPresets.combine(EvalPresets.tool_usage(), custom(MaxLengthCriterion))

    result = await AgentEvaluator(app, collector, config).evaluate_case(
        EvalCase.single_turn("c", "hi")
    )

    assert result.passed
    assert [each.verdict.value for each in result.criterion_results] == [
        "not_evaluated",
        "not_evaluated",
        "passed",
    ]


async def test_one_that_is_switched_off_is_not_even_imported() -> None:
    config = custom({"criterion": "no.such:Thing", "config": {"enabled": False}}, "exact_match")

    assert [each.name for each in build(config)] == ["exact_match"]


def test_a_registered_name_works_in_a_config(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CRITERIA_REGISTRY, "max_length", MaxLengthCriterion)

    (criterion,) = build(custom("max_length"))

    assert isinstance(criterion, MaxLengthCriterion)


class TestFiles:
    def test_what_is_written_is_read_again(self, tmp_path: Path) -> None:
        path = str(tmp_path / "config.json")
        config = EvalPresets.tool_usage()
        config.custom = [
            CustomCriterion(
                criterion=f"{HERE}:MaxLengthCriterion",
                args={"limit": 9},
                config=CriterionConfig(threshold=1.0),
            )
        ]

        config.to_file(path)

        read = EvalConfig.from_file(path)
        assert read == config
        *_, criterion = build(read)
        assert isinstance(criterion, MaxLengthCriterion)
        assert (criterion.limit, criterion.threshold) == (9, 1.0)

    def test_nothing_extra_stands_in_the_slots_which_10xgraph_would_refuse(
        self, tmp_path: Path
    ) -> None:
        path = tmp_path / "config.json"
        config = EvalPresets.combine(EvalPresets.quick_check(), custom("exact_match"))

        config.to_file(str(path))

        written = json.loads(path.read_text(encoding="utf-8"))
        assert set(written["criteria"]) == set(type(config.criteria).model_fields)
        assert written["custom"][0]["criterion"] == "exact_match"

    def test_a_config_without_any_has_the_keys_that_10xgraph_writes(self, tmp_path: Path) -> None:
        path = tmp_path / "config.json"

        EvalPresets.quick_check().to_file(str(path))

        written = json.loads(path.read_text(encoding="utf-8"))
        assert "custom" not in written
        assert "per_turn" not in written["criteria"]["rouge_match"]

    def test_a_typo_in_an_entry_is_named_with_its_line(self, tmp_path: Path) -> None:
        path = tmp_path / "config.json"
        path.write_text('{"custom": [\n {"criterion": "a:B", "confg": {}}\n]}', encoding="utf-8")

        with pytest.raises(
            ConfigError, match=r"config\.json:2: custom\[0\].*'confg'.*did you mean 'config'"
        ):
            EvalConfig.from_file(str(path))


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        pytest.param(
            "no_such_module_here:X",
            "no_such_module_here:X could not be imported: ModuleNotFoundError",
            id="no such module",
        ),
        pytest.param(
            f"{HERE}:MaxLenghtCriterion",
            "there is no 'MaxLenghtCriterion' in it: did you mean 'MaxLengthCriterion'",
            id="a typo in the class",
        ),
        pytest.param(
            "exactmatch", "not in CRITERIA_REGISTRY: did you mean 'exact_match'", id="a typo"
        ),
        pytest.param("mine", "write package.module:Class", id="a name that resembles nothing"),
        pytest.param(f"{HERE}:A_TEXT", "an object of str cannot be called", id="a text"),
        pytest.param(f"{HERE}:a_number", "is an object of int: derive it from", id="a number"),
        pytest.param(
            {"criterion": MaxLengthCriterion, "args": {"limt": 1}},
            r"cannot be made: TypeError: .*limt.*\(its parameters are .*limit",
            id="an argument that it does not take",
        ),
        pytest.param(
            {"criterion": Choosy, "args": {"limit": 0}},
            "choosy: limit must be positive",
            id="its validate_config finds something",
        ),
        pytest.param(BadCheck, "validate_config raised KeyError: 'limit'", id="or raises"),
    ],
)
async def test_what_cannot_work_is_said_before_the_run(entry: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        await evaluated(custom(entry))


async def test_two_that_report_under_one_name_are_refused() -> None:
    with pytest.raises(ConfigError, match="2 criteria report as 'max_length'"):
        await evaluated(custom(MaxLengthCriterion, MaxLengthCriterion))


async def test_a_threshold_that_was_set_later_is_found_before_the_run() -> None:
    config = EvalPresets.quick_check()
    assert config.criteria.rouge_match is not None
    config.criteria.rouge_match.threshold = 7.0

    with pytest.raises(ConfigError, match=r"rouge_match: Threshold must be between .* got 7\.0"):
        await evaluated(config)


def test_a_class_within_a_function_has_no_path() -> None:
    class Local(MaxLengthCriterion):
        pass

    with pytest.raises(ValidationError, match="Local is defined within a function"):
        custom(Local)


def test_config_is_not_given_twice() -> None:
    with pytest.raises(ValidationError, match='"config" stands beside "args"'):
        custom({"criterion": "a:B", "args": {"config": {}}})


def test_combine_keeps_both_and_lets_the_last_win() -> None:
    one = custom({"criterion": "a:A", "config": {"threshold": 0.1}}, "b:B")
    two = custom("c:C", {"criterion": "a:A", "config": {"threshold": 0.9}})

    merged = EvalPresets.combine(one, two)
    merged.custom[0].config.threshold = 0.0

    shown = [(entry.criterion, entry.config.threshold) for entry in merged.custom]
    assert shown == [("b:B", 0.0), ("c:C", 0.8), ("a:A", 0.9)]
    assert one.custom[1].config.threshold == 0.8  # a copy was changed


async def test_a_users_verdict_is_derived_from_its_score() -> None:
    class Cheats(HandMade):
        async def evaluate(self, actual: ExecutionResult, expected: EvalCase) -> CriterionResult:
            return CriterionResult(criterion=self.name, score=0.1, passed=True)

    part = CompositeCriterion([Cheats()])

    result = await part.evaluate(ExecutionResult(), EvalCase.single_turn("c", "q"))

    assert result.verdict is Verdict.FAILED
