"""What has to run again after files changed, and why. Nothing is read or started here."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.session.history import Name
from tenxgraph_tui.session.protocol import SetRequest
from tenxgraph_tui.session.watching.contents import Contents, SetContent
from tenxgraph_tui.session.watching.followed import Followed

SHOWN = 3
NONE: frozenset[Name] = frozenset()


@dataclass(frozen=True, slots=True)
class Rerun:
    """Cases that have to run again; `cases` None is all of them, failed ones first.

    `reasons` are sentences without a full stop, in the order in which they came up.
    """

    cases: frozenset[Name] | None
    reasons: tuple[str, ...] = ()

    def without(self, other: Rerun) -> Rerun | None:
        """What is left when the other ran; None if nothing is."""
        if other.cases is None:
            return None
        if self.cases is None:
            return self
        left = self.cases - other.cases
        return Rerun(left, self.reasons) if left else None

    @property
    def is_everything(self) -> bool:
        return self.cases is None

    @property
    def reason(self) -> str:
        """All reasons in one line."""
        return "; ".join(self.reasons)


@dataclass(frozen=True, slots=True)
class Decision:
    """What follows from a change.

    `rerun` None runs nothing, and `reason` says why. `problems` are the files that cannot be read
    now, a line each, and `mended` the paths of sets that can be again; the last results stay.
    """

    rerun: Rerun | None = None
    problems: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()
    reason: str = ""


def both(first: Rerun | None, second: Rerun | None) -> Rerun | None:
    """The cases of both; the reasons of the first come first."""
    if first is None or second is None:
        return first or second
    everything = first.cases is None or second.cases is None
    cases = None if everything else (first.cases or NONE) | (second.cases or NONE)
    return Rerun(cases, tuple(dict.fromkeys((*first.reasons, *second.reasons))))


def decide(
    before: Contents, after: Contents, changed: Collection[Path], followed: Followed
) -> Decision:
    """What runs again when the files `changed`, named by their real paths, have other bytes now.

    `before` is what the last decision was made on (`Contents.over` of what was read then). Edited
    and new cases run alone; a set whose metadata or config file changed runs whole; everything
    runs when agent code, what it reads, a config for all or the settings changed. Cases that are
    gone, and files that say the same in other words, run nothing.
    """
    now = after.over(before)
    mended = tuple(
        path
        for path, one in now.sets.items()
        if not one.problem and path in before.sets and before.sets[path].problem
    )
    rerun: Rerun | None = None
    for path, content in now.sets.items():
        rerun = both(rerun, _of_set(before.sets.get(path), content, changed, followed))
    rerun = both(_of_everything(before, now, changed, followed), rerun)
    reason = rerun.reason if rerun else _nothing(before, now, changed, followed)
    return Decision(rerun, after.problems, mended, reason)


def narrowed(
    sets: Iterable[SetRequest], contents: Contents, cases: Collection[Name] | None
) -> tuple[SetRequest, ...]:
    """The requests that ask for just these cases, in file order; all of them for None."""
    if cases is None:
        return tuple(sets)
    found = []
    for one in sets:
        content = contents.sets.get(one.path)
        known = tuple(content.cases) if content is not None else ()
        asked = set(one.ids) if one.ids is not None else set(known)
        ids = tuple(i for i in known if i in asked and (one.path, i) in cases)
        if ids:
            found.append(one.model_copy(update={"ids": ids}))
    return tuple(found)


def _of_set(
    before: SetContent | None, now: SetContent, changed: Collection[Path], followed: Followed
) -> Rerun | None:
    if now.problem or not now.cases:
        return None
    name = followed.shown(now.file)
    if why := _why_whole(before, now, changed, followed):
        all_of_it = frozenset((now.path, eval_id) for eval_id in now.cases)
        return Rerun(all_of_it, (why,))
    assert before is not None
    edited = [i for i, digest in now.cases.items() if before.cases.get(i, digest) != digest]
    new = [i for i in now.cases if i not in before.cases]
    if not edited and not new:
        return None
    cases = frozenset((now.path, eval_id) for eval_id in (*edited, *new))
    return Rerun(cases, (f"{_counted(edited, new)} in {name}",))


def _why_whole(
    before: SetContent | None, now: SetContent, changed: Collection[Path], followed: Followed
) -> str:
    """Why every case of a set runs again; "" if they need not."""
    name, cases = followed.shown(now.file), plural(len(now.cases), "case")
    if before is None or not (before.cases or before.metadata):
        return f"{name} is new: {cases}"
    if before.code != now.code:  # what a module says of its cases is not all that it does
        return f"{name} changed: {cases}"
    if before.metadata != now.metadata:
        return f"the metadata of {name} changed: {cases}"
    if now.config is not None and now.config in changed:
        return f"{followed.shown(now.config)} changed: {cases} of {name}"
    return ""


def _counted(edited: list[str], new: list[str]) -> str:
    said = [
        f"{plural(len(ids), 'case')} {word}"
        for ids, word in ((edited, "edited"), (new, "new"))
        if ids
    ]
    return " and ".join(said)


def _of_everything(
    before: Contents, now: Contents, changed: Collection[Path], followed: Followed
) -> Rerun | None:
    own = {one.file for one in now.sets.values()} | {one.file for one in before.sets.values()}
    own |= now.configs | before.configs
    causes = sorted(path for path in changed if path not in own and followed.concerns_all(path))
    reasons = []
    if causes:
        names = [followed.shown(path) for path in causes]
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        reasons.append(f"{', '.join(names[:SHOWN])}{more} changed: everything, failed cases first")
    if before.settings != now.settings:
        reasons.append("the settings changed: everything, failed cases first")
    return Rerun(None, tuple(reasons)) if reasons else None


def _nothing(before: Contents, now: Contents, changed: Collection[Path], followed: Followed) -> str:
    gone = sum(
        eval_id not in now.sets[path].cases if path in now.sets else True
        for path, one in before.sets.items()
        for eval_id in one.cases
    )
    names = ", ".join(followed.shown(path) for path in sorted(changed)[:SHOWN])
    if now.problems:
        return f"{names} cannot be read"
    if gone:
        return f"{plural(gone, 'case')} gone: nothing to run again"
    return f"{names} changed, no case did" if names else "nothing changed"
