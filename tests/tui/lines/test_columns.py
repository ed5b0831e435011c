from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation.events import CriterionInfo
from tenxgraph_tui.tui.lines.columns import (
    Columns,
    Wanted,
    columns,
    header,
    heading_at,
    headings,
    short_name,
)
from tests.tui.script import CRITERIA

SEVEN = tuple(
    CriterionInfo(slot=slot, name=slot, threshold=0.8)
    for slot in (
        "tool_name_match",
        "trajectory",
        "rouge_match",
        "llm_judge",
        "factual_accuracy",
        "hallucination",
        "safety",
    )
)


def filled(shown: Columns) -> int:
    """Cells of a whole row: status, its mark and the gap are 15."""
    return 15 + shown.case + shown.middle + shown.time + shown.change


@pytest.mark.parametrize("criteria", [(), CRITERIA, SEVEN], ids=["none", "three", "seven"])
@pytest.mark.parametrize("longest", [0, 20, 60], ids=lambda n: f"names of {n}")
def test_the_columns_fill_the_width_exactly(
    criteria: tuple[CriterionInfo, ...], longest: int
) -> None:
    for width in range(40, 401):
        for more in (False, True):
            wanted = Wanted(criteria, cost=more, change=more)
            shown = columns(width, wanted, longest=longest)
            assert filled(shown) == width, width
            assert header(headings(shown)).cell_length == width, width


def test_any_width_gives_a_case_column() -> None:
    for width in range(40):
        shown = columns(width, Wanted(CRITERIA, change=True))
        assert 0 <= shown.case <= width


@pytest.mark.parametrize(
    ("width", "criteria", "scores", "worst"),
    [
        pytest.param(160, SEVEN, 7, False, id="wide: every criterion"),
        pytest.param(78, SEVEN, 2, True, id="80 columns: what leaves the case its room"),
        pytest.param(78, CRITERIA, 3, False, id="80 columns: three fit"),
        pytest.param(69, CRITERIA, 0, True, id="below 70 only the worst"),
        pytest.param(30, CRITERIA, 0, False, id="at last only the case"),
    ],
)
def test_scores_give_way_to_the_worst(
    width: int, criteria: tuple[CriterionInfo, ...], scores: int, worst: bool
) -> None:
    shown = columns(width, Wanted(criteria))
    assert len(shown.scores) == scores
    assert bool(shown.worst) is worst


@pytest.mark.parametrize(
    ("width", "tokens", "cost"),
    [
        pytest.param(120, True, True, id="everything from 108 on"),
        pytest.param(100, True, False, id="no cost below"),
        pytest.param(73, False, False, id="no tokens below 74"),
    ],
)
def test_numbers_are_shown_from_their_width_on(width: int, tokens: bool, cost: bool) -> None:
    shown = columns(width, Wanted(CRITERIA, cost=True))
    assert bool(shown.tokens) is tokens
    assert bool(shown.cost) is cost


def test_room_that_names_leave_goes_to_the_reasons() -> None:
    assert columns(122, Wanted(CRITERIA), longest=35).reason > 20
    assert columns(78, Wanted(CRITERIA), longest=35).reason == 0


def test_room_too_small_for_reasons_is_left_to_errors() -> None:
    shown = columns(118, Wanted(CRITERIA, cost=True, change=True), longest=35)
    assert (shown.case, shown.reason, shown.spare) == (35, 0, 11)
    assert shown.verdicts == 3 * 7 + 11


def test_a_criterion_of_an_unknown_kind_is_headed_by_its_name() -> None:
    assert short_name(CriterionInfo(slot="", name="my_own_check", threshold=1)) == "my_ow"
    assert short_name(CRITERIA[0]) == "tools"


def test_what_is_not_wanted_leaves_its_room_to_the_names() -> None:
    everything = columns(118, Wanted(CRITERIA, cost=True, change=True), longest=60)
    few = Wanted(CRITERIA[:1], tokens=False, time=False, reason=False)
    little = columns(118, few, longest=60)
    assert (little.tokens, little.cost, little.time, little.change) == (0, 0, 0, 0)
    assert little.case > everything.case
    assert filled(little) == 118


@pytest.mark.parametrize(
    ("width", "title"), [(118, "vs #17"), (90, "vs #17"), (89, "Δ"), (60, "Δ")]
)
def test_the_change_is_headed_by_the_run_that_it_is_against(width: int, title: str) -> None:
    shown = columns(width, Wanted(CRITERIA, change=True))
    assert header(headings(shown, 17)).plain.split("time")[1].strip() == title


def test_every_cell_of_the_header_belongs_to_the_column_below_it() -> None:
    heads = headings(columns(118, Wanted(CRITERIA, cost=True, change=True)), 17)
    line = header(heads).plain
    for title, by in (("status", "status"), ("case", "case"), ("traj", "trajectory")):
        found = heading_at(heads, line.index(title))
        assert found is not None
        assert found.by == by
    last = heading_at(heads, 117)
    assert last is not None
    assert last.by == "change"
    assert heading_at(heads, 118) is None


@pytest.mark.parametrize("by", ["status", "tool_name_match", "trajectory", "time", "change"])
def test_the_column_that_is_sorted_by_has_an_arrow(by: str) -> None:
    for width in (118, 98, 78):
        heads = headings(columns(width, Wanted(CRITERIA, change=True)), 17)
        line = header(heads, by, "↓")
        assert line.cell_length == width
        assert line.plain.count("↓") == 1
