"""What filtering, sorting and following cost in a table of 10 000 cases, in milliseconds.

python tests/benchmarks/listing.py [CASES]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tenxgraph_tui.evaluation.events import CaseFinished, CaseStarted, CaseStatus, StepStarted
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.labels import set_labels
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.lines.cases import RowContext, row
from tenxgraph_tui.tui.lines.columns import columns
from tenxgraph_tui.tui.listing import Listing
from tenxgraph_tui.tui.sorting import order_named
from tests.tui.script import CRITERIA, NOW, RUN, Script, catalog, stage, verdict

EVENTS_A_FRAME = 34
"""500 a second at 15 frames a second."""
REPEATS = 30
QUERIES = (
    "status:failed",
    "status:failed tag:smoke",
    "crit:trajectory<0.8",
    "tokens>1000",
    "case:case_00*",
    "nothing at all",
    "-status:passed or paris",
)


def finished(desk: Desk) -> None:
    """A run in which every case but the last 200 is over."""
    script = Script().begin(desk.catalog)
    for index, key in enumerate(script.events[0].planned()[:-200]):  # type: ignore[union-attr]  # it begins with `RunStarted`
        status = CaseStatus.FAILED if index % 3 == 0 else CaseStatus.PASSED
        scores = (1.0, index % 10 / 10, 0.9)
        script.finish(
            key,
            status,
            scores,
            usage=TokenUsage(index % 2000, 10),
            duration_seconds=index % 97 / 10,
            response="An answer about the weather in Paris, with some words in it. " * 6,
        )
    for event in script.events:
        desk.apply(event)


def live(desk: Desk) -> Iterator[None]:
    """Frames of a run that goes on: cases begin, take steps and finish."""
    waiting = [k for k, case in desk.state.cases.items() if case.status is CaseStatus.WAITING]
    while True:
        for at in range(0, EVENTS_A_FRAME, 3):
            key = waiting[at % len(waiting)]
            waiting.append(waiting.pop(0))
            desk.apply(CaseStarted(seq=0, at=NOW, run_id=RUN, case=key))
            desk.apply(StepStarted(seq=0, at=NOW, run_id=RUN, case=key, node="TOOL", tool="t"))
            desk.apply(
                CaseFinished(
                    seq=0,
                    at=NOW,
                    run_id=RUN,
                    case=key,
                    status=CaseStatus.FAILED,
                    verdicts=tuple(verdict(one, 0.3) for one in CRITERIA),
                    duration_seconds=at / 7,
                )
            )
        yield


def timed(name: str, work: Callable[[], object], repeats: int = REPEATS) -> None:
    taken = []
    for _ in range(repeats):
        begun = time.perf_counter()
        work()
        taken.append((time.perf_counter() - begun) * 1000)
    taken.sort()
    print(f"{name:44} median {taken[len(taken) // 2]:8.2f}   worst {taken[-1]:8.2f}")


def main(count: int) -> None:
    sets = {f"set{n}": [f"case_{n}_{i:04}" for i in range(count // 10)] for n in range(10)}
    desk = stage(catalog(**sets)).desk
    finished(desk)
    listing = Listing(desk)
    for query in QUERIES:
        typed = iter(query[: end + 1] for end in range(len(query)))
        listing.search.want("")
        listing.follow(4)

        def key_pressed(typed: Iterator[str] = typed) -> None:
            listing.search.want(next(typed))
            listing.follow(4)

        timed(f"a key of {query!r}", key_pressed, len(query))
    listing.search.want("")
    for name in ("", "status", "case", "trajectory", "tokens", "time"):

        def sort(name: str = name) -> None:
            listing.order = order_named(f"-{name}" if listing.order.name == name else name)
            listing.follow(4)

        timed(f"sort by {name or 'file'}", sort)
    frames = live(desk)
    for order in ("", "time"):
        listing.order = order_named(order)
        listing.follow(4)
        timed(f"{EVENTS_A_FRAME} events taken in, order {order or 'file'!r}", lambda: next(frames))

        def frame() -> None:
            next(frames)
            listing.follow(4)

        timed("  and followed", frame)
    at = CaseKey(9, f"case_9_{count // 10 - 1:04}")
    timed("] from the last row", lambda: listing.rows.next_not_passed(at, 1))
    context = RowContext(
        columns(118, listing.wanted(), longest=30),
        desk.board.sets,
        set_labels(desk.board.sets),
        NOW,
    )
    shown = [listing.rows[index] for index in range(40)]
    timed("40 rows drawn", lambda: [row(case, context) for case in shown])


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
