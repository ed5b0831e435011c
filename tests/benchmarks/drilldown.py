"""How fast the drill-down is on cases that nobody wants to read, and what looking at many leaves.

Usage: python -m tests.benchmarks.drilldown [--megabytes N] [--steps N] [--looks N]
                                            [--only-looks] [--check]

The dashboard runs in this process, over a store with one case of N steps and one with an answer of
N megabytes, and some of ordinary size. Measured are: how long a key takes until everything that it
caused is drawn (the median, the slowest, and the median of the processor's time, which says more on
a busy machine), and what opening and leaving many cases leaves. The peer is a case of ordinary
size: pressing a key takes its time, and a view, too, whatever is in it. That of opening and leaving
a case is a plain screen of as many widgets. `--check` fails when a case takes far more of the
processor than its budget allows on a machine as slow as the plain screen says, or when cases that
were left are kept.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from textual.pilot import Pilot

from tenxgraph_tui.evaluation.dataset import ToolCall, TrajectoryStep
from tenxgraph_tui.evaluation.events import CaseFinished, CaseStatus, RunFinished, RunStarted
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult, EvalCaseResult, Score
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.tui.results import ResultReader
from tenxgraph_tui.tui.screens.case import CaseScreen
from tenxgraph_tui.tui.screens.value import ValueScreen
from tests.benchmarks.figures import Figure
from tests.benchmarks.plain_screen import PlainApp, PlainScreen
from tests.tui.script import CRITERIA, NOW, Script, Stage, catalog, play, stage, until

ORDINARY = 200
LONG_ANSWER, LONG_WAY = CaseKey(0, "long answer"), CaseKey(0, "long way")
PEER = CaseKey(0, "case 0")
OPENED, LEFT = 33.0, 16.0
"""Milliseconds of the reference machine's processor that a plain screen takes."""


def result_of(key: CaseKey, megabytes: float, steps: int) -> EvalCaseResult:
    """Every case failed; what it said or did has its length from its name."""
    answer = "It will rain in Kyoto, but not before noon.\n"
    if key == LONG_ANSWER:
        answer *= int(megabytes * 1_000_000 / len(answer))
    calls = [
        ToolCall(name="look", args={"page": at if at % 50 else -at, "of": key.eval_id}, result="x")
        for at in range(steps if key == LONG_WAY else 3)
    ]
    ways = [
        TrajectoryStep.tool(call.name, call.args, NOW + at, seconds=0.5, node="MAIN")
        for at, call in enumerate(calls)
    ]
    verdicts = [CriterionResult.judged(one.name, Score(0.3, "as told"), 1.0) for one in CRITERIA]
    return EvalCaseResult.success(key.eval_id, verdicts, ways, calls, answer)


def staged(folder: Path, megabytes: float, steps: int) -> tuple[Stage, Script]:
    """An application over a store that holds one run, and what is told of it."""
    names = [LONG_ANSWER.eval_id, LONG_WAY.eval_id, *(f"case {at}" for at in range(ORDINARY))]
    over = catalog(cases=names)
    expected = [ToolCall(name="look", args={"page": at}) for at in range(steps)]
    case = over.case(next(one for one in over if one.eval_id == LONG_WAY.eval_id))
    assert case is not None
    case.conversation[0].expected_tool_trajectory = expected
    script = Script().begin(over, number=1)
    for name in names:
        script.finish(CaseKey(0, name), CaseStatus.FAILED, (1.0, 0.5, 0.3))
    script.end()
    store = RunStore(folder / "runs.db")
    with store.writer(script.run_id) as sink:
        for event in script.events:
            match event:
                case RunStarted():
                    sink.started(event)
                case CaseFinished(case=key):
                    sink.save(key, result_of(key, megabytes, steps))
                case RunFinished():
                    sink.finished(event)
    return stage(over, reader=ResultReader(store)), script


class Taken(NamedTuple):
    """Milliseconds that passed, and those that the processor worked."""

    passed: float
    worked: float


async def timed(pilot: Pilot[Any], keys: Sequence[str], is_there: Callable[[], bool]) -> Taken:
    """What it took until keys were obeyed and drawn."""
    began, worked = time.perf_counter(), time.process_time()
    await pilot.press(*keys)
    while not is_there():  # noqa: ASYNC110 - nobody reports what is timed here
        await asyncio.sleep(0)
    await pilot._wait_for_screen()
    return Taken(1000 * (time.perf_counter() - began), 1000 * (time.process_time() - worked))


def told(name: str, times: Sequence[Taken]) -> None:
    passed, worked = [one.passed for one in times], [one.worked for one in times]
    median, slowest, busy = statistics.median(passed), max(passed), statistics.median(worked)
    print(f"{name:58} {median:8.1f} ms {slowest:8.1f} ms {busy:8.1f} ms", flush=True)


async def keys_of(pilot: Pilot[Any], name: str, keys: Sequence[str], count: int = 20) -> None:
    told(name, [await timed(pilot, keys, lambda: True) for _ in range(count)])


