"""`tenxgraph-tui run`: puts a headless run together, carries it out and reports it."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import ExitStack, closing, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from tenxgraph_tui.cli import selection
from tenxgraph_tui.cli.capture import Capture, CaptureSink
from tenxgraph_tui.cli.compose import plans, shown
from tenxgraph_tui.cli.descriptors import StandardStreams
from tenxgraph_tui.cli.elsewhere import go_on_under_its_python
from tenxgraph_tui.cli.interrupts import Interrupts
from tenxgraph_tui.cli.judges import kept_answers
from tenxgraph_tui.cli.logfile import LogFile
from tenxgraph_tui.cli.modules import ReadHere, heard
from tenxgraph_tui.cli.narration import Narration
from tenxgraph_tui.cli.reporting import Reports
from tenxgraph_tui.cli.rescoring import Planned
from tenxgraph_tui.cli.settling import SettlingSink
from tenxgraph_tui.cli.staying import staying
from tenxgraph_tui.cli.used_files import UsedFiles
from tenxgraph_tui.cli.verdict import BROKEN, MET, exit_code
from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.evaluation.events import RunFinished
from tenxgraph_tui.evaluation.results import ResultSink
from tenxgraph_tui.evaluation.runner import Run
from tenxgraph_tui.evaluation.stream import EventStream, JsonlSink, Observer
from tenxgraph_tui.session.discovery import Discovery
from tenxgraph_tui.session.project import log_path, store_place
from tenxgraph_tui.session.protocol import WorkerRequest
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.session.terms import Terms
from tenxgraph_tui.settings import Loaded
from tenxgraph_tui.settings.env_file import add_env_file


def execute(arguments: argparse.Namespace) -> int:
    """Run what the command line selects; the answer is the exit code."""
    settings = selection.settings_of(arguments)
    go_on_under_its_python(settings, arguments.words)
    with ExitStack() as stack:
        streams = StandardStreams()
        stack.callback(streams.close)
        terms = _terms(arguments, settings, streams)
        printed = None if arguments.no_capture else EventStream(Narration(streams.err), run_id="")
        used = stack.enter_context(UsedFiles(settings.root))  # eval modules may import the agent
        discovery = selection.found(arguments, settings, ReadHere(settings.root, printed))
        selection.stop_at_problems(discovery)
        for warning in (*settings.warnings, *discovery.warnings):
            streams.tell(f"warning: {warning}")
        if not discovery.total:
            reason = selection.none_matches(arguments, discovery)
            streams.tell(f"0 cases evaluated{f': {reason}' if reason else ''}")
            return BROKEN
        empty = [each.file for each in discovery.sets if not each.eval_set.eval_cases]
        for file in empty:
            streams.tell(f"{shown(file)} holds no cases: nothing in it can be checked")
        request = _request(arguments, discovery, terms, streams)
        loaded = selection.loaded_before(discovery)
        with nullcontext() if printed is None else heard(printed):  # a confeval.py may print
            planned = Planned(plans(request, read=loaded.__getitem__))
        least = BROKEN if empty else MET
        return HeadlessRun(request, planned, arguments, settings, streams, least, used).execute()


def _terms(arguments: argparse.Namespace, settings: Loaded, streams: StandardStreams) -> Terms:
    """What the run is to keep to; the variables of its file are there from now on."""
    terms = Terms.of(
        settings,
        fail_fast=arguments.fail_fast,
        max_errors=arguments.max_errors,
        retries=arguments.retries,
        capture=not arguments.no_capture,
    )
    if terms.env_file and (missing := add_env_file(Path(terms.env_file), os.environ)):
        streams.tell(f"warning: {missing}")
    return terms


def _request(
    arguments: argparse.Namespace, discovery: Discovery, terms: Terms, streams: StandardStreams
) -> WorkerRequest:
    place = store_place(discovery.root)
    if place.note:
        streams.tell(place.note)
    return selection.requested(arguments, discovery, terms, store=str(place.path))


@dataclass(slots=True)
class HeadlessRun:
    """One run in this process: its store, its viewers and its reports around the engine."""

    request: WorkerRequest
    planned: Planned
    arguments: argparse.Namespace
    settings: Loaded
    streams: StandardStreams
    least: int = MET
    """The exit code that stands before the run: sets without cases are not outweighed by others."""
    used: UsedFiles | None = None

    def execute(self) -> int:
        """Carry it out and report it; the answer is the exit code."""
        reports = Reports.prepare(
            self.settings, self.planned.sets, self.streams, events=self.arguments.events
        )
        store = RunStore(Path(self.request.store or ""))
        with Interrupts(self._say) as interrupts:
            run, finished = self._run(store, interrupts)
            written = reports.write(store, self.request.run_id)
            code = exit_code(
                finished, threshold=self.settings.values.threshold, interrupted=interrupts.happened
            )
            return self._leave(max(self.least, code, written), finished, run, interrupts)

    def _run(self, store: RunStore, interrupts: Interrupts) -> tuple[Run, RunFinished]:
        with ExitStack() as stack:
            stack.enter_context(staying())
            sets = self.planned.sets
            configs = [plan.config.model_dump(mode="json") for plan in sets]
            writer = stack.enter_context(store.writer(self.request.run_id, configs=configs))
            stream = EventStream(*self._observers(stack), run_id=self.request.run_id)
            stream.keep_log(writer.note)
            sink: ResultSink = writer
            if self.request.options.capture:
                path = log_path(Path(self.request.root), writer.number)
                log_file = stack.enter_context(closing(LogFile(path)))
                capture = stack.enter_context(Capture(stream, log_file))
                sink = CaptureSink(writer, capture.book)
            answers = stack.enter_context(kept_answers(self.request, sets))
            asked = self.planned.options(self.request, writer.number)
            run = Run(sets, replace(asked, answers=answers), stream, SettlingSink(sink))
            interrupts.cancels(run.cancel)
            finished = run.execute()
            if self.used is not None:
                self.used.keep(store.path.parent, (part.path for part in self.request.sets))
            return run, finished

    def _observers(self, stack: ExitStack) -> list[Observer]:
        observers: list[Observer] = []
        if not self.arguments.quiet:
            observers.append(Narration(self.streams.err))
        if self.arguments.events == "-":
            observers.append(JsonlSink(self.streams.events))
        elif self.arguments.events:
            path = Path(self.arguments.events)
            try:
                observers.append(stack.enter_context(JsonlSink(path)))
            except OSError as error:
                raise UsageError(f"--events {path}: {error.strerror or error}") from None
        return observers

    def _say(self, text: str) -> None:
        with suppress(OSError):  # nobody need be reading it
            os.write(self.streams.err.fileno(), text.encode())

    def _leave(self, code: int, finished: RunFinished, run: Run, interrupts: Interrupts) -> int:
        if interrupts.happened:
            done = finished.passed + finished.failed + finished.errors
            self.streams.tell(f"{done} done, {finished.cancelled} cancelled")
        if run.abandoned:
            # A thread that still runs an agent would keep the interpreter from ending.
            self.streams.close()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        return code
