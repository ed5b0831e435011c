"""A page takes the place of the one before, on a terminal alone, and never what stood above it."""

from __future__ import annotations

import os
import pty
from collections.abc import Iterator
from io import StringIO
from typing import TextIO

import pytest

from tenxgraph_tui.cli.watching.page import Page
from tenxgraph_tui.evaluation.reporters.look import Line


class Screen(StringIO):
    """A stream that says it is a terminal of that size."""

    encoding = "utf-8"

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def take(self) -> str:
        text = self.getvalue()
        self.seek(0)
        self.truncate()
        return text


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    main, line = pty.openpty()
    monkeypatch.setattr(os, "get_terminal_size", lambda *_: os.terminal_size((20, 10)))
    yield Screen(line)
    os.close(main)
    os.close(line)


def lines(*texts: str) -> list[Line]:
    return [[(text, "")] for text in texts]


def test_a_page_takes_the_place_of_the_last(screen: Screen) -> None:
    page = Page(screen, screen)
    page.show(lines("one", "two"), lines("keys"))
    assert screen.take() == "\r\x1b[Jone\ntwo\nkeys\n"
    page.show(lines("three"), lines("keys"))
    assert screen.take() == "\x1b[3F\x1b[Jthree\nkeys\n"
    page.leave()
    assert screen.take() == "\x1b[1F\x1b[J"


def test_changing_lines_change_alone_and_only_when_they_do(screen: Screen) -> None:
    page = Page(screen, screen)
    page.show(lines("one"), lines("0/2"))
    screen.take()
    page.foot(lines("1/2", "keys"))
    assert screen.take() == "\x1b[1F\x1b[J1/2\nkeys\n"
    page.foot(lines("1/2", "keys"))
    assert screen.take() == ""


def test_a_page_higher_than_the_screen_is_left_standing(screen: Screen) -> None:
    page = Page(screen, screen)
    page.show(lines(*map(str, range(30))), lines("keys"))
    screen.take()
    page.show(lines("new"), lines("keys"))
    assert screen.take() == "new\nkeys\n"


def test_after_another_size_the_page_begins_below(screen: Screen) -> None:
    page = Page(screen, screen)
    page.show(lines("one"), lines("keys"))
    screen.take()
    page.begin_anew()
    assert screen.take() == "\none\nkeys\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x" * 30, "x" * 18 + "…"),
        ("日本語" * 10, "日本語" * 3 + "…"),
        ("two\nlines", "two lines"),
        ("exactly nineteen ch", "exactly nineteen ch"),
    ],
)
def test_a_line_is_one_row(screen: Screen, text: str, shown: str) -> None:
    page = Page(screen, screen)
    page.show(lines(text), ())
    assert screen.take() == f"\r\x1b[J{shown}\n"


def test_colours_are_only_where_they_are_wanted(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    Page(screen, screen).show([[("red", "bold red"), (" plain", "")]], ())
    assert screen.take() == "\r\x1b[J\x1b[1;31mred\x1b[0m plain\n"
    monkeypatch.setenv("NO_COLOR", "1")
    Page(screen, screen).show([[("red", "bold red")]], ())
    assert screen.take() == "\r\x1b[Jred\n"


def test_in_a_file_there_are_results_and_beside_it_what_is_said_once() -> None:
    out, notes = StringIO(), StringIO()
    page = Page(out, notes)
    page.say([("first run", "dim")])
    page.foot(lines("1/2"))
    page.show(lines("x" * 200), ())
    page.say([("first run", "dim")])
    page.say([("again", "dim")])
    page.leave()

    assert out.getvalue() == f"{'x' * 200}\n\n"
    assert notes.getvalue() == "first run\nagain\n"


def test_quiet_says_nothing_beside_the_results() -> None:
    out, notes = StringIO(), StringIO()
    page = Page(out, notes, is_quiet=True)
    page.say([("first run", "")])
    page.show(lines("1/1 passed"), ())

    assert (out.getvalue(), notes.getvalue()) == ("1/1 passed\n\n", "")


def test_nobody_need_read_it() -> None:
    class Gone(StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    gone: TextIO = Gone()
    page = Page(gone, gone)
    page.show(lines("a"), lines("b"))
    page.say([("c", "")])
    page.leave()