async def open_case(pilot: Pilot[Any], on: Stage, key: CaseKey) -> None:
    table: Any = on.app.screen.query_one("CaseTable")
    table.put_cursor(key)
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(on.app.screen, CaseScreen))
    view: Any = on.app.screen.query_one("CaseView")
    await until(pilot, lambda: view._seen is not None)
    await pilot.pause(0.3)


async def measure(on: Stage, script: Script, looks: int, *, only_looks: bool) -> list[Figure]:
    plain = await plain_screen(looks)
    async with on.app.run_test(size=(160, 45)) as pilot:
        await play(pilot, on, script.events)
        if not only_looks:
            await views(pilot, on)
        return await look_around(pilot, on, looks, plain)


async def views(pilot: Pilot[Any], on: Stage) -> None:
    """Every view of a case of each size."""
    await open_case(pilot, on, PEER)
    await keys_of(pilot, "Why of an ordinary case: a key", ["down", "up"])
    for number in range(2, 7):
        views = [str(number), "1"]
        await keys_of(pilot, f"An ordinary case: to view {number} and back", views, 8)
    await pilot.press("escape")
    await open_case(pilot, on, LONG_WAY)
    await keys_of(pilot, "Why of a long way: a key", ["down"])
    told("its first divergence", [await timed(pilot, ["d"], lambda: True)])
    await keys_of(pilot, "Trajectory of a long way: a key", ["down"])
    await keys_of(pilot, "Trajectory of a long way: its other end", ["end", "home"])
    await pilot.press("escape")
    await open_case(pilot, on, LONG_ANSWER)
    for number in range(2, 7):
        await keys_of(pilot, f"A long answer: to view {number} and back", [str(number), "1"], 8)
    await keys_of(pilot, "Why of a long answer: a key", ["down", "up"])
    await pilot.press("end")
    opened = await timed(pilot, ["enter"], lambda: isinstance(on.app.screen, ValueScreen))
    told("A long answer whole", [opened])
    await keys_of(pilot, "A long answer whole: a key, while it is laid out", ["down"])
    await pilot.pause(2)
    await keys_of(pilot, "A long answer whole: its other end", ["end", "home"])
    await keys_of(pilot, "A long answer whole: a page", ["pagedown"])
    await pilot.press("escape", "escape")


async def plain_screen(looks: int) -> tuple[float, float]:
    """The peer: milliseconds of the processor until a screen is open, and until it is left."""
    app = PlainApp()
    opened: list[Taken] = []
    left: list[Taken] = []
    async with app.run_test(size=(160, 45)) as pilot:
        for _ in range(looks):
            opened.append(
                await timed(pilot, ["enter"], lambda: isinstance(app.screen, PlainScreen))
            )
            await pilot.pause()
            left.append(
                await timed(pilot, ["escape"], lambda: not isinstance(app.screen, PlainScreen))
            )
            await pilot.pause()
    told("A plain screen opened", opened)
    told("A plain screen left", left)
    return middle(opened), middle(left)


def middle(times: Sequence[Taken]) -> float:
    return statistics.median(one.worked for one in times)


async def look_around(
    pilot: Pilot[Any], on: Stage, looks: int, plain: tuple[float, float]
) -> list[Figure]:
    """Open and leave many cases, and see what that leaves."""
    times: list[Taken] = []
    left: list[Taken] = []
    blocks: list[float] = []
    for number in range(looks):
        table: Any = on.app.screen.query_one("CaseTable")
        table.put_cursor(CaseKey(0, f"case {number % ORDINARY}"))
        times.append(await timed(pilot, ["enter"], lambda: isinstance(on.app.screen, CaseScreen)))
        for view in "123456":
            await pilot.press(view)
        await pilot.pause()
        left.append(
            await timed(pilot, ["escape"], lambda: not isinstance(on.app.screen, CaseScreen))
        )
        await pilot.pause()
        if number % (looks // 4) == looks // 4 - 1:
            gc.collect()
            blocks.append(sys.getallocatedblocks() / 1000)
    told(f"A case opened, {looks} times", times)
    told("A case left", left)
    grown = ", ".join(f"{thousands:.0f}" for thousands in blocks)
    print(f"{'thousands of blocks that are held after each quarter':58} {grown}")
    kept = 1000 * (blocks[-1] - blocks[0]) / (looks - looks // 4)
    return [
        Figure("opened, of the processor", middle(times), "ms", 50, peer=plain[0], usual=OPENED),
        Figure("left, of the processor", middle(left), "ms", 50, peer=plain[1], usual=LEFT),
        Figure("blocks that each case leaves", kept, "blocks", 500),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=5)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument(
        "--looks", type=int, default=200, help="cases to open and leave; 4 at least"
    )
    parser.add_argument("--only-looks", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        on, script = staged(Path(folder), args.megabytes, args.steps)
        found = asyncio.run(measure(on, script, args.looks, only_looks=args.only_looks))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{'the most memory':58} {peak:8.1f} MiB")
    for figure in found:
        print(figure.line())
    far_off = [figure.name for figure in found if figure.is_far_off]
    if args.check and far_off:
        print(f"far from the budget: {', '.join(far_off)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
