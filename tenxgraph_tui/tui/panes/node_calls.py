"""The calls of a case, one after the other: every answer of a model and every call of a tool."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate

from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.evaluation.results import EvalCaseResult
from tenxgraph_tui.tui.panes.findings import decisive_turn
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.node_call import Kind, NodeCall
from tenxgraph_tui.tui.panes.replies import Reply, replies_of
from tenxgraph_tui.tui.panes.rows import REMEMBERED
from tenxgraph_tui.tui.panes.step import Step
from tenxgraph_tui.tui.panes.steps import timeline
from tenxgraph_tui.tui.panes.visits import Stopwatch, Visit, place, visits_of

TOOL_NODE = "tool"


@lru_cache(maxsize=REMEMBERED)
def node_calls(model: DetailModel) -> tuple[NodeCall, ...]:
    """The calls in the order in which they happened; of a case that runs those so far."""
    steps = timeline(model).steps
    if model.result is None:
        found = _live(step for step in steps if step.is_live)
    else:
        found = _Told(model, model.result, steps).calls()
    counts: Counter[str] = Counter()
    numbered: list[NodeCall] = []
    for call in found:
        counts[call.label] += 1
        numbered.append(replace(call, number=counts[call.label]))
    return tuple(numbered)


@lru_cache(maxsize=REMEMBERED)
def calls_before(model: DetailModel) -> tuple[NodeCall, ...]:
    """The same of the baseline's result, if it is there."""
    if model.before is None:
        return ()
    return node_calls(replace(model, result=model.before, before=None, progress=None))


def counterpart(call: NodeCall, among: Sequence[NodeCall]) -> NodeCall | None:
    """The call of the same name in another run of the case."""
    return next((one for one in among if (one.kind, one.name) == (call.kind, call.name)), None)


def decisive_call(model: DetailModel) -> int:
    """Where a reader begins: at the call where it went wrong, or that gave the wrong answer."""
    calls = node_calls(model)
    wrong = next((at for at, call in enumerate(calls) if call.diverges), None)
    if wrong is not None or model.result is None or model.result.passed:
        return wrong or 0
    turn = decisive_turn(model)
    answers = [
        at for at, call in enumerate(calls) if call.kind is Kind.MODEL and call.turn in {turn, None}
    ]
    return answers[-1] if answers else 0


def _live(steps: Iterable[Step]) -> Iterator[NodeCall]:
    """The steps of a case that runs; a node that ran tools is told by its tools."""
    for visit in visits_of(list(steps)):
        node = visit.step
        if node is not None and not visit.tools:
            yield NodeCall(Kind.NODE, node.name, took=node.took, turn=node.turn, step=node)
        label = node.name if node is not None else TOOL_NODE
        for step in visit.tools:
            yield NodeCall(Kind.TOOL, label, took=step.took, turn=step.turn, step=step)


class _Told:
    """Brings together what a result holds apart: visits with times, answers, and tool calls."""

    def __init__(self, model: DetailModel, result: EvalCaseResult, steps: Sequence[Step]) -> None:
        stamps = [s.timestamp for s in result.actual_trajectory if s.timestamp is not None]
        self._begin = min(stamps, default=0.0)
        self._broke = result.is_error and not result.metadata.keys().isdisjoint(
            {"traceback", "timeout"}
        )
        self._replies = replies_of(result)
        self._owners = _owners(self._replies, result.actual_tool_calls)
        self._visits = visits_of(steps)
        place(self._replies, self._visits, self._begin)
        self._asked: dict[int, list[Step]] = {reply.index: [] for reply in self._replies}
        self._find_requests(model, steps)

    def calls(self) -> Iterator[NodeCall]:
        for visit in self._visits:
            yield from self._of_visit(visit)

    def _find_requests(self, model: DetailModel, steps: Sequence[Step]) -> None:
        """For each answer the calls it asked for, and those it should have asked for."""
        ends = list(accumulate(len(turn.expected_tool_trajectory) for turn in model.turns))
        missing: list[Step] = []
        for step in (step for step in steps if step.is_tool):
            if step.row.actual is None or step.row.actual_index is None:
                missing.append(step)
                continue
            owner = self._owners.get(step.row.actual_index)
            for one in missing:
                self._blame(one, owner, ends)
            missing = []
            if owner is not None:
                self._asked[owner].append(step)
        for one in missing:
            self._blame(one, None, ends)

    def _blame(self, step: Step, owner: int | None, ends: Sequence[int]) -> None:
        """A missing call belongs to the answer that asked for something else, or for nothing."""
        turn = bisect_right(ends, step.row.expected_index or 0)
        if owner is None or self._replies[owner].turn not in {turn, None}:
            last = [reply.index for reply in self._replies if reply.turn == turn]
            owner = last[-1] if last else len(self._replies) - 1
        if owner >= 0:
            self._asked[owner].append(step)

    def _of_visit(self, visit: Visit) -> Iterator[NodeCall]:
        node = visit.step
        if node is not None and not visit.tools and not visit.replies:
            broke = self._broke and visit is self._visits[-1]
            yield NodeCall(Kind.NODE, node.name, 0, node.took, node.turn, step=node, broke=broke)
            return
        waiting = list(visit.replies)
        here = {reply.index for reply in waiting}
        label = node.name if node is not None and not waiting else TOOL_NODE
        watch = Stopwatch(visit, self._begin)
        for step in visit.tools:
            owner = self._owners.get(step.row.actual_index or 0, -1)
            while owner in here and waiting and waiting[0].index <= owner:
                yield self._of_model(visit, waiting.pop(0), watch)
            watch.tool(step)
            yield NodeCall(Kind.TOOL, label, took=step.took, turn=step.turn, step=step)
        for reply in waiting:
            yield self._of_model(visit, reply, watch)

    def _of_model(self, visit: Visit, reply: Reply, watch: Stopwatch) -> NodeCall:
        turn = visit.step.turn if visit.step is not None else reply.turn
        asked = tuple(self._asked[reply.index])
        return NodeCall(
            Kind.MODEL, reply.node, 0, watch.model(reply), turn, reply=reply, asked=asked
        )


def _owners(replies: Sequence[Reply], calls: Sequence[ToolCall]) -> dict[int, int]:
    """For each tool call that an answer asked for: the position of the call → of the answer."""
    owners: dict[int, int] = {}
    start = 0
    for reply in replies:
        for name in reply.names:
            at = next((i for i in range(start, len(calls)) if calls[i].name == name), None)
            if at is not None:
                owners[at], start = reply.index, at + 1
    return owners
