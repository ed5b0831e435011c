"""Where the lines of a list stand."""

from __future__ import annotations

import pytest

from tenxgraph_tui.tui.framing import Frame, Part, Place

TEN_ROWS = Frame(rows=10, height=8, head=1, foot=2)
TALL_ROWS = Frame(rows=4, height=8, head=1, row_height=3)


@pytest.mark.parametrize(
    ("y", "place"),
    [
        (0, Place(Part.HEAD, 0)),
        (1, Place(Part.ROW, 3)),
        (5, Place(Part.ROW, 7)),
        (6, Place(Part.FOOT, 0)),
        (7, Place(Part.FOOT, 1)),
    ],
)
def test_head_and_foot_stay_while_rows_are_scrolled(y: int, place: Place) -> None:
    assert TEN_ROWS.place(y, top=3) == place


def test_a_row_of_several_lines_is_found_by_any_of_them() -> None:
    assert TALL_ROWS.place(1, top=2) == (Part.ROW, 0, 2)
    assert TALL_ROWS.place(2, top=2) == (Part.ROW, 1, 0)


def test_what_comes_after_the_last_row_is_counted_from_it() -> None:
    few = Frame(rows=2, height=8, head=1)
    assert few.place(2, top=0) == (Part.ROW, 1, 0)
    assert few.place(3, top=0) == (Part.BELOW, 0, 0)
    assert few.place(7, top=0) == (Part.BELOW, 4, 0)


@pytest.mark.parametrize(
    ("index", "top", "scrolled"),
    [(0, 4, 0), (4, 4, 4), (8, 4, 4), (9, 4, 5), (9, 0, 5), (3, 4, 3)],
)
def test_it_is_scrolled_as_little_as_needed(index: int, top: int, scrolled: int) -> None:
    assert TEN_ROWS.top_to_see(index, top) == scrolled
    assert TEN_ROWS.shows(index, scrolled)


def test_a_tall_row_is_seen_whole_or_from_its_beginning() -> None:
    assert TALL_ROWS.top_to_see(2, top=0) == 2
    low = Frame(rows=4, height=3, head=1, row_height=3)
    assert low.top_to_see(2, top=7) == 6


def test_where_there_is_no_room_nothing_is_scrolled() -> None:
    assert Frame(rows=10, height=2, head=1, foot=1).top_to_see(9, top=0) == 0


def test_a_page_is_what_is_seen_and_never_nothing() -> None:
    assert TEN_ROWS.page == 5
    assert TALL_ROWS.page == 2
    assert Frame(rows=10, height=0, head=1).page == 1


def test_there_is_no_row_before_the_first_or_after_the_last() -> None:
    assert [TEN_ROWS.nearest(index) for index in (-3, 4, 12)] == [0, 4, 9]
    assert Frame(rows=0, height=5).nearest(3) == 0


def test_the_length_is_that_of_everything() -> None:
    assert TEN_ROWS.length == 13
    assert TALL_ROWS.length == 13
