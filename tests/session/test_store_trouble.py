"""What can go wrong with the file that runs are kept in is told in one line that names it."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.evaluation.events import CaseFinished, RunFinished
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.store import RunStore

if TYPE_CHECKING:
    from tests.session.conftest import Scribe

LONG = 10.0


def test_a_store_that_cannot_take_any_more_stops_the_run(scribe: Scribe) -> None:
    writer = scribe.begun("r1", "a", "b")
    pages = writer._database.execute("PRAGMA page_count").fetchone()[0]
    writer._database.execute(f"PRAGMA max_page_count = {pages}")
    writer.save(CaseKey(0, "a"), scribe.result("a", actual_response="x" * 200_000))
    with pytest.raises(StoreError) as stopped:
        until_it_raises(lambda: writer.save(CaseKey(0, "b"), scribe.result("b")))
    with pytest.raises(StoreError, match="disk is full"):
        writer.finished(scribe.over("r1"))
    with pytest.raises(StoreError, match="disk is full"):
        writer.close()

    assert str(stopped.value) == f"cannot write the run store {scribe.store.path}: the disk is full"
    assert [run.error for run in scribe.store.runs()] == [None]


def until_it_raises(attempt: Any) -> None:
    give_up = time.monotonic() + LONG
    while time.monotonic() < give_up:
        attempt()
        time.sleep(0.01)


def test_a_store_that_somebody_locked_is_given_up_after_a_while(
    scribe: Scribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenxgraph_tui.session.schema.BUSY_SECONDS", 0.05)
    scribe.whole("r1", "a")
    other = sqlite3.connect(scribe.store.path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")

    with pytest.raises(StoreError, match="locked by another program"):
        scribe.store.writer("r2")
    assert [run.run_id for run in scribe.store.runs()] == ["r1"]  # reading goes on

    other.close()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param(b"these are not the runs" * 100, "it is no run store", id="another file"),
        pytest.param(b"SQLite format 3\0" + b"\1" * 4096, "runs.db: ", id="a damaged database"),
    ],
)
def test_a_file_that_is_no_store_is_named(scribe: Scribe, content: bytes, says: str) -> None:
    scribe.store.path.parent.mkdir()
    scribe.store.path.write_bytes(content)

    for attempt in (scribe.store.runs, lambda: scribe.store.writer("r1")):
        with pytest.raises(StoreError, match=re.escape(says)) as refused:
            attempt()
        assert "\n" not in str(refused.value)
    assert scribe.store.path.read_bytes() == content


def test_a_newer_store_is_left_alone(scribe: Scribe) -> None:
    scribe.whole("r1", "a")
    with sqlite3.connect(scribe.store.path) as database:
        database.execute("PRAGMA user_version = 7")
    database.close()

    for attempt in (scribe.store.runs, lambda: scribe.store.writer("r2")):
        with pytest.raises(StoreError, match=r"newer tenxgraph-tui .* 7.*upgrade"):
            attempt()


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "app.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE users (name)")
    database.close()

    with pytest.raises(StoreError, match="another program's database"):
        RunStore(path).writer("r1")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(StoreError, match=r"cannot make .*file"):
        RunStore(tmp_path / "file" / "runs.db").writer("r1")


def test_a_file_system_without_wal_gets_a_journal(
    scribe: Scribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenxgraph_tui.session.schema.is_shared", lambda _: True)
    scribe.whole("r1", "a", "b")
    with sqlite3.connect(scribe.store.path) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    database.close()

    assert scribe.store.runs()[0].passed == 4


def test_a_store_in_a_folder_that_cannot_be_written_can_be_read(
    scribe: Scribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    scribe.whole("r1", "a")
    monkeypatch.setattr(os, "access", lambda *_: False)

    assert [run.run_id for run in scribe.store.runs()] == ["r1"]
    assert len(list(scribe.store.events("r1"))) == 5
    beside = {path.name for path in scribe.store.path.parent.iterdir()}
    assert beside == {"runs.db", ".gitignore"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a process that can be killed")
def test_what_was_saved_survives_the_kill_of_its_process(scribe: Scribe) -> None:
    code = (
        "import os, signal, sys, time; from pathlib import Path\n"
        "sys.path.insert(0, sys.argv[2]); from conftest import Scribe, CaseKey\n"
        "scribe = Scribe(Path(sys.argv[1])); writer = scribe.begun('r1', *'abc')\n"
        "writer.save(CaseKey(0, 'a'), scribe.result('a'))\n"
        "writer.save(CaseKey(0, 'b'), scribe.result('b'))\n"
        "time.sleep(1.0); os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    here = str(Path(__file__).parent)
    subprocess.run(
        [sys.executable, "-c", code, str(scribe.store.path), here], check=False, timeout=60
    )

    events = list(scribe.store.events("r1"))
    told = {event.case for event in events if isinstance(event, CaseFinished)}
    assert told == {CaseKey(0, "a"), CaseKey(0, "b"), CaseKey(1, "skipped")}
    assert isinstance(events[-1], RunFinished)
    assert events[-1].error == "interrupted"


@pytest.mark.parametrize("replaced", [False, True], ids=["removed", "replaced by a new one"])
def test_a_store_that_is_removed_while_it_is_written_to_is_no_success(
    scribe: Scribe, replaced: bool
) -> None:
    writer = scribe.begun("r1", "a")
    writer.save(CaseKey(0, "a"), scribe.result("a"))
    for file in scribe.store.path.parent.glob("runs.db*"):
        file.unlink()
    if replaced:
        scribe.whole("r2", "a")
    with pytest.raises(StoreError, match="was removed or replaced while run #1 was written to it"):
        writer.finished(scribe.over("r1"))
