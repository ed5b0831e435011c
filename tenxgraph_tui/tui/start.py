"""Opening the dashboard: what there is is read first, so that a wrong path is said in the shell."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from tenxgraph_tui.errors import ConfigError, UsageError
from tenxgraph_tui.evaluation.formats import read_config
from tenxgraph_tui.evaluation.models import nearest
from tenxgraph_tui.evaluation.presets import PRESETS
from tenxgraph_tui.session.discovery import Discovery, discover
from tenxgraph_tui.session.interpreter import choose
from tenxgraph_tui.session.project import project_root, store_place
from tenxgraph_tui.session.protocol import WorkerRequest
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.session.workers import Worker, command_of
from tenxgraph_tui.settings import load
from tenxgraph_tui.tui.app import TenxApp
from tenxgraph_tui.tui.catalog import Catalog
from tenxgraph_tui.tui.choices import Choices, chosen, presets
from tenxgraph_tui.tui.companions import Companion
from tenxgraph_tui.tui.control import Child, Launch, OnEvent, OnExit, RunControl
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.historian import Historian
from tenxgraph_tui.tui.keeper import restore_preset, restore_selection
from tenxgraph_tui.tui.lines.notices import Empty
from tenxgraph_tui.tui.look import Look
from tenxgraph_tui.tui.opening import Opening, PastRuns
from tenxgraph_tui.tui.pump import EventPump
from tenxgraph_tui.tui.remembered import FILE_NAME, Memory
from tenxgraph_tui.tui.results import ResultReader
from tenxgraph_tui.tui.scout import ConfigScout
from tenxgraph_tui.tui.served import ServerWatch, is_served
from tenxgraph_tui.tui.title import TerminalTitle, has_title, title_kept


def start(
    *,
    paths: Sequence[str | Path],
    target: str | None = None,
    preset: str | None = None,
    config: str | None = None,
    python: str | None = None,
    run: str | None = None,
) -> int:
    """Open the dashboard on eval sets, or on the past run that `run` names; gives the exit code.

    Raises:
        UsageError: a path, the run or the interpreter does not exist, or there is no terminal.
        ConfigError: there is no such preset, or the config file is wrong.
        StoreError: the run store cannot be read.
    """
    app, control = make_app(
        paths=paths, target=target, preset=preset, config=config, python=python, run=run
    )
    if not is_served() and (sys.__stderr__ is None or not sys.__stderr__.isatty()):
        raise UsageError("the dashboard is drawn on standard error, which is not a terminal here")
    try:
        with title_kept():
            code = app.run()
    finally:
        control.close()
    return code or 0


def make_app(
    *,
    paths: Sequence[str | Path],
    target: str | None = None,
    preset: str | None = None,
    config: str | None = None,
    python: str | None = None,
    run: str | None = None,
) -> tuple[TenxApp, RunControl]:
    """The application as `start` opens it, and what has to be closed after it."""
    root = project_root(Path(str(paths[0]).partition("::")[0]) if paths else Path.cwd())
    flags = {"target": target, "preset": preset, "config": config, "python": python}
    settings = load(root, os.environ, flags)
    found = discover(paths, root)
    if python is not None:
        choose(root, python)  # a wrong one is said in the shell, not at the first run
    desk = make_desk(found, paths, target=target, preset=preset, config=config)
    place = store_place(root)
    memory = Memory(place.path.with_name(FILE_NAME))
    if preset is None and config is None:
        restore_preset(desk, memory.values)
    store = RunStore(place.path)
    pump = EventPump()
    past = PastRuns(store, pump)
    steps: list[Callable[[], None]] = []
    if run is not None:
        run_id = store.resolve(run)
        desk.open(run_id, store.number(run_id))
        past.want(run_id)
        steps.append(partial(past.read, run_id))
    else:
        restore_selection(desk, memory.values)
    control = RunControl(pump, launcher(root, python))
    app = TenxApp(
        desk,
        pump=pump,
        control=control,
        reader=ResultReader(store),
        empty=empty_of(found, target, 0 if found.sets else len(store.runs())),
        store=str(store.path),
        note=place.note or "",
        look=Look(
            settings, memory.values, ascii_only=not can_draw_unicode(), environ=os.environ
        ),
        memory=memory,
        companions=[
            Opening(steps),
            Historian(store, desk, pump),
            ConfigScout(desk, memory.values.preset if preset is config is None else None),
            *companions_of(desk),
        ],
        settings=settings,
        past=past,
    )
    return app, control


def make_desk(
    found: Discovery,
    paths: Sequence[str | Path],
    *,
    target: str | None = None,
    preset: str | None = None,
    config: str | None = None,
) -> Desk:
    """A desk with what was found on it, and the choices of the command line made."""
    catalog = Catalog.of(found, title_of(found, paths), looked_in(found, paths))
    if preset is not None and preset not in PRESETS:
        meant = nearest(preset, PRESETS)
        hint = f"did you mean {meant!r}?" if meant else f"presets are {', '.join(PRESETS)}"
        raise ConfigError(f"unknown preset {preset!r}: {hint}")
    read = read_config(Path(config)) if config else None
    entries = presets(catalog, config, read)
    choices = Choices(entries, chosen(entries, preset), target)
    return Desk(catalog, choices, found.root)


def title_of(found: Discovery, paths: Sequence[str | Path]) -> str:
    """What the whole is called: the one path that was named, else the project."""
    named = Path(str(paths[0]).partition("::")[0]).absolute() if len(paths) == 1 else found.root
    return named.name or str(named)


def looked_in(found: Discovery, paths: Sequence[str | Path]) -> tuple[str, ...]:
    return tuple(str(Path(path).absolute()) for path in paths) or (str(found.root),)


def empty_of(found: Discovery, target: str | None, runs: int) -> Empty:
    """What to say when there is no eval set."""
    return Empty(looked_in(found, ()), target or "", len(found.unread), runs)


def launcher(root: Path, python: str | None) -> Launch:
    """Starts real workers, under the project's interpreter or the one that was asked for."""

    def launch(request: WorkerRequest, on_event: OnEvent, on_exit: OnExit) -> Child:
        command = command_of(choose(root, python).path)
        worker = Worker(on_event, on_exit, command=command)
        worker.start(request)
        return worker

    return launch


def can_draw_unicode() -> bool:
    """Whether the terminal was announced to understand more than ASCII."""
    stream = sys.__stderr__
    encoding = (stream.encoding or "") if stream is not None else ""
    return is_served() or encoding.lower().replace("-", "") == "utf8"


def companions_of(desk: Desk) -> list[Companion]:
    """What accompanies the application where it is drawn."""
    if is_served():
        return [ServerWatch()]
    return [TerminalTitle(desk, ascii_only=not can_draw_unicode())] if has_title() else []
