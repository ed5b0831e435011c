"""What cases say is kept with their results, up to a limit, and told again as it was."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.evaluation.events import Log
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.said import CHARACTERS, LINES, Said, read_said

if TYPE_CHECKING:
    from tests.session.conftest import Scribe

A, B = CaseKey(0, "a"), CaseKey(0, "b")
FIRST_VERSION = """
CREATE TABLE runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,  -- what people type; never used twice
    run_id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,      -- Owner: the process that writes the run
    configs TEXT NOT NULL,    -- the config of each set
    started_at REAL,          -- the rest is NULL until the run begins
    planned INTEGER,          -- attempts, skipped ones too
    skipped INTEGER,
    sets TEXT,                -- SetInfo of each set, without its cases: what a list of runs needs
    started TEXT,             -- RunStarted
    finished TEXT             -- RunFinished; NULL while the run goes on, and when it died
);
CREATE TABLE cases (
    id INTEGER PRIMARY KEY,   -- grows in the order in which cases finished
    number INTEGER NOT NULL REFERENCES runs(number),
    set_index INTEGER NOT NULL,
    eval_id TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    place INTEGER NOT NULL,   -- where the case stands in its file
    status TEXT NOT NULL,
    event TEXT NOT NULL,      -- CaseFinished
    result TEXT NOT NULL,     -- EvalCaseResult; last, so that reading the others skips it
    UNIQUE (number, set_index, eval_id, attempt)
);
CREATE INDEX cases_as_finished ON cases (number);  -- entries of one number lie in the order of id
"""


def line(text: str, seq: int = 0, case: CaseKey | None = A, **fields: Any) -> Log:
    return Log(seq=seq, at=1.5 + seq, run_id="r1", case=case, text=text, **fields)


def kept(*lines: Log) -> tuple[Log, ...]:
    said = Said()
    for each in lines:
        said.note(each)
    return read_said(said.take(A), "r1", A)


def as_first_version(scribe: Scribe) -> None:
    """Make the store one that was written before logs were kept in it."""
    with sqlite3.connect(scribe.store.path) as database:
        for table in ("runs", "cases"):
            database.execute(f"ALTER TABLE {table} RENAME TO new_{table}")
        database.execute("DROP INDEX cases_as_finished")
        database.executescript(FIRST_VERSION)
        for table, columns in (("runs", 10), ("cases", 9)):
            names = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            assert len(names) == columns
            listed = ", ".join(names)
            database.execute(f"INSERT INTO {table} SELECT {listed} FROM new_{table}")
        for table in ("cases", "runs"):
            database.execute(f"DROP TABLE new_{table}")
        database.execute("PRAGMA user_version = 1")
    database.close()


def test_lines_come_back_as_they_were_said() -> None:
    said = (
        line("✗ ü [/]\t\x1b[2J", 1, source="stderr"),
        line("a.b: no", 2, source="logging", level="warning", dropped=3),
        line("it holds the loop", 3, source="tenxgraph", level="warning"),
    )
    assert kept(*said) == said


def test_half_a_character_is_written_out() -> None:
    lone = line("x").model_copy(update={"text": "\ud800!"})
    assert [each.text for each in kept(lone)] == [r"\ud800!"]


def test_of_many_lines_the_last_are_kept_and_the_first_of_them_counts_the_others() -> None:
    found = kept(*(line(f"{number}", number, dropped=number % 2) for number in range(LINES + 10)))
    assert [each.text for each in found] == [f"{number}" for number in range(10, LINES + 10)]
    assert found[0].dropped == 10 + 5
    assert found[1].dropped == 1


def test_of_long_lines_fewer_are_kept_but_always_the_last() -> None:
    third = "x" * (CHARACTERS // 3)
    assert [each.seq for each in kept(*(line(third, number) for number in range(5)))] == [2, 3, 4]
    assert len(kept(line("first"), line("x" * CHARACTERS * 2))) == 1


def test_a_result_is_stored_with_what_its_case_said_and_no_other(scribe: Scribe) -> None:
    with scribe.begun("r1", "a", "b") as writer:
        for each in (line("one", 1), line("whose?", 2, None), line("two", 3, B), line("three", 4)):
            writer.note(each)
        writer.save(A, scribe.result("a"))
        writer.save(CaseKey(1, "a"), scribe.result("a"))
        writer.note(line("too late", 5))
        writer.finished(scribe.over("r1"))

    assert [(each.text, each.case, each.run_id) for each in scribe.store.said_by("r1", A)] == [
        ("one", A, "r1"),
        ("three", A, "r1"),
    ]
    assert scribe.store.said_by("r1", CaseKey(1, "a")) == ()
    assert [each.text for each in scribe.store.said("r1", 9)] == [
        "one",
        "whose?",
        "two",  # of a case without a result
        "three",
        "too late",
    ]
    assert [each.text for each in scribe.store.said("r1", 2)] == ["three", "too late"]


def test_nothing_is_known_of_what_an_unknown_run_said(scribe: Scribe) -> None:
    assert (scribe.store.said("r1", 9), scribe.store.said_by("r1", A)) == ((), ())
    scribe.whole("r1", "a")
    assert (scribe.store.said("r2", 9), scribe.store.said_by("r2", A)) == ((), ())


def test_a_store_of_the_first_version_is_read_and_then_written_on(scribe: Scribe) -> None:
    scribe.whole("old", "a")
    as_first_version(scribe)

    assert scribe.store.result("old", A) == scribe.result("a")
    assert (scribe.store.said("old", 9), scribe.store.said_by("old", A)) == ((), ())

    with scribe.begun("new", "a") as writer:
        writer.note(line("hello"))
        writer.save(A, scribe.result("a"))
        writer.finished(scribe.over("new"))
    assert [each.text for each in scribe.store.said("new", 9)] == ["hello"]
    assert scribe.store.said("old", 9) == ()
    assert scribe.store.result("old", A) == scribe.result("a")
    assert [run.run_id for run in scribe.store.runs()] == ["new", "old"]


def test_a_writer_that_is_older_can_go_on_in_a_store_that_was_changed(scribe: Scribe) -> None:
    scribe.whole("r1", "a")
    columns = "number, set_index, eval_id, attempt, place, status, event, result"
    with sqlite3.connect(scribe.store.path) as database:
        database.execute(
            f"INSERT INTO cases ({columns}) SELECT number, 7, eval_id, attempt, place, status,"
            " event, result FROM cases WHERE set_index = 0"
        )
    database.close()
    assert scribe.store.result("r1", CaseKey(7, "a")) == scribe.result("a")
    assert scribe.store.said_by("r1", CaseKey(7, "a")) == ()


def test_a_log_that_is_none_is_told_in_one_line(scribe: Scribe) -> None:
    scribe.whole("r1", "a")
    with sqlite3.connect(scribe.store.path) as database:
        database.execute("""UPDATE cases SET log = '{"a": 1}'""")
    database.close()
    with pytest.raises(StoreError, match=r"cannot read the run store .*runs\.db: it holds a"):
        scribe.store.said_by("r1", A)
