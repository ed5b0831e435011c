"""`tenxgraph-tui worker`: the child that runs agents for the dashboard and tells it everything.

It imports neither the interface nor rich.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import signal
import threading
import traceback
from collections.abc import Mapping
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tenxgraph_tui.cli.abilities import what_is_missing
from tenxgraph_tui.cli.blame import blamed
from tenxgraph_tui.cli.bytecode import keep_no_fresh_bytecode
from tenxgraph_tui.cli.capture import Capture, CaptureSink
from tenxgraph_tui.cli.commands import Commands
from tenxgraph_tui.cli.descriptors import Lines, StandardStreams
from tenxgraph_tui.cli.judges import kept_answers
from tenxgraph_tui.cli.logfile import LogFile
from tenxgraph_tui.cli.modules import heard, listed, loaded, read_any
from tenxgraph_tui.cli.readiness import be_ready
from tenxgraph_tui.cli.rescoring import planned_by
from tenxgraph_tui.cli.settling import SettlingSink
from tenxgraph_tui.cli.staying import LEAVE, staying
from tenxgraph_tui.cli.unkept import Unkept
from tenxgraph_tui.cli.used_files import UsedFiles, UsedFilesSink
from tenxgraph_tui.cli.verdict import BROKEN, INTERRUPTED, MET
from tenxgraph_tui.errors import TenxError, UsageError
from tenxgraph_tui.evaluation.events import Log, Reply, RunEvent, RunStarted
from tenxgraph_tui.evaluation.formats import Loaded
from tenxgraph_tui.evaluation.results import ResultSink
from tenxgraph_tui.evaluation.runner import Run
from tenxgraph_tui.evaluation.stream import EventStream, JsonlSink
from tenxgraph_tui.session.project import log_path
from tenxgraph_tui.session.protocol import WorkerRequest, parse_request
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.settings.env_file import add_env_file


def execute(arguments: argparse.Namespace) -> int:
    """Carry out the one request on standard input; 0 if it was carried out to its end.

    A warm worker that gets none before its input ends was not needed: 0 too.
    """
    streams = StandardStreams()
    faulthandler.enable(streams.err.fileno())
    keep_no_fresh_bytecode()
    lines = Lines()
    if arguments.warm:
        with suppress(Exception):  # the run will meet it too, and can tell whoever asked for it
            be_ready(arguments.need)
    work = Work(streams, lines)
    line = lines.readline()
    if arguments.warm and not line:
        streams.close()
        return MET
    try:
        code = work.carry_out(line)
    except TenxError as error:
        code = work.refuse(str(error), error.exit_code, blamed(error))
    except Exception as error:  # noqa: BLE001 - the dashboard must learn of it, whatever it is
        traceback.print_exc(file=streams.err)
        told = what_is_missing(error) or f"the worker failed: {error!r}"
        code = work.refuse(told, BROKEN, blamed(error))
    faulthandler.disable()
    if work.is_left_running:
        streams.close()
        os._exit(code)
    streams.close()
    return code


class Work:
    """One request from its line to its last event."""

    def __init__(self, streams: StandardStreams, lines: Lines) -> None:
        self._lines = lines
        self._kind = "run"
        self._has_begun = False
        self._stream = EventStream(JsonlSink(streams.events), self._note, run_id="")
        self.is_left_running = False

    def carry_out(self, line: bytes) -> int:
        """Do what the line asks for.

        Raises:
            TenxError: it cannot be done; `refuse` tells the other side.
        """
        request = parse_request(line)
        self._kind = request.kind
        self._stream.run_id = request.run_id
        commands = Commands(self._lines, self._tell)
        _on_signals(commands)
        if request.kind == "export":
            self._export(request, commands)
            return 0
        with ExitStack() as stack:
            stack.enter_context(staying())
            if request.kind in {"list", "load"}:
                self._tell_of_files(request)
                return 0
            self._run(request, commands, stack)
        return 0

    def refuse(self, error: str, exit_code: int, data: Mapping[str, Any]) -> int:
        """Say why nothing came of it, unless the run's own end says so; returns the exit code."""
        if not self._has_begun:
            self._stream.emit(
                Reply, request=self._kind, error=error, exit_code=exit_code, data=dict(data)
            )
        return exit_code

    def _export(self, request: WorkerRequest, commands: Commands) -> None:
        if request.store is None or request.export is None:
            raise UsageError("an export needs a store, and what to write")
        from tenxgraph_tui.cli.exporting import Export  # reporters, which no run waits for

        store = RunStore(Path(request.store))
        run_id = store.resolve(request.run_id)
        export = Export(store, run_id, request.export, self._progress)
        commands.give_to(export)
        self._stream.emit(Reply, request="export", data=export.write())

    def _tell_of_files(self, request: WorkerRequest) -> None:
        self._set_environment(request)
        with UsedFiles(Path(request.root), self._stream), heard(self._stream):
            found = listed(request) if request.kind == "list" else loaded(request)
        self._stream.emit(Reply, request=request.kind, data=found)

    def _set_environment(self, request: WorkerRequest) -> None:
        if request.env_file and (missing := add_env_file(Path(request.env_file), os.environ)):
            self._tell(missing)

    def _run(self, request: WorkerRequest, commands: Commands, stack: ExitStack) -> None:
        self._set_environment(request)
        used = stack.enter_context(UsedFiles(Path(request.root), self._stream))
        root = Path(request.root)
        with heard(self._stream):  # eval modules are imported for it
            planned = planned_by(request, read=lambda path: self._read(path, root))
        for note in planned.notes:
            self._tell(note)
        sets = planned.sets
        sink: ResultSink = Unkept()
        number, tell = None, used.tell
        if request.store is not None:
            configs = [plan.config.model_dump(mode="json") for plan in sets]
            writer = RunStore(Path(request.store)).writer(request.run_id, configs=configs)
            sink = stack.enter_context(writer)
            self._stream.keep_log(writer.note)
            number = writer.number
            paths = [part.path for part in request.sets]
            tell = partial(used.keep, Path(request.store).parent, paths)
        path = log_path(Path(request.root), number or request.run_id)
        log_file = stack.enter_context(closing(LogFile(path)))
        capture = stack.enter_context(Capture(self._stream, log_file))
        sink = SettlingSink(UsedFilesSink(CaptureSink(sink, capture.book), used, tell))
        answers = stack.enter_context(kept_answers(request, sets))
        asked = replace(planned.options(request, number), answers=answers)
        run = Run(sets, asked, self._stream, sink)
        commands.give_to(run)
        try:
            run.execute()
        finally:
            self.is_left_running = run.abandoned

    def _read(self, path: str, root: Path) -> Loaded:
        loaded = read_any(path, root)
        for warning in loaded.warnings:
            self._tell(warning)
        return loaded

    def _tell(self, text: str) -> None:
        self._stream.emit(Log, source="tenxgraph", level="warning", text=text)

    def _progress(self, text: str) -> None:
        self._stream.emit(Log, source="tenxgraph", text=text)

    def _note(self, event: RunEvent) -> None:
        self._has_begun = self._has_begun or isinstance(event, RunStarted)


def _on_signals(commands: Commands) -> None:
    if threading.current_thread() is not threading.main_thread():
        return
    signal.signal(signal.SIGINT, lambda *_: commands.cancel())
    signal.signal(signal.SIGTERM, lambda *_: LEAVE(INTERRUPTED))
