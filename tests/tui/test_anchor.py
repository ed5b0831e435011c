"""The cases that a table's cursor and view stay with."""

from __future__ import annotations

from tenxgraph_tui.tui.anchor import Anchor
from tenxgraph_tui.tui.listing import Listing
from tenxgraph_tui.tui.sorting import order_named
from tests.tui.script import SCRIPT, stage

CURSOR, TOP = 9, 6


def anchored() -> tuple[Listing, Anchor]:
    """A listing in the order of the files, and a cursor in the middle of it."""
    desk = stage().desk
    for event in SCRIPT:
        desk.apply(event)
    listing = Listing(desk)
    listing.follow(0)
    anchor = Anchor(desk, listing.rows)
    anchor.note(CURSOR)
    anchor.note_top(TOP)
    return listing, anchor


def test_the_cursor_stays_on_its_case_and_at_its_height() -> None:
    listing, anchor = anchored()
    on = listing.rows[CURSOR].key
    listing.order = order_named("-case")
    assert listing.follow(0)
    place, top = anchor.places(CURSOR, TOP, is_seen=True)
    assert listing.rows[place].key == on
    assert place != CURSOR
    assert place - top == CURSOR - TOP


def test_where_the_cursor_is_out_of_sight_the_view_stays_with_its_first_case() -> None:
    listing, anchor = anchored()
    first = listing.rows[TOP].key
    listing.order = order_named("-case")
    assert listing.follow(0)
    _, top = anchor.places(CURSOR, TOP, is_seen=False)
    assert listing.rows[top].key == first


def test_at_the_very_top_new_rows_are_seen_as_they_come() -> None:
    listing, anchor = anchored()
    anchor.note_top(0)
    listing.order = order_named("-case")
    assert listing.follow(0)
    assert anchor.places(CURSOR, 0, is_seen=True)[1] == 0


def test_who_forgets_begins_with_the_first_row() -> None:
    _, anchor = anchored()
    assert anchor.is_set
    anchor.forget()
    assert not anchor.is_set
    assert anchor.places(CURSOR, TOP, is_seen=False) == (0, TOP)
