"""Messages of the port as a chat API takes them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tenxgraph_tui.adapters.port import MessageDict

OURS = frozenset({"id", "usage", "model", "is_error"})
"""What messages carry for us, and a model's API does not take."""


def for_api(message: MessageDict) -> MessageDict:
    """A copy as a model's API takes it: without our id, arguments of tool calls as JSON text."""
    copy = {key: value for key, value in message.items() if key not in OURS}
    if message.get("tool_calls"):
        copy["tool_calls"] = [_call_for_api(call) for call in message["tool_calls"]]
    return copy


def _call_for_api(call: Mapping[str, Any]) -> dict[str, Any]:
    function = dict(call.get("function") or {})
    if not isinstance(function.get("arguments"), str):
        function["arguments"] = json.dumps(function.get("arguments") or {})
    return {**call, "function": function}


def last_text(messages: Sequence[MessageDict]) -> str:
    """What the user said last, the texts of its blocks joined."""
    for message in reversed(messages):
        if message["role"] == "user":
            content = message.get("content")
            if isinstance(content, list):
                return " ".join(p["text"] for p in content if isinstance(p, dict) and "text" in p)
            return str(content or "")
    return ""
