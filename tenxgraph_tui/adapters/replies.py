"""What a plain function may return as its answer, as the messages that cross the port."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tenxgraph_tui.adapters.kinds import is_langchains, is_tenxgraphs
from tenxgraph_tui.adapters.messages import to_dicts, usage_of
from tenxgraph_tui.adapters.port import MessageDict
from tenxgraph_tui.errors import kind_of
from tenxgraph_tui.graph.messages import Message

ROLES = frozenset({"user", "assistant", "system", "tool"})


def messages_of(returned: Any, given: Sequence[MessageDict]) -> list[MessageDict]:
    """The new messages in what a function returned.

    A list that begins with the messages it was `given` is the conversation with the answer at its
    end.

    Raises:
        TypeError: it is no text, message or list of them.
        ValueError: a message has no such role, or a tool call has no name.
    """
    if isinstance(returned, (list, tuple)):
        size = len(given)
        rest = returned[size:] if given and list(returned[:size]) == list(given) else returned
        return [told for item in rest for told in _messages(item)]
    return _messages(returned)


def _messages(item: Any) -> list[MessageDict]:
    if isinstance(item, str):
        return [{"role": "assistant", "content": item}]
    if isinstance(item, Mapping):
        return [_checked(dict(item))]
    if is_langchains(item):
        from tenxgraph_tui.adapters.langgraph.messages import told as theirs

        return theirs(item)
    if is_tenxgraphs(item):
        from tenxgraph_tui.adapters.tenxgraph.messages import ours

        item = ours(item) if hasattr(item, "tools_calls") else item
    if isinstance(item, Message):
        told = to_dicts(item)
        usage = usage_of(item.usages)
        return [{**one, "usage": usage} for one in told] if usage else told
    raise TypeError(
        f"the agent returned {kind_of(item)}; return a text, a message such as "
        '{"role": "assistant", "content": "…"}, or a list of messages'
    )


def _checked(message: MessageDict) -> MessageDict:
    message.setdefault("role", "assistant")
    if message["role"] not in ROLES:
        raise ValueError(
            f"the agent returned a message of role {message['role']!r}; "
            f"the roles are: {', '.join(sorted(ROLES))}"
        )
    if not message.get("tool_calls") and "content" not in message:
        raise ValueError('the agent returned a message without "content" and without "tool_calls"')
    for call in message.get("tool_calls") or ():
        if not (isinstance(call, Mapping) and (call.get("function") or {}).get("name")):
            raise ValueError(
                f"the agent returned the tool call {call!r}; write "
                '{"id": "…", "type": "function", "function": {"name": "…", "arguments": {…}}}'
            )
    return message


def usage_in(usage: Any) -> dict[str, int] | None:
    """The tokens that a message carries as `usage`, in the names of OpenAI or in ours.

    Raises:
        TypeError: it is neither a mapping nor an object such as an API gives.
    """
    if usage is None:
        return None
    counts = _fields(usage)
    details = _fields(counts.get("prompt_tokens_details") or {})
    return {
        "input_tokens": int(counts.get("input_tokens", counts.get("prompt_tokens")) or 0),
        "output_tokens": int(counts.get("output_tokens", counts.get("completion_tokens")) or 0),
        "cache_read_tokens": int(
            counts.get("cache_read_tokens", details.get("cached_tokens")) or 0
        ),
        "cache_creation_tokens": int(counts.get("cache_creation_tokens") or 0),
    }


def _fields(counts: Any) -> Mapping[str, Any]:
    if isinstance(counts, Mapping):
        return counts
    dump = getattr(counts, "model_dump", None) or getattr(counts, "to_dict", None)
    found = dump() if callable(dump) else None
    if isinstance(found, Mapping):
        return found
    raise TypeError(
        f"the usage of a message is {counts!r}; write "
        '{"input_tokens": 120, "output_tokens": 20} or what the API of the model gave'
    )


def is_execution(returned: Any) -> bool:
    """Whether it is an `ExecutionResult`: ours, which is not imported from here, or 10xGraph's."""
    names = [kind.__name__ for kind in type(returned).__mro__]
    return "ExecutionResult" in names and hasattr(returned, "actual_response")


def value_in(content: Any) -> Any:
    """The value in the content of a tool message: text that holds an object or a list is parsed."""
    if isinstance(content, str) and content.lstrip()[:1] in {"{", "["}:
        try:
            return json.loads(content)
        except ValueError:
            return content
    return content
