from __future__ import annotations

import pytest

from tenxgraph_tui.tui.filtering.completing import Option, options
from tenxgraph_tui.tui.filtering.vocabulary import Vocabulary
from tenxgraph_tui.tui.lines.filter import hint_line, option_at

KEYS = options("", 0, Vocabulary())
STATUSES = options("status:", 7, Vocabulary())


def shown(told: str = "", among: tuple[Option, ...] = (), chosen: int = 0, width: int = 100) -> str:
    line = hint_line(told, among, chosen, width)
    assert line.cell_length == width
    return line.plain.rstrip()


def test_a_finished_filter_says_how_to_leave_it() -> None:
    assert shown() == "  enter Keep   esc Clear"


def test_what_is_missing_is_said() -> None:
    assert shown("tokens> … a number, like 1000") == "  tokens> … a number, like 1000"


def test_what_is_wrong_is_said_before_anything_else() -> None:
    line = hint_line("no filter statsu", KEYS, 0, 60, is_wrong=True)
    assert line.plain.rstrip() == "! no filter statsu"


def test_the_ways_to_go_on_stand_side_by_side_with_the_meaning_of_the_chosen_one() -> None:
    assert shown(among=STATUSES).startswith("  failed  error  passed  running")
    one = options("tur", 3, Vocabulary())
    assert shown(among=one) == "  turns    like turns>1"


@pytest.mark.parametrize("chosen", range(len(KEYS)))
@pytest.mark.parametrize("width", [0, 1, 7, 20, 40, 80, 200])
def test_the_chosen_one_has_room_at_any_width(chosen: int, width: int) -> None:
    line = shown(among=KEYS, chosen=chosen, width=width)
    if width >= 20:
        assert KEYS[chosen].shown in line


def test_a_click_finds_what_it_sees() -> None:
    for width in (30, 80):
        for chosen in (0, 5, 10):
            line = shown(among=KEYS, chosen=chosen, width=width)
            at = line.index(KEYS[chosen].shown)
            assert option_at(KEYS, chosen, at, width) == chosen
            assert option_at(KEYS, chosen, 0, width) is None


def test_names_from_files_are_shown_as_they_are() -> None:
    hostile = (Option("x", 0, "[/] wide 中文"),)
    assert shown(among=hostile) == "  [/] wide 中文"
