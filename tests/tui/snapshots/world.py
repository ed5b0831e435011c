"""A project as people have it, and its last two runs: what the pictures show.

Everything is written down here and nothing is measured, so that a picture never changes by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet, ToolCall
from tenxgraph_tui.evaluation.events import (
    CaseStarted,
    CaseStatus,
    JudgeStarted,
    RunEvent,
    RunStarted,
    StepStarted,
    TurnStarted,
    VerdictPreview,
)
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import (
    CaseKey,
    CriterionResult,
    EvalCaseResult,
    Score,
    Verdict,
)
from tenxgraph_tui.session.discovery import FoundSet
from tenxgraph_tui.session.history import Baseline
from tenxgraph_tui.tui.board import Earlier, Source
from tenxgraph_tui.tui.catalog import CaseId, Catalog, SetFile
from tenxgraph_tui.tui.past import Compared, PastRun, Recalled
from tenxgraph_tui.tui.results import ResultReader
from tests.tui.script import CRITERIA, NOW, RUN, SUPPORT, WEATHER, Script
from tests.tui.story import Story, call

NUMBER, BEFORE = 18, 17
RUN_BEFORE = "run-0"
HOUR = 3600.0
PASSED, FAILED, ERROR = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR

MORE_SUPPORT = (
    *("duplicate_charge", "delivery_slot_moved", "gift_card_balance", "invoice_to_company"),
    *("late_parcel_apology", "no_promise_on_stock", "speaks_german_when_asked", "tracks_parcel"),
    *("wrong_size_exchange", "cancels_before_dispatch"),
)
LIBRARY = (
    *("renews_a_loan", "holds_a_copy", "finds_by_author", "overdue_fee_explained"),
    *("opening_hours", "no_private_data", "suggests_similar", "lost_book"),
)
SETS = {"weather": WEATHER, "support": (*SUPPORT, *MORE_SUPPORT), "library": LIBRARY}
TAGS = {"smoke": 4, "multi_turn": 6}
"""Every so many cases of a set have that tag."""
SEVERAL_TURNS = frozenset({"change_address_then_confirm", "paris_then_rome_then_home"})
UNREADABLE = SetFile(
    "evals/booking.evalset.json",
    problem="evals/booking.evalset.json:41:7: a comma is missing after the value",
)

TOKYO = [
    call("get_weather", city="Tokyo"),
    call("get_forecast", city="Tokyo", days=1),
    call("get_alerts", city="Tokyo"),
]
QUESTION = "Will I need an umbrella in Tokyo tomorrow?"
EXPECTED = "Yes, rain is likely in Tokyo tomorrow afternoon, so take an umbrella with you."
ANSWER = "No, rain is unlikely in Kyoto tomorrow afternoon, so leave the umbrella at home."


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a case did in run 18, and in run 17; `before` None where it is new."""

    status: CaseStatus = PASSED
    scores: Sequence[float | None] = (1.0, 1.0, 0.84)
    tokens: int = 412
    seconds: float = 1.2
    reason: str = ""
    before: CaseStatus | None = PASSED

    @property
    def cost(self) -> float:
        return round(self.tokens * 2.2e-6, 4)

    @property
    def verdicts(self) -> tuple[VerdictPreview, ...]:
        return tuple(self._verdicts())

    def _verdicts(self) -> Iterator[VerdictPreview]:
        for criterion, score in zip(CRITERIA, self.scores, strict=False):
            name, needs = criterion.name, criterion.threshold
            if score is None:
                yield VerdictPreview(name, Verdict.NOT_EVALUATED, threshold=needs)
            else:
                has_passed = score >= needs
                verdict = Verdict.PASSED if has_passed else Verdict.FAILED
                yield VerdictPreview(name, verdict, score, needs, "" if has_passed else self.reason)


