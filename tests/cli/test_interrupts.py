"""The first Ctrl+C stops the run in good order, the second leaves at once."""

from __future__ import annotations

import os
import signal
from typing import NoReturn

import pytest

from tenxgraph_tui.cli.interrupts import Interrupts


class Left(BaseException):
    """What leaving looks like here."""


def leave(code: int) -> NoReturn:
    raise Left(code)


def test_first_it_says_so_and_cancels_then_it_leaves() -> None:
    told: list[str] = []
    with Interrupts(told.append, leave) as interrupts:
        interrupts.cancels(lambda: told.append("cancelled"))
        assert not interrupts.happened
        os.kill(os.getpid(), signal.SIGINT)
        assert told == ["stopping... (again to leave at once)\n", "cancelled"]
        assert interrupts.happened
        with pytest.raises(Left, match="130"):
            os.kill(os.getpid(), signal.SIGINT)


def test_a_terminated_run_stops_in_good_order_too() -> None:
    told: list[str] = []
    with Interrupts(lambda _: None, leave) as interrupts:
        interrupts.cancels(lambda: told.append("cancelled"))
        os.kill(os.getpid(), signal.SIGTERM)
    assert told == ["cancelled"]


def test_afterwards_signals_mean_what_they_did() -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with Interrupts(lambda _: None, leave):
        assert signal.getsignal(signal.SIGINT) != before[0]
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_before_there_is_a_run_the_command_just_ends() -> None:
    with Interrupts(lambda _: None, leave), pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
