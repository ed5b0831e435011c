"""A run gets the worker that waited for it, as long as that is the worker it would start itself."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.evaluation.events import (
    CaseFinished,
    CriterionInfo,
    Reply,
    RunEvent,
    RunStarted,
    SetInfo,
)
from tenxgraph_tui.session.protocol import SetRequest, WorkerRequest
from tenxgraph_tui.session.standby import Standby, needs_of
from tenxgraph_tui.session.workers import Worker, WorkerExit
from tests.session.test_workers import descriptors, exists

PATIENCE = 120.0
"""Seconds: LiteLLM is imported by some of the workers, which takes a busy machine a while."""

AGENT = """
import os, sys
def where(messages):
    return f"{os.getpid()} {os.environ.get('COLOUR')} {os.getcwd()} {'jinja2' in sys.modules}"
def hangs(messages):
    import time
    time.sleep(99)
"""
SET = """{"eval_set_id": "one", "eval_cases": [{"eval_id": "a", "conversation": [
  {"user_content": {"role": "user", "content": "hello"},
   "expected_final_response": {"role": "assistant", "content": "hello"}}]}]}"""


class Told:
    """A run on a worker of the standby, and what it told."""

    def __init__(self, standby: Standby, root: Path, target: str = "where") -> None:
        self.events: list[RunEvent] = []
        self.exits: list[WorkerExit] = []
        request = WorkerRequest(
            root=str(root),
            sets=(SetRequest(path=str(root / "one.evalset.json")),),
            target=f"{root / 'agents.py'}:{target}",
        )
        self.worker: Worker = standby.launch(request, self.events.append, self.exits.append)

    def answer(self) -> list[str]:
        """What the agent said, once the worker has ended."""
        until(lambda: self.exits)
        assert not self.exits[0].is_crash, self.exits[0].sentence
        (finished,) = [event for event in self.events if isinstance(event, CaseFinished)]
        return finished.response.split()


def until(is_true: Callable[[], object]) -> None:
    give_up = time.monotonic() + PATIENCE
    while not is_true():
        assert time.monotonic() < give_up
        time.sleep(0.01)


@pytest.fixture
def root(project: Path) -> Path:
    (project / "agents.py").write_text(AGENT)
    (project / "one.evalset.json").write_text(SET)
    return project


@pytest.fixture(autouse=True)
def _leaves_no_threads_and_no_descriptors() -> Iterator[None]:
    before = descriptors()
    yield
    until(lambda: not [t for t in threading.enumerate() if t.name in {"worker", "stop"}])
    assert descriptors() <= before


@pytest.fixture
def standby() -> Iterator[Standby]:
    one = Standby(lambda: sys.executable)
    yield one
    one.close()


def waiting(standby: Standby) -> int:
    """The process that waits, however far it has come."""
    until(lambda: standby.pid is not None)
    pid = standby.pid
    assert pid is not None
    return pid


def test_the_first_run_needs_none_and_the_next_finds_one(root: Path, standby: Standby) -> None:
    first = Told(standby, root)
    first.answer()
    pid = waiting(standby)

    second = Told(standby, root)

    assert second.worker.pid == pid
    assert second.answer()[0] == str(pid)
    assert waiting(standby) != pid


def test_a_run_can_follow_at_once_on_a_worker_that_is_still_starting(
    root: Path, standby: Standby
) -> None:
    standby.prepare()
    pid = waiting(standby)

    assert Told(standby, root).answer()[0] == str(pid)


def test_one_that_waits_stays_when_it_is_prepared_for_again(root: Path, standby: Standby) -> None:
    standby.prepare(["judge"])
    pid = waiting(standby)

    standby.prepare()
    standby.prepare(["judge"])

    assert standby.pid == pid


def test_what_a_judge_needs_is_loaded_before(root: Path, standby: Standby) -> None:
    standby.prepare()
    plain = waiting(standby)
    assert Told(standby, root).answer()[-1] == "False"
    standby.prepare(["judge"])
    until(lambda: standby.pid not in {None, plain})

    assert Told(standby, root).answer()[-1] == "True"


def change_the_environment(root: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("COLOUR", "red")


def change_the_folder(root: Path, patch: pytest.MonkeyPatch) -> None:
    (root / "other").mkdir()
    patch.chdir(root / "other")


def put_another_folder_in_its_place(root: Path, patch: pytest.MonkeyPatch) -> None:
    kept = root.with_name("kept")
    root.rename(kept)
    shutil.copytree(kept, root)
    patch.chdir(root)


@pytest.mark.parametrize(
    "change", [change_the_environment, change_the_folder, put_another_folder_in_its_place]
)
def test_a_run_finds_what_is_true_when_it_starts(
    change: Callable[[Path, pytest.MonkeyPatch], None],
    root: Path,
    standby: Standby,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLOUR", "blue")
    standby.prepare()
    before = waiting(standby)

    change(root, monkeypatch)
    pid, colour, cwd, _ = Told(standby, root).answer()

    assert int(pid) != before
    assert colour == os.environ["COLOUR"]
    assert cwd == str(Path.cwd())
    until(lambda: not exists(before))


def test_another_interpreter_has_a_worker_of_its_own(root: Path, tmp_path: Path) -> None:
    link = tmp_path / "python"
    link.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    link.chmod(0o755)
    pythons = [sys.executable]
    standby = Standby(lambda: pythons[0])
    standby.prepare()
    before = waiting(standby)

    pythons[0] = str(link)
    told = Told(standby, root)

    assert told.answer()[0] != str(before)
    standby.close()


def test_an_interpreter_that_was_installed_anew_has_a_worker_of_its_own(
    root: Path, tmp_path: Path
) -> None:
    link = tmp_path / "python"
    link.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    link.chmod(0o755)
    standby = Standby(lambda: str(link))
    standby.prepare()
    before = waiting(standby)

    link.write_text(f'#!/bin/sh\n# another one\nexec "{sys.executable}" "$@"\n')

    assert Told(standby, root).answer()[0] != str(before)
    standby.close()


def test_one_that_died_while_it_waited_is_buried_and_nobody_hears_of_it(
    root: Path, standby: Standby
) -> None:
    standby.prepare()
    dead = waiting(standby)
    os.kill(dead, signal.SIGKILL)
    until(lambda: not _is_there(dead))

    told = Told(standby, root)

    assert told.answer()[0] != str(dead)


def test_an_interpreter_that_cannot_start_is_told_by_the_run_and_not_before(root: Path) -> None:
    standby = Standby(lambda: "/no/such/python")

    standby.prepare()

    assert standby.pid is None
    with pytest.raises(UsageError, match="cannot start /no/such/python"):
        Told(standby, root)


def test_a_refused_request_is_answered_by_a_warm_worker_too(root: Path, standby: Standby) -> None:
    standby.prepare()
    told = Told(standby, root, "nobody")
    until(lambda: told.exits)

    (reply,) = [event for event in told.events if isinstance(event, Reply)]
    assert reply.exit_code == 5
    assert reply.error is not None
    assert "nobody" in reply.error


def test_a_run_that_is_stopped_has_the_next_worker_behind_it(root: Path, standby: Standby) -> None:
    told = Told(standby, root, "hangs")
    until(lambda: any(isinstance(event, RunStarted) for event in told.events))
    behind = waiting(standby)

    assert told.worker.stop()

    assert Told(standby, root).answer()[0] == str(behind)


def test_the_end_leaves_nobody(root: Path) -> None:
    standby = Standby(lambda: sys.executable)
    told = Told(standby, root)
    told.answer()
    pid = waiting(standby)

    standby.close()

    assert not _is_there(pid)
    standby.prepare()
    assert standby.pid is None


def test_a_worker_that_waits_leaves_when_its_owner_is_gone(root: Path) -> None:
    script = (
        "import sys, time\n"
        "from tenxgraph_tui.session.standby import Standby\n"
        "one = Standby(lambda: sys.executable)\n"
        "one.prepare()\nprint(one.pid, flush=True)\ntime.sleep(99)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        pid = int(owner.stdout.readline())
        owner.kill()
    until(lambda: not exists(pid))


def test_the_next_run_is_expected_to_need_what_this_one_does() -> None:
    def started(target: str, *, judged: bool) -> RunStarted:
        criterion = CriterionInfo(slot="x", name="x", threshold=0.5, judged=judged)
        info = SetInfo(eval_set_id="a", target=target, criteria=(criterion,))
        return RunStarted(seq=0, at=0.0, run_id="r", sets=(info,))

    assert needs_of(started("agents.py:a", judged=False)) == set()
    assert needs_of(started("agents.py:a", judged=True)) == {"judge"}
    assert needs_of(started("model:gpt-5", judged=False)) == {"judge"}


def test_many_runs_leave_one_worker_that_waits(root: Path, standby: Standby) -> None:
    seen = []
    for _ in range(3):
        told = Told(standby, root)
        told.answer()
        seen += [told.worker.pid, waiting(standby)]

    assert len(set(seen)) == 4
    assert [pid for pid in set(seen) if pid and _is_there(pid)] == [standby.pid]


def _is_there(pid: int) -> bool:
    """Whether the process is in the table, as a zombie or not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
