"""Pieces of text become lines of a case, never too long and never too many."""

from __future__ import annotations

import threading
import time

import pytest

from tenxgraph_tui.cli.lines import LONGEST, LONGEST_PIECE, PER_SECOND, Line, LineBook
from tenxgraph_tui.evaluation.results import CaseKey

A, B = CaseKey(0, "a"), CaseKey(0, "b")


class Desk:
    """A book, what it kept and showed, and a clock that is set by hand."""

    def __init__(self) -> None:
        self.kept: list[Line] = []
        self.shown: list[Line] = []
        self.now = 0.0
        self.book = LineBook(self.kept.append, self.shown.append, clock=lambda: self.now)

    @property
    def texts(self) -> list[str]:
        return [line.text for line in self.shown]


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.mark.parametrize(
    ("pieces", "lines"),
    [
        pytest.param(["one\n"], ["one"], id="a line"),
        pytest.param(["o", "n", "e", "\n"], ["one"], id="in pieces"),
        pytest.param(["one\ntwo\nth", "ree\n"], ["one", "two", "three"], id="several"),
        pytest.param(["\n", "\n"], ["", ""], id="empty lines"),
        pytest.param(["no end"], [], id="without an end it waits"),
        pytest.param(["windows\r\n"], ["windows"], id="a Windows line end"),
        pytest.param(["10%\r50%\r", "100%\n"], ["100%"], id="a progress bar shows its last state"),
        pytest.param(["10%\r", "20%\r", "30%\r"], [], id="and none while it is drawn"),
    ],
)
def test_pieces_become_lines(desk: Desk, pieces: list[str], lines: list[str]) -> None:
    for piece in pieces:
        desk.book.write(A, "stdout", piece)
    assert desk.texts == lines


def test_a_character_costs_the_same_however_much_waits_for_a_line_break(desk: Desk) -> None:
    def cost_of(count: int) -> float:
        began = time.thread_time()
        for _ in range(count):
            desk.book.write(A, "stdout", "x")
        return time.thread_time() - began

    early, late = [], []
    for _ in range(3):
        early.append(cost_of(4_000))
        desk.book.write(A, "stdout", "x" * (LONGEST_PIECE - 10_000))
        late.append(cost_of(4_000))
        desk.book.write(A, "stdout", "\n")
    assert min(late) < 4 * min(early)


def test_cases_and_sources_do_not_mix(desk: Desk) -> None:
    for text in ("he", "llo\n"):
        for case in (A, B, None):
            for source in ("stdout", "stderr"):
                desk.book.write(case, source, text)
    assert len(desk.shown) == 6
    assert set(desk.texts) == {"hello"}


def test_what_has_no_line_end_is_a_line_when_its_case_ends(desk: Desk) -> None:
    desk.book.write(A, "stdout", "last words")
    desk.book.write(B, "stdout", "not yet")
    desk.book.close(A)
    assert [(line.case, line.text) for line in desk.shown] == [(A, "last words")]
    desk.book.close_all()
    assert desk.texts == ["last words", "not yet"]
    desk.book.close_all()
    assert len(desk.shown) == 2


def test_viewers_get_a_long_line_cut_and_the_file_gets_it_whole(desk: Desk) -> None:
    desk.book.write(A, "stdout", "x" * 5_000 + "\n")
    assert len(desk.kept[0].text) == 5_000
    assert len(desk.shown[0].text) <= LONGEST
    assert desk.shown[0].text.endswith("… 3000 more characters")


def test_an_endless_line_does_not_fill_the_memory(desk: Desk) -> None:
    for _ in range(10):
        desk.book.write(A, "stdout", "x" * LONGEST_PIECE)
    assert len(desk.kept) >= 5


def test_a_flood_is_counted_not_shown(desk: Desk) -> None:
    for number in range(1_000):
        desk.book.line(A, "stdout", f"line {number}")
    assert len(desk.shown) == PER_SECOND
    assert len(desk.kept) == 1_000
    desk.book.line(B, "stdout", "another case")
    assert desk.shown[-1].text == "another case"
    desk.now = 1.0
    desk.book.line(A, "stdout", "after a while")
    assert desk.shown[-1] == Line(A, "stdout", "info", "after a while", dropped=800)


def test_a_flood_until_the_end_is_told_at_the_end(desk: Desk) -> None:
    for number in range(PER_SECOND + 7):
        desk.book.line(A, "stdout", f"line {number}")
    desk.book.close(A)
    assert desk.shown[-1].text == "7 more lines are only in the log file"
    assert desk.shown[-1].dropped == 7


def test_many_threads_lose_nothing(desk: Desk) -> None:
    def talk(case: CaseKey) -> None:
        for number in range(150):
            desk.book.write(case, "stdout", f"{number} ")
            desk.book.write(case, "stdout", "x\n")

    cases = [CaseKey(0, f"c{number}") for number in range(8)]
    threads = [threading.Thread(target=talk, args=(case,)) for case in cases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for case in cases:
        said = [line.text for line in desk.kept if line.case == case]
        assert said == [f"{number} x" for number in range(150)]
