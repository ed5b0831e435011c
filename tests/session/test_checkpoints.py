from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tenxgraph_tui.session.checkpoints import Checkpoints


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A store whose writer makes no checkpoints by itself."""
    with closing(sqlite3.connect(tmp_path / "runs.db", isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA wal_autocheckpoint = 0")
        database.execute("CREATE TABLE t (a)")
        database.execute("INSERT INTO t VALUES (?)", ["x" * 100_000])
        yield database


def size_of(path: Path) -> int:
    """How much of the store is in its file, and not in the log beside it."""
    return (path / "runs.db").stat().st_size


def test_what_was_committed_gets_into_the_file(
    database: sqlite3.Connection, tmp_path: Path
) -> None:
    before = size_of(tmp_path)
    checkpoints = Checkpoints(tmp_path / "runs.db", every=1000)
    checkpoints.written(1001)
    checkpoints.close()
    assert size_of(tmp_path) > before + 100_000


def test_little_is_left_for_later(database: sqlite3.Connection, tmp_path: Path) -> None:
    before = size_of(tmp_path)
    checkpoints = Checkpoints(tmp_path / "runs.db", every=1000)
    checkpoints.written(999)
    checkpoints.close()
    assert size_of(tmp_path) == before
    checkpoints.written(1)
    checkpoints.close()
    assert size_of(tmp_path) > before


def test_a_store_that_is_gone_is_told_by_those_who_write(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path / "gone.db", every=1)
    checkpoints.written(2)
    checkpoints.close()
    assert not (tmp_path / "gone.db").exists()
