"""LangChain's messages as the dicts that cross the port, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    RemoveMessage,
    ToolMessage,
    convert_to_messages,
)
from langgraph.types import Command

from tenxgraph_tui.adapters.port import MessageDict
from tenxgraph_tui.adapters.replies import value_in
from tenxgraph_tui.errors import kind_of

KEY = "messages"
ROLES = {"human": "user", "ai": "assistant", "function": "tool"}


def to_dict(message: BaseMessage) -> MessageDict:
    """A message of LangChain's, in OpenAI's style."""
    found: MessageDict = {
        "id": message.id or "",
        "role": ROLES.get(message.type, message.type),
        "content": str(message.text),
    }
    if isinstance(message, ToolMessage):
        found["tool_call_id"] = message.tool_call_id
        if message.status == "error":
            found["is_error"] = True
    if isinstance(message, AIMessage):
        if requests := requests_of(message):
            found["tool_calls"] = requests
        if model := message.response_metadata.get("model_name"):
            found["model"] = str(model)
    return found


def content_of(message: BaseMessage) -> tuple[object, ...]:
    """All of a message that a node may change in place."""
    content = message.content
    texts = content if type(content) is str else [*map(_text_of, content)]
    return texts, message.id, vars(message).get("tool_calls")


def _text_of(block: Any) -> Any:
    return block.get("text") if isinstance(block, dict) else block


def requests_of(message: BaseMessage) -> list[dict[str, Any]]:
    """The tools that a message asks for, also those whose arguments are no JSON."""
    if not isinstance(message, AIMessage):
        return []
    return [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": call["name"] or "", "arguments": call["args"]},
        }
        for call in (*message.tool_calls, *message.invalid_tool_calls)
    ]


def from_dict(message: MessageDict) -> BaseMessage:
    """The message of LangChain's for one of the port."""
    kept = ("role", "content", "tool_call_id")
    copy: MessageDict = {key: message[key] for key in kept if key in message}
    if message.get("tool_calls"):
        copy["tool_calls"] = [_with_text_arguments(call) for call in message["tool_calls"]]
    (found,) = convert_to_messages([copy])
    found.id = message.get("id") or None
    return found


def _with_text_arguments(call: Mapping[str, Any]) -> dict[str, Any]:
    function = dict(call["function"])
    if not isinstance(function.get("arguments"), str):
        function["arguments"] = json.dumps(function.get("arguments") or {})
    return {**call, "function": function}


def messages_in(value: Any) -> list[BaseMessage]:
    """The messages in what a node was given or gave back: a state, an update, a command, a list."""
    if isinstance(value, Command):
        return messages_in(value.update)
    if isinstance(value, BaseMessage):
        return [] if isinstance(value, RemoveMessage) else [value]
    if isinstance(value, Mapping):
        return _listed(value.get(KEY))
    if isinstance(value, (list, tuple)):
        return [message for item in value for message in _in_item(item)]
    return _listed(getattr(value, KEY, None))


def _in_item(item: Any) -> list[BaseMessage]:
    """Of a list that a node returned: commands, updates, or pairs of a key and a value."""
    if isinstance(item, tuple) and len(item) == 2 and item[0] == KEY:  # noqa: PLR2004 - a pair
        return _listed(item[1])
    return messages_in(item) if isinstance(item, (Command, BaseMessage, Mapping)) else []


def _listed(value: Any) -> list[BaseMessage]:
    items = value if isinstance(value, list) else [value]
    if all(map(_is_whole, set(map(type, items)))):
        return list(items)
    found: list[BaseMessage] = []
    for item in items:
        if isinstance(item, BaseMessage):
            found += messages_in(item)
        elif item is not None:
            found += _converted(item)
    return found


def _is_whole(kind: type) -> bool:
    return issubclass(kind, BaseMessage) and not issubclass(kind, RemoveMessage)


def _converted(item: Any) -> list[BaseMessage]:
    """A message in one of the short forms that a state takes too; anything else is none."""
    try:
        return [each for each in convert_to_messages([item]) if not isinstance(each, RemoveMessage)]
    except (ValueError, NotImplementedError, TypeError, KeyError):
        return []


def told(item: Any) -> list[MessageDict]:
    """What a plain function returned of LangChain's: a message, with the tokens it took.

    Raises:
        TypeError: it is no message.
    """
    if not isinstance(item, BaseMessage):
        raise TypeError(f"the agent returned {kind_of(item)}; return its message or text")
    usage = usage_of(item)
    return [{**to_dict(item), "usage": usage} if usage else to_dict(item)]


def usage_of(message: BaseMessage) -> dict[str, int] | None:
    """Tokens under the names of `TokenUsage`; cached ones are part of the input, as they are there.

    None where the model does not tell.
    """
    usage = getattr(message, "usage_metadata", None)
    if not usage:
        return None
    details = usage.get("input_token_details") or {}
    return {
        "input_tokens": usage.get("input_tokens") or 0,
        "output_tokens": usage.get("output_tokens") or 0,
        "cache_read_tokens": details.get("cache_read") or 0,
        "cache_creation_tokens": details.get("cache_creation") or 0,
    }


def result_of(output: Any, call_id: str | None) -> tuple[Any, str | None]:
    """The value of a tool and its error. LangChain turns objects and lists into JSON text."""
    if isinstance(output, Command):
        told = [m for m in messages_in(output) if isinstance(m, ToolMessage)]
        mine = [m for m in told if m.tool_call_id == call_id] or told
        output = mine[-1] if mine else output.update
    if not isinstance(output, ToolMessage):
        return value_in(output), None
    if output.status == "error":
        return None, str(output.text)
    return (output.artifact if output.artifact is not None else value_in(output.content)), None
