"""`tenxgraph-tui watch`: runs, and runs again what a save touches, until it is left."""

from __future__ import annotations

import argparse
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType

from tenxgraph_tui.cli.descriptors import StandardStreams
from tenxgraph_tui.cli.watching.controls import Controls
from tenxgraph_tui.cli.watching.course import Course
from tenxgraph_tui.cli.watching.following import Following
from tenxgraph_tui.cli.watching.keyboard import Keyboard
from tenxgraph_tui.cli.watching.messages import Interrupted, Key, Message, Redraw
from tenxgraph_tui.cli.watching.page import Page
from tenxgraph_tui.cli.watching.project import Project
from tenxgraph_tui.cli.watching.runs import Runs
from tenxgraph_tui.cli.watching.session import Outputs, Session
from tenxgraph_tui.cli.watching.standing import Standing
from tenxgraph_tui.cli.watching.view import View
from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.evaluation.events import RunEvent
from tenxgraph_tui.evaluation.stream import JsonlSink
from tenxgraph_tui.session.interpreter import choose
from tenxgraph_tui.session.protocol import ExportOptions
from tenxgraph_tui.session.standby import Standby
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.settings import Loaded

REPORTS = "eval_reports"
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
NO_KEYS = "no terminal on standard input: only saves start runs, ctrl+c ends it"
Inbox = queue.SimpleQueue[Message]


def execute(arguments: argparse.Namespace) -> int:
    """Watch what the command line selects; the answer is the exit code."""
    began = time.time()
    project = Project(arguments)
    reading = project.read()
    python_of(reading.settings)  # a wrong interpreter is said now, not at the first run
    inbox: Inbox = queue.SimpleQueue()
    with ExitStack() as stack:
        streams = StandardStreams()
        stack.callback(streams.close)
        outputs = _outputs(arguments, reading.settings, streams, stack)
        keyboard = Keyboard(lambda key: inbox.put(Key(key)), lambda: inbox.put(Redraw()))
        stack.enter_context(_signals(inbox))
        view = _view(arguments, streams, has_keys=keyboard.is_there)
        stack.callback(view.page.leave)
        for warning in (*reading.settings.warnings, *reading.discovery.warnings):
            streams.tell(f"warning: {warning}")
        if project.note:
            streams.tell(project.note)
        if not keyboard.is_there:
            view.tell(NO_KEYS)
        following = Following(project, reading, inbox.put, _written(outputs, arguments))
        stack.callback(following.end)
        runs = Runs(Standby(lambda: python_of(following.reading.settings)), inbox.put)
        stack.callback(runs.close)
        stack.enter_context(keyboard)
        following.begin(began)
        standing = Standing(RunStore(Path(project.store)))
        above = None if arguments.no_confirm else reading.settings.values.confirm_above
        course = Course(following, runs, standing, view, above=above)
        return Session(course, outputs, inbox).run(Controls(course).press)


def python_of(settings: Loaded) -> str:
    """The interpreter that runs the agents.

    Raises:
        UsageError: the one that is named cannot be used.
    """
    return choose(settings.root, settings.python, named_by=settings.named("python")).path


def _outputs(
    arguments: argparse.Namespace, settings: Loaded, streams: StandardStreams, stack: ExitStack
) -> Outputs:
    kinds = settings.values.report
    folder = settings.path("output_dir")
    if settings.is_flag("output_dir") and not kinds:
        raise UsageError("--output-dir needs --report: without it no file is written")
    export = None
    if kinds:
        export = ExportOptions(
            formats=kinds,
            folder=str(folder or Path(REPORTS).absolute()),
            timestamp_files=settings.values.timestamp_files,
        )
    return Outputs(
        export=export,
        journal=_journal(arguments.events, streams, stack),
        lists_files=arguments.verbose,
    )


def _journal(
    events: str | None, streams: StandardStreams, stack: ExitStack
) -> Callable[[RunEvent], None]:
    if not events:
        return lambda _: None
    if events == "-":
        return JsonlSink(streams.events)
    try:
        return stack.enter_context(JsonlSink(Path(events)))
    except OSError as error:
        raise UsageError(f"--events {events}: {error.strerror or error}") from None


def _view(arguments: argparse.Namespace, streams: StandardStreams, *, has_keys: bool) -> View:
    # with events on standard output, nothing else may go there
    out = streams.err if arguments.events == "-" else streams.out
    return View(Page(out, streams.err, is_quiet=arguments.quiet), has_keys)


def _written(outputs: Outputs, arguments: argparse.Namespace) -> list[Path]:
    """The files and folders that we write to: nobody's change."""
    found = [Path(outputs.export.folder)] if outputs.export is not None else []
    if arguments.events not in {None, "-"}:
        found.append(Path(arguments.events).absolute())
    return found


@contextmanager
def _signals(inbox: Inbox) -> Iterator[None]:
    """Within it Ctrl+C and the like end the session in good order; again, they end it at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - signal's interface
        inbox.put(Interrupted())  # reentrant, unlike what waits for a lock

    def resize(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as above
        inbox.put(Redraw())

    handlers = dict.fromkeys(SIGNALS, end) | {"SIGWINCH": resize}
    known = {name: handler for name, handler in handlers.items() if hasattr(signal, name)}
    before = {name: signal.signal(signal.Signals[name], known[name]) for name in known}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(signal.Signals[name], handler)
