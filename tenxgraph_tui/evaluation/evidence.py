"""What an agent did in one attempt, kept in order; no locks, no events, only the bookkeeping."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tenxgraph_tui.adapters.port import MessageDict
from tenxgraph_tui.evaluation.dataset import (
    MessageContent,
    ToolCall,
    TrajectoryStep,
    text_in,
)
from tenxgraph_tui.evaluation.execution import (
    ExecutionResult,
    NodeResponseData,
    TokenUsage,
    TurnExecution,
)
from tenxgraph_tui.evaluation.matching import parse_args, same_value
from tenxgraph_tui.evaluation.models import built
from tenxgraph_tui.evaluation.records import Call, Turn, Visit
from tenxgraph_tui.evaluation.sent import Sent


@dataclass(slots=True)
class Evidence:
    """The visits, calls, messages and replies of one attempt; `clock` gives Unix seconds."""

    clock: Callable[[], float] = time.time
    turns: list[Turn] = field(default_factory=list)
    visits: list[Visit] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    messages: list[MessageDict] = field(default_factory=list)
    replies: list[NodeResponseData] = field(default_factory=list)
    requests: int = 0
    sent: Sent = field(default_factory=Sent)
    _pending: dict[int, Call] = field(default_factory=dict)
    """The calls that have not ended, by their position among all, oldest first."""

    @property
    def turn(self) -> int:
        return len(self.turns) - 1

    def open_turn(self, content: MessageContent) -> str:
        text = content.get_text()
        self.turns.append(Turn(text, time.monotonic()))
        self.messages.append({"role": content.role, "content": content.content})
        return text

    def close_turn(self) -> None:
        if self.turns and self.turns[-1].ended is None:
            self.turns[-1].ended = time.monotonic()

    def is_same_visit(self, node: str, step: object) -> bool:
        last = self.visits[-1] if self.visits else None
        return (
            last is not None
            and step is not None
            and (last.node, last.step, last.turn) == (node, step, self.turn)
        )

    def open_visit(self, node: str, step: object) -> None:
        self.visits.append(Visit(node, step, self.turn, self.clock(), time.monotonic()))
        if self.turns:
            self.turns[-1].visits.append(node)

    def close_visit(self) -> Visit | None:
        """End the running visit, and return it if there was one."""
        visit = self.visits[-1] if self.visits else None
        if visit is None or visit.seconds is not None:
            return None
        visit.seconds = time.monotonic() - visit.began
        return visit

    def reply(
        self,
        node: str,
        message: MessageDict,
        usage: Mapping[str, int] | None,
        seen: Sequence[MessageDict],
        *,
        aside: bool = False,
    ) -> None:
        """A message that is no tool's: an answer, or requests for tools; an `aside` is neither."""
        asked = message.get("tool_calls") or []
        requests = [] if aside else asked
        text, tokens = text_of(message), TokenUsage.from_mapping(usage)
        if aside and asked:
            text = "\n".join([text, *("{}({})".format(*_named(each)) for each in asked)]).strip()
        self.replies.append(
            built(
                NodeResponseData,
                node_name=node,
                input_messages=self.sent.again(node, seen),
                response_text="" if requests else text,
                has_tool_calls=bool(requests),
                tool_call_names=[_named(request)[0] for request in requests],
                is_final=not requests and not aside,
                timestamp=self.clock(),
                token_usage=tokens,
                model=str(message.get("model") or ""),
            )
        )
        if self.visits:
            self.visits[-1].tokens += tokens.total_tokens
        if requests:
            self._open_calls(node, requests)
        elif self.turns and not aside:
            self.turns[-1].response = text

    def _open_calls(self, node: str, requests: Sequence[MessageDict]) -> None:
        self.requests += 1
        for request in requests:
            name, arguments = _named(request)
            try:
                call = self.open_call(node, name, parse_args(arguments), request.get("id"))
            except ValueError:
                call = self.open_call(node, name, {"arguments": arguments}, request.get("id"))
                call.error = "the arguments are not a JSON object"

    def open_call(self, node: str, name: str, args: dict[str, Any], call_id: str | None) -> Call:
        call = Call(
            name=name,
            args=args,
            call_id=call_id,
            node=node,
            turn=self.turn,
            at=self.clock(),
            message=self.requests,
            visit=len(self.visits) - 1,
            number=len(self.calls),
        )
        self.calls.append(call)
        self._pending[call.number] = call
        return call

    def unfinished(
        self, call_id: str | None, name: str | None = None, args: Mapping[str, Any] | None = None
    ) -> Call | None:
        """The open call with that id (and name): ids repeat, so equal `args` decide, then age."""
        return _best((call for call in self._open(call_id, name)), args)

    def unstarted(
        self, call_id: str | None, name: str, args: Mapping[str, Any] | None
    ) -> Call | None:
        """The same among those that nobody has begun."""
        return _best((call for call in self._open(call_id, name) if call.began is None), args)

    def _open(self, call_id: str | None, name: str | None) -> Iterator[Call]:
        for call in self._pending.values():
            if call.call_id == call_id and name in {None, call.name}:
                yield call

    def start(self, call: Call) -> None:
        call.began, call.at = time.monotonic(), self.clock()
        call.visit = len(self.visits) - 1

    def finish(self, call: Call, result: Any, error: str | None) -> None:
        call.result = result
        self._pending.pop(call.number, None)
        call.error = error if error is not None else call.error
        if call.began is not None:
            call.seconds = time.monotonic() - call.began
        else:
            call.visit = len(self.visits) - 1

    def result(self) -> ExecutionResult:
        """A copy of everything so far, in the library's words."""
        calls = [call.to_tool_call() for call in self.calls]
        by_turn: list[list[ToolCall]] = [[] for _ in self.turns]
        for made, call in zip(self.calls, calls, strict=True):
            if made.turn >= 0:
                by_turn[made.turn].append(call)
        return built(
            ExecutionResult,
            tool_calls=calls,
            trajectory=trajectory(self.calls, self.visits),
            messages=list(self.messages),
            actual_response=self.turns[-1].response if self.turns else "",
            node_responses=list(self.replies),
            node_visits=[visit.node for visit in self.visits],
            duration_seconds=sum(turn.seconds for turn in self.turns),
            turns=[
                built(
                    TurnExecution,
                    user_text=turn.user_text,
                    response=turn.response,
                    tool_calls=mine,
                    node_visits=list(turn.visits),
                    duration_seconds=turn.seconds,
                )
                for turn, mine in zip(self.turns, by_turn, strict=True)
            ],
        )


