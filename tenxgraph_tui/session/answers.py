"""Answers of judges, kept in the run store: the same question is not paid for twice."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.session.committer import Committer
from tenxgraph_tui.session.schema import (
    explained,
    has_answers,
    open_for_writing,
    opened_for_reading,
    transaction,
)

log = logging.getLogger("tenxgraph.session")

MAX_AGE = 30 * 86_400.0
"""Seconds. Models change behind their names: what they said long ago is asked again."""
MAX_SIZE = 64 * 1024 * 1024
"""Characters of all answers together; the oldest make room."""

GET = "SELECT answer FROM answers WHERE key = ? AND given_at > ?"
PUT = "INSERT OR REPLACE INTO answers (key, answer, given_at) VALUES (?, ?, ?)"
EXPIRED = "DELETE FROM answers WHERE given_at <= ?"
TOO_MANY = """
DELETE FROM answers WHERE key IN (
    SELECT key FROM (
        SELECT key, sum(length(answer)) OVER (ORDER BY given_at DESC, key) AS size FROM answers
    ) WHERE size > ?
)
"""
COUNT = "SELECT count(*), coalesce(sum(length(answer)), 0) FROM answers"

Row = tuple[str, str, float]


@dataclass(frozen=True, slots=True)
class AnswerCount:
    """How many answers are kept, and their characters together."""

    number: int = 0
    size: int = 0


class AnswerTable:
    """The `KeptAnswers` of the store at `path`; a context manager, to be left when the run is over.

    `clock` gives Unix seconds. What goes wrong with the store is logged once: without these answers
    a run costs more, but tells the same.

    Raises:
        StoreError: the store cannot be opened.
    """

    def __init__(
        self,
        path: Path,
        *,
        clock: Callable[[], float] = time.time,
        max_age: float = MAX_AGE,
        max_size: int = MAX_SIZE,
    ) -> None:
        self._path, self._clock = path, clock
        self._max_age, self._max_size = max_age, max_size
        self._using = threading.Lock()
        self._has_complained = False
        self._database = open_for_writing(path)
        self._committer: Committer[Row] = Committer(self._insert)

    def get(self, key: str) -> str | None:
        """See `KeptAnswers`; what is older than `max_age` is not there any more."""
        try:
            with self._using, explained(self._path, "read"):
                since = self._clock() - self._max_age
                found = self._database.execute(GET, (key, since)).fetchone()
        except StoreError as error:
            self._complain(error)
            return None
        return str(found[0]) if found else None

    def put(self, key: str, answer: str) -> None:
        """See `KeptAnswers`; it is written soon, in another thread."""
        try:
            self._committer.put((key, answer, self._clock()), len(answer))
        except StoreError as error:
            self._complain(error)

    def close(self) -> None:
        """Write what is waiting, and make room."""
        try:
            self._committer.close()
            self._prune()
        except StoreError as error:
            self._complain(error)
        finally:
            self._database.close()

    def _insert(self, rows: list[Row]) -> None:
        with self._using, explained(self._path, "write"), transaction(self._database):
            self._database.executemany(PUT, rows)

    def _prune(self) -> None:
        with self._using, explained(self._path, "write"), transaction(self._database):
            self._database.execute(EXPIRED, (self._clock() - self._max_age,))
            self._database.execute(TOO_MANY, (self._max_size,))

    def _complain(self, error: StoreError) -> None:
        if not self._has_complained:
            self._has_complained = True
            log.warning("answers of judges are not kept: %s", error)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def count_answers(path: Path) -> AnswerCount:
    """What the store at `path` holds of them.

    Raises:
        StoreError: it cannot be read.
    """
    with opened_for_reading(path) as database:
        if database is None or not has_answers(database):
            return AnswerCount()
        number, size = database.execute(COUNT).fetchone()
        return AnswerCount(int(number), int(size))
