"""What was said while the cases of a run ran: the last of it is kept with each result."""

from __future__ import annotations

import json
import threading
from collections import deque

from pydantic import ConfigDict, TypeAdapter

from tenxgraph_tui.evaluation.events import Log
from tenxgraph_tui.evaluation.results import CaseKey

LINES = 200
CHARACTERS = 64 * 1024
"""How much of what one case said is kept; the log file of the run has all of it."""

_Row = tuple[int, float, str, str, str, int]
_ROWS = TypeAdapter(list[_Row], config=ConfigDict(defer_build=True))


class Said:
    """Holds the lines of every case that runs; those of none under None. Any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tails: dict[CaseKey | None, _Tail] = {}

    def note(self, line: Log) -> None:
        with self._lock:
            tail = self._tails.get(line.case)
            if tail is None:
                tail = self._tails[line.case] = _Tail()
            tail.add(line)

    def take(self, key: CaseKey) -> str | None:
        """What a case that is over said, for the store; None if it said nothing."""
        if key not in self._tails:  # most cases say nothing: no lock for them
            return None
        with self._lock:
            return self._tails.pop(key).written()

    def take_rest(self) -> str | None:
        """What was said outside of cases, by such as have no result, and too late."""
        rest = _Tail()
        with self._lock:
            tails = list(self._tails.values())
            self._tails.clear()
        rest.gone = sum(tail.gone for tail in tails)
        for line in sorted((line for tail in tails for line in tail.lines), key=lambda x: x.seq):
            rest.add(line)
        return rest.written() if tails else None


def read_said(text: str | None, run_id: str, key: CaseKey | None) -> tuple[Log, ...]:
    """What `take` gave to the store, oldest first.

    Raises:
        ValidationError: it is none of ours.
    """
    return tuple(
        Log(
            seq=seq,
            at=at,
            run_id=run_id,
            case=key,
            source=source,
            level=level,
            text=line,
            dropped=dropped,
        )
        for seq, at, source, level, line, dropped in (_ROWS.validate_json(text) if text else ())
    )


class _Tail:
    """The last lines of one speaker, and how many before them are gone."""

    def __init__(self) -> None:
        self.lines: deque[Log] = deque()
        self.gone = 0
        self._size = 0

    def add(self, line: Log) -> None:
        self.lines.append(line)
        self._size += len(line.text)
        while len(self.lines) > LINES or (self._size > CHARACTERS and len(self.lines) > 1):
            first = self.lines.popleft()
            self._size -= len(first.text)
            self.gone += first.dropped + 1

    def written(self) -> str:
        """For the store: the first line tells of those that are gone."""
        rows = [
            (line.seq, line.at, line.source, line.level, _utf8(line.text), line.dropped)
            for line in self.lines
        ]
        rows[0] = (*rows[0][:-1], rows[0][-1] + self.gone)
        return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def _utf8(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
