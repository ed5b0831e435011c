from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from textual.content import Content

from tenxgraph_tui.evaluation.events import (
    CaseFinished,
    CaseInfo,
    CaseStatus,
    RunEvent,
)
from tenxgraph_tui.evaluation.progress import CaseProgress, RunState
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.changes import Change
from tenxgraph_tui.tui.kit import text
from tenxgraph_tui.tui.lines.bars import (
    headline,
    note_strip,
    run_strip,
    waiting_headline,
)
from tenxgraph_tui.tui.lines.case_strip import case_strip
from tenxgraph_tui.tui.lines.top_bar import top_bar
from tests.tui.script import NOW, SCRIPT, Script, catalog

FACTS = (("target", "agents.py:assistant"), ("preset", "ci"), ("run", "#18"))


@pytest.fixture
def running() -> RunState:
    return folded(SCRIPT)


def folded(events: Sequence[RunEvent]) -> RunState:
    state = RunState()
    for event in events:
        state.apply(event)
    return state


def words(line: Content) -> str:
    return " ".join(line.plain.split())


@pytest.mark.parametrize(
    ("width", "left_out"),
    [
        pytest.param(120, (), id="everything fits"),
        pytest.param(70, ("target",), id="the target goes first"),
        pytest.param(40, ("target", "preset"), id="then the preset"),
        pytest.param(20, ("target", "preset", "run"), id="at last only the place"),
    ],
)
def test_facts_are_dropped_from_the_left(width: int, left_out: tuple[str, ...]) -> None:
    line = top_bar(("samples",), FACTS, width)
    assert line.cell_length == width
    for label, _ in FACTS:
        assert (label in line.plain) is (label not in left_out)


@pytest.mark.parametrize(
    ("width", "told"),
    [
        pytest.param(160, "✓ 4 passed ▼ 2 regressed ▲ 1 fixed 0:07", id="in words"),
        pytest.param(100, "✓ 4 ▼ 2 regressed ▲ 1 fixed 0:07", id="the statuses as signs"),
        pytest.param(64, "✓ 4 ▼ 2 ▲ 1 0:07", id="signs alone"),
        pytest.param(50, "✓ 4 0:07", id="not where the bar would have no room"),
    ],
)
def test_at_its_end_a_run_says_what_changed_since_the_baseline(width: int, told: str) -> None:
    script = Script().begin(catalog(a=list("wxyz")))
    for eval_id in "wxyz":
        script.finish(CaseKey(0, eval_id))
    state = folded(script.end().events)
    changes = {Change.REGRESSED: 2, Change.FIXED: 1, Change.NEW: 4, Change.SAME: 29}

    line = run_strip(headline(state), state, NOW, width, changes)

    assert line.cell_length == width
    assert words(line).replace("━", "").endswith(told.replace("0:07", "0:02"))


def test_a_run_in_which_one_case_was_cancelled_did_not_pass() -> None:
    script = Script().begin(catalog(a=list("xy"))).finish(CaseKey(0, "x"))
    script.add(CaseFinished, case=CaseKey(0, "y"), status=CaseStatus.CANCELLED)

    assert headline(folded(script.end().events)).word == "cancelled"

    script = Script().begin(catalog(a=list("xy"))).finish(CaseKey(0, "x"), CaseStatus.FAILED)
    script.add(CaseFinished, case=CaseKey(0, "y"), status=CaseStatus.CANCELLED)
    assert headline(folded(script.end().events)).word == "failed"


@pytest.mark.parametrize(
    ("width", "told"),
    [(120, "last run #17: 27/36 passed, 2 h ago"), (64, "last run #17"), (44, "r Run 36")],
)
def test_the_strip_says_how_the_last_run_went_as_far_as_there_is_room(
    width: int, told: str
) -> None:
    notes = ("last run #17: 27/36 passed, 2 h ago", "last run #17: 27/36 passed", "last run #17")
    head = waiting_headline("ready", "36 cases in 5 sets", [("r", "Run 36")], notes)

    line = note_strip(head, width)

    assert line.cell_length == width
    assert told in line.plain
    assert "36 cases in 5 sets" in line.plain
    assert "r Run 36" in line.plain


def test_a_fact_that_is_not_known_is_not_shown() -> None:
    assert "run" not in top_bar(("samples",), (("run", ""),), 80).plain


def test_crumbs_lead_to_where_one_is() -> None:
    assert words(top_bar(("samples", "weather", "tokyo"), (), 80)) == (
        "tenxgraph samples › weather › tokyo"
    )


def test_no_row_is_ever_wider_or_narrower_than_asked(running: RunState) -> None:
    one = CaseProgress(CaseKey(0, "a"), CaseInfo(eval_id="a"), CaseStatus.FAILED, tokens=5)
    for width in range(1, 200):
        assert top_bar(("a" * 50, "中文"), FACTS, width).cell_length == width
        assert run_strip(headline(running), running, NOW, width).cell_length == width
        assert case_strip(one, (1, 9), NOW, width).cell_length == width
        head = waiting_headline("ready", "36 cases", [("r", "Run")])
        assert note_strip(head, width, "0:01").cell_length == width


