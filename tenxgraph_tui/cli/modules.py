"""Reading eval modules where code of the user's may run: in a worker, or in a headless run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tenxgraph_tui.cli.capture import Capture
from tenxgraph_tui.cli.logfile import LogFile
from tenxgraph_tui.cli.staying import staying
from tenxgraph_tui.errors import ConfigError, EvalSetError
from tenxgraph_tui.evaluation.formats import Loaded, read_eval_set
from tenxgraph_tui.evaluation.formats.confevals import Confeval, read_confeval
from tenxgraph_tui.evaluation.formats.module_paths import CONFEVAL, split
from tenxgraph_tui.evaluation.formats.modules import (
    EvalModule,
    nothing_in,
    read_module,
    read_module_set,
)
from tenxgraph_tui.evaluation.heldtime import from_here
from tenxgraph_tui.evaluation.stream import EventStream
from tenxgraph_tui.session.modules import ListedModule
from tenxgraph_tui.session.protocol import WorkerRequest


def read_any(path: str, root: Path) -> Loaded:
    """The eval set at a path: a file of its own, or one that a module makes.

    Raises:
        EvalSetError: it cannot be read; one line with file and position.
    """
    return read_module_set(path, root) if split(path) is not None else read_eval_set(path)


@contextmanager
def heard(stream: EventStream) -> Iterator[None]:
    """What code prints before there is a run is told to the stream, and kept nowhere."""
    nowhere = LogFile(Path())
    nowhere.close()
    with Capture(stream, nowhere):
        yield


def listed(request: WorkerRequest) -> dict[str, Any]:
    """What is in the modules that a `list` names, each by its path."""
    root = Path(request.root)
    return {"modules": {part.path: _said_of(part.path, root) for part in request.sets}}


@dataclass(frozen=True, slots=True)
class ReadHere:
    """Lists eval modules in this process (see `ListModules`): each is imported once for a run.

    The agent of a set may be in its module, whose code would otherwise run twice. What the modules
    print goes to `stream`; with None it is not caught.
    """

    root: Path
    stream: EventStream | None = None

    def __call__(self, files: Sequence[Path]) -> dict[Path, ListedModule]:
        with ExitStack() as stack:
            stack.enter_context(staying())
            if self.stream is not None:
                stack.enter_context(heard(self.stream))
            return {file: self._read(file) for file in files}

    def _read(self, file: Path) -> ListedModule:
        found, note = _read(str(file), self.root)
        return ListedModule(found.sets, found.scenarios, found.problems, note)


def loaded(request: WorkerRequest) -> dict[str, Any]:
    """The sets that a `load` names, by their paths, whatever kind of file they are in.

    Raises:
        EvalSetError: one of them cannot be read.
    """
    root = Path(request.root)
    sets = {part.path: read_any(part.path, root).eval_set for part in request.sets}
    return {"sets": {path: each.model_dump(mode="json") for path, each in sets.items()}}


def _said_of(path: str, root: Path) -> dict[str, Any]:
    if Path(path).name == CONFEVAL:
        return _said_of_confeval(path, root)
    found, note = _read(path, root)
    return {
        "sets": {name: each.model_dump(mode="json") for name, each in found.sets.items()},
        "scenarios": found.scenarios,
        "problems": found.problems,
        "note": note,
        "config": None,
        "config_name": "",
    }


def _read(path: str, root: Path) -> tuple[EvalModule, str]:
    """A module, or what is wrong with it; and why nothing of it can be run, if that is so."""
    try:
        found = read_module(path, root)
    except EvalSetError as error:
        found = EvalModule(path, problems=(str(error),))
    is_idle = not (found.sets or found.problems)
    note = f"{from_here(path)}: {nothing_in(found)}" if is_idle or found.scenarios else ""
    return found, note


def _said_of_confeval(path: str, root: Path) -> dict[str, Any]:
    problems: list[str] = []
    found = Confeval()
    try:
        found = read_confeval(Path(path), root)
    except ConfigError as error:
        problems.append(str(error))
    config = found.config.model_dump(mode="json") if found.config is not None else None
    names = {"config": config, "config_name": found.config_name}
    return {"sets": {}, "scenarios": (), "problems": problems, "note": "", **names}
