"""Numbering, stamping and fanning out events; writing them to a file and reading them back."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, TypeVar, get_args

from pydantic import ValidationError

from tenxgraph_tui.evaluation.encoding import as_json
from tenxgraph_tui.evaluation.events import EVENT_ADAPTER, Log, RunEvent

log = logging.getLogger(__name__)

E = TypeVar("E", bound=RunEvent)
Observer = Callable[[RunEvent], None]
KINDS = frozenset(kind.model_fields["kind"].default for kind in get_args(RunEvent))


class EventStream:
    """The one source of a run's events.

    `emit` may be called from any thread; observers are called in order, must not block and must
    not emit. One that raises is dropped with a warning and never called again.
    """

    def __init__(
        self, *observers: Observer, run_id: str, clock: Callable[[], float] = time.time
    ) -> None:
        self.run_id = run_id
        self._observers = list(observers)
        self._clock = clock
        self._lock = threading.RLock()
        self._next = 0
        self._keep_log: Callable[[Log], None] | None = None

    @property
    def is_watched(self) -> bool:
        """Whether anybody listens; saves the work of making events that nobody gets."""
        return bool(self._observers)

    def keep_log(self, keep: Callable[[Log], None]) -> None:
        """Have what is said kept too, whether anybody watches or not. `keep` must not raise."""
        self._keep_log = keep

    def emit(self, kind: type[E], **fields: Any) -> None:
        """Make an event of `kind` and give it to every observer."""
        if not self._observers and (kind is not Log or self._keep_log is None):
            return
        with self._lock:
            self.publish(self.stamp(kind, **fields))

    def stamp(self, kind: type[E], **fields: Any) -> E:
        """An event with the next number and the time, not yet told to anyone."""
        with self._lock:
            event = kind(seq=self._next, at=self._clock(), run_id=self.run_id, **fields)
            self._next += 1
        return event

    def publish(self, event: RunEvent) -> None:
        """Tell the observers of a stamped event."""
        dropped: list[tuple[Observer, Exception]] = []
        with self._lock:
            if self._keep_log is not None and isinstance(event, Log):
                self._keep_log(event)
            for observer in tuple(self._observers):
                try:
                    observer(event)
                except Exception as error:  # noqa: BLE001 - a viewer must not stop a run
                    self._observers.remove(observer)
                    dropped.append((observer, error))
        for observer, reason in dropped:  # only now: what is logged may become an event itself
            is_full_or_gone = isinstance(reason, OSError)  # a disk, a pipe: no bug to be traced
            told = reason if is_full_or_gone else "see below"
            log.error(
                "dropping observer %r: %s",
                observer,
                told,
                exc_info=None if is_full_or_gone else reason,
            )


class JsonlSink:
    """Writes each event as one line of JSON, flushed at once."""

    def __init__(self, target: Path | IO[bytes]) -> None:
        self._owned = isinstance(target, Path)
        self._file: IO[bytes] = target.open("wb") if isinstance(target, Path) else target

    def __call__(self, event: RunEvent) -> None:
        self._file.write(as_json(event).encode() + b"\n")
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._owned:
            with suppress(OSError):  # what could not be written was an error when it was told
                self._file.close()

    def __repr__(self) -> str:
        name = self._file.name
        return f"events to {name if isinstance(name, str) else 'standard output'}"


def parse_line(line: bytes | str) -> RunEvent | None:
    """One line as an event; None for a torn line or a kind of a newer version.

    Raises:
        ValueError: it is an event of a known kind with wrong fields.
    """
    try:
        return EVENT_ADAPTER.validate_json(line)
    except ValidationError:
        try:
            raw = json.loads(line)
        except ValueError:
            return None
        if not isinstance(raw, dict) or raw.get("kind") not in KINDS:
            return None
        raise


def replay(path: Path) -> Iterator[RunEvent]:
    """Read a file back; a torn last line and kinds of a newer version are skipped."""
    with path.open("rb") as lines:
        for line in lines:
            event = parse_line(line)
            if event is not None:
                yield event
