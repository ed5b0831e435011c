from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation.alignment import Mark, Row
from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.tui.panes.calls import Side, call_line, value_text
from tenxgraph_tui.tui.panes.comparison import item
from tenxgraph_tui.tui.words import LONGEST_TEXT

BARE = ToolCall(name="search")
GIVEN = ToolCall(name="search", args={"query": "rain"})


def drawn(what: ToolCall, row: Row[ToolCall]) -> str:
    return item(what, 30, row, Side()).plain.rstrip()


def test_an_expected_call_without_arguments_accepts_any_and_says_so() -> None:
    row = Row(Mark.SAME, BARE, GIVEN)
    assert drawn(BARE, row) == "search(…)"
    assert drawn(GIVEN, row) == 'search(query="rain")'


def test_an_actual_call_without_arguments_had_none() -> None:
    assert drawn(BARE, Row(Mark.EXTRA, None, BARE)) == "search()"


@pytest.mark.parametrize("cells", range(12))
def test_a_call_that_accepts_any_arguments_fits_like_every_other(cells: int) -> None:
    assert call_line(BARE, cells, any_args=True).cell_length == cells


def test_only_the_beginning_of_a_huge_argument_is_looked_at() -> None:
    assert len(value_text("中" * 3_000_000)) < LONGEST_TEXT + 100
