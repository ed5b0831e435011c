from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

from textual import on
from textual.app import App

from tenxgraph_tui.evaluation.events import RunEvent
from tenxgraph_tui.tui.pump import MOST_AT_ONCE, MOST_WAITING, EventPump, Fact, WorkerEnded
from tests.tui.script import SCRIPT, until


class Listener(App[None]):
    def __init__(self, pump: EventPump) -> None:
        super().__init__()
        self.pump = pump
        self.batches: list[tuple[Fact, ...]] = []

    def on_mount(self) -> None:
        self.pump.attach(self)

    @on(EventPump.Drained)
    def keep(self, message: EventPump.Drained) -> None:
        self.batches.append(message.events)

    @property
    def facts(self) -> list[Fact]:
        return [fact for batch in self.batches for fact in batch]


def feed(pump: EventPump, facts: Sequence[Fact]) -> None:
    for fact in facts:
        pump(fact)


async def test_facts_from_a_thread_arrive_in_order_and_in_few_messages() -> None:
    pump = EventPump()
    app = Listener(pump)
    ended = WorkerEnded("run-1", 0)
    async with app.run_test() as pilot:
        thread = threading.Thread(target=feed, args=(pump, [*SCRIPT, ended]))
        thread.start()
        thread.join()
        await until(pilot, lambda: len(app.facts) == len(SCRIPT) + 1)
    assert app.facts == [*SCRIPT, ended]
    assert len(app.batches) <= 2


async def test_a_flood_is_given_in_portions() -> None:
    pump = EventPump()
    app = Listener(pump)
    flood: list[RunEvent] = [SCRIPT[1]] * (MOST_AT_ONCE + 1)
    async with app.run_test() as pilot:
        for event in flood:
            pump(event)
        await until(pilot, lambda: len(app.facts) == len(flood))
    assert max(len(batch) for batch in app.batches) <= MOST_AT_ONCE


async def test_who_can_wait_never_has_more_than_a_few_portions_waiting() -> None:
    pump = EventPump()
    app = Listener(pump)
    many: list[RunEvent] = [SCRIPT[1]] * (3 * MOST_WAITING)
    taken: list[int] = []

    def told() -> Iterator[Fact]:
        for event in many:
            taken.append(len(app.facts))
            yield event

    thread = threading.Thread(target=pump.pour, args=(told(),))
    thread.start()
    async with app.run_test() as pilot:
        await until(pilot, lambda: len(app.facts) == len(many))
    thread.join()
    ahead = [place - drained for place, drained in enumerate(taken)]
    assert max(ahead) <= MOST_WAITING + 2 * MOST_AT_ONCE  # two portions may be on their way


async def test_nothing_is_posted_when_nothing_happens() -> None:
    pump = EventPump()
    app = Listener(pump)
    async with app.run_test() as pilot:
        pump.drain(app)
        await pilot.pause()
    assert app.batches == []
