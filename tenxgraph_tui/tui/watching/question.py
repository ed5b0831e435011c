"""A run that costs something, and what a person may answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from tenxgraph_tui.session.watching.decision import Rerun
from tenxgraph_tui.session.watching.estimate import Estimate
from tenxgraph_tui.tui.catalog import CaseId


class Answer(StrEnum):
    """Run all of it, or what did not pass last time, or without judges; not now; never ask."""

    ALL = "all"
    NOT_PASSED = "not_passed"
    OFFLINE = "offline"
    NOT_NOW = "not_now"
    STOP_ASKING = "stop_asking"


@dataclass(frozen=True, slots=True)
class Question:
    """`rerun` is what would run, `cost` what that takes; `part_cost` is for the `not_passed`.

    `offline_cost` is in dollars: the agent alone, without judges, None where that is not known.
    `seconds` is how long it takes with as many cases at once as the run has. `spent` are the
    dollars of this session, since `since`; that and `now` in Unix seconds.
    """

    rerun: Rerun
    cost: Estimate
    not_passed: Sequence[CaseId] = ()
    part_cost: Estimate = field(default_factory=Estimate)
    offline_cost: float | None = 0.0
    seconds: float | None = None
    spent: float = 0.0
    since: float = 0.0
    now: float = 0.0

    @property
    def answers(self) -> list[Answer]:
        """What can be chosen: parts that would be all of it, or nothing, cannot."""
        found = [Answer.ALL]
        if 0 < len(self.not_passed) < self.cost.cases:
            found.append(Answer.NOT_PASSED)
        if self.cost.judged or self.cost.unread:
            found.append(Answer.OFFLINE)
        return [*found, Answer.NOT_NOW, Answer.STOP_ASKING]
