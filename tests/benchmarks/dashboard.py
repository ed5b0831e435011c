"""How fast the dashboard is and how much memory it takes, in a real terminal, peers beside it.

Usage: python -m tests.benchmarks.dashboard [--cases N] [--characters N] [--every N] [--rounds N]
                                            [--looks N] [--only PART]… [--check]

    --characters 20000 --every 1    every answer has 20 kB, and every case fails
    --only keys                     one of the parts: starts, looks, opens, keys

Measured are: the first frame on the samples, on a project of N cases and on a past run of them; how
long a key takes to be seen while 500 events a second arrive and N cases have finished; memory then,
and after opening and leaving many cases; and how long a case takes in a run of it. Beside them, in
the same minutes: the import of Textual, a plain Textual table of N rows, a run without it. Waits
are the least of some rounds, keys the quantiles of many presses. `--check` fails when a figure is
far from its budget; machines differ, and are busy, so the margins are wide and grow with what the
peers take: the ratios tell more than the seconds.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks import playground
from tests.benchmarks.figures import Figure, least_of, quantiles
from tests.benchmarks.watched import NeverDrawn, Watched

ROOT = Path(__file__).resolve().parents[2]
OURS = [sys.executable, "-P", "-m", "tenxgraph_tui"]
DOWN, HOME, ENTER, ESCAPE = "\x1b[B", "\x1b[H", "\r", "\x1b"
KEYS, RARELY = 80, 0.25
IMPORT, KEY, ALONE = 200.0, 10.0, 0.33
"""Milliseconds of the reference machine: the import of Textual, a key on a plain table, a case."""
A_LONG_RUN = 900.0


def keep_bytecode(folder: Path) -> None:
    """Have every program compile its modules once, as those that were installed do.

    Where the environment says that no bytecode is written, a start compiles all of the package: as
    long again as the start itself.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(folder)


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


def pressed(screen: Watched, key: str, start: int, step: int) -> list[float]:
    """Seconds of each of many presses, at odd moments; the row that the cursor goes to shows.

    Only a repaint that the key caused should count: where what it is known by is often drawn
    without the key, nothing was measured.
    """
    odd = random.Random(0)
    taken, unasked = [], 0
    for press in range(1, KEYS + 1):
        shows = playground.case_id(start + press * step)
        unasked += shows.encode() in screen.rest(odd.uniform(0.03, 0.11))
        taken.append(screen.press(key, shows))
    if unasked > KEYS * RARELY:
        raise NeverDrawn(f"{unasked} of {KEYS} rows were drawn before their key was pressed")
    return taken


