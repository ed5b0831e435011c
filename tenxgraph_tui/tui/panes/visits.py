"""The stays of an agent in its nodes, and how long what happened in them took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tenxgraph_tui.tui.panes.replies import Reply
from tenxgraph_tui.tui.panes.step import Step

CLOCK_NOISE = 0.005


@dataclass(slots=True, eq=False)
class Visit:
    """A stay in a node with what happened in it; without `step` what happened in none."""

    step: Step | None
    tools: list[Step] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)

    def holds(self, reply: Reply, begin: float) -> bool:
        """Whether an answer came here; `begin` is when the first step did, in Unix seconds."""
        step = self.step
        if step is None or step.name != reply.node:
            return False
        if reply.at is None or step.at is None:
            return not self.replies
        return reply.at <= begin + step.at + (step.took or 0.0) + CLOCK_NOISE


def visits_of(steps: Sequence[Step]) -> list[Visit]:
    """What happened, by the node in which it did."""
    found: list[Visit] = []
    for step in steps:
        if step.row.actual is None:
            continue
        if not step.is_tool:
            found.append(Visit(step))
            continue
        if not found:
            found.append(Visit(None))
        found[-1].tools.append(step)
    return found


def place(replies: Sequence[Reply], visits: list[Visit], begin: float) -> None:
    """Give every answer to the visit in which it came; one of no visit to those of none."""
    start = 0
    for reply in replies:
        places = range(start, len(visits))
        at = next((at for at in places if visits[at].holds(reply, begin)), None)
        if at is not None:
            visits[at].replies.append(reply)
            start = at
            continue
        loose = next((visit for visit in visits if visit.step is None), None)
        if loose is None:
            loose = Visit(None)
            visits.append(loose)
        loose.replies.append(reply)


class Stopwatch:
    """How long each answer of a visit took: since the visit began, or what was before it ended."""

    def __init__(self, visit: Visit, begin: float) -> None:
        self._visit, self._begin = visit, begin
        at = visit.step.at if visit.step is not None else None
        self._since = begin + at if at is not None else None

    def tool(self, step: Step) -> None:
        """A tool ran before the next answer."""
        if self._since is not None and step.at is not None:
            self._since = max(self._since, self._begin + step.at + (step.took or 0.0))

    def model(self, reply: Reply) -> float | None:
        """How long the next answer took, if anything tells."""
        step = self._visit.step
        if self._since is None or step is None:
            return None
        if reply.at is None or (len(self._visit.replies) == 1 and not self._visit.tools):
            return step.took
        took, self._since = max(0.0, reply.at - self._since), reply.at
        return took