def test_a_run_is_told_with_counts_speed_and_time(running: RunState) -> None:
    line = run_strip(headline(running), running, NOW + 10, 160)
    assert words(line).replace("━", "").replace("─", "") == (
        "▸ running 6/18  ✓ 3 passed ✗ 2 failed ! 1 error ▸ 3 running · 9 waiting "
        "0.6 cases/s 0:10 eta 0:20"
    )


def test_the_bar_gives_each_kind_its_share(running: RunState) -> None:
    line = run_strip(headline(running), running, NOW + 10, 160).plain
    heavy, light = line.count("━"), line.count("─")
    assert heavy / (heavy + light) == pytest.approx(9 / 18, abs=0.03)


def test_no_eta_before_the_third_case() -> None:
    script = Script().begin(catalog())
    script.finish(CaseKey(0, "london_now")).finish(CaseKey(0, "tokyo_forecast"))
    state = folded(script.events)
    assert "eta" not in run_strip(headline(state), state, NOW + 10, 160).plain


@pytest.mark.parametrize(
    ("statuses", "end", "shown"),
    [
        pytest.param("pp", {}, "✓ passed 2/2 passed", id="all passed"),
        pytest.param("pf", {}, "✗ failed 1/2 passed", id="a failure"),
        pytest.param("pe", {}, "! error 1/2 passed", id="an error"),
        pytest.param("fe", {}, "✗ failed 0/2 passed", id="failures come first"),
        pytest.param("ps", {}, "✓ passed 1/1 passed", id="skipped cases do not count"),
        pytest.param("ss", {}, "! error 0/0 passed", id="nothing checked is never green"),
        pytest.param("p", {"was_cancelled": True}, "■ cancelled 1/2 passed", id="cancelled"),
        pytest.param("p", {"error": "disk full"}, "! error 1/2 passed, disk full", id="broken off"),
    ],
)
def test_a_finished_run_says_how_it_went(statuses: str, end: dict[str, Any], shown: str) -> None:
    kinds = {
        "p": CaseStatus.PASSED,
        "f": CaseStatus.FAILED,
        "e": CaseStatus.ERROR,
        "s": CaseStatus.SKIPPED,
    }
    script = Script().begin(catalog(one=["a", "b"]))
    for name, letter in zip("ab", statuses, strict=False):
        script.finish(CaseKey(0, name), kinds[letter])
    state = folded(script.end(**end).events)
    assert words(note_strip(headline(state), 80)) == shown


def test_a_case_says_which_of_the_failed_it_is() -> None:
    state = folded(SCRIPT)
    tokyo = state.cases[CaseKey(0, "tokyo_forecast")]
    assert words(case_strip(tokyo, (1, 9), NOW, 100)) == (
        "✗ failed 2 of 3 criteria 412 tok 1.9s [ 1 of 9 not passed ]"
    )


@pytest.mark.parametrize(
    ("width", "right"),
    [
        (86, "412 tok 1.9s [ 1 of 9 not passed ]"),
        (85, "412 tok 1.9s [ 1 of 9 ]"),
        (74, "1.9s [ 1 of 9 ]"),
        (64, "[ 1 of 9 ]"),
        (57, ""),
    ],
)
def test_what_became_of_a_case_is_kept_and_what_it_cost_gives_way(width: int, right: str) -> None:
    tokyo = folded(SCRIPT).cases[CaseKey(0, "tokyo_forecast")]
    line = case_strip(tokyo, (1, 9), NOW, width, text("▼ passed in #17"))
    assert words(line) == f"✗ failed 2 of 3 criteria ▼ passed in #17 {right}".rstrip()


def test_one_error_is_one_and_two_are_errors() -> None:
    over = catalog(weather=["a", "b"])
    script = Script().begin(over).finish(CaseKey(0, "a"), CaseStatus.ERROR, ())
    one = folded(script.events)
    assert "! 1 error " in words(run_strip(headline(one), one, NOW + 9, 160))
    two = folded(script.finish(CaseKey(0, "b"), CaseStatus.ERROR, ()).events)
    assert "! 2 errors " in words(run_strip(headline(two), two, NOW + 9, 160))


def test_what_is_skipped_counts_neither_while_it_runs_nor_after() -> None:
    over = catalog(weather=["a", "b"])
    script = Script().begin(over).finish(CaseKey(0, "a"), CaseStatus.SKIPPED, ())
    assert headline(folded(script.events)).rest == "0/1"
    script.finish(CaseKey(0, "b")).end()
    assert headline(folded(script.events)).rest == "1/1 passed"
