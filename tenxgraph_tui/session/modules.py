"""The eval sets in eval modules, as a worker lists them: no code of the user's runs in here."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tenxgraph_tui.errors import TenxError
from tenxgraph_tui.evaluation.dataset import EvalSet
from tenxgraph_tui.evaluation.events import Files, Log, Reply, RunEvent
from tenxgraph_tui.session.files import Stamp, stamp_of
from tenxgraph_tui.session.protocol import SetRequest, WorkerRequest
from tenxgraph_tui.session.workers import Worker, WorkerExit, command_of

PATIENCE = 60.0
"""Seconds that the modules of a project have for being imported, all of them together."""

Uses = tuple[tuple[Path, Stamp | None], ...]
"""The files that something was read from, as they were then; None is never as it was."""

Say = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class ListedModule:
    """What a worker says of one module. `sets` are by their paths, in the order of the module.

    `scenarios` are the ids of simulated conversations; `problems` has a line for each thing that
    could not be read. A `confeval.py` has only a `config`, if it has one, and problems.
    """

    sets: Mapping[str, EvalSet] = field(default_factory=dict)
    scenarios: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    note: str = ""
    config: dict[str, Any] | None = None
    config_name: str = ""
    uses: Uses = ()


@dataclass(frozen=True, slots=True)
class ModuleLister:
    """Has a worker read modules of the project at `root`, and waits for it.

    `python` says which interpreter it runs under. `say` is told what the modules print.
    """

    root: Path
    python: Callable[[], str]
    env_file: str | None = None
    say: Say | None = None
    patience: float = PATIENCE

    def __call__(self, files: Sequence[Path]) -> dict[Path, ListedModule]:
        """What is in each of the files; a module that ends its worker does not hide the others."""
        try:
            found = self._ask(files)
        except TenxError as error:
            return {file: _broken(file, str(error)) for file in files}
        if isinstance(found, dict):
            return found
        if len(files) == 1:
            return {files[0]: _broken(files[0], found)}
        return {file: listed for each in files for file, listed in self([each]).items()}

    def _ask(self, files: Sequence[Path]) -> dict[Path, ListedModule] | str:
        """What the worker says, or why it says nothing."""
        began, heard = time.time(), _Heard(self.say)
        before = {file: stamp_of(file) for file in files}
        worker = Worker(heard.event, heard.exit, command=command_of(self.python()))
        sets = tuple(SetRequest(path=str(file)) for file in files)
        worker.start(
            WorkerRequest(kind="list", root=str(self.root), sets=sets, env_file=self.env_file)
        )
        if not worker.wait(self.patience):
            worker.kill()
            return f"reading it was given up after {self.patience:g} s"
        if heard.reply is None:
            return heard.end
        if heard.reply.error is not None:
            return heard.reply.error
        used = tuple((path, _as_read(path, began)) for path in heard.used)
        try:
            return {
                file: _listed(heard.reply, file, (*used, (file, before[file]))) for file in files
            }
        except ValidationError as error:
            return f"what the worker said of it cannot be read: {error}"


class KnownModules:
    """Lists modules as another does, and asks it only for what may say something else by now.

    That is what was written since, or uses a file that was, and what could not be read.
    """

    def __init__(self, lister: Callable[[Sequence[Path]], Mapping[Path, ListedModule]]) -> None:
        self._lister = lister
        self._known: dict[Path, ListedModule] = {}

    def __call__(self, files: Sequence[Path]) -> dict[Path, ListedModule]:
        """What is in each of the files."""
        asked = [file for file in files if not self._knows(file)]
        if asked:
            self._known.update(self._lister(asked))
        return {file: self._known[file] for file in files}

    def _knows(self, file: Path) -> bool:
        known = self._known.get(file)
        return known is not None and not known.problems and is_as_it_was(known.uses)


class _Heard:
    """What comes from the worker."""

    def __init__(self, say: Say | None) -> None:
        self._say = say
        self.reply: Reply | None = None
        self.used: list[Path] = []
        self.end = ""

    def event(self, event: RunEvent) -> None:
        match event:
            case Reply():
                self.reply = event
            case Files(paths=paths):
                self.used += map(Path, paths)
            case Log(text=text) if self._say is not None:
                self._say(text)
            case _:
                pass

    def exit(self, how: WorkerExit) -> None:
        self.end = f"{how.sentence}, while it was imported"


def _listed(reply: Reply, file: Path, uses: Uses) -> ListedModule:
    said = reply.data["modules"][str(file)]
    return ListedModule(
        {path: EvalSet.model_validate(each) for path, each in said["sets"].items()},
        tuple(said["scenarios"]),
        tuple(said["problems"]),
        said["note"],
        said["config"],
        said["config_name"],
        uses,
    )


def _broken(file: Path, problem: str) -> ListedModule:
    return ListedModule(problems=(f"{file}: {problem}",), uses=((file, stamp_of(file)),))


def _as_read(path: Path, began: float) -> Stamp | None:
    """The stamp of a file that was read meanwhile; None if it may have been written since."""
    stamp = stamp_of(path)
    return stamp if stamp is not None and stamp[0] < began * 1e9 else None


def is_as_it_was(uses: Uses) -> bool:
    """Whether none of the files was written since."""
    return all(stamp is not None and stamp_of(path) == stamp for path, stamp in uses)
