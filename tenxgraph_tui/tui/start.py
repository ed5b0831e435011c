"""Opening the dashboard: what there is is read first, so that a wrong path is said in the shell."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal, Unpack

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.evaluation.secrets import shown_spec
from tenxgraph_tui.session.disagreement import disagreements
from tenxgraph_tui.session.discovery import Discovery, Survey, read, survey
from tenxgraph_tui.session.interpreter import Interpreter, choose
from tenxgraph_tui.session.modules import KnownModules, ModuleLister
from tenxgraph_tui.session.project import project_root, store_place, user_state
from tenxgraph_tui.session.protocol import WorkerRequest
from tenxgraph_tui.session.standby import Standby
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.session.workers import Worker
from tenxgraph_tui.settings import Loaded, load
from tenxgraph_tui.tui.app import TenxApp
from tenxgraph_tui.tui.beginning import (
    Flags,
    is_preset_said,
    looked_in,
    make_desk,
    read_again,
    settle_choices,
)
from tenxgraph_tui.tui.cautions import Cautions
from tenxgraph_tui.tui.collecting import Collector
from tenxgraph_tui.tui.companions import Companion
from tenxgraph_tui.tui.control import Child, Launch, OnEvent, OnExit, RunControl
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.historian import Historian
from tenxgraph_tui.tui.leaving import Leaving
from tenxgraph_tui.tui.lines.notices import Empty
from tenxgraph_tui.tui.look import Look
from tenxgraph_tui.tui.opening import Opening
from tenxgraph_tui.tui.past_runs import PastRuns
from tenxgraph_tui.tui.pump import EventPump
from tenxgraph_tui.tui.readiness import Readiness
from tenxgraph_tui.tui.remembered import FILE_NAME, Memory
from tenxgraph_tui.tui.results import ResultReader
from tenxgraph_tui.tui.scout import ConfigScout
from tenxgraph_tui.tui.second_opinion import SecondOpinion
from tenxgraph_tui.tui.served import is_served
from tenxgraph_tui.tui.title import TerminalTitle, has_title, title_kept
from tenxgraph_tui.tui.tour import Tour, is_new_here, note_shown

OF_ONE_FOLDER: tuple[Literal["target", "preset", "config"], ...] = ("target", "preset", "config")
"""Flags that say nothing of another folder that is opened later."""
LARGE = 500_000
"""Bytes of eval sets that the first frame waits for: a twentieth of a second."""


def start(*, paths: Sequence[str | Path], run: str | None = None, **flags: Unpack[Flags]) -> int:
    """Open the dashboard on eval sets, or on the past run that `run` names; gives the exit code.

    Raises:
        UsageError: a path, the run or the interpreter does not exist, or there is no terminal.
        ConfigError: there is no such preset, or the config file is wrong.
        StoreError: the run store cannot be read.
    """
    code, going_to = show(*make_app(paths=paths, run=run, **flags))
    for name in OF_ONE_FOLDER:
        flags.pop(name, None)
    while going_to is not None:
        code, going_to = show(*make_app(paths=[going_to], **flags))
    return code


def show(app: TenxApp, control: RunControl) -> tuple[int, Path | None]:
    """One dashboard from beginning to end: the exit code, and the folder that it was left for."""
    if not is_served() and (sys.__stderr__ is None or not sys.__stderr__.isatty()):
        raise UsageError("the dashboard is drawn on standard error, which is not a terminal here")
    if os.name == "posix":
        from tenxgraph_tui.tui.driver import for_terminal

        app.driver_class = for_terminal(app.driver_class)
    with title_kept(), Leaving(app) as leaving, closing(control):
        code = app.run()
    return leaving.code or code or app.return_code or 0, app.going_to


def make_app(
    *, paths: Sequence[str | Path], run: str | None = None, **flags: Unpack[Flags]
) -> tuple[TenxApp, RunControl]:
    """The application as `start` opens it, and what has to be closed after it."""
    root = project_root(Path(str(paths[0]).partition("::")[0]) if paths else Path.cwd())
    settings = load(root, os.environ, flags)
    places = paths or settings.places()
    surveyed = survey(places, root)
    is_late = is_large(surveyed)
    found = Discovery(root) if is_late else read(surveyed)
    standby = standby_of(settings)  # a wrong interpreter is said in the shell, not at the first run
    desk = make_desk(found, paths, settings)
    place = store_place(root)
    memory = Memory(place.path.with_name(FILE_NAME))
    store = RunStore(place.path)
    pump = EventPump()
    past = PastRuns(store, pump)
    run_id = store.resolve(run) if run is not None else None
    settle = partial(settle_choices, desk, settings, memory.values, with_cases=run_id is None)
    desk.files_to_come = len(surveyed.modules) + (len(surveyed.files) if is_late else 0)
    if not desk.files_to_come:
        settle()
    if run_id is not None:
        desk.open(run_id, store.number(run_id))
        past.want(run_id)
    control = RunControl(pump, launcher(standby), standby.close)
    app = TenxApp(
        desk,
        pump=pump,
        control=control,
        reader=ResultReader(store),
        empty=empty_of(found, paths, settings, None if desk.files_to_come or found.sets else store),
        store=str(store.path),
        note=place.note or "",
        look=Look(settings, memory.values, ascii_only=not can_draw_unicode(), environ=os.environ),
        memory=memory,
        tour=tour_of(desk, is_new=run is None and not store.path.exists()),
        companions=[
            Opening(desk, settle, partial(past.read, run_id) if run_id is not None else None),
            Collector(desk),
            Historian(store, desk, pump),
            ConfigScout(desk, None if is_preset_said(settings) else memory.values.preset),
            Cautions(settings),
            Readiness(standby, desk),
            *companions_of(desk, store),
        ],
        settings=settings,
        past=past,
        read=partial(read_again, desk, places, KnownModules(module_lister(settings))),
        reload=partial(load, root, os.environ, flags),
    )
    return app, control


def is_large(surveyed: Survey) -> bool:
    """Whether the first frame should not wait for the files.

    Where single cases are named, it does: that there is no such case is said in the shell.
    """
    if surveyed.has_cases:
        return False
    return sum(file.stat().st_size for file in surveyed.files if file.is_file()) > LARGE


def empty_of(
    found: Discovery, paths: Sequence[str | Path], settings: Loaded, store: RunStore | None
) -> Empty:
    """What to say when there is no eval set; `store` None where there are some, so far."""
    named = settings.values.target
    target = (shown_spec(named), settings.named("target")) if named else None
    empty = Empty(looked_in(found, paths, settings), target)
    if store is None:
        return empty
    python, runs = choose_python(settings), len(store.runs())
    if python.path == sys.executable:
        return replace(empty, runs=runs)
    path = os.path.relpath(python.path, found.root)
    return replace(empty, runs=runs, python=(path, python.origin))


def standby_of(settings: Loaded) -> Standby:
    """Workers under the project's interpreter, or the one that was asked for.

    Raises:
        UsageError: the one that was asked for cannot be used.
    """
    if settings.python is not None:
        choose_python(settings)
    return Standby(lambda: choose_python(settings).path)


def module_lister(settings: Loaded) -> ModuleLister:
    """Has workers read the eval modules, under the interpreter that runs the agents."""
    env_file = settings.path("env_file")
    named = str(env_file) if env_file else None
    return ModuleLister(settings.root, lambda: choose_python(settings).path, named)


def launcher(standby: Standby) -> Launch:
    """Starts real workers."""

    def launch(request: WorkerRequest, on_event: OnEvent, on_exit: OnExit) -> Child:
        if request.kind != "export":
            return standby.launch(request, on_event, on_exit)
        # an export needs nothing of the project, and whoever wrote the store can read it
        worker = Worker(on_event, on_exit)
        worker.start(request)
        return worker

    return launch


def choose_python(settings: Loaded) -> Interpreter:
    """The interpreter that the settings name, else the project's."""
    return choose(settings.root, settings.python, named_by=settings.named("python"))


def can_draw_unicode() -> bool:
    """Whether the terminal was announced to understand more than ASCII."""
    stream = sys.__stderr__
    encoding = (stream.encoding or "") if stream is not None else ""
    return is_served() or encoding.lower().replace("-", "") == "utf8"


def tour_of(desk: Desk, *, is_new: bool) -> Tour:
    """The tour, begun where somebody is new to the dashboard and the project has no runs."""
    tour, folder = Tour(), user_state()
    has_cases = bool(len(desk.catalog) or desk.files_to_come)
    if is_new and has_cases and is_new_here(folder):
        tour.begin(desk)
        note_shown(folder)
    return tour


def companions_of(desk: Desk, store: RunStore) -> list[Companion]:
    """What accompanies the application beside its parts."""
    told: list[Companion] = [SecondOpinion(desk, partial(disagreements, store))]
    if not is_served() and has_title():
        told.append(TerminalTitle(desk, ascii_only=not can_draw_unicode()))
    return told
