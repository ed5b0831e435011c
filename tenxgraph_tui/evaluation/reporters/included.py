"""What of a result gets into a report file: the `include_*` switches, applied in one place.

What is switched off is taken out wherever it stands: an answer stands in the messages, in the turns
and in the texts of nodes too, and a reason may quote it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tenxgraph_tui.evaluation.config import ReporterConfig
from tenxgraph_tui.evaluation.dataset import TrajectoryStep
from tenxgraph_tui.evaluation.reporters.quoted import Quoted
from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult, NodeDetail

LEFT_OUT = "left out: it may quote what this report leaves out"

QUOTE_NOTHING = frozenset(
    {
        "tool_name_match_score",
        "tool_trajectory_avg_score",
        "node_order_score",
        "rouge_match",
        "contains_keywords",
    }
)
"""Criteria whose reasons hold names and counts, never an answer, an argument or a result."""

OWN_DETAILS = frozenset(
    [
        "reason",
        "matched",
        "of",
        "match_type",
        "check_args",
        "precision",
        "recall",
        "expected_response",
        "worst_turn",
        "turns",
        "keywords",
        "found",
        "missing",
    ]
)
OF_A_TURN = frozenset(
    [
        "turn",
        "user_query",
        "expected_response",
        "actual_response",
        "tool_calls",
        "expected_tool_calls",
        "node_visits",
        "expected_node_order",
        "duration_seconds",
    ]
)
OF_A_MESSAGE = frozenset({"id", "role", "content", "name", "tool_calls", "tool_call_id"})
GIVEN_ROLES = frozenset({"user", "system", "developer"})
TOOL_ROLES = frozenset({"tool", "function"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Included:
    """The switches of `ReporterConfig`; `of` gives what is left of a result."""

    details: bool = True
    trajectory: bool = True
    node_responses: bool = True
    actual_response: bool = True
    tool_call_details: bool = True

    @classmethod
    def by(cls, config: ReporterConfig) -> Included:
        return cls(
            details=config.include_details,
            trajectory=config.include_trajectory,
            node_responses=config.include_node_responses,
            actual_response=config.include_actual_response,
            tool_call_details=config.include_tool_call_details,
        )

    @property
    def hidden_fields(self) -> frozenset[str]:
        """The fields of a result that are switched off as a whole."""
        off = {
            "actual_trajectory": self.trajectory,
            "actual_tool_calls": self.tool_call_details,
            "node_responses": self.node_responses,
            "node_details": self.node_responses,
            "actual_response": self.actual_response,
        }
        return frozenset(name for name, included in off.items() if not included)

    def of(self, result: EvalCaseResult) -> EvalCaseResult:
        """The result itself, or a copy that lacks what is switched off.

        Of tool calls their names stay, so that a person can still follow what happened.
        """
        if self == EVERYTHING:
            return result
        return result.model_copy(update=dict(self._changes(result)))

    def _changes(self, result: EvalCaseResult) -> Iterator[tuple[str, Any]]:
        quoted = Quoted.of(
            result, answers=not self.actual_response, calls=not self.tool_call_details
        )
        yield "criterion_results", [self._criterion(c, quoted) for c in result.criterion_results]
        yield "error", quoted.gone(result.error)
        yield "metadata", quoted.gone_from(result.metadata, "traceback")
        yield "messages", list(self._messages(result.messages, quoted))
        yield "turn_results", [self._turn(turn) for turn in result.turn_results]
        steps = result.actual_trajectory if self.trajectory else ()
        yield "actual_trajectory", [self._step(step) for step in steps]
        if not self.tool_call_details:
            bare: dict[str, Any] = {"args": {}, "result": None, "error": None}
            calls = [call.model_copy(update=bare) for call in result.actual_tool_calls]
            yield "actual_tool_calls", calls
        if not self.actual_response:
            yield "actual_response", ""
        replies = result.node_responses if self.node_responses else ()
        yield "node_responses", [self._reply(reply, quoted) for reply in replies]
        nodes = result.node_details if self.node_responses else ()
        yield "node_details", [self._node(node, quoted) for node in nodes]

    def _criterion(self, result: CriterionResult, quoted: Quoted) -> CriterionResult:
        details = self._details(result) if self.details else {}
        return result.model_copy(update={"details": details, "error": quoted.gone(result.error)})

    def _details(self, result: CriterionResult) -> dict[str, Any]:
        details = result.details
        if self.actual_response and self.tool_call_details:
            return details
        if result.criterion in QUOTE_NOTHING:
            return {key: value for key, value in details.items() if key in OWN_DETAILS}
        if result.criterion == "exact_match" and self.actual_response:
            return details
        kept = {
            key: value
            for key, value in details.items()
            if isinstance(value, int | float) or key == "expected_response"
        }
        return {"reason": LEFT_OUT, **kept} if details.get("reason") else kept

    def _messages(
        self, messages: Iterable[Mapping[str, Any]], quoted: Quoted
    ) -> Iterator[dict[str, Any]]:
        for message in messages:
            if self.actual_response and self.tool_call_details:
                yield dict(message)
                continue
            kept = {key: value for key, value in message.items() if key in OF_A_MESSAGE}
            if self._hides(message, quoted):
                kept["content"] = ""
            elif not self.tool_call_details and isinstance(kept.get("content"), list):
                kept["content"] = [block for block in kept["content"] if _is_no_tool(block)]
            if not self.tool_call_details and kept.get("tool_calls"):
                kept["tool_calls"] = [_bare(call) for call in kept["tool_calls"]]
            yield kept

    def _hides(self, message: Mapping[str, Any], quoted: Quoted) -> bool:
        role = message.get("role")
        if role in TOOL_ROLES:
            return not self.tool_call_details
        if role in GIVEN_ROLES:
            return quoted.is_answer(message)
        return not self.actual_response

    def _turn(self, turn: Mapping[str, Any]) -> dict[str, Any]:
        if self.actual_response and self.tool_call_details:
            return dict(turn)
        hidden: set[str] = set()
        if not self.actual_response:
            hidden.add("actual_response")
        if not self.tool_call_details:
            hidden |= {"tool_calls", "expected_tool_calls"}
        return {key: turn[key] for key in turn if key in OF_A_TURN - hidden}

    def _step(self, step: TrajectoryStep) -> TrajectoryStep:
        if self.tool_call_details:
            return step
        facts = {
            key: value
            for key, value in step.metadata.items()
            if isinstance(value, int | float) or key == "node"
        }
        return step.model_copy(update={"args": {}, "metadata": facts})

    def _reply(self, reply: Mapping[str, Any], quoted: Quoted) -> dict[str, Any]:
        kept = {**reply, "input_messages": self._seen(reply.get("input_messages"), quoted)}
        if not self.actual_response:
            kept["response_text"] = ""
        return kept

    def _node(self, node: NodeDetail, quoted: Quoted) -> NodeDetail:
        text = node.response_text if self.actual_response else ""
        seen = self._seen(node.input_messages, quoted)
        return node.model_copy(update={"input_messages": seen, "response_text": text})

    def _seen(self, messages: Any, quoted: Quoted) -> list[dict[str, Any]]:
        return list(self._messages(messages or (), quoted))


EVERYTHING = Included()


def _is_no_tool(block: Any) -> bool:
    return isinstance(block, Mapping) and "tool" not in str(block.get("type", ""))


def _bare(call: Any) -> Any:
    """The request of a call without its arguments."""
    if not isinstance(call, Mapping):
        return {}
    function = call.get("function")
    kept = {key: call[key] for key in ("id", "type", "name") if key in call}
    if isinstance(function, Mapping):
        kept["function"] = {"name": function.get("name", "")}
    return kept
