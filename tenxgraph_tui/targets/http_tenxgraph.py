"""An agent that 10xGraph's API server serves: its requests, its replies and its stream."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from tenxgraph_tui.adapters.messages import to_dicts
from tenxgraph_tui.adapters.observing import tell_update
from tenxgraph_tui.adapters.port import Answer, MessageDict, Observer
from tenxgraph_tui.errors import EndpointError, with_article
from tenxgraph_tui.graph.messages import Message
from tenxgraph_tui.targets.http_client import Connection
from tenxgraph_tui.targets.http_events import Events

INVOKE, STREAM = "/v1/graph/invoke", "/v1/graph/stream"
RUN_ENDED = 504
"""Its own limit ended a run that had begun: to ask again would say everything twice."""
AGENT_RAISED = 422
RAISED = re.compile(r"ErrorOutputSchema")
"""In the words of the server's own failure to tell that the agent raised, or never ended."""
NODE = "agent"
PSEUDO = {"__start__", "__end__"}
READ_BLOCKS = {"text", "tool_call", "tool_result"}
OURS = {"run_id", "app_name", "recursion_limit"}


def api_url(url: str, *, stream: bool) -> str:
    """Where a server is asked, whether its root or the path of a request was named."""
    base, question, query = url.partition("?")
    for path in (INVOKE, STREAM):
        base = base.removesuffix(path)
    return base.rstrip("/") + (STREAM if stream else INVOKE) + question + query


class TenxgraphServer:
    """Implements `Runnable`. The server remembers each thread, so new messages alone are sent.

    A stream tells the nodes, but no tokens, and loses tool calls that arrive in pieces.
    """

    def __init__(self, connection: Connection, *, stream: bool) -> None:
        self.connection, self._stream = connection, stream

    @property
    def has_memory(self) -> bool:
        """See `Runnable`."""
        return True

    async def invoke(
        self,
        messages: Sequence[MessageDict],
        config: Mapping[str, Any],
        observer: Observer,
        state: Mapping[str, Any],
    ) -> Answer:
        """See `Runnable`.

        Raises:
            EndpointError: the agent raised or paused, or the server gave no answer.
        """
        payload = {
            "messages": [_theirs(message) for message in messages],
            "config": {name: value for name, value in config.items() if name not in OURS},
            "response_granularity": "full",
            **({"initial_state": dict(state)} if state else {}),
            **({"recursion_limit": limit} if (limit := config.get("recursion_limit")) else {}),
        }
        if self._stream:
            return await self._streamed(payload, observer)
        observer.step_started(NODE)
        reply = await self.connection.ask(payload)
        data = self._data(reply.status, reply.text)
        new = [self.ours(each) for each in data.get("messages") or ()]
        new = new[len(messages) :]  # the turn begins with what was sent
        tell_update(observer, NODE, [_sent(message) for message in messages], new)
        self.refuse_pause((data.get("state") or {}).get("execution_meta") or {})
        return Answer(tuple(told for each in new for told in to_dicts(each)))

    def _data(self, status: int, text: str) -> Mapping[str, Any]:
        try:
            value = json.loads(text)
        except ValueError:
            value = None
        if status == AGENT_RAISED:
            raise self._refused(value, text)
        data = value.get("data") if isinstance(value, dict) else None
        if not isinstance(data, dict) or not isinstance(data.get("messages"), list):
            told = f"this is no reply of 10xGraph's API server: {self.connection.said(text)}"
            raise self.connection.failed(
                f"{told}; describe the endpoint in the settings, under http"
            )
        return data

    def _refused(self, value: Any, text: str) -> EndpointError:
        """A reply for what was wrong with the request, or, in odd words, with the agent."""
        error = value.get("error") if isinstance(value, dict) else None
        message = str(error.get("message", "")) if isinstance(error, dict) else ""
        if RAISED.search(message):
            kind = re.search(r"r_type': '(\w+)'", message)
            told = f" {with_article(kind[1])}" if kind else ""
            return self.connection.failed(
                f"the agent raised{told}, of which its server tells no more (its log does, and "
                "stream = true in the settings)"
            )
        return self.connection.failed(f"answered 422: {self.connection.said(message or text)}")

    async def _streamed(self, payload: Any, observer: Observer) -> Answer:
        events, telling = Events(), _Telling(self, observer)

        def on_line(line: str) -> None:
            try:
                for value in events.of(line):
                    telling.event(value)
            except ValueError as error:
                said = self.connection.said(str(error))
                raise self.connection.failed(f"this is no event: {said}") from None

        await self.connection.ask(payload, on_line)
        on_line("")
        if not events.count:
            raise self.connection.failed("the stream had no events")
        return Answer(tuple(told for each in telling.new for told in to_dicts(each)))

    def ours(self, message: Any) -> Message:
        """The embedded runtime's message of the same; what it has no block for is left out.

        Whether a tool node wrote a message is forgotten: nobody here has told of its results.
        """
        try:
            content = [b for b in message["content"] if b.get("type") in READ_BLOCKS]
            about = {k: v for k, v in (message.get("metadata") or {}).items() if k == "model"}
            return Message.model_validate({**message, "content": content, "metadata": about})
        except (ValidationError, KeyError, TypeError, AttributeError) as error:
            first = str(error).splitlines()[0]
            told = f"a message that cannot be read ({first}): {self.connection.said(str(message))}"
            raise self.connection.failed(told) from None

    def refuse_pause(self, about: Mapping[str, Any]) -> None:
        """EndpointError where `about` says that the graph waits for somebody."""
        if node := about.get("interrupted_node"):
            raise self.connection.failed(
                f"the graph paused at {node} and waits for somebody to answer, which an "
                "evaluation cannot"
            )


