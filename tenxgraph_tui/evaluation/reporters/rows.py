"""What the console says about results, before it is known how it will look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tenxgraph_tui.evaluation import numbers, opinions
from tenxgraph_tui.evaluation.config import REPORTED_NAMES, SLOTS
from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.evaluation.preview import args_preview, preview
from tenxgraph_tui.evaluation.reporters.look import Look
from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult, EvalSummary, Verdict
from tenxgraph_tui.evaluation.visible import visible

LABELS = {
    "tool_name_match": "tools",
    "trajectory": "traj",
    "node_order": "nodes",
    "response_match": "match",
    "rouge_match": "rouge",
    "contains_keywords": "words",
    "llm_judge": "judge",
    "rubric_based": "rubric",
    "factual_accuracy": "facts",
    "hallucination": "halluc",
    "safety": "safety",
    "simulation_goals": "goals",
}
"""The head of each criterion's column, by slot."""

LONGEST_LABEL = 8
LONGEST_TEXT = 300
CALL_SLOTS = frozenset({"tool_name_match", "trajectory"})
NODE_SLOT = "node_order"
BAD = frozenset({Verdict.FAILED, Verdict.ERROR})
KNOWN, UNEXPECTED = "xfailed", "unexpected_pass"
HOW_TO_CALM = "take xfail out of its metadata"
LEFT_OUT = ("skipped", "cancelled", "unfinished")
"""What a report's metadata lists of cases without a result, by these names."""

SAID = 40
"""Lines that tell what judges said of one criterion."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One criterion: which, with what score, why, and what judges said if any were asked."""

    slot: str
    score: str
    reason: str
    said: tuple[str, ...] = ()


def columns(criteria: Iterable[str]) -> list[str]:
    """The reported names in slot order, a user's own ones last."""
    order = {name: position for position, name in enumerate(REPORTED_NAMES.values())}
    return sorted(criteria, key=lambda name: order.get(name, len(order)))


def label(criterion: str) -> str:
    """A criterion's name as short as a column's head must be."""
    slot = SLOTS.get(criterion, criterion)
    return LABELS.get(slot, visible(slot)[:LONGEST_LABEL])


def score_cell(result: CriterionResult | None, look: Look) -> str:
    """`1.00`, `✗0.33`, or a dash where nothing was scored."""
    match result:
        case CriterionResult(verdict=Verdict.PASSED, score=score):
            return numbers.score(score, passed=True)
        case CriterionResult(verdict=Verdict.FAILED, score=score):
            return f"{look.bad}{numbers.score(score, passed=False)}"
        case CriterionResult(verdict=Verdict.ERROR):
            return "!"
        case _:
            return look.nothing


def worst(results: Sequence[CriterionResult]) -> CriterionResult | None:
    """The criterion that a narrow line shows: an error first, then the lowest that failed."""
    bad = [result for result in results if result.verdict in BAD]
    return min(bad, key=lambda r: (r.verdict is not Verdict.ERROR, r.score), default=None)


def note(result: EvalCaseResult) -> str:
    """What is special about a case that its file marks with `xfail`."""
    if KNOWN in result.metadata:
        return "known failure"
    return "unexpected pass" if UNEXPECTED in result.metadata else ""


def findings(result: EvalCaseResult) -> Iterator[Finding]:
    """Every criterion of the case that failed or could not be evaluated."""
    for criterion in result.criterion_results:
        slot = visible(SLOTS.get(criterion.criterion, criterion.criterion))
        if criterion.verdict is Verdict.FAILED:
            score = numbers.score(criterion.score, passed=False)
            needed = numbers.threshold(criterion.threshold)
            told = f"{score}, needs {needed}"
            yield Finding(slot, told, criterion.reason or "", said_of(criterion))
        elif criterion.verdict is Verdict.ERROR:
            reason = criterion.error or criterion.reason or ""
            yield Finding(slot, "error", reason, said_of(criterion))


def judged(result: EvalCaseResult) -> Iterator[Finding]:
    """Every criterion of the case that passed by what judges said."""
    for criterion in result.criterion_results:
        if criterion.verdict is Verdict.PASSED and opinions.SAMPLES in criterion.details:
            slot = visible(SLOTS.get(criterion.criterion, criterion.criterion))
            score = numbers.score(criterion.score, passed=True)
            yield Finding(slot, score, criterion.reason or "", said_of(criterion))


def said_of(criterion: CriterionResult) -> tuple[str, ...]:
    """What judges said of it, a line each; those that are too many are counted."""
    told = [str(one) for one in opinions.all_said(criterion.details)]
    if len(told) <= SAID:
        return tuple(told)
    return (*told[:SAID], f"and {len(told) - SAID} more")


