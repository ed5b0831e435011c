"""Eval sets in code: a builder whose methods chain, and a one-call form of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any, Self

from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet, ToolCall


class EvalSetBuilder:
    """Collects cases and builds an `EvalSet` called `name`.

    A case without `case_id` gets the first free one of `case_1`, `case_2` and so on. Expected tools
    are tool calls, or names, which accept any arguments.
    """

    def __init__(self, name: str = "eval_set") -> None:
        self._set = EvalSet(eval_set_id=name, name=name)

    @property
    def name(self) -> str:
        """What the set is called."""
        return self._set.name

    def add_case(
        self,
        query: str,
        expected: str,
        case_id: str | None = None,
        expected_tools: Sequence[str | ToolCall] | None = None,
        expected_node_order: list[str] | None = None,
        name: str = "",
        description: str = "",
    ) -> Self:
        """Add a case with one turn; an empty `expected` is no expectation.

        Raises:
            ValueError: the set has a case with that id.
        """
        return self._add(
            EvalCase.single_turn(
                self._id(case_id),
                query,
                expected,
                _calls(expected_tools),
                expected_node_order,
                name=name,
                description=description,
            )
        )

    def add_multi_turn(
        self,
        conversation: list[tuple[str, str]],
        case_id: str | None = None,
        expected_tools: Sequence[str | ToolCall] | None = None,
        name: str = "",
        description: str = "",
    ) -> Self:
        """Add a case from (user text, expected answer) pairs; tools count over all turns.

        Raises:
            ValueError: the set has a case with that id.
        """
        return self._add(
            EvalCase.multi_turn(
                self._id(case_id),
                conversation,
                _calls(expected_tools),
                name=name,
                description=description,
            )
        )

    def add_tool_test(
        self,
        query: str,
        tool_name: str,
        tool_args: dict[str, Any] | None = None,
        expected_response: str | None = None,
        case_id: str | None = None,
    ) -> Self:
        """Add a case that expects one tool call; no arguments accept any.

        Without `expected_response` no answer is expected, and criteria of answers have nothing to
        check.

        Raises:
            ValueError: the set has a case with that id.
        """
        call = ToolCall(name=tool_name, args=tool_args or {})
        return self._add(EvalCase.single_turn(self._id(case_id), query, expected_response, [call]))

    def build(self) -> EvalSet:
        """The set as it is now: cases that are added later are not in it."""
        return self._set.model_copy(deep=True)

    def save(self, path: str) -> EvalSet:
        """Build and write the set as JSON; the folder must exist."""
        built = self.build()
        built.to_file(path)
        return built

    @classmethod
    def from_file(cls, path: str) -> Self:
        """A builder that goes on where the set in the file ends; it keeps its id and metadata.

        Raises:
            EvalSetError: the file cannot be read.
        """
        builder = cls()
        builder._set = EvalSet.from_file(path)
        return builder

    @classmethod
    def quick(cls, *test_pairs: tuple[str, str]) -> EvalSet:
        """A set `quick_tests` from (user text, expected answer) pairs: `test_1`, `test_2`, …"""
        builder = cls("quick_tests")
        for number, (query, expected) in enumerate(test_pairs, start=1):
            builder.add_case(query, expected, f"test_{number}")
        return builder.build()

    @classmethod
    def from_conversations(
        cls, conversations: list[dict[str, str]], name: str = "conversation_tests"
    ) -> EvalSet:
        """A set from exchanges with the keys `user` and `assistant`: `conv_1`, `conv_2`, …

        Raises:
            ValueError: one of them has no `user`.
        """
        builder = cls(name)
        for number, exchange in enumerate(conversations, start=1):
            if "user" not in exchange:
                raise ValueError(
                    f"conversations[{number - 1}] has no 'user': write "
                    '{"user": "…", "assistant": "…"}'
                )
            builder.add_case(exchange["user"], exchange.get("assistant", ""), f"conv_{number}")
        return builder.build()

    def _add(self, case: EvalCase) -> Self:
        self._set.add_case(case)
        return self

    def _id(self, wanted: str | None) -> str:
        if wanted is not None:
            return wanted
        taken = {case.eval_id for case in self._set.eval_cases}
        start = len(taken) + 1
        return next(name for n in count(start) if (name := f"case_{n}") not in taken)


def create_simple_eval_set(eval_set_id: str, cases: list[tuple[str, str, str | None]]) -> EvalSet:
    """A set from (user text, expected answer, name) tuples: `case_0`, `case_1` and so on.

    A name of None becomes "Case {index}"; an expected answer of None or "" is no expectation.
    """
    made = []
    for index, (query, expected, name) in enumerate(cases):
        shown = f"Case {index}" if name is None else name
        made.append(EvalCase.single_turn(f"case_{index}", query, expected, name=shown))
    return EvalSet(eval_set_id=eval_set_id, name=eval_set_id, eval_cases=made)


def _calls(expected: Sequence[str | ToolCall] | None) -> list[ToolCall]:
    if isinstance(expected, str):  # a text is a list of letters to Python
        raise TypeError(f"expected_tools is a list: write [{expected!r}]")
    return [ToolCall(name=tool) if isinstance(tool, str) else tool for tool in expected or ()]
