"""The run store as SQLite sees it: its tables, how it is opened, and what its errors mean."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from pydantic import ValidationError

from tenxgraph_tui.errors import StoreError, with_article
from tenxgraph_tui.session.mounts import is_shared
from tenxgraph_tui.session.project import PRIVATE_FILE, make_private

VERSION = 3
BUSY_SECONDS = 5.0
RETRY_SECONDS = 0.02

TABLES = """
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
    finished TEXT,            -- RunFinished; NULL while the run goes on, and when it died
    log TEXT                  -- what was said by no case, or by one without a result
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
    result TEXT NOT NULL,     -- EvalCaseResult; behind the others, so that reading them skips it
    log TEXT,                 -- what was said while the case ran; NULL: nothing
    UNIQUE (number, set_index, eval_id, attempt)
);
-- entries of one number lie in the order of id
CREATE INDEX cases_as_finished ON cases (number);
CREATE TABLE answers (
    key TEXT PRIMARY KEY,     -- a hash of the question and of how it was asked
    answer TEXT NOT NULL,     -- what the judge said
    given_at REAL NOT NULL
);
"""

LOG_SINCE, ANSWERS_SINCE = 2, 3
CHANGES = {
    LOG_SINCE: "ALTER TABLE runs ADD COLUMN log TEXT; ALTER TABLE cases ADD COLUMN log TEXT",
    ANSWERS_SINCE: "CREATE TABLE IF NOT EXISTS answers "
    "(key TEXT PRIMARY KEY, answer TEXT NOT NULL, given_at REAL NOT NULL)",
}
"""What makes each version out of the one before it."""

MEANINGS = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_BUSY: "it is locked by another program",
    sqlite3.SQLITE_LOCKED: "it is locked by another program",
    sqlite3.SQLITE_READONLY: "it is read-only",
    sqlite3.SQLITE_PERM: "permission denied",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
    sqlite3.SQLITE_IOERR: "reading or writing it failed",
    sqlite3.SQLITE_CORRUPT: "it is damaged; move it away and a new one is made",
    sqlite3.SQLITE_NOTADB: "it is no run store; move it away and a new one is made",
}


@contextmanager
def explained(path: Path, doing: str) -> Iterator[None]:
    """Turn what goes wrong inside into a `StoreError` of one line that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        meaning = MEANINGS.get(code & 0xFF) if isinstance(code, int) else None
        raise StoreError(f"cannot {doing} the run store {path}: {meaning or error}") from error
    except ValidationError as error:
        what = f"it holds {with_article(error.title)} that this version cannot read"
        raise StoreError(f"cannot {doing} the run store {path}: {what}") from error
    except OSError as error:
        reason = error.strerror or error
        raise StoreError(f"cannot {doing} the run store {path}: {reason}") from error


def open_for_writing(path: Path) -> sqlite3.Connection:
    """The store, made where there is none. Any thread may use the connection, one at a time.

    The file of a store that is there is opened by SQLite alone: closing it again would take the
    locks of every other connection of this process, and with them what these have written.

    Raises:
        StoreError: it cannot be made or written, or is no store that this version knows.
    """
    with explained(path, "write"):
        make_private(path.parent)
        if not path.exists():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE))
        database = sqlite3.connect(
            path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            _set_journal(database, path)
            database.execute("PRAGMA synchronous = NORMAL")
            _make_tables(database, path)
        except BaseException:
            database.close()
            raise
    return database


@contextmanager
def opened_for_reading(path: Path) -> Iterator[sqlite3.Connection | None]:
    """The store for queries only, with rows by name; None where there is none yet.

    Raises:
        StoreError: it cannot be read, or is no store that this version knows.
    """
    with explained(path, "read"):
        if not path.exists():
            yield None
            return
        with closing(_connect_for_reading(path)) as database:
            yield database if _is_ready(database, path) else None


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Everything inside is written together, or nothing of it."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def _connect_for_reading(path: Path) -> sqlite3.Connection:
    # A writer's last words may be in the WAL, and reading that needs to write beside the store;
    # only where nothing can be written is the file alone enough.
    wal = path.with_name(path.name + "-wal")
    alone = not os.access(path.parent, os.W_OK) and not wal.exists()
    how = "mode=ro&immutable=1" if alone else "mode=rw"
    uri = f"{path.absolute().as_uri()}?{how}"
    database = sqlite3.connect(
        uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    database.row_factory = sqlite3.Row
    database.execute("PRAGMA query_only = ON")
    return database


def _set_journal(database: sqlite3.Connection, path: Path) -> None:
    if is_shared(path.parent):
        database.execute("PRAGMA journal_mode = DELETE")
        return
    give_up = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            mode = database.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        except sqlite3.OperationalError as error:
            # Another process is switching it on at this moment; SQLite does not wait for that.
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                raise
            time.sleep(RETRY_SECONDS)
            continue
        if mode != "wal":
            database.execute("PRAGMA journal_mode = DELETE")
        return


def has_logs(database: sqlite3.Connection) -> bool:
    """Whether there are columns for them: not in a store that only older versions wrote to."""
    return _version(database) >= LOG_SINCE


def has_answers(database: sqlite3.Connection) -> bool:
    """Whether answers of judges are kept: not in a store that only older versions wrote to."""
    return _version(database) >= ANSWERS_SINCE


def _make_tables(database: sqlite3.Connection, path: Path) -> None:
    if _is_ready(database, path) and _version(database) == VERSION:
        return
    with transaction(database):  # another process may have been faster
        version = _version(database)
        made = TABLES.split(";\n") if not _is_ready(database, path) else _changes(version)
        for statement in made:
            database.execute(statement)
        database.execute(f"PRAGMA user_version = {VERSION}")


def _changes(version: int) -> list[str]:
    """The statements that make the current tables out of those of an older version."""
    later = range(version + 1, VERSION + 1)
    return [statement for number in later for statement in CHANGES[number].split("; ")]


def _version(database: sqlite3.Connection) -> int:
    """0 for a new file."""
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def _is_ready(database: sqlite3.Connection, path: Path) -> bool:
    """Whether the tables are there, of this version or an older one; False for a new file.

    Raises:
        StoreError: it is another program's database, or a newer version's store.
    """
    version = _version(database)
    if version > VERSION:
        raise StoreError(
            f"{path} was written by a newer tenxgraph-tui "
            f"(version {version} of the store, this one knows {VERSION}): upgrade tenxgraph-tui"
        )
    if version:
        return True
    if database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise StoreError(f"{path} is another program's database: move it away")
    return False
