"""A save is looked at once it has come to rest: soon if it comes alone, later in a flurry."""

from __future__ import annotations

from pathlib import Path

from tenxgraph_tui.session.watching.settling import BUSY, BUSY_QUIET, LONGEST, QUIET, Settling

A, B = Path("/p/a"), Path("/p/b")
SOON = QUIET + 0.001


def test_a_save_that_comes_alone_is_due_after_a_short_rest() -> None:
    settling = Settling(lambda _: True)
    settling.hear([A], 10.0)
    assert settling.take(10.0 + QUIET / 2) == frozenset()
    assert settling.take(10.0 + SOON) == {A}
    assert settling.take(10.0 + SOON) == frozenset()


def test_the_steps_of_one_save_are_taken_together() -> None:
    settling = Settling(lambda _: True)
    settling.hear([A], 10.0)
    settling.hear([B], 10.03)
    assert settling.take(10.0 + SOON) == frozenset()
    assert settling.take(10.03 + SOON) == {A, B}


def test_the_next_save_of_a_flurry_waits_longer() -> None:
    settling = Settling(lambda _: True)
    settling.reported(10.0)
    settling.hear([A], 10.0 + BUSY / 2)
    assert settling.take(10.0 + BUSY / 2 + SOON) == frozenset()
    assert settling.take(10.0 + BUSY / 2 + BUSY_QUIET + 0.001) == {A}
    settling.hear([B], 10.0 + 2 * BUSY)
    assert settling.take(10.0 + 2 * BUSY + SOON) == {B}


def test_a_file_that_is_gone_may_be_on_its_way_back() -> None:
    settling = Settling(lambda path: path != A)
    settling.hear([A], 10.0)
    assert settling.take(10.0 + SOON) == frozenset()
    assert settling.take(10.0 + BUSY_QUIET + 0.001) == {A}


def test_a_file_that_is_written_on_and_on_is_looked_at_anyway() -> None:
    settling = Settling(lambda _: True)
    now = 10.0
    while now - 10.0 < LONGEST:
        settling.hear([A], now)
        assert settling.take(now) == frozenset()
        now += QUIET / 2
    settling.hear([A], now)
    assert settling.take(now) == {A}


def test_nothing_heard_is_nothing_due() -> None:
    settling = Settling()
    settling.hear([], 10.0)
    assert settling.take(1e9) == frozenset()
