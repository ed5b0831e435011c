from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from tenxgraph_tui.tui.collecting import ENOUGH, PATIENCE, TOO_MANY, Collector, collect_again
from tests.tui.script import Stage, stage


class Ring:
    """Something that only a look through everything finds to be garbage."""

    def __init__(self) -> None:
        self.me = self


@dataclass
class Watch:
    """A collector over a stage, a clock that stands still, and a ring that nobody holds."""

    on: Stage = field(default_factory=stage)
    now: float = 0.0
    collector: Collector = field(init=False)
    ring: weakref.ref[Ring] = field(init=False)

    def __post_init__(self) -> None:
        self.collector = Collector(self.on.desk, lambda: self.now)
        ring = Ring()
        self.ring = weakref.ref(ring)
        del ring
        gc.freeze()
        gc.unfreeze()  # into what is old, where only a full look comes

    def tick(self) -> bool:
        """Whether the ring was found."""
        self.collector.tick(self.on.app)
        return self.ring() is None


@pytest.fixture(autouse=True)
def collected_by_hand() -> Iterator[None]:
    """No look but those of a test: young things are made old, but nothing is looked through."""
    threshold = gc.get_threshold()
    gc.collect()
    gc.set_threshold(1_000_000)
    yield
    gc.set_threshold(*threshold)
    gc.unfreeze()


def let_much_happen(looks: int = ENOUGH) -> None:
    for _ in range(looks):
        gc.collect(1)


def test_everything_is_looked_through_when_much_happened_and_nothing_does_any_more() -> None:
    watch = Watch()
    let_much_happen()
    assert not watch.tick()
    assert watch.tick()


def test_who_presses_keys_does_not_wait_for_it_until_there_is_too_much() -> None:
    watch = Watch()
    seen = []
    for _ in range(TOO_MANY):
        let_much_happen(1)
        seen.append(watch.tick())
    assert seen == [False] * (TOO_MANY - 1) + [True]


def test_nothing_is_looked_through_for_little() -> None:
    watch = Watch()
    assert not watch.tick()


def test_while_a_run_goes_on_it_is_put_off_but_not_for_ever() -> None:
    watch = Watch()
    watch.on.desk.is_busy = True
    let_much_happen()
    assert not watch.tick()
    watch.now = PATIENCE
    assert watch.tick()


def test_a_collector_that_works_is_left_alone() -> None:
    before = gc.get_freeze_count()
    collect_again()
    assert gc.get_freeze_count() == before


def test_what_was_made_without_collecting_stays_out_of_every_look() -> None:
    gc.disable()
    try:
        collect_again()
        assert gc.isenabled()
        assert gc.get_freeze_count() > 0
    finally:
        gc.enable()