def trajectory(calls: Sequence[Call], visits: Sequence[Visit]) -> list[TrajectoryStep]:
    """Nodes in order of visit, each followed by the calls it ran.

    The calls of one message stay together and in the order of their request.
    """
    place: dict[int, int] = {}
    for call in calls:
        place[call.message] = max(place.get(call.message, -1), call.visit)
    by_visit: dict[int, list[TrajectoryStep]] = {}
    for call in calls:
        by_visit.setdefault(place[call.message], []).append(call.to_step())
    steps = by_visit.pop(-1, [])
    for index, visit in enumerate(visits):
        steps.append(visit.to_step())
        steps += by_visit.get(index, [])
    return steps


def _best(calls: Iterator[Call], args: Mapping[str, Any] | None) -> Call | None:
    oldest = next(calls, None)
    if oldest is None or args is None or same_value(oldest.args, args):
        return oldest
    return next((call for call in calls if same_value(call.args, args)), oldest)


def text_of(message: MessageDict) -> str:
    """The text of a message, whether its content is a text or a list of blocks."""
    content = message.get("content")
    if isinstance(content, str | list):
        return text_in(content)
    return ""


def _named(request: MessageDict) -> tuple[str, Any]:
    function = request.get("function") or request
    return str(function.get("name", "")), function.get("arguments", function.get("args"))
