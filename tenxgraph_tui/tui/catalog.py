"""What there is to run: the eval-set files of the project, read once, and how they are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Self

from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet
from tenxgraph_tui.evaluation.events import CaseInfo
from tenxgraph_tui.evaluation.formats.module_paths import file_in
from tenxgraph_tui.session.discovery import Discovery, FoundSet
from tenxgraph_tui.session.files import Stamp, stamp_of
from tenxgraph_tui.session.labels import set_label
from tenxgraph_tui.tui.nearby import look_above
from tenxgraph_tui.tui.packed import PackedCases
from tenxgraph_tui.tui.presets import Preset
from tenxgraph_tui.tui.set_paths import SetPaths


class CaseId(NamedTuple):
    """A case as it stands in a file, whatever run it is part of."""

    path: str
    eval_id: str


@dataclass(frozen=True, slots=True)
class SetFile:
    """One eval-set file: the set in it and the wanted cases, or why it could not be read.

    `path` is as requests and events name it; `is_part` when cases of the file were left out;
    `warnings` name what in it has no effect. `eval_set` is without its cases, and `cases` is what
    they are called: the catalog gives a whole one when it is asked for it. `near` is what a
    `confeval.py` above the file wants checked in it, unless the set asks for something itself.
    """

    path: str
    eval_set: EvalSet | None = None
    cases: tuple[CaseInfo, ...] = ()
    is_part: bool = False
    problem: str = ""
    warnings: tuple[str, ...] = ()
    packed: PackedCases = field(default_factory=PackedCases, repr=False, compare=False)
    stamp: Stamp | None = field(default=None, repr=False, compare=False)
    near: Preset | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, found: FoundSet, near: Preset | None = None) -> Self:
        """A file that was read."""
        return cls(
            str(found.file),
            found.eval_set.model_copy(update={"eval_cases": []}),
            tuple(map(_case_info, found.cases)),
            is_part=found.ids is not None,
            warnings=found.warnings,
            packed=PackedCases(found.cases),
            stamp=found.stamp,
            near=near,
        )

    @property
    def is_as_read(self) -> bool:
        """Whether the file was not written since it was read whole."""
        if self.stamp is None or self.is_part:
            return False
        return self.stamp == stamp_of(Path(self.path))

    @property
    def label(self) -> str:
        return set_label(self.path, self.eval_set.eval_set_id if self.eval_set else "")


@dataclass(frozen=True, slots=True)
class Catalog:
    """Every eval set that was found, in the order in which it is shown. `title` names the place.

    `modules` are Python files that may make eval sets, and were not read yet: only a worker does.
    `notes` say of those that were why nothing of them can be run.
    """

    files: tuple[SetFile, ...] = ()
    title: str = ""
    looked_in: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    _cases: dict[CaseId, CaseInfo] = field(default_factory=dict)
    _packed: dict[str, PackedCases] = field(default_factory=dict)
    _paths: SetPaths = field(default_factory=SetPaths)
    _runnable: dict[str, int] = field(default_factory=dict)
    _counted: dict[frozenset[CaseId], int] = field(default_factory=dict, repr=False, compare=False)
    _broken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._broken.update(file.path for file in self.files if file.problem)
        for file in self.files:
            self._paths.add(file.path)
            self._cases.update({CaseId(file.path, case.eval_id): case for case in file.cases})
            self._packed[file.path] = file.packed
            self._runnable[file.path] = sum(case.skip is None for case in file.cases)

    @property
    def runnable(self) -> int:
        """How many cases a run of everything does not leave out."""
        return sum(self._runnable.values())

    def count_runnable(self, cases: Iterable[CaseId]) -> int:
        """How many of the cases are here, and are not skipped.

        That of the last selection is remembered: every row of keys asks for it.
        """
        selection = frozenset(cases)
        if selection not in self._counted:
            found = (self._cases.get(case) for case in selection)
            self._counted.clear()
            self._counted[selection] = sum(one is not None and one.skip is None for one in found)
        return self._counted[selection]

    def runnable_in(self, path: str) -> int:
        """How many cases of a file a run does not leave out."""
        return self._runnable.get(path, 0)

    def __len__(self) -> int:
        return len(self._cases)

    def __contains__(self, case: object) -> bool:
        return case in self._cases

    def __iter__(self) -> Iterator[CaseId]:
        return iter(self._cases)

    def may_hold(self, case: CaseId) -> bool:
        """Whether a case is here, or would be if its file could be read: it is being edited."""
        return case in self._cases or str(file_in(case.path)) in self._broken

    @property
    def readable(self) -> tuple[SetFile, ...]:
        return tuple(file for file in self.files if file.eval_set is not None)

    def path_of(self, file: str) -> str:
        """The path of the file that a run calls `file`, however either of them was written."""
        return self._paths.path_of(file)

    def info(self, case: CaseId) -> CaseInfo | None:
        """What a case is called."""
        return self._cases.get(case)

    def case(self, case: CaseId) -> EvalCase | None:
        """All of a case, as its file had it when it was read. It is not kept for long."""
        packed = self._packed.get(case.path)
        return packed.get(case.eval_id) if packed is not None else None

    def case_once(self, case: CaseId) -> EvalCase | None:
        """The same for whoever looks at many of them: any thread may ask."""
        packed = self._packed.get(case.path)
        return packed.once(case.eval_id) if packed is not None else None

    def holding(self, word: str) -> Iterator[CaseId]:
        """The cases in whose JSON something has that name."""
        for path, packed in self._packed.items():
            yield from (CaseId(path, eval_id) for eval_id in packed.holding(word))

    @classmethod
    def of(cls, found: Discovery, title: str, looked_in: tuple[str, ...]) -> Self:
        """What a discovery brought; files that could not be read come last."""
        near = look_above([str(one.file) for one in found.sets], found.root).configs
        files = [SetFile.of(one, near.get(str(one.file))) for one in found.sets]
        files += [SetFile(str(bad.file), problem=bad.text) for bad in found.problems]
        unread = tuple(map(str, found.unread))
        return cls(tuple(files), title, looked_in, unread, found.notes)


def _case_info(case: EvalCase) -> CaseInfo:
    skip = case.metadata.get("skip")
    return CaseInfo(
        eval_id=case.eval_id,
        name=case.name,
        tags=tuple(case.tags),
        turns=max(1, len(case.conversation)),
        skip=str(skip) if skip else None,
    )
