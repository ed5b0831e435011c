"""The first Ctrl+C stops the run in good order, the second leaves at once."""

from __future__ import annotations

import os
import signal
import time
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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_process_that_an_agent_forks_ends_as_it_would_without_us() -> None:
    told: list[str] = []
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        with Interrupts(told.append, leave) as interrupts:
            interrupts.cancels(lambda: told.append("cancelled"))
            ready, tell = os.pipe()
            child = os.fork()
            if child == 0:
                os.write(tell, b"!")
                time.sleep(30)
                os._exit(0)
            os.read(ready, 1)
            os.kill(child, signal.SIGTERM)
            _, status = os.waitpid(child, 0)
    finally:
        signal.signal(signal.SIGTERM, before)
        os.close(ready)
        os.close(tell)
    assert os.WTERMSIG(status) == signal.SIGTERM
    assert told == []
