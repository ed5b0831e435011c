"""Kill workers and dashboards at random moments: nothing that was finished may be lost.

python tests/kills/kills.py --kills 100 --seed 1

Every kill hits a run of 200 cases. The dashboard is a small process around the real client, the
worker is the real one. Three runs write into one store at a time. Of a worker that was killed all
must be stored that had finished 100 ms before, and as much more as this machine was late itself
(`hiccups.py`); a worker whose dashboard was killed stores all that it told.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Literal, NamedTuple

from tenxgraph_tui.evaluation.events import CaseFinished, RunEvent, RunFinished, RunStarted
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.protocol import RequestOptions, SetRequest, WorkerRequest
from tenxgraph_tui.session.records import RunStatus
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.session.workers import Worker, WorkerExit, command_of
from tests.kills.hiccups import Hiccups

CASES = 200
PROMISED = 0.1
LATEST = 0.15
PATIENCE = 60.0
LANES = 3
AGENTS = Path(__file__).with_name("agents.py")

Victim = Literal["worker", "dashboard"]
WITH_GAP = """
import sys
from tenxgraph_tui.session.committer import Committer
Committer.__init__.__kwdefaults__["gap"] = float(sys.argv.pop())
from tenxgraph_tui.cli.main import main
sys.exit(main(["worker"]))
"""


class Told(NamedTuple):
    """What a dashboard tells us: its worker's pid, the start, each finished case, the exit."""

    what: Literal["pid", "started", "case", "exit"]
    at: float = 0.0
    case: CaseKey | None = None
    number: int = 0


@dataclass
class Kill:
    """One kill, and what came of it; `late` are the seconds that the machine itself lost then."""

    index: int
    command: list[str]
    victim: Victim
    after: int
    delay: float
    request: WorkerRequest
    worker: int = 0
    at: float = 0.0
    late: float = 0.0
    emitted: dict[CaseKey, float] = field(default_factory=dict)
    stored: set[CaseKey] = field(default_factory=set)
    complaint: str = ""

    @property
    def promised(self) -> list[CaseKey]:
        """What must be stored, whatever was killed."""
        if self.victim == "dashboard":
            return list(self.emitted)
        return [key for key, at in self.emitted.items() if at < self.at - PROMISED - self.late]

    @property
    def lost(self) -> list[CaseKey]:
        return [key for key in self.promised if key not in self.stored]

    def __str__(self) -> str:
        where = f"kill {self.index} ({self.victim}, {self.delay:.3f} s after case {self.after})"
        if self.lost:
            names = ", ".join(key.eval_id for key in self.lost[:5])
            late = f"this machine was {self.late:.3f} s late"
            return f"{where}: lost {len(self.lost)} of {len(self.promised)} cases ({late}): {names}"
        return f"{where}: {self.complaint}"


def dashboard(request: WorkerRequest, command: list[str], tell: Connection) -> None:
    """A dashboard without a screen: it reads its worker and passes on what it hears."""

    def on_event(event: RunEvent) -> None:
        match event:
            case RunStarted():
                tell.send(Told("started", event.at))
            case CaseFinished():
                tell.send(Told("case", event.at, event.case))

    def on_exit(left: WorkerExit) -> None:
        tell.send(Told("exit", number=left.code))
        os._exit(0)

    worker = Worker(on_event, on_exit, command=command)
    worker.start(request)
    tell.send(Told("pid", number=worker.pid or 0))
    worker.wait()
    time.sleep(PATIENCE)


def carry_out(kill: Kill) -> Kill:
    """Run, kill, and look into the store as soon as no process of the run is left."""
    context = multiprocessing.get_context("forkserver")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(
        target=dashboard, args=(kill.request, kill.command, theirs), daemon=True
    )
    process.start()
    theirs.close()
    has_left = _listen(kill, ours)
    kill.at = time.time()
    victim = kill.worker if kill.victim == "worker" else process.pid
    if victim and not has_left:
        os.kill(victim, signal.SIGKILL)
    for told in _rest(ours):
        _note(kill, told)
    _wait_for_the_end_of([kill])
    if not kill.complaint:
        look_into_the_store(kill)
    process.join(PATIENCE)
    process.close()
    ours.close()
    return kill


def _listen(kill: Kill, ours: Connection) -> bool:
    """Take in what the dashboard tells until the kill is due; whether the worker left before."""
    due = math.inf
    while (left := due - time.time()) > 0:
        if not ours.poll(min(left, PATIENCE)):
            if due == math.inf:
                kill.complaint = "the run did not come that far"
                return False
            continue
        told: Told = ours.recv()
        _note(kill, told)
        if told.what == "exit":
            if due == math.inf:
                kill.complaint = f"the worker left with exit code {told.number}"
            return True
        if due == math.inf and told.what != "pid" and len(kill.emitted) >= kill.after:
            due = time.time() + kill.delay
    return False


