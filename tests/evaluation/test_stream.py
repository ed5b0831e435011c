"""Numbering and fanning out events, and reading a file back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.events import CaseStarted, Log, RunEvent, RunStarted
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.evaluation.stream import EventStream, JsonlSink, replay

KEY = CaseKey(0, "case")


def test_events_are_numbered_and_stamped(clock: Callable[[], float]) -> None:
    live: list[RunEvent] = []
    stream = EventStream(live.append, run_id="r", clock=clock)
    stream.emit(RunStarted, sets=())
    stream.emit(CaseStarted, case=KEY)
    assert [event.seq for event in live] == [0, 1]
    assert live[1].at - live[0].at == 1.0
    assert {event.run_id for event in live} == {"r"}


def test_a_file_reads_back_what_was_told_live(tmp_path: Path) -> None:
    live: list[RunEvent] = []
    path = tmp_path / "run.jsonl"
    with JsonlSink(path) as journal:
        stream = EventStream(live.append, journal, run_id="r")
        stream.emit(RunStarted, sets=())
        stream.emit(Log, case=KEY, text="你好 \x1b[31m \ud83d")
    assert list(replay(path))[:1] == live[:1]
    assert len(list(replay(path))) == 2


def test_a_torn_last_line_and_unknown_kinds_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with JsonlSink(path) as journal:
        EventStream(journal, run_id="r").emit(CaseStarted, case=KEY)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"kind": "of_the_future", "seq": 1}\n' + whole[: len(whole) // 2])
    assert [event.kind for event in replay(path)] == ["case_started"]


def test_an_observer_that_raises_is_dropped_and_the_others_go_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    told: list[RunEvent] = []
    calls: list[RunEvent] = []

    def broken(event: RunEvent) -> None:
        calls.append(event)
        raise ValueError("no")

    stream = EventStream(broken, told.append, run_id="r")
    stream.emit(CaseStarted, case=KEY)
    stream.emit(CaseStarted, case=KEY)
    assert (len(calls), len(told)) == (1, 2)
    assert "dropping observer" in caplog.text


def test_what_is_said_is_kept_though_nobody_watches() -> None:
    stream, kept = EventStream(run_id="r"), list[Log]()
    stream.emit(Log, text="nobody hears this")
    stream.keep_log(kept.append)
    assert not stream.is_watched
    stream.emit(CaseStarted, case=KEY)
    stream.emit(Log, text="hello", case=KEY)
    assert [(line.text, line.case) for line in kept] == [("hello", KEY)]


def test_threads_get_numbers_without_gaps_in_order() -> None:
    live: list[RunEvent] = []
    stream = EventStream(live.append, run_id="r")

    def emit() -> None:
        for _ in range(200):
            stream.emit(CaseStarted, case=KEY)

    threads = [threading.Thread(target=emit) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [event.seq for event in live] == list(range(800))