class _Telling:
    """Tells an observer the events of one stream."""

    def __init__(self, server: TenxgraphServer, observer: Observer) -> None:
        self._server, self._observer = server, observer
        self._seen: list[Message] = []
        self.new: list[Message] = []
        self._is_at = NODE

    def event(self, event: Any) -> None:
        """One event; pieces of a message are followed by the whole, and left out.

        Raises:
            EndpointError: the agent raised, or paused.
            ValueError: it is no event.
        """
        if not isinstance(event, dict) or "event" not in event:
            raise ValueError(json.dumps(event))
        data, about = event.get("data") or {}, event.get("metadata") or {}
        match event["event"], data.get("status"):
            case "error", "tool_failed":
                self._observer.outcome(
                    data.get("tool_call_id"),
                    str(data.get("tool_name")),
                    data.get("args") or {},
                    error=str(data.get("error") or data.get("reason")),
                    node=str(data.get("node") or self._is_at),
                )
            case "error", _:
                told = data.get("reason") or data.get("error") or json.dumps(data)
                raise self._server.connection.failed(f"the agent raised: {told}")
            case "updates", "node_invoked":
                self._enter(data.get("node"), data.get("step"))
            case "updates", "invoking_tool":
                self._observer.step_started(
                    self._is_at,
                    tool=str(data.get("tool_name")),
                    args=data.get("args") or {},
                    call_id=data.get("tool_call_id"),
                )
            case "message", _:
                node = data.get("node") or about.get("node") or ""
                self._message(event.get("message"), str(node))
        meta = ((event.get("state") or {}).get("execution_meta")) or {}
        if meta.get("status") != "running":
            self._server.refuse_pause(meta)

    def _enter(self, node: Any, step: Any) -> None:
        """A node is told of twice with its step, and once more by its function without."""
        if node in PSEUDO or step is None:
            return
        self._is_at = str(node)
        self._observer.visit(self._is_at, step)
        self._observer.step_started(self._is_at)

    def _message(self, message: Any, node: str) -> None:
        if not isinstance(message, dict) or message.get("delta"):
            return
        told = self._server.ours(message)
        if node:
            tell_update(self._observer, node, self._seen, [told])
            self.new.append(told)
        self._seen.append(told)


def _theirs(message: MessageDict) -> dict[str, Any]:
    """A message as the server takes it, whose content is a list of blocks."""
    content = message.get("content") or ""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    blocks = [{"type": "text", "text": each} if isinstance(each, str) else each for each in blocks]
    return {"role": message["role"], "content": blocks}


def _sent(message: MessageDict) -> Message:
    content = [b for b in _theirs(message)["content"] if b.get("type") == "text"]
    return Message.model_validate({"role": message["role"], "content": content})
