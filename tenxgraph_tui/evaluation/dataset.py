"""What people write down about an agent: eval sets, cases, turns and what is expected of them."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from pydantic import Field, field_validator, model_validator

from tenxgraph_tui.evaluation.models import Handwritten
from tenxgraph_tui.evaluation.steps import StepType, ToolCall, TrajectoryStep
from tenxgraph_tui.evaluation.turns import (
    MARKER_NODES,
    Invocation,
    MessageContent,
    SessionInput,
    new_id,
    text_in,
)

__all__ = [
    "MARKER_NODES",
    "EvalCase",
    "EvalSet",
    "Invocation",
    "MessageContent",
    "SessionInput",
    "StepType",
    "ToolCall",
    "TrajectoryStep",
    "text_in",
]


class EvalCase(Handwritten):
    """One conversation with an agent and what is expected of it.

    `metadata` may hold `criteria` (thresholds of this case), `skip` (a reason) and `xfail` (a
    reason: a failure is known and counts as passed).
    """

    also_called: ClassVar[dict[str, str]] = {
        "id": "eval_id",
        "turns": "conversation",
        "messages": "conversation",
    }

    eval_id: str = Field(default_factory=new_id)
    name: str = ""
    description: str = ""
    conversation: list[Invocation] = Field(default_factory=list)
    session_input: SessionInput = Field(default_factory=SessionInput)
    tags: list[str] = Field(default_factory=list)
    metadata: dict[str, Any] = Field(default_factory=dict)

    @field_validator("session_input", mode="before")
    @classmethod
    def _null_is_absent(cls, value: Any) -> Any:
        return SessionInput() if value is None else value

    @classmethod
    def single_turn(
        cls,
        eval_id: str,
        user_query: str,
        expected_response: str | None = None,
        expected_tools: list[ToolCall] | None = None,
        expected_node_order: list[str] | None = None,
        name: str = "",
        description: str = "",
    ) -> Self:
        """A case with one turn; an empty `expected_response` is no expectation."""
        turn = Invocation.simple(user_query, expected_response, expected_tools, expected_node_order)
        return cls(eval_id=eval_id, name=name, description=description, conversation=[turn])

    @classmethod
    def multi_turn(
        cls,
        eval_id: str,
        conversation: list[tuple[str, str]],
        expected_tools: list[ToolCall] | None = None,
        name: str = "",
        description: str = "",
    ) -> Self:
        """A case from (user text, expected answer) pairs.

        All of `expected_tools` stand at the first turn; tools are compared over the whole
        conversation.
        """
        turns = [Invocation.simple(query, expected) for query, expected in conversation]
        if turns:
            turns[0].expected_tool_trajectory = expected_tools or []
        return cls(eval_id=eval_id, name=name, description=description, conversation=turns)

    def expected_calls(self) -> list[ToolCall]:
        """Every expected tool call of the conversation, in order."""
        return [call for turn in self.conversation for call in turn.expected_tool_trajectory]

    def expected_nodes(self) -> list[str]:
        """Every expected node of the conversation, in order, without marks of start and end."""
        return [node for turn in self.conversation for node in turn.expected_nodes()]

    def has_expectation(self) -> bool:
        """Whether anything at all is written down about what the agent should do."""
        return bool(self.expected_calls() or self.expected_nodes()) or any(
            turn.expected_text() is not None for turn in self.conversation
        )


class EvalSet(Handwritten):
    """A named collection of cases; what a `*.evalset.json` file holds.

    `metadata` may name the `target` and the `config` that the set is run with.
    """

    also_called: ClassVar[dict[str, str]] = {
        "id": "eval_set_id",
        "cases": "eval_cases",
        "tests": "eval_cases",
    }

    eval_set_id: str = Field(default_factory=new_id)
    name: str = ""
    description: str = ""
    eval_cases: list[EvalCase] = Field(default_factory=list)
    metadata: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Self:
        first_seen: dict[str, int] = {}
        for position, case in enumerate(self.eval_cases):
            if case.eval_id in first_seen:
                raise ValueError(
                    f"eval_id {case.eval_id!r} stands twice: "
                    f"eval_cases[{first_seen[case.eval_id]}] and eval_cases[{position}]"
                )
            first_seen[case.eval_id] = position
        return self

    @classmethod
    def from_file(cls, path: str) -> EvalSet:
        """Read an eval set file.

        Raises:
            EvalSetNotFound: there is no such file (it is a `FileNotFoundError` too).
            EvalSetError: the file is no eval set; the message names the position.
        """
        from tenxgraph_tui.evaluation.formats import read_eval_set

        return read_eval_set(path).eval_set

    def to_file(self, path: str) -> None:
        """Write the set as UTF-8 JSON; the folder must exist."""
        from tenxgraph_tui.evaluation.formats import write_json

        write_json(path, self.model_dump(mode="json"))

    def save(self, path: str) -> None:
        """The same as `to_file`."""
        self.to_file(path)

    def add_case(self, case: EvalCase) -> None:
        """Append a case.

        Raises:
            ValueError: the set has a case with that id.
        """
        if self.get_case(case.eval_id) is not None:
            raise ValueError(f"eval_id {case.eval_id!r} is taken in {self.eval_set_id!r}")
        self.eval_cases.append(case)

    def get_case(self, eval_id: str) -> EvalCase | None:
        """The case with that id, or None."""
        return next((case for case in self.eval_cases if case.eval_id == eval_id), None)

    def filter_by_tags(self, tags: list[str]) -> list[EvalCase]:
        """The cases that carry at least one of `tags`; no tags select every case."""
        wanted = set(tags)
        return [case for case in self.eval_cases if not wanted or wanted & set(case.tags)]