def _note(kill: Kill, told: Told) -> None:
    if told.what == "pid":
        kill.worker = told.number
    if told.case is not None:
        kill.emitted[told.case] = told.at


def _rest(ours: Connection) -> Iterator[Told]:
    try:
        while ours.poll(PATIENCE):
            yield ours.recv()
    except (EOFError, OSError):
        return


def look_into_the_store(kill: Kill) -> None:
    """Note what is missing or does not fit together."""
    store = RunStore(Path(kill.request.store or ""))
    events = list(store.events(kill.request.run_id))
    kill.stored = {event.case for event in events if isinstance(event, CaseFinished)}
    if [event.seq for event in events] != list(range(len(events))):
        kill.complaint = "the events are not numbered without gaps"
    if kill.victim == "worker" and not isinstance(events[-1], RunFinished):
        kill.complaint = "a run whose worker is dead is still said to go on"
    for key in random.Random(kill.index).sample(sorted(kill.stored), min(3, len(kill.stored))):
        result = store.result(kill.request.run_id, key)
        if result is None or result.eval_id != key.eval_id:
            kill.complaint = f"case {key.eval_id} is listed and has no result"


def plan(folder: Path, kills: int, seed: int, command: list[str]) -> list[Kill]:
    """The kills, all into one store; the same for the same seed."""
    file = folder / "many.evalset.json"
    file.write_text(json.dumps({"eval_set_id": "many", "eval_cases": _cases()}), encoding="utf-8")
    chance = random.Random(seed)
    return [
        Kill(
            index,
            command,
            chance.choice(("worker", "dashboard")),
            chance.randint(0, CASES),
            chance.uniform(0.0, LATEST),
            WorkerRequest(
                root=str(folder),
                sets=(SetRequest(path=str(file)),),
                target=f"{AGENTS}:answer",
                config={"criteria": {"contains_keywords": {"keywords": ["hello"]}}},
                options=RequestOptions(max_concurrency=10),
                store=str(folder / "runs" / "runs.db"),
            ),
        )
        for index in range(1, kills + 1)
    ]


def _cases() -> list[dict[str, object]]:
    return [
        {
            "eval_id": f"case-{number}",
            "conversation": [{"user_content": {"role": "user", "content": f"case {number}"}}],
        }
        for number in range(CASES)
    ]


def _wait_for_the_end_of(kills: list[Kill]) -> list[int]:
    """The workers that do not leave in the time they have for it."""
    give_up = time.monotonic() + PATIENCE / 2
    alive = [kill.worker for kill in kills if kill.worker]
    while alive and time.monotonic() < give_up:
        alive = [pid for pid in alive if _lives(pid)]
        time.sleep(0.05)
    return alive


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def failures_of(kills: list[Kill]) -> list[str]:
    """A line for everything that should not be."""
    lines = [str(kill) for kill in kills if kill.lost or kill.complaint]
    lines += [f"worker {pid} is still running" for pid in _wait_for_the_end_of(kills)]
    runs = RunStore(Path(kills[0].request.store or "")).runs()
    lines += [f"run #{run.number} goes on" for run in runs if run.status is RunStatus.RUNNING]
    return lines


def main() -> int:
    """0 if nothing was lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gap", type=float, help="seconds between commits, to see it fail")
    asked = parser.parse_args()
    command = command_of()
    if asked.gap is not None:
        command = [sys.executable, "-P", "-c", WITH_GAP, str(asked.gap)]
    multiprocessing.get_context("forkserver").set_forkserver_preload([Worker.__module__])
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        with Hiccups(Path(name)) as hiccups, ThreadPoolExecutor(LANES) as lanes:
            kills = list(lanes.map(carry_out, plan(Path(name), asked.kills, asked.seed, command)))
        for kill in kills:
            kill.late = hiccups.before(kill.at)
        failures = failures_of(kills)
    promised = sum(len(kill.promised) for kill in kills)
    midway = sum(0 < len(kill.emitted) < CASES for kill in kills)
    print(
        *failures,
        f"{len(kills)} kills ({midway} in the midst of a run) in {time.monotonic() - begin:.0f} s: "
        f"{promised} cases promised, {sum(len(kill.lost) for kill in kills)} lost",
        sep="\n",
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
