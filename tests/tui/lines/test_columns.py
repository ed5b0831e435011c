from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation.events import CriterionInfo
from tenxgraph_tui.tui.lines.columns import Columns, columns, header, short_name
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
    """Cells of a whole row: status, its mark and the gap are 14."""
    return 14 + shown.case + shown.middle + shown.time


@pytest.mark.parametrize("criteria", [(), CRITERIA, SEVEN], ids=["none", "three", "seven"])
@pytest.mark.parametrize("longest", [0, 20, 60], ids=lambda n: f"names of {n}")
def test_the_columns_fill_the_width_exactly(
    criteria: tuple[CriterionInfo, ...], longest: int
) -> None:
    for width in range(40, 401):
        for costs in (False, True):
            shown = columns(width, criteria, longest=longest, costs=costs)
            assert filled(shown) == width, width
            assert header(shown).cell_length == width, width


def test_any_width_gives_a_case_column() -> None:
    for width in range(40):
        shown = columns(width, CRITERIA)
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
    shown = columns(width, criteria)
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
    shown = columns(width, CRITERIA, costs=True)
    assert bool(shown.tokens) is tokens
    assert bool(shown.cost) is cost


def test_room_that_names_leave_goes_to_the_reasons() -> None:
    assert columns(122, CRITERIA, longest=35).reason > 20
    assert columns(78, CRITERIA, longest=35).reason == 0


def test_a_criterion_of_an_unknown_kind_is_headed_by_its_name() -> None:
    assert short_name(CriterionInfo(slot="", name="my_own_check", threshold=1)) == "my_ow"
    assert short_name(CRITERIA[0]) == "tools"