def evidence(result: EvalCaseResult) -> Iterator[tuple[str, str]]:
    """(word, text) of what the error or the criteria that failed were about, the expected first."""
    if place := result.metadata.get("location"):
        yield "at", str(place)
    failed = {r.criterion: r for r in result.criterion_results if r.verdict is Verdict.FAILED}
    slots = {SLOTS.get(name, name) for name in failed}
    if slots & CALL_SLOTS:
        wanted = expected_of(result, "expected_tool_calls")
        if wanted is not None:
            yield "expected", _listed((ToolCall(**call) for call in wanted), any_args="…")
        yield "called", _listed(result.actual_tool_calls)
    if NODE_SLOT in slots:
        nodes = expected_of(result, "expected_node_order")
        if nodes is not None:
            yield "expected", ", ".join(nodes)[:LONGEST_TEXT] or "nothing"
        yield "visited", ", ".join(result.node_visits)[:LONGEST_TEXT] or "nothing"
    for criterion in failed.values():
        expected = criterion.details.get("expected_response")
        if isinstance(expected, str) and expected:
            yield "expected answer", expected[:LONGEST_TEXT]
            return


def expected_of(result: EvalCaseResult, key: str) -> list[Any] | None:
    """What all turns expected under that key; None where the result does not say."""
    told = [turn[key] for turn in result.turn_results if turn.get(key) is not None]
    return [item for items in told for item in items] if told else None


def _listed(calls: Iterable[ToolCall], *, any_args: str = "") -> str:
    """Calls as they would be written; `any_args` stands for arguments that are not checked."""
    texts = (f"{call.name}({args_preview(call.args) or any_args}){_broke(call)}" for call in calls)
    return ", ".join(texts)[:LONGEST_TEXT] or "nothing"


def _broke(call: ToolCall) -> str:
    return f" (failed: {preview(call.error)})" if call.error else ""


def entries(listed: Any) -> Iterator[tuple[str, str]]:
    """(id, reason) of a list in a report's metadata, whatever shape it was written in."""
    if isinstance(listed, Mapping):
        yield from ((str(key), str(reason or "")) for key, reason in listed.items())
        return
    for entry in listed or ():
        if isinstance(entry, Mapping):
            yield str(entry.get("eval_id", "")), str(entry.get("reason") or "")
        else:
            yield str(entry), ""


@dataclass(slots=True)
class Totals:
    """The counts of a set, or of all sets of a run together."""

    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0
    cancelled: int = 0
    unfinished: int = 0
    tokens: int = 0
    agent_seconds: float = 0.0

    @classmethod
    def of(cls, summary: EvalSummary, metadata: Mapping[str, Any]) -> Totals:
        return cls(
            passed=summary.passed_cases,
            failed=summary.failed_cases,
            errors=summary.error_cases,
            skipped=len(metadata.get("skipped") or ()),
            cancelled=len(metadata.get("cancelled") or ()),
            unfinished=len(metadata.get("unfinished") or ()),
            tokens=summary.total_token_usage.total_tokens,
            agent_seconds=summary.total_duration_seconds,
        )

    def __add__(self, other: Totals) -> Totals:
        return Totals(
            self.passed + other.passed,
            self.failed + other.failed,
            self.errors + other.errors,
            self.skipped + other.skipped,
            self.cancelled + other.cancelled,
            self.unfinished + other.unfinished,
            self.tokens + other.tokens,
            self.agent_seconds + other.agent_seconds,
        )

    @property
    def done(self) -> int:
        """How many cases have a result."""
        return self.passed + self.failed + self.errors

    def sentence(self, look: Look) -> str:
        """`27/36 passed, 75.0 % · 8 failed · 1 error · 24.1k tokens · 18.4s in the agent`."""
        if not self.done:
            head = "0 cases evaluated"
        else:
            rate = numbers.percent(self.passed / self.done)
            head = f"{self.passed}/{self.done} passed, {rate}"
        counts = {"failed": self.failed} | {word: getattr(self, word) for word in LEFT_OUT}
        parts = [head, *(f"{count} {word}" for word, count in counts.items() if count)]
        if self.errors:
            parts.insert(2 if self.failed else 1, numbers.plural(self.errors, "error"))
        if self.tokens:
            parts.append(f"{numbers.tokens(self.tokens)} tokens")
        if self.done:
            parts.append(f"{numbers.seconds(self.agent_seconds)} in the agent")
        return look.dot.join(parts)
