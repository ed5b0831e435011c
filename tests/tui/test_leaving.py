from __future__ import annotations

import os
import signal
import threading
from dataclasses import dataclass, field
from typing import Any

import pytest

from tenxgraph_tui.tui import leaving
from tenxgraph_tui.tui.leaving import SIGNALS, Leaving, Onlookers

LONG = 30.0


@dataclass
class Application:
    """What is told to quit here."""

    was_told: threading.Event = field(default_factory=threading.Event)

    async def action_quit(self) -> None: ...

    def call_later(self, call: object) -> None:
        assert call == self.action_quit
        self.was_told.set()


@dataclass
class Someone:
    is_here: bool = True

    def is_there(self) -> bool:
        return self.is_here

    def has_hung_up(self) -> bool:
        return False


def handlers() -> list[Any]:
    return [signal.getsignal(getattr(signal, name)) for name in SIGNALS]


def test_an_application_that_ends_by_itself_is_told_nothing() -> None:
    before, app = handlers(), Application()
    with Leaving(app, Someone()) as left:  # type: ignore[arg-type]  # a stand-in
        assert handlers() != before
    assert (left.code, app.was_told.is_set()) == (0, False)
    assert handlers() == before


@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_has_it_quit(name: str) -> None:
    app = Application()
    with Leaving(app, Someone()) as left:  # type: ignore[arg-type]  # a stand-in
        os.kill(os.getpid(), getattr(signal, name))
        assert app.was_told.wait(LONG)
    assert left.code == 130


def test_it_quits_as_soon_as_nobody_is_there() -> None:
    app, someone = Application(), Someone()
    with Leaving(app, someone) as left:  # type: ignore[arg-type]  # a stand-in
        someone.is_here = False
        assert app.was_told.wait(LONG)
    assert left.code == 130


def test_one_that_does_not_quit_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaving, "PATIENCE", 0.1)
    codes: list[int] = []
    was_ended = threading.Event()

    def leave(code: int) -> None:
        codes.append(code)
        was_ended.set()

    with Leaving(Application(), Someone(is_here=False), leave):  # type: ignore[arg-type]  # a stand-in
        assert was_ended.wait(LONG)
    assert codes == [130]


def test_a_pipe_whose_other_end_is_closed_has_nobody() -> None:
    ours, other = os.pipe()
    try:
        onlookers = Onlookers(ours)
        assert onlookers.is_there()
        os.close(other)
        assert onlookers.has_hung_up()
        assert not onlookers.is_there()
    finally:
        os.close(ours)
