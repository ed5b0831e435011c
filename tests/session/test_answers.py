"""Answers of judges in the run store: kept beyond a run, for a while, and not without end."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.answers import AnswerCount, AnswerTable, count_answers
from tenxgraph_tui.session.store import RunStore

if TYPE_CHECKING:
    from tests.session.conftest import Scribe

DAY = 86_400.0


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".tenxgraph-tui" / "runs.db"


def keep(path: Path, clock: Clock, **answers: str) -> None:
    with AnswerTable(path, clock=clock, max_age=30 * DAY, max_size=100) as table:
        for key, answer in answers.items():
            table.put(key, answer)


def test_what_was_put_is_there_for_the_next_run(path: Path) -> None:
    keep(path, Clock(), a="one", b="zwei ✓")
    with AnswerTable(path, clock=Clock()) as table:
        assert (table.get("a"), table.get("b")) == ("one", "zwei ✓")
        assert table.get("nobody's") is None
    assert count_answers(path) == AnswerCount(2, 9)


def test_a_new_answer_takes_the_place_of_the_old_one(path: Path) -> None:
    clock = Clock()
    keep(path, clock, a="old")
    keep(path, clock, a="new")
    with AnswerTable(path, clock=clock) as table:
        assert table.get("a") == "new"
    assert count_answers(path).number == 1


def test_an_old_answer_is_neither_given_nor_kept(path: Path) -> None:
    clock = Clock()
    keep(path, clock, a="old")
    clock.now += 31 * DAY
    with AnswerTable(path, clock=clock, max_age=30 * DAY) as table:
        assert table.get("a") is None
    assert count_answers(path).number == 0


def test_the_oldest_make_room(path: Path) -> None:
    clock = Clock()
    for key in "abc":
        clock.now += 1
        keep(path, clock, **{key: key * 40})
    assert count_answers(path) == AnswerCount(2, 80)
    with AnswerTable(path, clock=clock) as table:
        assert table.get("a") is None
        assert table.get("c") == "c" * 40


def test_a_store_that_breaks_costs_answers_and_not_the_run(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with AnswerTable(path) as table:
        other = sqlite3.connect(path)
        other.execute("DROP TABLE answers")
        other.close()
        assert table.get("a") is None
        assert table.get("b") is None
        table.put("a", "lost")
    assert [record.message[:34] for record in caplog.records] == [
        "answers of judges are not kept: ca"
    ]


def test_a_store_of_an_older_version_gets_the_table(path: Path) -> None:
    with RunStore(path).writer("r1"):
        pass
    with sqlite3.connect(path) as database:
        database.execute("DROP TABLE answers")
        database.execute("PRAGMA user_version = 2")
    database.close()
    assert count_answers(path) == AnswerCount()
    keep(path, Clock(), a="one")
    assert count_answers(path).number == 1


def test_a_run_and_the_answers_of_its_judges_share_a_store_with_other_processes(
    scribe: Scribe,
) -> None:
    """Another process that closes the store last would throw away what this one still writes."""
    path = scribe.store.path
    looks = f"import sqlite3; sqlite3.connect({str(path)!r}).execute('SELECT * FROM runs').close()"
    with scribe.begun("r1", "a", "b") as writer, AnswerTable(path) as table:
        writer.save(CaseKey(0, "a"), scribe.result("a"))
        table.put("key", "said")
        subprocess.run([sys.executable, "-c", looks], check=True)
        assert scribe.store.result("r1", CaseKey(0, "b")) is None
        writer.save(CaseKey(0, "b"), scribe.result("b"))
        subprocess.run([sys.executable, "-c", looks], check=True)
        assert path.with_name(f"{path.name}-wal").exists()
        writer.finished(scribe.over("r1"))
    for each in ("a", "b"):
        assert scribe.store.result("r1", CaseKey(0, each)) == scribe.result(each)
    assert count_answers(path).number == 1


def test_a_project_without_a_store_has_none(path: Path) -> None:
    assert count_answers(path) == AnswerCount()
    assert not path.exists()