@dataclass(slots=True)
class Session:
    """What the parts of the benchmark are made on: a project, and one run of it in the store."""

    folder: Path
    cases: int
    rounds: int
    looks: int
    plain_memory: float = 0.0
    _plain: list[float] | None = None

    def plain_keys(self) -> list[float]:
        """The peer: seconds of many presses on a plain table. They are measured once."""
        if self._plain is None:
            with Watched(plain_table(self.cases), cwd=ROOT) as screen:
                screen.until(playground.case_id(0))
                screen.rest(1.0)
                self._plain = pressed(screen, DOWN, 0, 1)
                self.plain_memory = screen.memory()["VmRSS"]
        return self._plain

    def starts(self) -> Iterator[Figure]:
        """How long one waits for a first frame, and for what was asked for."""
        samples = self.folder.parent / "samples"
        shutil.copytree(ROOT / "sample_evalsets", samples)
        frame, all_of_it = "tenxgraph", f"/{self.cases} pass"
        many, past, last = self.folder, ["open", "1"], playground.case_id(0)
        waits: list[tuple[str, Callable[[], float], float | None]] = [
            ("plain table, 10 rows", lambda: plain_first_frame(10), None),
            (f"plain table, {self.cases} rows", lambda: plain_first_frame(self.cases), None),
            ("samples: first frame", lambda: first_frame([], samples, frame), 500),
            ("samples: cases", lambda: first_frame([], samples, "opening_hours"), None),
            (f"{self.cases} cases: first frame", lambda: first_frame([], many, frame), 500),
            (f"{self.cases} cases: cases", lambda: first_frame([], many, last), None),
            ("past run: first frame", lambda: first_frame(past, many, frame), 500),
            ("past run: all told", lambda: first_frame(past, many, all_of_it), None),
        ]
        peer = least_of(self.rounds, import_of_textual)
        yield Figure("import textual.app", peer, "ms")
        for name, measure, budget in waits:
            taken = least_of(self.rounds, measure)
            yield Figure(name, taken, "ms", budget, peer=peer, usual=IMPORT)

    def looks_at(self) -> Iterator[Figure]:
        """A past run: how long its cases take to be shown, and what looking at many leaves."""
        with Watched([*OURS, "open", "1"], cwd=self.folder) as screen:
            screen.until(f"/{self.cases} pass")
            screen.type(HOME)
            screen.rest(3.0)
            yield Figure("past run: memory", screen.memory()["VmRSS"], "MiB", 150)
            taken = pressed(screen, DOWN, 0, 1) + pressed(screen, DOWN + DOWN, KEYS, 2)
            after = screen.memory()["VmRSS"]
        yield from quantiles("past run, one case", taken, 50, peer=self.plain_keys(), usual=KEY)
        yield Figure(f"past run: memory after looking at {len(taken)}", after, "MiB", 150)

    def opens(self) -> Iterator[Figure]:
        """A past run: many of its cases are opened and left again."""
        opened, left = [], []
        with Watched([*OURS, "open", "1"], cwd=self.folder) as screen:
            screen.until(f"/{self.cases} pass")
            screen.type(HOME)
            screen.rest(3.0)
            for at in range(self.looks):
                opened.append(screen.press(ENTER, "Back"))
                screen.rest(0.1)
                left.append(screen.press(ESCAPE, "Commands"))
                screen.rest(0.05)
                screen.press(DOWN, playground.case_id(at + 1))
            memory = screen.memory()["VmRSS"]
        yield from quantiles("a case opened", opened, 50, peer=self.plain_keys(), usual=KEY)
        yield from quantiles("a case left", left, 50, peer=self.plain_keys(), usual=KEY)
        yield Figure(f"memory after opening {self.looks} cases", memory, "MiB", 150)

    def keys(self) -> Iterator[Figure]:
        """A run of all, then keys while its last cases report, then what that took of memory."""
        alone = 1000 * playground.run_once(self.folder) / self.cases
        yield Figure("a case of a run without the dashboard", alone, "ms")
        with Watched([*OURS], cwd=self.folder) as screen:
            screen.until(playground.case_id(0))
            screen.type(HOME)  # the case of the last session is remembered
            screen.rest(1.0)
            began = time.perf_counter()
            screen.type("r")
            done = f" {self.cases}/{self.cases + playground.LIVE_CASES}"
            screen.until(done, patience=A_LONG_RUN)
            each = 1000 * (time.perf_counter() - began) / self.cases
            yield Figure("a case of a run in it", each, "ms", 1, peer=alone, usual=ALONE)
            screen.rest(2.0)
            downs = pressed(screen, DOWN, 0, 1)
            memory = screen.memory()
        yield Figure("memory, resident", memory["VmRSS"], "MiB", 150)
        yield Figure("memory, its own", memory["RssAnon"], "MiB")
        yield Figure("memory, at its peak", memory["VmHWM"], "MiB")
        yield from quantiles("plain table: key to repaint", self.plain_keys())
        yield Figure("plain table: memory", self.plain_memory, "MiB")
        yield from quantiles(
            "key to repaint, 500 events/s", downs, 20, peer=self.plain_keys(), usual=KEY
        )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = {
        "starts": Session.starts,
        "looks": Session.looks_at,
        "opens": Session.opens,
        "keys": Session.keys,
    }
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--characters", type=int, default=6000, help="of the long answers")
    parser.add_argument("--every", type=int, default=3, help="1 for each, 3 for every third answer")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--looks", type=int, default=200, help="cases to open and leave")
    parser.add_argument("--only", action="append", choices=parts, help="can be repeated")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    found: list[Figure] = []
    with tempfile.TemporaryDirectory() as name:
        keep_bytecode(Path(name) / "bytecode")
        folder = Path(name) / "project"
        folder.mkdir()
        playground.make(
            folder,
            cases=arguments.cases,
            characters=arguments.characters,
            every=arguments.every,
        )
        playground.run_once(folder)
        session = Session(folder, arguments.cases, arguments.rounds, arguments.looks)
        for part in arguments.only or parts:
            for figure in parts[part](session):
                found.append(figure)
                print(figure.line(), flush=True)
            print(f"load average {os.getloadavg()[0]:.1f}", flush=True)
    far_off = [figure.name for figure in found if figure.is_far_off]
    if arguments.check and far_off:
        print(f"far from the budget: {', '.join(far_off)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
