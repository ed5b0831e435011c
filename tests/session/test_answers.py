"""Answers of judges in the run store: kept beyond a run, for a while, and not without end."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tenxgraph_tui.session.answers import AnswerCount, AnswerTable, count_answers
from tenxgraph_tui.session.store import RunStore

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


def test_a_project_without_a_store_has_none(path: Path) -> None:
    assert count_answers(path) == AnswerCount()
    assert not path.exists()
