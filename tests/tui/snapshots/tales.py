"""What the agents of the project did, case by case: the results that a store would have kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.evaluation.results import (
    CaseKey,
    CriterionResult,
    EvalCaseResult,
    Score,
    Verdict,
)
from tenxgraph_tui.session.evidence import Evidence
from tenxgraph_tui.tui.results import ResultReader
from tests.tui.snapshots.outcomes import Outcome, outcome
from tests.tui.snapshots.world import (
    IN_JAPAN,
    QUESTION,
    RUN_BEFORE,
    SETS,
    SEVERAL_TURNS,
    TOKYO,
    answered,
    asked,
    expected_calls,
)
from tests.tui.story import Story, call

ANSWER = "No, rain is unlikely in Kyoto tomorrow afternoon, so leave the umbrella at home."
CONFIG = EvalPresets.combine(EvalPresets.tool_usage(strict=False), EvalPresets.quick_check())
ASKS = 120
"""Tokens of a call that only asks for a tool."""
TRACEBACK = """\
Traceback (most recent call last):
  File "agents.py", line 88, in assistant
    return answer(book, fee_of(book))
  File "library/fees.py", line 31, in fee_of
    return float(FEES[book.kind]["fee"])
KeyError: 'fee'
"""


class Results(ResultReader):
    """Has the results of both runs without a store."""

    def __init__(self) -> None:
        super().__init__(None)

    def whole(self, run_id: str, key: CaseKey) -> EvalCaseResult | None:
        told = outcome(key.eval_id)
        if run_id == RUN_BEFORE:
            told = Outcome(told.before or CaseStatus.PASSED)
        if told.status is CaseStatus.ERROR:
            return _error(key.eval_id, told)
        result = _story(key.eval_id, told).result(
            *_verdicts(told), eval_id=key.eval_id, duration_seconds=told.seconds
        )
        turns = SEVERAL_TURNS.get(key.eval_id, ())
        result.turn_results = [{"actual_response": answer} for _, answer in turns]
        return result

    def evidence(self, run_id: str, keys: Sequence[CaseKey]) -> Iterator[Evidence]:
        for key in keys:
            if result := self.whole(run_id, key):
                yield Evidence(
                    key,
                    tuple(result.criterion_results),
                    tuple(result.actual_tool_calls),
                    tuple(result.node_visits),
                    str(result.metadata.get("location", "")),
                )

    def configs(self, run_id: str) -> list[EvalConfig]:
        return [CONFIG] * len(SETS)


def _verdicts(told: Outcome) -> Iterator[CriterionResult]:
    for one in told.verdicts:
        if one.verdict is Verdict.NOT_EVALUATED:
            yield CriterionResult.not_evaluated(one.criterion, "no expected response")
            continue
        details = {}
        if one.criterion == "tool_trajectory_avg_score":
            details = {"match_type": "IN_ORDER", "check_args": True}
        yield CriterionResult.judged(
            one.criterion, Score(one.score, one.reason, details), one.threshold
        )


def _error(eval_id: str, told: Outcome) -> EvalCaseResult:
    broken = EvalCaseResult.failure(eval_id, told.error)
    story = Story().user(asked(eval_id))
    for one in expected_calls(eval_id):
        story.ask(one.model_copy(), result="as asked")
    made = story.result()
    kept = ("actual_trajectory", "actual_tool_calls", "messages", "node_responses", "node_visits")
    for name in kept:
        setattr(broken, name, getattr(made, name))
    broken.duration_seconds = told.seconds
    if "Error" in told.error:
        broken.metadata = {"traceback": TRACEBACK, "location": "library/fees.py:31"}
    return broken


def _story(eval_id: str, told: Outcome) -> Story:
    has_failed = told.status is CaseStatus.FAILED
    if eval_id in SEVERAL_TURNS:
        return _several_turns(eval_id)
    if has_failed and eval_id == "tokyo_forecast":
        return _in_kyoto()
    story, answer = Story().user(asked(eval_id)), answered(eval_id)
    calls = [one.model_copy() for one in expected_calls(eval_id)]
    if has_failed and eval_id in IN_JAPAN:
        calls[1].args = {**calls[1].args, "city": "Kyoto"}
    if has_failed and eval_id == "tracks_parcel":
        calls = []
    if has_failed and eval_id == "two_cities_compared":
        answer = "Sorry, I can look at one city at a time."
    for one in calls:
        story.ask(one, result="as asked")
    return story.model(answer, usage=(told.tokens - ASKS * len(calls) - 40, 40, 0))


def _several_turns(eval_id: str) -> Story:
    story = Story()
    for number, (question, answer) in enumerate(SEVERAL_TURNS[eval_id]):
        story.user(question)
        if not number:
            story.ask(call("look_up", topic=question), result="as asked")
        story.model(answer, usage=(420, 28, 256))
    return story


def _in_kyoto() -> Story:
    """The agent asks for the weather of another city, and then of none."""
    story = Story().user(QUESTION)
    weather = {"city": "Tokyo", "sky": "overcast", "celsius": 19, "wind": {"from": "SE", "kmh": 11}}
    story.ask(TOKYO[0].model_copy(), result=weather, seconds=0.6, usage=(96, 22, 0))
    forecast = call("get_forecast", city="Kyoto", days=1)
    hours = [{"hour": hour, "sky": "dry", "rain_mm": 0.0} for hour in (6, 12, 18)]
    told = {"city": "Kyoto", "summary": "dry, light wind from the west", "hours": hours}
    story.ask(forecast, "Let me check the Kansai region.", told, seconds=0.45, usage=(128, 27, 96))
    search = call("search_web", query="kyoto umbrella")
    search.error = "TimeoutError: no answer after 3 s"
    story.ask(search, seconds=0.2, usage=(151, 19, 96))
    return story.model(ANSWER, seconds=0.05, usage=(168, 44, 128))
