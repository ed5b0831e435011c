"""The words that can stand in a filter: its keys, and the names that there are to look for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tenxgraph_tui.evaluation.events import CaseStatus, CriterionInfo, SetInfo
from tenxgraph_tui.tui.changes import Change
from tenxgraph_tui.tui.filtering.texts import names_of, spellings

KNOWN, UNEXPECTED = "known", "unexpected"
STATUSES = (
    *(CaseStatus.FAILED, CaseStatus.ERROR, CaseStatus.PASSED),
    *(CaseStatus.RUNNING, CaseStatus.WAITING, CaseStatus.CANCELLED, CaseStatus.SKIPPED),
    KNOWN,
    UNEXPECTED,
)
HINTS = {
    "status:": "how it ended, or where it stands",
    "tag:": "a tag of the case",
    "set:": "an eval set",
    "case:": "a part of the id, or a pattern with *",
    "crit:": "a criterion that failed; with < or > its score",
    "change:": "what changed since the baseline",
    "error:": "a text in the error",
    "cause:": "a cause whose cases were shown from Causes",
    "tokens": "like tokens>1000 or tokens<=2k",
    "cost": "like cost>0.01",
    "time": "like time>2s, 500ms or 1m",
    "turns": "like turns>1",
}
"""How each kind of term begins, and what comes then."""
KEYS = tuple(key.rstrip(":") for key in HINTS)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names that can stand in a filter now."""

    tags: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    criteria: tuple[CriterionInfo, ...] = ()
    causes: tuple[str, ...] = ()

    @classmethod
    def of(cls, sets: Sequence[SetInfo], causes: Sequence[str] = ()) -> Vocabulary:
        tags = dict.fromkeys(tag for info in sets for case in info.cases for tag in case.tags)
        names = dict.fromkeys(name for names in names_of(sets) for name in names)
        criteria = {one.name: one for info in sets for one in info.criteria}
        return cls(tuple(tags), tuple(names), tuple(criteria.values()), tuple(causes))

    def values(self, key: str) -> tuple[str, ...]:
        """What can stand behind a key, where it is not any text."""
        named: dict[str, Iterable[str]] = {
            "status": STATUSES,
            "tag": self.tags,
            "set": self.sets,
            "change": Change,
            "cause": self.causes,
            "crit": (spellings(one)[0] for one in self.criteria),
        }
        return tuple(dict.fromkeys(named.get(key, ())))

    def knows(self, key: str) -> tuple[str, ...]:
        """Every name that is understood behind a key."""
        if key == "crit":
            return tuple(name for one in self.criteria for name in spellings(one))
        return self.values(key)
