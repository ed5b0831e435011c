"""Whether the agent used the right tools and took the right way: no model, no cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tenxgraph_tui.evaluation.alignment import Mark, Row, align_calls, align_nodes
from tenxgraph_tui.evaluation.config import CriterionConfig, MatchType
from tenxgraph_tui.evaluation.criteria.base import SyncCriterion
from tenxgraph_tui.evaluation.criteria.reasons import divergence, listed
from tenxgraph_tui.evaluation.dataset import MARKER_NODES, EvalCase, ToolCall
from tenxgraph_tui.evaluation.execution import ExecutionResult
from tenxgraph_tui.evaluation.results import NotEvaluated, Score

NO_EXPECTATION = NotEvaluated("the case expects nothing")
NO_NODES = NotEvaluated("the target tells no nodes")


class _Steps(NamedTuple):
    """What is compared at a time: a whole conversation, or one turn of it."""

    expected_calls: Sequence[ToolCall]
    calls: Sequence[ToolCall]
    expected_nodes: Sequence[str]
    nodes: Sequence[str]


class _StepCriterion(SyncCriterion):
    """Compares over the whole conversation, or with `per_turn` within each turn.

    The score of several turns is that of the worst one.
    """

    def __init__(self, config: CriterionConfig | None = None, *, per_turn: bool = False) -> None:
        super().__init__(config)
        self.per_turn = per_turn or self.config.per_turn

    def score_sync(self, actual: ExecutionResult, expected: EvalCase) -> Score | NotEvaluated:
        if not expected.has_expectation():
            return NO_EXPECTATION
        if not self.per_turn or len(expected.conversation) < 2:  # noqa: PLR2004 - "several"
            return self.compare(_whole(actual, expected))
        if len(actual.turns) < len(expected.conversation):
            return NotEvaluated(
                f"per_turn needs all {len(expected.conversation)} turns, "
                f"{len(actual.turns)} were recorded"
            )
        return worst_turn([self.compare(steps) for steps in _by_turn(actual, expected)])

    def compare(self, steps: _Steps) -> Score:
        """The score of one conversation, or of one turn of it."""
        raise NotImplementedError


class ToolNameMatchCriterion(_StepCriterion):
    """The share of the expected tool names that were called, repeats counted.

    Order, arguments and extra calls do not matter. Where no tool is expected, it is 1.0 if none was
    called and 0.5 if some were.
    """

    name = "tool_name_match_score"
    description = "Evaluates tool name matching (ignores arguments)"

    def compare(self, steps: _Steps) -> Score:
        wanted = [call.name for call in steps.expected_calls]
        called = [call.name for call in steps.calls]
        if not wanted:
            if called:
                return Score(0.5, f"no tool expected, called: {listed(called)}")
            return Score(1.0, "no tool expected, none called")
        total = len(wanted)
        missing = [] if wanted == called else list((Counter(wanted) - Counter(called)).elements())
        reason = f"missing: {listed(missing)}" if missing else f"{total} of {total} tools called"
        return Score((total - len(missing)) / total, reason)


class TrajectoryMatchCriterion(_StepCriterion):
    """The share of the expected tool calls that were made, compared as `match_type` says.

    EXACT counts matches by position, over the longer list. IN_ORDER takes the longest common
    subsequence and ANY_ORDER the largest assignment, both over the expected calls. With
    `check_args` the arguments must match too; expected arguments `{}` accept any.
    """

    name = "tool_trajectory_avg_score"
    description = "Evaluates tool call trajectory matching"

    def compare(self, steps: _Steps) -> Score:
        config = self.config
        expected, calls = steps.expected_calls, steps.calls
        in_place = sum(
            wanted.matches(call, check_args=config.check_args)
            for wanted, call in zip(expected, calls, strict=False)
        )
        how = {"match_type": config.match_type.value, "check_args": config.check_args}
        if in_place == len(expected) == len(calls):
            return _complete(in_place, "call", how)
        rows = align_calls(expected, calls, config.match_type, config.check_args)
        return _score(rows, in_place, "call", how)


class NodeOrderMatchCriterion(_StepCriterion):
    """The share of the expected node visits that happened, compared as `match_type` says.

    Counted as in `TrajectoryMatchCriterion`; where no node is expected, it is 1.0. A target that
    answers but has told of no node, a function or a server, has none to be compared.
    """

    name = "node_order_score"
    description = "Evaluates node visit order matching"

    def score_sync(self, actual: ExecutionResult, expected: EvalCase) -> Score | NotEvaluated:
        if expected.expected_nodes() and actual.node_responses and not actual.node_visits:
            return NO_NODES
        return super().score_sync(actual, expected)

    def compare(self, steps: _Steps) -> Score:
        expected, nodes = steps.expected_nodes, steps.nodes
        if not expected:
            return Score(1.0, "no node expected")
        in_place = sum(wanted == node for wanted, node in zip(expected, nodes, strict=False))
        how = {"match_type": self.config.match_type.value}
        if in_place == len(expected) == len(nodes):
            return _complete(in_place, "node", how)
        rows = align_nodes(expected, nodes, self.config.match_type)
        return _score(rows, in_place, "node", how)


def worst_turn(scores: Sequence[Score], numbers: Sequence[int] | None = None) -> Score:
    """The lowest of the turns' scores, its reason naming the turn; all of them in the details.

    `numbers` are the turns' positions in the conversation, if not simply 0, 1, 2….
    """
    positions = list(numbers or range(len(scores)))
    if len(scores) == 1:
        return scores[0]
    at = min(range(len(scores)), key=lambda index: scores[index].value)
    worst = scores[at]
    turns = [
        {"turn": position, "score": score.value, "reason": score.reason}
        for position, score in zip(positions, scores, strict=True)
    ]
    return Score(
        worst.value,
        f"turn {positions[at] + 1}: {worst.reason}",
        {**worst.details, "worst_turn": positions[at], "turns": turns},
    )


def _score(
    rows: Sequence[Row[ToolCall]] | Sequence[Row[str]],
    in_place: int,
    unit: str,
    how: Mapping[str, Any],
) -> Score:
    wanted = sum(row.expected is not None for row in rows)
    got = sum(row.actual is not None for row in rows)
    if how["match_type"] == MatchType.EXACT:
        matched, of = in_place, max(wanted, got)
    else:
        matched, of = sum(row.mark is Mark.SAME for row in rows), wanted
    details = {"matched": matched, "of": of, **how}
    return Score(matched / of if of else 1.0, divergence(rows, unit), details)


def _complete(count: int, unit: str, how: Mapping[str, Any]) -> Score:
    reason = f"{count} of {count} {unit}s match" if count else f"no {unit} expected"
    return Score(1.0, reason, {"matched": count, "of": count, **how})


def _whole(actual: ExecutionResult, expected: EvalCase) -> _Steps:
    return _Steps(
        expected.expected_calls(),
        actual.tool_calls,
        expected.expected_nodes(),
        _visits(actual.node_visits),
    )


def _by_turn(actual: ExecutionResult, expected: EvalCase) -> list[_Steps]:
    return [
        _Steps(
            turn.expected_tool_trajectory,
            done.tool_calls,
            turn.expected_nodes(),
            _visits(done.node_visits),
        )
        for turn, done in zip(expected.conversation, actual.turns, strict=False)
    ]


def _visits(nodes: Sequence[str]) -> list[str]:
    return [node for node in nodes if node not in MARKER_NODES]
