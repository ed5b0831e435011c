"""A project as people have it, and its last two runs: what the pictures show.

Everything is written down here and nothing is measured, so that a picture never changes by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet, ToolCall
from tenxgraph_tui.evaluation.events import (
    CaseStarted,
    CaseStatus,
    Log,
    RunEvent,
    RunStarted,
    StepRecorded,
    StepStarted,
    TurnStarted,
)
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import (
    CaseKey,
)
from tenxgraph_tui.session.discovery import FoundSet
from tenxgraph_tui.session.history import Baseline
from tenxgraph_tui.tui.board import Earlier, Source
from tenxgraph_tui.tui.catalog import CaseId, Catalog, SetFile
from tenxgraph_tui.tui.past import Compared, PastRun, Recalled
from tests.tui.script import NOW, RUN, SUPPORT, WEATHER, Script
from tests.tui.snapshots.outcomes import SAID, outcome
from tests.tui.story import call

NUMBER, BEFORE = 18, 17
RUN_BEFORE = "run-0"
HOUR = 3600.0

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
SEVERAL_TURNS = {
    "paris_then_rome_then_home": (
        ("What is the weather in Paris now?", "It is 12 degrees and cloudy in Paris."),
        ("And in Rome?", "It is 19 degrees and sunny in Rome."),
        ("And at home?", "Where is home? Tell me the city."),
    ),
    "change_address_then_confirm": (
        ("I moved. Change the address of A-1077?", "Tell me the street, city and postal code."),
        ("Seestrasse 12, 8004 Zürich.", "Done. Order A-1077 now ships to Seestrasse 12."),
    ),
}
"""What is said and expected in each turn of a case that has several."""
IN_JAPAN = {"osaka_weekend": "Osaka", "kobe_wind": "Kobe"}
"""Where the agent looks at the weather of Kyoto instead."""
UNREADABLE = SetFile(
    "evals/booking.evalset.json",
    problem="evals/booking.evalset.json:41:7: a comma is missing after the value",
)

TOKYO = [
    call("get_weather", city="Tokyo"),
    call("get_forecast", city="Tokyo", days=1),
    call("get_alerts", city="Tokyo"),
]
VISITS = [*["MAIN", "TOOL"] * 3, "MAIN"]
QUESTION = "Will I need an umbrella in Tokyo tomorrow?"
EXPECTED = "Yes, rain is likely in Tokyo tomorrow afternoon, so take an umbrella with you."


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
        case = EvalCase.single_turn(eval_id, QUESTION, EXPECTED, TOKYO, VISITS)
    elif eval_id in SEVERAL_TURNS:
        case = EvalCase.multi_turn(eval_id, [*SEVERAL_TURNS[eval_id]])
    else:
        case = EvalCase.single_turn(
            eval_id, asked(eval_id), answered(eval_id), expected_calls(eval_id)
        )
    case.tags = [tag for tag, every in TAGS.items() if place % every == 0]
    return case


def _words(eval_id: str) -> str:
    return eval_id.replace("_", " ").capitalize()


def asked(eval_id: str) -> str:
    """What the user of a case says that says it once."""
    return QUESTION if eval_id == "tokyo_forecast" else f"{_words(eval_id)}?"


def answered(eval_id: str) -> str:
    """What the agent should say, and mostly does."""
    if eval_id == "tokyo_forecast":
        return EXPECTED
    return f"Here is what I found about {_words(eval_id).lower()}."


def expected_calls(eval_id: str) -> list[ToolCall]:
    """What the agent should call, and mostly does."""
    city = IN_JAPAN.get(eval_id)
    if eval_id == "tokyo_forecast":
        return TOKYO
    if city:
        return [call("get_weather", city=city), call("get_forecast", city=city, days=2)]
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
        case.duration_seconds, case.error = told.seconds, told.error or None
        cases[CaseId(info.file, key.eval_id)] = Earlier(case, Source(RUN, NUMBER, key, info))
    passed = sum(one.case.status is CaseStatus.PASSED for one in cases.values())
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


def _say(script: Script, key: CaseKey, line: str, level: str = "info") -> None:
    source = "stdout" if level == "info" else "logging"
    script.add(Log, case=key, text=line, level=level, source=source)


def running(over: Catalog) -> list[RunEvent]:
    """Run 18 in the middle of its work."""
    script = Script().begin(over, NUMBER)
    for eval_id in WEATHER:
        _finish(script, CaseKey(0, eval_id))
    first, second, third, fourth = (CaseKey(1, eval_id) for eval_id in SUPPORT[:4])
    for key in (first, second, third, fourth):
        script.add(CaseStarted, case=key)
        script.add(TurnStarted, case=key, turn=0, of=2 if key == second else 1)
    _step(script, second, "MAIN")
    script.add(TurnStarted, case=second, turn=1, of=2)
    _step(script, second, "MAIN")
    _step(script, second, "TOOL", tool="find_orders", args='email="ana@…"')
    _say(script, second, "the customer has 1 open order")
    _step(script, second, "MAIN")
    script.add(StepStarted, case=second, node="TOOL", tool="update_address", args='order="A-1077"')
    script.add(StepStarted, case=first, node="TOOL", tool="refund_policy", args='country="DE"')
    script.add(StepStarted, case=third, node="MAIN")
    script.add(StepStarted, case=fourth, node="TOOL", tool="find_orders", args='email="ana@…"')
    return script.events


def _step(script: Script, key: CaseKey, node: str, **call: str) -> None:
    """A step that began and ended."""
    script.add(StepStarted, case=key, node=node, **call)
    script.add(StepRecorded, case=key, node=node, seconds=0.25, **call)


def _finish(script: Script, key: CaseKey) -> None:
    told = outcome(key.eval_id)
    for line, level in SAID.get(key.eval_id, ()):
        _say(script, key, line, level)
    script.finish(
        key,
        told.status,
        (),
        usage=TokenUsage(told.tokens - 40, 40),
        cost=told.cost,
        duration_seconds=told.seconds,
        error=told.error or None,
    )
    script.events[-1] = script.events[-1].model_copy(update={"verdicts": told.verdicts})
