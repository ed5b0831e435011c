"""What the HTML page says about one case, ready to be drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.config import SLOTS
from tenxgraph_tui.evaluation.dataset import StepType, TrajectoryStep
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.preview import args_preview, status_of
from tenxgraph_tui.evaluation.reporters import cuts, rows
from tenxgraph_tui.evaluation.reporters.beside import CallRow, Piece, beside, call_rows
from tenxgraph_tui.evaluation.reporters.look import Look
from tenxgraph_tui.evaluation.reporters.transcript import as_json
from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult, Verdict

LOOK = Look(unicode=True)
TEXT = 10_000
VALUE = 2_000
STEPS = 500
"""Steps of a case that the page lists."""
GLYPHS = {
    Verdict.PASSED: "✓",
    Verdict.FAILED: "✗",
    Verdict.ERROR: "!",
    Verdict.NOT_EVALUATED: "–",
}


@dataclass(frozen=True, slots=True)
class Score:
    """A cell of the list: which criterion, what was scored, and the word for its verdict."""

    label: str
    text: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Reason:
    """One criterion of the case: its verdict and why, and what judges said if any were asked."""

    slot: str
    verdict: str
    glyph: str
    score: str
    text: str
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnView:
    """One turn: what was said, expected and answered; `expected` is empty where nothing was."""

    number: int
    user: str
    expected: tuple[Piece, ...]
    actual: tuple[Piece, ...]
    is_same: bool


@dataclass(frozen=True, slots=True)
class StepView:
    """One step of the trajectory."""

    kind: str
    text: str
    took: str
    error: str


@dataclass(frozen=True, slots=True)
class NodeView:
    """One model call of a node."""

    name: str
    text: str
    asked: str
    tokens: str


@dataclass(frozen=True, slots=True)
class CaseView:
    """Everything that the page shows of one case."""

    eval_id: str
    name: str
    status: str
    status_text: str
    note: str
    scores: tuple[Score, ...]
    tokens: str
    took: str
    error: str
    traceback: str
    reasons: tuple[Reason, ...]
    turns: tuple[TurnView, ...]
    calls: tuple[CallRow, ...]
    expects_calls: bool
    visits: tuple[str, ...]
    expected_visits: tuple[str, ...]
    steps: tuple[StepView, ...]
    more_steps: int
    nodes: tuple[NodeView, ...]

    @classmethod
    def of(cls, result: EvalCaseResult, criteria: Sequence[str]) -> CaseView:
        status = status_of(result)
        calls, expects_calls = call_rows(result)
        steps = result.actual_trajectory
        traceback = result.metadata.get("traceback")
        return cls(
            eval_id=result.eval_id,
            name=result.name if result.name != result.eval_id else "",
            status=str(status),
            status_text=LOOK.status(status),
            note=_note(result),
            scores=tuple(_score(result, name) for name in criteria),
            tokens=numbers.tokens(result.token_usage.total_tokens),
            took=numbers.seconds(result.duration_seconds),
            error=cuts.at_characters(result.error or "", VALUE),
            traceback=cuts.at_characters(str(traceback or ""), TEXT),
            reasons=tuple(map(_reason, result.criterion_results)),
            turns=tuple(_turns(result)),
            calls=tuple(calls),
            expects_calls=expects_calls,
            visits=tuple(result.node_visits[:STEPS]),
            expected_visits=tuple(_expected_visits(result)),
            steps=tuple(map(_step, steps[:STEPS])),
            more_steps=max(0, len(steps) - STEPS),
            nodes=tuple(map(_node, result.node_responses[:STEPS])),
        )

    @property
    def find(self) -> str:
        """The words of its reasons, which the filter searches beside what the list shows."""
        told = (f"{reason.slot} {reason.text[:200]}" for reason in self.reasons)
        return " ".join([self.name, self.error[:200], *told]) if self.status != "passed" else ""


def _note(result: EvalCaseResult) -> str:
    note = rows.note(result)
    if not note:
        return ""
    return f"{note}: {result.metadata.get(rows.KNOWN, rows.HOW_TO_CALM)}"


def _score(result: EvalCaseResult, name: str) -> Score:
    criterion = result.get_criterion_result(name)
    verdict = str(criterion.verdict) if criterion is not None else "none"
    return Score(rows.label(name), rows.score_cell(criterion, LOOK), verdict)


def _reason(result: CriterionResult) -> Reason:
    text = (result.error if result.verdict is Verdict.ERROR else None) or result.reason or ""
    score = LOOK.nothing
    if result.verdict in (Verdict.PASSED, Verdict.FAILED):
        scored = numbers.score(result.score, passed=result.verdict is Verdict.PASSED)
        score = f"{scored}, needs {numbers.threshold(result.threshold)}"
    return Reason(
        slot=SLOTS.get(result.criterion, result.criterion),
        verdict=str(result.verdict),
        glyph=GLYPHS[result.verdict],
        score=score,
        text=cuts.at_characters(text, VALUE),
        said=tuple(cuts.at_characters(one, VALUE) for one in rows.said_of(result)),
    )


def _turns(result: EvalCaseResult) -> Iterator[TurnView]:
    turns: Sequence[Mapping[str, Any]] = result.turn_results
    if not turns and result.actual_response:
        turns = [{"actual_response": result.actual_response}]
    for number, turn in enumerate(turns, start=1):
        wanted, said = (
            cuts.at_characters(str(turn.get(key) or ""), TEXT)
            for key in ("expected_response", "actual_response")
        )
        expected, actual = beside(wanted, said)
        yield TurnView(
            number=number,
            user=cuts.at_characters(str(turn.get("user_query") or ""), TEXT),
            expected=expected,
            actual=actual,
            is_same=bool(wanted) and wanted == said,
        )


def _expected_visits(result: EvalCaseResult) -> Iterator[str]:
    for turn in result.turn_results:
        yield from map(str, turn.get("expected_node_order") or ())


def _step(step: TrajectoryStep) -> StepView:
    is_tool = step.step_type is StepType.TOOL
    text = f"{step.name}({args_preview(step.args)})" if is_tool else step.name
    seconds = step.metadata.get("seconds")
    return StepView(
        kind=str(step.step_type),
        text=text,
        took=numbers.seconds(seconds) if isinstance(seconds, int | float) else "",
        error=cuts.at_characters(as_json(step.metadata.get("error") or ""), VALUE),
    )


def _node(reply: Mapping[str, Any]) -> NodeView:
    usage = reply.get("token_usage")
    if isinstance(usage, Mapping):
        usage = TokenUsage.from_mapping(usage)
    return NodeView(
        name=str(reply.get("node_name") or "node"),
        text=cuts.at_characters(str(reply.get("response_text") or ""), VALUE),
        asked=", ".join(map(str, reply.get("tool_call_names") or ())),
        tokens=numbers.tokens(usage.total_tokens) if isinstance(usage, TokenUsage) else "",
    )
