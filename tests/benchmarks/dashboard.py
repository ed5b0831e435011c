"""How fast the dashboard is and how much memory it takes, in a real terminal, peers beside it.

Usage: python -m tests.benchmarks.dashboard [--cases N] [--characters N] [--rounds N] [--check]

Measured are: the first frame on the samples, on a project of N cases and on a past run of them; how
long a key takes to be seen while 500 events a second arrive and N cases have finished; memory then;
and the cases a second of the run itself. Beside them, in the same minutes: the import of Textual
and a plain Textual table of N rows. `--check` fails when a figure is far from its budget; machines
differ, so the margins are wide and grow with the import of Textual, and the ratios tell more than
the seconds.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks import playground
from tests.benchmarks.watched import Watched

ROOT = Path(__file__).resolve().parents[2]
OURS = [sys.executable, "-P", "-m", "tenxgraph_tui"]
DOWN, PAGE_DOWN, HOME = "\x1b[B", "\x1b[6~", "\x1b[H"
KEYS = 80
MARGIN = 2.0
"""How many times its budget a figure may be before `--check` fails; memory has no margin."""
TEXTUAL = 200.0
"""Milliseconds in which the reference machine imports Textual; on a slower one more is allowed."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that was measured. `budget` is that of the design, None where it has none."""

    name: str
    value: float
    unit: str
    budget: float | None = None
    is_most: bool = True

    def is_far_off(self, textual: float) -> bool:
        """Whether it is far from its budget on a machine that imports Textual in so long."""
        if self.budget is None:
            return False
        worse = self.value / self.budget if self.is_most else self.budget / self.value
        return worse > (1.0 if self.unit == "MiB" else MARGIN * max(1.0, textual / TEXTUAL))

    def line(self, beside: float | None) -> str:
        """The figure, its budget, and how it compares with the first of its unit."""
        sign = "≤" if self.is_most else "≥"
        budget = f"{sign} {self.budget:g}" if self.budget is not None else ""
        ratio = f"{self.value / beside:6.2f} x" if beside else ""
        return f"{self.name:58} {self.value:9.1f} {self.unit:8} {budget:9} {ratio}"


def median_of(rounds: int, measure: Callable[[], float]) -> float:
    """The median; one more goes before, to fill the caches."""
    measure()
    return statistics.median(measure() for _ in range(rounds))


def import_of_textual() -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-P", "-c", "import textual.app"], check=True)
    return 1000 * (time.perf_counter() - began)


def first_frame(words: Sequence[str], cwd: Path, shows: str) -> float:
    """Milliseconds until `shows` is on the screen."""
    with Watched([*OURS, *words], cwd=cwd) as screen:
        return 1000 * screen.until(shows)


def plain_table(rows: int) -> list[str]:
    return [sys.executable, "-m", "tests.benchmarks.plain_table", str(rows)]


def plain_first_frame(rows: int) -> float:
    with Watched(plain_table(rows), cwd=ROOT) as screen:
        return 1000 * screen.until(playground.case_id(0))


def starts(folder: Path, cases: int, rounds: int) -> list[Figure]:
    """How long one waits for a first frame, and for what was asked for."""
    samples = folder.parent / "samples"
    shutil.copytree(ROOT / "sample_evalsets", samples)
    last = playground.case_id(0)
    waits: list[tuple[str, Callable[[], float], float | None]] = [
        ("import textual.app", import_of_textual, None),
        ("plain table, 10 rows", lambda: plain_first_frame(10), None),
        (f"plain table, {cases} rows", lambda: plain_first_frame(cases), None),
        ("samples: first frame", lambda: first_frame([], samples, "tenxgraph"), 500),
        ("samples: cases", lambda: first_frame([], samples, "opening_hours"), None),
        (f"{cases} cases: first frame", lambda: first_frame([], folder, "tenxgraph"), 500),
        (f"{cases} cases: cases", lambda: first_frame([], folder, last), None),
        ("past run: first frame", lambda: first_frame(["open", "1"], folder, "tenxgraph"), 500),
        ("past run: all told", lambda: first_frame(["open", "1"], folder, f"/{cases} pass"), None),
    ]
    return [
        Figure(name, median_of(rounds, measure), "ms", budget) for name, measure, budget in waits
    ]


