"""The headless watch: what happens, one message after the other, and what is done about it."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

from tenxgraph_tui.cli.verdict import INTERRUPTED, MET
from tenxgraph_tui.cli.watching.course import FIRST, Course
from tenxgraph_tui.cli.watching.messages import (
    Changed,
    Interrupted,
    Key,
    Left,
    Message,
    Noted,
    Redraw,
    Told,
    Wrote,
)
from tenxgraph_tui.cli.watching.runs import WatchedRun
from tenxgraph_tui.cli.watching.standing import Names
from tenxgraph_tui.evaluation.events import Files, RunEvent
from tenxgraph_tui.session.protocol import ExportOptions
from tenxgraph_tui.session.watching.loop import Ending, Phase
from tenxgraph_tui.session.workers import WorkerExit

BETWEEN_FRAMES = 0.05
"""Seconds between two looks of the lines that change."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """What else comes out. `journal` gets every event of every run.

    `export` is what is written of each run whose results count, if anything is; `lists_files`
    tells all files that are watched and not just how many.
    """

    export: ExportOptions | None = None
    journal: Callable[[RunEvent], None] = lambda _: None
    lists_files: bool = False


class Session:
    """Everything happens on the thread that calls `run`; others put messages into `inbox`."""

    def __init__(self, course: Course, outputs: Outputs, inbox: queue.SimpleQueue[Message]) -> None:
        self._course, self._outputs, self._inbox = course, outputs, inbox
        self._view, self._runs = course.view, course.runs
        self._following, self._standing = course.following, course.standing
        self._has_told_files = False
        self._drawn_at, self._is_stale = 0.0, True

    def run(self, press: Callable[[str], bool]) -> int:
        """Go on until the end is wanted; the answer is the exit code.

        `press` takes a key and tells whether it was the last.
        """
        self._view.show_problems(self._following.reading.contents.problems, self._standing.cases)
        self._course.changed(FIRST)
        while True:
            message = self._next()
            self._is_stale = True
            if isinstance(message, Interrupted):
                return INTERRUPTED
            if not isinstance(message, Key):
                self._take(message)
            elif press(message.name):
                return MET

    def _next(self) -> Message:
        """The next message; the changing lines are drawn before it is waited for long."""
        while True:
            wait = max(0.0, self._drawn_at + BETWEEN_FRAMES - time.monotonic())
            try:
                return self._inbox.get(timeout=wait if self._is_stale else None)
            except queue.Empty:
                self._drawn_at, self._is_stale = time.monotonic(), False
                self._set_foot()
                self._view.draw_foot()

    def _set_foot(self) -> None:
        foot = self._view.foot
        foot.watched, foot.run = self._following.watched, self._runs.now
        foot.question = self._course.question

    def _take(self, message: Message) -> None:
        match message:
            case Changed(paths=paths):
                self._changed(paths)
            case Told(run_id=run_id, event=event):
                if self._runs.is_current(run_id):
                    self._told(event)
            case Left(run_id=run_id, how=how):
                if self._runs.is_current(run_id):
                    self._ended(how)
            case Noted(text=text):
                self._view.note(text)
            case Wrote(lines=lines):
                self._view.note("; ".join(lines))
            case Redraw():
                self._view.page.begin_anew()
            case Key() | Interrupted():
                pass  # taken where they come in
            case _:
                assert_never(message)

    def _changed(self, paths: frozenset[Path]) -> None:
        decision = self._following.changed(paths)
        self._view.show_problems(decision.problems, self._standing.cases)
        self._standing.forget_others(self._following.reading)
        if decision.rerun is not None:
            self._course.changed(decision.rerun)
        elif not decision.problems:
            self._view.note(decision.reason)

    def _told(self, event: RunEvent) -> None:
        run = self._runs.now
        assert run is not None
        run.apply(event)
        self._outputs.journal(event)
        if isinstance(event, Files):
            self._following.used(event, run.asked_at)

    def _ended(self, how: WorkerExit) -> None:
        is_superseded = self._course.phase is Phase.STOPPING
        run = self._runs.over()
        ending = run.ending
        self._view.foot.note = ""
        if not is_superseded and ending is Ending.FAILED:
            self._show_failure(run, how)
        elif not is_superseded:
            self._show_results(run, ending)
        self._course.ended(ending)

    def _show_failure(self, run: WatchedRun, how: WorkerExit) -> None:
        """The last results stay; what the run would have used is not known."""
        self._following.ran(is_complete=False)
        standing = self._standing.cases
        self._set_foot()
        if run.refusal is not None:
            root = self._following.reading.discovery.root
            self._view.show_refusal(run.refusal, root, standing)
        else:
            self._view.show_crash(how, run, standing)

    def _show_results(self, run: WatchedRun, ending: Ending) -> None:
        following = self._following
        reading = following.reading
        if ending is Ending.COMPLETED and len(run.request.sets) == len(reading.request.sets):
            following.ran(is_complete=True)
        ran = self._standing.keep(run, reading)
        self._set_foot()
        self._view.show_results(ran, Names(reading), self._standing.place_of)
        if not self._has_told_files:
            self._has_told_files = True
            more = following.list if self._outputs.lists_files else []
            self._view.tell(following.watched, *more)
        if self._outputs.export is not None:
            self._runs.export(run, self._outputs.export)
