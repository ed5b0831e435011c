"""What there is to run: the eval-set files of the project, read once, and how they are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Self

from tenxgraph_tui.evaluation.config import JUDGED_SLOTS, REPORTED_NAMES, EvalConfig
from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet
from tenxgraph_tui.evaluation.events import CaseInfo, CaseStatus, CriterionInfo, SetInfo
from tenxgraph_tui.evaluation.formats.module_paths import file_in, split
from tenxgraph_tui.evaluation.progress import CaseProgress, RunState
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.discovery import Discovery, FoundSet, ListModules, Survey, read
from tenxgraph_tui.session.files import Stamp, stamp_of
from tenxgraph_tui.session.labels import set_label
from tenxgraph_tui.session.protocol import SetRequest
from tenxgraph_tui.tui.packed import PackedCases


class CaseId(NamedTuple):
    """A case as it stands in a file, whatever run it is part of."""

    path: str
    eval_id: str


@dataclass(frozen=True, slots=True)
class SetFile:
    """One eval-set file: the set in it and the wanted cases, or why it could not be read.

    `path` is as requests and events name it; `is_part` when cases of the file were left out;
    `warnings` name what in it has no effect. `eval_set` is without its cases, and `cases` is what
    they are called: the catalog gives a whole one when it is asked for it.
    """

    path: str
    eval_set: EvalSet | None = None
    cases: tuple[CaseInfo, ...] = ()
    is_part: bool = False
    problem: str = ""
    warnings: tuple[str, ...] = ()
    packed: PackedCases = field(default_factory=PackedCases, repr=False, compare=False)
    stamp: Stamp | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, found: FoundSet) -> Self:
        """A file that was read."""
        return cls(
            str(found.file),
            found.eval_set.model_copy(update={"eval_cases": []}),
            tuple(map(_case_info, found.cases)),
            is_part=found.ids is not None,
            warnings=found.warnings,
            packed=PackedCases(found.cases),
            stamp=found.stamp,
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
    _paths: dict[str, str] = field(default_factory=dict)
    _runnable: dict[str, int] = field(default_factory=dict)
    _broken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._broken.update(file.path for file in self.files if file.problem)
        for file in self.files:
            self._cases.update({CaseId(file.path, case.eval_id): case for case in file.cases})
            self._packed[file.path] = file.packed
            self._runnable[file.path] = sum(case.skip is None for case in file.cases)

    @property
    def runnable(self) -> int:
        """How many cases a run of everything does not leave out."""
        return sum(self._runnable.values())

    def count_runnable(self, cases: Iterable[CaseId]) -> int:
        """How many of the cases are here, and are not skipped."""
        found = (self._cases.get(case) for case in cases)
        return sum(case is not None and case.skip is None for case in found)

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
        if file not in self._paths:
            self._paths[file] = self._found(Path(file)) or file
        return self._paths[file]

    def _found(self, file: Path) -> str | None:
        known = {Path(one.path).absolute(): one.path for one in self.files}
        if file.is_absolute() or file.absolute() in known:
            return known.get(file.absolute())
        # the run may have been started in another folder, from which its paths go
        ends = len(file.parts)
        alike = [path for full, path in known.items() if full.parts[-ends:] == file.parts]
        return alike[0] if len(alike) == 1 else None

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
        files = [SetFile.of(one) for one in found.sets]
        files += [SetFile(str(bad.file), problem=bad.text) for bad in found.problems]
        unread = tuple(map(str, found.unread))
        return cls(tuple(files), title, looked_in, unread, found.notes)

    def again(self, surveyed: Survey, list_modules: ListModules | None = None) -> Catalog:
        """The catalog of what lies there now; files that are as they were are not read again."""
        # a case that is asked for by name is looked for in its file every time
        files = () if surveyed.has_cases else self.files
        kept = {Path(file.path).resolve(): file for file in files if file.is_as_read}
        discovery = read(surveyed.without(kept), list_modules)
        later = Catalog.of(discovery, self.title, self.looked_in)
        known = {**kept, **{Path(file.path).resolve(): file for file in later.files}}
        found = dict.fromkeys(path.resolve() for path in surveyed.files)
        readable = [known[path] for path in found if path in known and not known[path].problem]
        readable += [file for file in later.files if split(file.path) and not file.problem]
        broken = [file for file in later.files if file.problem]
        files = (*readable, *broken)
        return Catalog(files, self.title, self.looked_in, later.modules, later.notes)

    def config_names(self) -> list[str]:
        """The configs that the eval sets ask for themselves, without repeats."""
        named = (file.eval_set.metadata.get("config") for file in self.readable if file.eval_set)
        called = ("inline" if isinstance(name, dict) else str(name) for name in named if name)
        return list(dict.fromkeys(called))

    def idle(self, config: EvalConfig | None, only: Sequence[SetRequest] = ()) -> RunState:
        """How it looks before anything ran: every case waits; `config` gives the columns.

        `only` are the cases that a run was asked for, if it was not asked for everything.
        """
        criteria = criteria_of(config) if config else ()
        asked = {one.path: one.ids for one in only}
        sets = tuple(
            _set_info(file, criteria, asked.get(file.path))
            for file in self.readable
            if not asked or file.path in asked
        )
        infos = {
            CaseKey(index, case.eval_id): case
            for index, info in enumerate(sets)
            for case in info.cases
        }
        cases = {key: CaseProgress(key, info) for key, info in infos.items()}
        return RunState(sets=sets, cases=cases, counts=Counter({CaseStatus.WAITING: len(cases)}))


def criteria_of(config: EvalConfig) -> tuple[CriterionInfo, ...]:
    """The criteria that a config checks, as a run announces them."""
    return tuple(
        CriterionInfo(
            slot=slot,
            name=REPORTED_NAMES[slot],
            threshold=criterion.threshold,
            judged=slot in JUDGED_SLOTS,
        )
        for slot, criterion in config.criteria.enabled()
    )


def _set_info(
    file: SetFile, criteria: tuple[CriterionInfo, ...], ids: Collection[str] | None = None
) -> SetInfo:
    eval_set = file.eval_set
    assert eval_set is not None  # only readable files have one
    wanted = set(ids) if ids is not None else None
    return SetInfo(
        eval_set_id=eval_set.eval_set_id,
        name=eval_set.name,
        file=file.path,
        target=str(eval_set.metadata.get("target") or ""),
        criteria=criteria,
        cases=tuple(case for case in file.cases if wanted is None or case.eval_id in wanted),
    )


def _case_info(case: EvalCase) -> CaseInfo:
    skip = case.metadata.get("skip")
    return CaseInfo(
        eval_id=case.eval_id,
        name=case.name,
        tags=tuple(case.tags),
        turns=max(1, len(case.conversation)),
        skip=str(skip) if skip else None,
    )