def quantiles(name: str, seconds: list[float], budget: float | None = None) -> list[Figure]:
    """Median, 95th of 100 and longest, in milliseconds."""
    ordered = sorted(1000 * each for each in seconds)
    p95 = ordered[max(0, round(0.95 * len(ordered)) - 1)]
    return [
        Figure(f"{name}: p50", statistics.median(ordered), "ms"),
        Figure(f"{name}: p95", p95, "ms", budget),
        Figure(f"{name}: longest", ordered[-1], "ms"),
    ]


def pressed(screen: Watched, key: str, start: int, step: int) -> list[float]:
    """Seconds of each of many presses, at odd moments; the row that the cursor goes to shows."""
    odd = random.Random(0)
    taken = []
    for press in range(1, KEYS + 1):
        screen.rest(odd.uniform(0.03, 0.11))
        taken.append(screen.press(key, playground.case_id(start + press * step)))
    return taken


def peer_keys(cases: int) -> list[Figure]:
    with Watched(plain_table(cases), cwd=ROOT) as screen:
        screen.until(playground.case_id(0))
        screen.rest(1.0)
        screen.press(PAGE_DOWN, playground.case_id(50))
        at = 42  # rows of a page; those that change are above them
        return quantiles("plain table: key to repaint", pressed(screen, DOWN, at + 1, 1))


def run_and_keys(folder: Path, cases: int) -> list[Figure]:
    """A run of all, then keys while its last cases report, then what that took of memory."""
    with Watched([*OURS], cwd=folder) as screen:
        screen.until(playground.case_id(0))
        screen.type(HOME)  # the case of the last session is remembered
        screen.rest(1.0)
        began = time.perf_counter()
        screen.type("r")
        screen.until(f" {cases}/{cases + playground.LIVE_CASES}")
        seconds = time.perf_counter() - began
        screen.rest(2.0)
        downs = pressed(screen, DOWN, 0, 1)
        found = quantiles("key to repaint, 500 events/s: down", downs, 20)
        memory = screen.memory()
    return [
        Figure("run with the dashboard open", cases / seconds, "cases/s", 1000, is_most=False),
        *found,
        Figure("memory, resident", memory["VmRSS"], "MiB", 150),
        Figure("memory, its own", memory["RssAnon"], "MiB"),
        Figure("memory, at its peak", memory["VmHWM"], "MiB"),
    ]


def looks(folder: Path) -> list[Figure]:
    """A past run: how long its cases take to be shown, and what looking at many leaves behind."""
    with Watched([*OURS, "open", "1"], cwd=folder) as screen:
        screen.until(" pass")
        screen.type(HOME)
        screen.rest(3.0)
        before = screen.memory()["VmRSS"]
        taken = pressed(screen, DOWN, 0, 1)
        pages = pressed(screen, "\x1b[B\x1b[B", KEYS, 2)
        after = screen.memory()["VmRSS"]
    return [
        *quantiles("past run, one case", [*taken, *pages], 50),
        Figure("past run: memory", before, "MiB", 150),
        Figure("past run: memory after looking at 160 cases", after, "MiB", 150),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--characters", type=int, default=6000, help="of every third answer")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "project"
        folder.mkdir()
        playground.make(folder, cases=arguments.cases, characters=arguments.characters)
        playground.run_once(folder)
        found: list[Figure] = []
        parts: list[Callable[[], list[Figure]]] = [
            lambda: starts(folder, arguments.cases, arguments.rounds),
            lambda: peer_keys(arguments.cases),
            lambda: looks(folder),
            lambda: run_and_keys(folder, arguments.cases),
        ]
        for part in parts:
            found += (figures := part())
            for figure in figures:
                print(figure.line(found[0].value if figure.unit == "ms" else None), flush=True)
    far_off = [figure.name for figure in found if figure.is_far_off(found[0].value)]
    if arguments.check and far_off:
        print(f"far from the budget: {', '.join(far_off)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