OUTCOMES = {
    "london_now": Outcome(scores=(1, 1, 0.91)),
    "tokyo_forecast": Outcome(FAILED, (1, 1 / 3, 0.4999), 655, 1.9, "call 2, city"),
    "osaka_weekend": Outcome(FAILED, (1, 0.5, 0.66), 640, 1.8, "call 1, days"),
    "kobe_wind": Outcome(FAILED, (1, 0.5, 0.71), 602, 1.7, "call 2 is missing"),
    "paris_then_rome_then_home": Outcome(scores=(1, 1, 0.83), tokens=1874, seconds=4.6),
    "fahrenheit_for_us_cities": Outcome(scores=(1, 1, 0.78), tokens=438, before=FAILED),
    "two_cities_compared": Outcome(
        FAILED, (1, 1, 0.42), 902, 2.4, "9 of 15 words differ", before=FAILED
    ),
    "missing_city_asks_back": Outcome(scores=(1, 1, 0.72), tokens=690, seconds=2.2),
    "seven_day_table": Outcome(ERROR, (), 1204, 10.0, "timed out after 10 s"),
    "refuses_stock_advice": Outcome(scores=(1, 1, None), tokens=288, seconds=0.78),
    "tool_down_falls_back": Outcome(scores=(1, 1, 0.74), tokens=1130, seconds=5.2),
    "pollen_and_uv": Outcome(scores=(1, 1, 0.88), tokens=760, seconds=2.0, before=None),
    "tracks_parcel": Outcome(FAILED, (0.5, 0.0, 0.81), 388, 1.4, "missing: track_parcel"),
}
UNREMARKABLE = Outcome()


def outcome(eval_id: str) -> Outcome:
    return OUTCOMES.get(eval_id, UNREMARKABLE)


def project(*, is_whole: bool = True) -> Catalog:
    """The eval sets of the project; a file cannot be read unless all of it `is_whole`."""
    files = [_file(name, ids) for name, ids in SETS.items()]
    return Catalog(tuple(files if is_whole else [*files, UNREADABLE]), "travel_agent", ("evals",))


def _file(name: str, ids: Sequence[str]) -> SetFile:
    cases = [_case(place, eval_id) for place, eval_id in enumerate(ids)]
    made = EvalSet(eval_set_id=name, name=name, eval_cases=cases)
    made.metadata["target"] = "agents.py:assistant"
    return SetFile.of(FoundSet(Path(f"evals/{name}.evalset.json"), made))


def _case(place: int, eval_id: str) -> EvalCase:
    if eval_id == "tokyo_forecast":
        case = EvalCase.single_turn(eval_id, QUESTION, EXPECTED, TOKYO, ["MAIN", "TOOL"] * 3)
    elif eval_id in SEVERAL_TURNS:
        turns = [(f"{_words(eval_id)}: {part}?", "Of course.") for part in ("first", "then")]
        case = EvalCase.multi_turn(eval_id, turns)
    else:
        case = EvalCase.single_turn(
            eval_id, f"{_words(eval_id)}?", _answer(eval_id), _calls(eval_id)
        )
    case.tags = [tag for tag, every in TAGS.items() if place % every == 0]
    return case


def _words(eval_id: str) -> str:
    return eval_id.replace("_", " ").capitalize()


def _answer(eval_id: str) -> str:
    return f"Here is what I found about {_words(eval_id).lower()}."


def _calls(eval_id: str) -> list[ToolCall]:
    return [call("look_up", topic=_words(eval_id).lower())]


def in_run(over: Catalog) -> list[CaseKey]:
    """Every case, as a run of everything calls it."""
    return [
        CaseKey(place, case.eval_id)
        for place, file in enumerate(over.readable)
        for case in file.cases
    ]


def told_of_baseline(over: Catalog) -> Compared:
    """Run 17, which is what run 18 is compared with."""
    cases = {one: outcome(one.eval_id).before for one in over}
    files = tuple(file.path for file in over.readable)
    return Compared(
        RUN,
        Baseline(
            RUN_BEFORE,
            BEFORE,
            {one: status for one, status in cases.items() if status is not None},
            frozenset(one for one, status in cases.items() if status is None),
            "offline (default)",
            files,
        ),
    )


def recalled(over: Catalog) -> Recalled:
    """What is known before anything runs: run 18 of two hours ago."""
    infos = _begun(over).sets
    cases = {}
    for key in in_run(over):
        info, told = infos[key.set_index], outcome(key.eval_id)
        case = CaseProgress(key, next(one for one in info.cases if one.eval_id == key.eval_id))
        case.status, case.tokens, case.cost = told.status, told.tokens, told.cost
        case.verdicts = {verdict.criterion: verdict for verdict in told.verdicts}
        case.duration_seconds, case.error = told.seconds, told.reason or None
        cases[CaseId(info.file, key.eval_id)] = Earlier(case, Source(RUN, NUMBER, key, info))
    passed = sum(one.case.status is PASSED for one in cases.values())
    last = PastRun(NUMBER, passed, len(cases), NOW - 2 * HOUR)
    return Recalled(last, last, cases)


