"""Telling the observer what a plain function answers in one turn, piece by piece as it comes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tenxgraph_tui.adapters.port import MessageDict, Observer
from tenxgraph_tui.adapters.replies import is_execution, messages_of, usage_in, value_in


class Reply:
    """The answer to `given`, which may grow; pieces of text are one message until another comes."""

    def __init__(self, observer: Observer, node: str, given: list[MessageDict]) -> None:
        self._observer, self._node = observer, node
        self._shown = [dict(message) for message in given]
        self._given = len(given)
        self._text: list[str] = []
        self._asked: dict[Any, list[str]] = {}
        """The tools asked for so far and not answered, by the id of the call; oldest first."""

    def piece(self, item: Any) -> None:
        """What a stream yields: more of a text, or a message, or several.

        Raises:
            TypeError: it is none of these.
        """
        if isinstance(item, str):
            self._text.append(item)
            return
        self.end_text()
        self.whole(item)

    def end_text(self) -> None:
        """The pieces of text so far are a message."""
        if self._text:
            text = "".join(self._text)
            self._text.clear()
            self.whole(text)

    def result_of_stream(self, returned: Any) -> None:
        """What a generator returned at its end: the answer, unless its pieces were just that."""
        if returned == "".join(self._text):
            returned = None
        self.end_text()
        if returned is not None:
            self.whole(returned)

    def whole(self, returned: Any) -> None:
        """A text, a message, a list of them, or all that was done.

        Raises:
            TypeError: it is none of these.
            ValueError: a message has no such role, or a tool call has no name.
        """
        if is_execution(returned):
            self._tell_execution(returned)
            returned = str(returned.actual_response)
        for message in messages_of(returned, self._shown):
            self._tell(message, usage_in(message.pop("usage", None)))
            self._shown.append(message)

    def messages(self) -> tuple[MessageDict, ...]:
        """The new messages so far."""
        return tuple(self._shown[self._given :])

    def _tell(self, message: MessageDict, usage: Mapping[str, int] | None) -> None:
        for call in message.get("tool_calls") or ():
            self._asked.setdefault(call.get("id"), []).append(call["function"]["name"])
        if message["role"] == "tool":
            asked = self._asked.get(message.get("tool_call_id"))
            if asked:
                self._tell_result(message, asked.pop(0))
        seen = tuple(self._shown) if message["role"] == "assistant" else ()
        self._observer.message(self._node, message, usage=usage, seen=seen)

    def _tell_result(self, message: MessageDict, tool: str) -> None:
        value = value_in(message.get("content"))
        failure = {"error": str(value)} if message.get("is_error") else {"result": value}
        self._observer.outcome(message.get("tool_call_id"), tool, {}, node=self._node, **failure)

    def _tell_execution(self, done: Any) -> None:
        """Nodes and calls in the order of the trajectory, if it has one; models as asides."""
        calls = list(done.tool_calls)
        steps = [(str(step.step_type), step.name) for step in done.trajectory]
        if not steps:
            steps = [("node", node) for node in done.node_visits]
        for kind, name in steps:
            if kind == "node":
                self._observer.visit(name)
            elif kind == "tool":
                named = next((call for call in calls if call.name == name), None)
                if named is not None:
                    calls.remove(named)
                    self._tell_call(named)
        for call in calls:
            self._tell_call(call)
        for reply in done.node_responses:
            said = {"role": "assistant", "content": reply.response_text, "model": reply.model}
            usage = usage_in(reply.token_usage.to_dict())
            seen = reply.input_messages
            self._observer.message(reply.node_name, said, usage=usage, seen=seen, aside=True)

    def _tell_call(self, call: Any) -> None:
        how = {"error": call.error} if call.error is not None else {"result": call.result}
        self._observer.outcome(call.call_id, call.name, call.args, node=self._node, **how)
