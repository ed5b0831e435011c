"""What a node added to a conversation, told to the observer of the attempt."""

from __future__ import annotations

from typing import Any

from tenxgraph_tui.adapters.observing import tell_update
from tenxgraph_tui.evaluation.dataset import MessageContent
from tenxgraph_tui.evaluation.recorder import Recorder
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.graph import Message, ToolResultBlock


def asks(tool: str) -> Message:
    message = Message.text_message("", role="assistant")
    function = {"name": tool, "arguments": "{}"}
    message.tools_calls = [{"id": "call_1", "type": "function", "function": function}]
    return message


def result(output: Any) -> Message:
    return Message.tool_message([ToolResultBlock(call_id="call_1", output=output)])


def test_results_told_at_once_belong_to_the_request_before_them_though_ids_repeat() -> None:
    recorder = Recorder(CaseKey(0, "case"))
    recorder.begin_turn(1, MessageContent.user("hi"))
    new = [asks("search"), result(1), asks("book"), result([2])]
    tell_update(recorder, "agent", [Message.text_message("hi")], new)
    calls = recorder.snapshot().tool_calls
    assert [(call.name, call.result) for call in calls] == [("search", 1), ("book", [2])]