def _begun(over: Catalog) -> RunStarted:
    begun = Script().begin(over, NUMBER).events[0]
    assert isinstance(begun, RunStarted)
    return begun


def finished(over: Catalog) -> list[RunEvent]:
    """Run 18 to its end."""
    script = Script().begin(over, NUMBER)
    for key in in_run(over):
        _finish(script, key)
    return script.end().events


def running(over: Catalog) -> list[RunEvent]:
    """Run 18 in the middle of its work."""
    script = Script().begin(over, NUMBER)
    for eval_id in WEATHER:
        _finish(script, CaseKey(0, eval_id))
    first, second, third, fourth = (CaseKey(1, eval_id) for eval_id in SUPPORT[:4])
    for key in (first, second, third, fourth):
        script.add(CaseStarted, case=key)
        script.add(TurnStarted, case=key, turn=1 if key == second else 0, of=1)
    script.add(JudgeStarted, case=first, criterion="llm_judge", sample=2, of=3)
    script.add(StepStarted, case=second, node="TOOL", tool="update_address", args='order="A-1077"')
    script.add(StepStarted, case=third, node="MAIN")
    script.add(StepStarted, case=fourth, node="TOOL", tool="find_orders", args='email="ana@…"')
    return script.events


def _finish(script: Script, key: CaseKey) -> None:
    told = outcome(key.eval_id)
    script.finish(
        key,
        told.status,
        (),
        usage=TokenUsage(told.tokens - 40, 40),
        cost=told.cost,
        duration_seconds=told.seconds,
        error=told.reason if told.status is ERROR else None,
    )
    script.events[-1] = script.events[-1].model_copy(update={"verdicts": told.verdicts})


class Results(ResultReader):
    """Has the results of both runs without a store."""

    def __init__(self) -> None:
        super().__init__(None)

    def whole(self, run_id: str, key: CaseKey) -> EvalCaseResult | None:
        told = outcome(key.eval_id)
        if run_id == RUN_BEFORE:
            told = Outcome(told.before or PASSED)
        if told.status is ERROR:
            return EvalCaseResult.failure(key.eval_id, f"TimeoutError: {told.reason}")
        verdicts = [
            CriterionResult.judged(one.criterion, Score(one.score, one.reason), one.threshold)
            if one.verdict is not Verdict.NOT_EVALUATED
            else CriterionResult.not_evaluated(one.criterion, "no expected response")
            for one in told.verdicts
        ]
        is_tokyo = key.eval_id == "tokyo_forecast" and told.status is FAILED
        story = _in_kyoto() if is_tokyo else _as_expected(key.eval_id)
        usage = TokenUsage(told.tokens - 40, 40)
        return story.result(
            *verdicts,
            eval_id=key.eval_id,
            duration_seconds=told.seconds,
            agent_token_usage=usage,
            token_usage=usage,
        )


def _as_expected(eval_id: str) -> Story:
    if eval_id == "tokyo_forecast":
        asked, calls, answer = QUESTION, TOKYO, EXPECTED
    else:
        asked, calls, answer = f"{_words(eval_id)}?", _calls(eval_id), _answer(eval_id)
    story = Story().user(asked)
    for one in calls:
        story.ask(one.model_copy(), result="as asked")
    return story.model(answer, usage=(328, 40, 0))


def _in_kyoto() -> Story:
    """The agent asks for the weather of another city, and then of none."""
    story = Story().user(QUESTION)
    story.ask(TOKYO[0].model_copy(), result={"sky": "overcast", "celsius": 19})
    forecast = call("get_forecast", city="Kyoto", days=1)
    told = {"city": "Kyoto", "summary": "dry, light wind from the west"}
    story.ask(forecast, "Let me check the Kansai region.", told, usage=(128, 27, 96))
    search = call("search_web", query="kyoto umbrella")
    search.error = "TimeoutError: no answer after 3 s"
    return story.ask(search, usage=(190, 18, 128)).model(ANSWER, usage=(212, 44, 128))
