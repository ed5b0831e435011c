"""What could be run: the eval sets of a project, read without running any code of it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from tenxgraph_tui.errors import EvalSetError, UsageError
from tenxgraph_tui.evaluation.dataset import EvalSet
from tenxgraph_tui.evaluation.formats import read_eval_set
from tenxgraph_tui.evaluation.formats.module_paths import split
from tenxgraph_tui.evaluation.models import meant_aside
from tenxgraph_tui.session.files import Named, Problem, Walk, stamp_of
from tenxgraph_tui.session.found import Discovery, FoundSet, select
from tenxgraph_tui.session.modules import ListedModule

ListModules = Callable[[Sequence[Path]], Mapping[Path, ListedModule]]
"""Has eval modules read by a worker (see `ModuleLister`)."""

T = TypeVar("T")

__all__ = ["Discovery", "FoundSet", "Problem", "Survey", "discover", "read", "select", "survey"]


@dataclass(slots=True)
class _Wanted:
    """A file under the first name it was given, and what is asked of it."""

    file: Path
    asked: list[Named] = field(default_factory=list)

    def ids(self, eval_set: EvalSet, function: str | None = None) -> tuple[str, ...] | None:
        """The wanted cases of a set, which a `function` made if it is a module's; None for all."""
        cases = {one.case for one in self.asked if one.function in {None, function}}
        if None in cases:
            return None
        return tuple(case.eval_id for case in eval_set.eval_cases if case.eval_id in cases)


@dataclass(frozen=True, slots=True)
class Survey:
    """What lies at the paths that were given; nothing was read yet."""

    root: Path
    walks: tuple[tuple[Named, Walk], ...]

    @property
    def files(self) -> tuple[Path, ...]:
        """The eval sets, without repeats."""
        return _once(file for _, walk in self.walks for file in walk.sets)

    @property
    def modules(self) -> tuple[Path, ...]:
        """The eval modules, without repeats."""
        return _once(file for _, walk in self.walks for file in walk.modules)

    def without(self, known: Container[Path]) -> Survey:
        """What is left when some files, named by their real paths, need not be read."""

        def unknown(files: list[Path]) -> list[Path]:
            return [file for file in files if file.resolve() not in known]

        return Survey(
            self.root,
            tuple(
                (one, replace(walk, sets=unknown(walk.sets), modules=unknown(walk.modules)))
                for one, walk in self.walks
            ),
        )

    @property
    def has_cases(self) -> bool:
        """Whether single cases are asked for."""
        return any(one.case is not None for one, _ in self.walks)


def survey(paths: Sequence[str | Path], root: Path) -> Survey:
    """Find the eval sets at `paths` (files, folders, `PATH::CASE`), or below `root`.

    Raises:
        UsageError: a path does not exist.
    """
    walks = tuple((one, Walk()) for one in map(Named.parse, paths or [root]))
    for one, walk in walks:
        walk.at(one.path)
    return Survey(root, walks)


def discover(
    paths: Sequence[str | Path], root: Path, list_modules: ListModules | None = None
) -> Discovery:
    """Find and read the eval sets at `paths` (files, folders, `PATH::CASE`), or below `root`.

    Raises:
        UsageError: a path, or the case after its `::`, does not exist.
    """
    return read(survey(paths, root), list_modules)


def read(surveyed: Survey, list_modules: ListModules | None = None) -> Discovery:
    """Read what was found; eval modules are left unread where nobody can list them.

    Raises:
        UsageError: a case that is asked for does not exist.
    """
    walks = surveyed.walks
    found: dict[Path, list[FoundSet]] = {}
    problems = [*_once(problem for _, walk in walks for problem in walk.problems)]
    for real, asked in _wanted(walks, lambda walk: walk.sets).items():
        try:
            found[real] = [_read(asked)]
        except EvalSetError as error:
            problems.append(Problem(asked.file, str(error)))
    modules = _wanted(walks, lambda walk: walk.modules)
    files = [asked.file for asked in modules.values()]
    listed = list_modules(files) if list_modules is not None and files else {}
    for real, asked in modules.items():
        if (module := listed.get(asked.file)) is not None:
            problems += [Problem(asked.file, text) for text in module.problems]
            if module.sets or not module.problems:
                found[real] = list(_made(module, asked))
    for one, walk in walks:
        unread = [] if list_modules is not None else walk.modules
        _check_case(
            one, [found.get(file.resolve()) for file in (*walk.sets, *walk.modules)], unread
        )
    return Discovery(
        surveyed.root,
        tuple(each for sets in found.values() for each in sets if each.ids != ()),
        tuple(problems),
        () if list_modules is not None else tuple(files),
        tuple(module.note for module in listed.values() if module.note),
    )


def _wanted(
    walks: Sequence[tuple[Named, Walk]], files_of: Callable[[Walk], Iterable[Path]]
) -> dict[Path, _Wanted]:
    """The files by their real paths, in the order in which they were found."""
    wanted: dict[Path, _Wanted] = {}
    for one, walk in walks:
        for file in files_of(walk):
            wanted.setdefault(file.resolve(), _Wanted(file)).asked.append(one)
    return wanted


def _read(asked: _Wanted) -> FoundSet:
    stamp = stamp_of(asked.file)  # before it is read: what is written meanwhile is read again
    loaded = read_eval_set(asked.file)
    ids = asked.ids(loaded.eval_set)
    return FoundSet(asked.file, loaded.eval_set, ids, tuple(loaded.warnings), stamp)


def _made(module: ListedModule, asked: _Wanted) -> Iterator[FoundSet]:
    for path, eval_set in module.sets.items():
        ids = asked.ids(eval_set, (split(path) or (path, None))[1])
        yield FoundSet(Path(path), eval_set, ids, uses=module.uses)


def _check_case(one: Named, sets: Sequence[list[FoundSet] | None], unread: Sequence[Path]) -> None:
    if unread or None in sets:
        return  # a file that cannot be read may have the case; its problem is shown anyway
    made = [each for found in sets for each in found or ()]
    if one.function is not None:
        functions = {(split(each.file) or ("", None))[1]: each for each in made}
        if one.function not in functions:
            names = [name for name in functions if name is not None]
            hint = meant_aside(one.function, names)
            raise UsageError(f"{one.path}: there is no set {one.function!r}{hint}")
        made = [functions[one.function]]
    if one.case is None:
        return
    known = [case.eval_id for each in made for case in each.eval_set.eval_cases]
    if one.case not in known:
        hint = meant_aside(one.case, known)
        raise UsageError(f"{one.path}: there is no case {one.case!r}{hint}")


def _once(items: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(items))
