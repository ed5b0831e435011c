"""From a save to the first event of the rerun, and whether an hour of reruns leaves a trace.

Usage: python tests/benchmarks/watch.py [--rounds 20] [--saves 500] [--check]

The headless `watch` runs on two cases of an agent that answers at once. Each round saves the agent
and waits for the first event of the run that follows; then a plain `tenxgraph-tui run` is started
and its first event waited for, so that both see the same machine. After that the agent is saved
`--saves` times, as an hour of work does: memory, descriptors, threads and processes of `watch` are
compared with those after the first saves. `--check` fails where something grows, or where a save
is no faster than a start.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

PROGRAM = [sys.executable, "-m", "tenxgraph_tui"]
BUDGET = 0.5
WARM_UP = 20
"""Saves before memory is looked at first: caches of Python and SQLite are full by then."""
MORE_MEMORY = 8.0
"""MiB that --check lets the process grow by."""
AGENT = "def answer(messages):\n    return messages[-1]['content']\n# {}\n"


@dataclass(frozen=True)
class Held:
    """What a process has: MiB of its own and resident, open files, threads, child processes."""

    anonymous: float
    resident: float
    files: int
    threads: int
    children: int

    def __str__(self) -> str:
        return (
            f"{self.anonymous:.1f} MiB of its own ({self.resident:.1f} resident), "
            f"{self.files} descriptors, {self.threads} threads, {self.children} processes behind it"
        )


class Watching:
    """A `watch` without a terminal, which writes its events to us."""

    def __init__(self, folder: Path) -> None:
        self._agent, self._saves = folder / "agent.py", 0
        self.process = subprocess.Popen(
            [*PROGRAM, "watch", "--events", "-", "--quiet"],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self.process.stdout is not None
        self.events: IO[bytes] = self.process.stdout
        self.finish()

    def save(self) -> float:
        """Save the agent; seconds until the run that follows told its first event."""
        self._saves += 1
        saved = time.perf_counter()
        beside = self._agent.with_name(".agent.py.tmp")
        beside.write_text(AGENT.format(self._saves))
        beside.replace(self._agent)
        self.events.readline()
        return time.perf_counter() - saved

    def finish(self) -> None:
        """Read on until the run is over."""
        for line in self.events:
            if json.loads(line)["kind"] == "run_finished":
                return
        raise SystemExit("watch has ended")

    def held(self) -> Held:
        """What it has between two runs, its next worker waiting."""
        pid = self.process.pid
        give_up = time.monotonic() + 30
        while len(children_of(pid)) != 1 and time.monotonic() < give_up:
            time.sleep(0.02)
        time.sleep(1.0)  # the thread that served the last worker ends a moment after it
        status = Path(f"/proc/{pid}/status").read_text()
        numbers = dict(re.findall(r"^(RssAnon|VmRSS|Threads):\s+(\d+)", status, re.MULTILINE))
        return Held(
            int(numbers["RssAnon"]) / 1024,
            int(numbers["VmRSS"]) / 1024,
            len(list(Path(f"/proc/{pid}/fd").iterdir())),
            int(numbers["Threads"]),
            len(children_of(pid)),
        )

    def waiting(self) -> tuple[float, float]:
        """MiB that the idle worker has, resident and of its own; its start is given time."""
        time.sleep(2.0)
        (child,) = children_of(self.process.pid)
        status = Path(f"/proc/{child}/status").read_text()
        numbers = dict(re.findall(r"^(RssAnon|VmRSS):\s+(\d+)", status, re.MULTILINE))
        return int(numbers["VmRSS"]) / 1024, int(numbers["RssAnon"]) / 1024


def children_of(pid: int) -> list[int]:
    """The processes that it started and that nobody has buried."""
    listed = Path(f"/proc/{pid}/task").iterdir()
    return [int(one) for task in listed for one in (task / "children").read_text().split()]


@contextmanager
def project() -> Iterator[Path]:
    """A folder with the agent and an eval set of two cases."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tenxgraph-tui.toml").touch()
        (folder / "agent.py").write_text(AGENT.format(0))
        cases = [_case("london"), _case("paris")]
        content = {
            "eval_set_id": "two",
            "eval_cases": cases,
            "metadata": {"target": "agent.py:answer"},
        }
        (folder / "two.evalset.json").write_text(json.dumps(content))
        yield folder


def _case(text: str) -> dict[str, object]:
    turn = {
        "user_content": {"role": "user", "content": text},
        "expected_final_response": {"role": "assistant", "content": text},
    }
    return {"eval_id": text, "conversation": [turn]}


def plain(folder: Path) -> float:
    """Seconds from the start of a plain run to its first event."""
    started = time.perf_counter()
    command = [*PROGRAM, "run", "--events", "-", "--quiet"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        first = time.perf_counter() - started
        process.stdout.read()
    return first


def measure(rounds: int, saves: int) -> tuple[list[float], list[float], Held, Held]:
    """Seconds of each save and of each plain start, and what `watch` held before and after."""
    after_saves, starts = [], []
    with project() as folder:
        watching = Watching(folder)
        try:
            for _ in range(rounds):
                time.sleep(0.5)  # somebody looks at the results: the next worker is warm by then
                after_saves.append(watching.save())
                watching.finish()
                starts.append(plain(folder))
            resident, own = watching.waiting()
            print(f"an idle warm worker: {resident:.1f} MiB resident, {own:.1f} of its own")
            for _ in range(WARM_UP):
                watching.save()
                watching.finish()
            before = watching.held()
            for _ in range(saves):
                watching.save()
                watching.finish()
            return after_saves, starts, before, watching.held()
        finally:
            watching.process.terminate()
            watching.process.wait()


def told(name: str, seconds: list[float]) -> str:
    """The median and how far the others lie."""
    ordered = sorted(seconds)
    return (
        f"{name:44} {statistics.median(ordered):6.3f} s  "
        f"({ordered[0]:.3f} to {ordered[-1]:.3f}, {len(ordered)} times)"
    )


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--saves", type=int, default=500)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    saves, starts, before, after = measure(arguments.rounds, arguments.saves)
    load = os.getloadavg()[0]
    print(told("save to the first event of the rerun", saves), f"budget {BUDGET:.2f} s")
    print(told("tenxgraph-tui run to its first event", starts))
    print(f"the machine: load {load:.1f} on {os.cpu_count()} processors")
    print(f"after {WARM_UP} more saves:  {before}")
    print(f"after {arguments.saves} more: {after}")
    if not arguments.check:
        return 0
    problems = []
    if statistics.median(saves) > statistics.median(starts):
        problems.append("a save takes longer than a start")
    if after.anonymous > before.anonymous + MORE_MEMORY:
        problems.append("memory grows")
    if after.files > before.files or after.threads > before.threads:
        problems.append("descriptors or threads grow")
    if after.children != before.children:
        problems.append("processes are left behind")
    for problem in problems:
        print(f"FAILED: {problem}")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
