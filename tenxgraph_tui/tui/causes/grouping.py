"""Failures grouped by what they share. Titles are put together, never made up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tenxgraph_tui.evaluation.config import REPORTED_NAMES, SLOTS
from tenxgraph_tui.evaluation.events import VerdictPreview
from tenxgraph_tui.evaluation.results import TOLERANCE, CaseKey
from tenxgraph_tui.tui.causes.failure import DECIDING, Failure
from tenxgraph_tui.tui.causes.finding import Finding, cut, named
from tenxgraph_tui.tui.causes.trouble import breakdown

NEAR = 0.1
ENOUGH_TO_SHARE = 2
ROUGE, KEYWORDS = REPORTED_NAMES["rouge_match"], REPORTED_NAMES["contains_keywords"]
NO_ANSWER, LACKING = "no response", "missing: "
ERROR = ""
"""Under it the finding of a case in error is kept, beside those of criteria."""

Findings = Callable[[CaseKey], Mapping[str, Finding]]
"""What was found out about a case, by the reported name of the criterion."""


@dataclass(frozen=True, slots=True)
class Member:
    """One case of a cause. `verdict` is the one that decided, None of a case in error."""

    key: CaseKey
    finding: Finding
    verdict: VerdictPreview | None = None


@dataclass(frozen=True, slots=True)
class Cause:
    """Cases that failed alike. `criteria` failed in all of them, the deciding one first.

    `is_error` where they broke: then no criterion decided.
    """

    key: tuple[str, ...]
    title: str
    members: Sequence[Member]
    criteria: tuple[str, ...] = ()
    is_error: bool = False

    @property
    def keys(self) -> list[CaseKey]:
        return [one.key for one in self.members]

    @property
    def has_scores(self) -> bool:
        """Whether what there is to see of its cases is their scores."""
        return not any(one.finding.expected or one.finding.actual for one in self.members)


@dataclass(slots=True)
class _Group:
    title: str
    members: list[Member] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)


def causes(failed: Iterable[Failure], findings: Findings) -> list[Cause]:
    """What the failures share, the most frequent first; cases keep their order.

    A case has one cause: the first thing that went wrong.
    """
    looked_at = [(one, [] if one.error else one.failed) for one in failed]
    shared = Counter((bad[0].criterion, bad[0].reason) for _, bad in looked_at if bad)
    groups: dict[tuple[str, ...], _Group] = {}
    for one, bad in looked_at:
        verdict = bad[0] if bad else None
        finding = _finding(one, verdict, findings(one.key), shared)
        group = groups.setdefault(finding.key, _Group(finding.title))
        group.members.append(Member(one.key, finding, verdict))
        group.failed.update(each.criterion for each in bad)
    made = [_cause(key, group) for key, group in groups.items()]
    return sorted(made, key=lambda cause: -len(cause.members))


def _finding(
    failure: Failure,
    verdict: VerdictPreview | None,
    known: Mapping[str, Finding],
    shared: Mapping[tuple[str, str], int],
) -> Finding:
    if verdict is None:
        return known.get(ERROR) or breakdown(failure.error)
    found = known.get(verdict.criterion)
    return found or _scored(verdict, shared[verdict.criterion, verdict.reason])


def _scored(verdict: VerdictPreview, sharing: int) -> Finding:
    """What there is to say of a score: the same reason, or how far below the threshold it is."""
    name, reason = verdict.criterion, verdict.reason
    if reason == NO_ANSWER:
        return Finding((name, NO_ANSWER), "there was no answer")
    if name == KEYWORDS and reason.startswith(LACKING):
        return Finding((name, reason), f"no answer contains {cut(reason.removeprefix(LACKING))}")
    is_told = reason and (name in DECIDING or (name != ROUGE and sharing >= ENOUGH_TO_SHARE))
    if is_told:
        return Finding((name, reason), cut(reason))
    below = verdict.threshold - verdict.score
    distance = "less than" if below < NEAR - TOLERANCE else "at least"
    return Finding((name, distance), f"{called([name])} {distance} {NEAR:.2f} below the threshold")


def _cause(key: tuple[str, ...], group: _Group) -> Cause:
    decided = dict.fromkeys(one.verdict.criterion for one in group.members if one.verdict)
    in_all = [name for name, times in group.failed.items() if times == len(group.members)]
    criteria = (*decided, *(name for name in in_all if name not in decided))
    return Cause(key, group.title, group.members, criteria, is_error=not decided)


def called(criteria: Iterable[str]) -> str:
    """`trajectory, rouge_match`: the criteria as people call them."""
    return ", ".join(named(SLOTS.get(name, name)) for name in criteria)
