"""Any endpoint that talks JSON, as its description in the settings says."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tenxgraph_tui.adapters.chat import for_api, last_text
from tenxgraph_tui.adapters.port import Answer, MessageDict, Observer
from tenxgraph_tui.errors import EndpointError
from tenxgraph_tui.evaluation.target_options import HttpOptions
from tenxgraph_tui.targets.http_client import Connection
from tenxgraph_tui.targets.http_events import Events
from tenxgraph_tui.targets.http_template import DEFAULT_BODY, BodyTemplate, Selector, shape

NODE = "endpoint"
"""What the agent is called where it names no nodes."""
SELECTORS = (
    "answer",
    "tool_calls",
    "tool_name",
    "tool_args",
    "tool_result",
    "tool_error",
    "nodes",
    "input_tokens",
    "output_tokens",
    "model",
    "error",
)


class Description:
    """The options with their template and selectors read.

    Raises:
        TargetError: one of them is wrong; the message begins with `where`.
    """

    def __init__(self, options: HttpOptions, where: str) -> None:
        self.options = options
        self.body = BodyTemplate(options.body or DEFAULT_BODY, f"{where}: body")
        written = {name: getattr(options, name) for name in SELECTORS}
        self.selectors = {
            name: Selector(expression, f"{where}: {name}")
            for name, expression in written.items()
            if expression is not None
        }


@dataclass(slots=True)
class Found:
    """What the selectors found in a reply, or in all events of a stream."""

    answers: list[Any] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    usage: dict[str, int] = field(default_factory=dict)
    model: str = ""


class JsonEndpoint:
    """Implements `Runnable`: it is given all messages, and its template takes what is sent."""

    def __init__(self, connection: Connection, description: Description) -> None:
        self._connection, self._description = connection, description

    @property
    def has_memory(self) -> bool:
        """See `Runnable`: whether the server remembers shows in what the template sends."""
        return False

    async def invoke(
        self,
        messages: Sequence[MessageDict],
        config: Mapping[str, Any],
        observer: Observer,
        state: Mapping[str, Any],
    ) -> Answer:
        """See `Runnable`.

        Raises:
            EndpointError: there is no answer, or none where the selector looks.
            TargetError: the template makes no JSON of these messages.
        """
        given = [for_api(message) for message in messages]
        payload = self._description.body.filled(
            {
                "text": last_text(messages),
                "messages": given,
                "thread_id": str(config.get("thread_id", "")),
                "turn": sum(message["role"] == "user" for message in messages) - 1,
                "state": dict(state),
            }
        )
        observer.step_started(NODE)
        found = await (self._streamed if self._description.options.stream else self._whole)(payload)
        return self._told(found, observer, given)

    async def _whole(self, payload: Any) -> Found:
        reply = await self._connection.ask(payload)
        try:
            value = json.loads(reply.text)
        except ValueError:
            said = self._connection.said(reply.text)
            raise self._connection.failed(f"answered no JSON: {said}") from None
        found = Found()
        self._look(value, found)
        if not found.answers:
            raise self._nothing(f"the reply is {shape(value)}")
        return found

    async def _streamed(self, payload: Any) -> Found:
        found, events = Found(), Events()

        def look_at(values: Iterator[Any]) -> None:
            try:
                for value in values:
                    self._look(value, found)
            except ValueError as error:
                said = self._connection.said(str(error))
                raise self._connection.failed(f"an event is no JSON: {said}") from None

        await self._connection.ask(payload, lambda line: look_at(events.of(line)))
        look_at(events.rest())
        if not found.answers:
            seen = f"the last of {events.count} events is {shape(events.last)}"
            raise self._nothing(seen if events.count else "the stream had no events")
        return found

    def _nothing(self, seen: str) -> EndpointError:
        selector = self._description.options.answer
        return self._connection.failed(f"answer = {selector!r} found nothing: {seen}")

    def _look(self, value: Any, found: Found) -> None:
        """Take from a reply or an event what the selectors point at."""
        picked = {name: self._pick(name, value) for name in self._description.selectors}
        if picked.get("error"):
            told = picked["error"]
            raise self._connection.failed(
                f"the agent says: {told if isinstance(told, str) else json.dumps(told)}"
            )
        if picked["answer"] is not None:
            found.answers.append(self._text(picked["answer"]))
        found.nodes += [str(node) for node in _listed(picked.get("nodes"))]
        found.model = str(picked.get("model") or found.model)
        found.calls += self._calls(_listed(picked.get("tool_calls")))
        for name in ("input_tokens", "output_tokens"):
            if isinstance(picked.get(name), int | float):
                found.usage[name] = int(picked[name])

    def _pick(self, name: str, value: Any) -> Any:
        try:
            return self._description.selectors[name].of(value)
        except ValueError as error:
            raise self._connection.failed(f"{name} = {error}; it is {shape(value)}") from None

    def _text(self, answer: Any) -> str:
        """An answer as text; a list of texts is joined, as content blocks are."""
        if isinstance(answer, list) and all(isinstance(part, str) for part in answer):
            return "".join(answer)
        if isinstance(answer, str | int | float):
            return answer if isinstance(answer, str) else json.dumps(answer)
        selector = self._description.options.answer
        told = f"answer = {selector!r} found {shape(answer)}, not a text"
        raise self._connection.failed(told)

    def _calls(self, picked: Sequence[Any]) -> Iterator[dict[str, Any]]:
        for call in picked:
            name = self._pick("tool_name", call)
            if not isinstance(name, str) or not name:
                selector = self._description.options.tool_name
                told = f"tool_name = {selector!r} found no name: the call is {shape(call)}"
                raise self._connection.failed(told)
            yield {
                "name": name,
                "args": self._pick("tool_args", call),
                "result": self._pick("tool_result", call),
                "error": self._pick("tool_error", call),
            }

    def _told(self, found: Found, observer: Observer, given: list[MessageDict]) -> Answer:
        for node in found.nodes:
            observer.visit(node)
        node = found.nodes[-1] if found.nodes else NODE
        if found.calls:
            _tell_calls(found.calls, observer, node, given)
        message: MessageDict = {"role": "assistant", "content": "".join(found.answers)}
        if found.model:
            message["model"] = found.model
        observer.message(node, message, usage=found.usage or None, seen=given)
        return Answer((message,))


def _tell_calls(
    calls: Sequence[Mapping[str, Any]], observer: Observer, node: str, seen: list[MessageDict]
) -> None:
    requests = [
        {
            "id": f"call-{number}",
            "type": "function",
            "function": {"name": call["name"], "arguments": call["args"] or {}},
        }
        for number, call in enumerate(calls)
    ]
    observer.message(node, {"role": "assistant", "content": "", "tool_calls": requests}, seen=seen)
    for request, call in zip(requests, calls, strict=True):
        if call["error"] is not None:
            text = call["error"] if isinstance(call["error"], str) else json.dumps(call["error"])
            observer.outcome(str(request["id"]), call["name"], {}, error=text, node=node)
        elif call["result"] is not None:
            observer.outcome(str(request["id"]), call["name"], {}, result=call["result"], node=node)


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
