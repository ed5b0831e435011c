from __future__ import annotations

from typing import Any

import pytest

from tenxgraph_tui.adapters.messages import from_dict, other_blocks, to_dicts
from tenxgraph_tui.graph import (
    ErrorBlock,
    GraphError,
    Message,
    TextBlock,
    ToolCallBlock,
    ToolResultBlock,
)


def test_an_assistants_request_in_openais_style() -> None:
    message = Message(
        message_id=7,
        role="assistant",
        content=[TextBlock(text="one moment"), ToolCallBlock(id="c1", name="f", args={"x": 1})],
    )
    assert to_dicts(message) == [
        {
            "id": "7",
            "role": "assistant",
            "content": "one moment",
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "f", "arguments": {"x": 1}}}
            ],
        }
    ]


def test_a_tool_message_with_two_results_is_two_messages() -> None:
    message = Message.tool_message(
        [
            ToolResultBlock(call_id="c1", output={"t": 9}),
            ToolResultBlock(call_id="c2", output="no", is_error=True),
            ErrorBlock(message="no"),
        ],
        message_id="m",
    )
    assert to_dicts(message) == [
        {"id": "m", "role": "tool", "content": '{"t": 9}', "tool_call_id": "c1"},
        {"id": "m", "role": "tool", "content": "no", "tool_call_id": "c2", "is_error": True},
    ]


@pytest.mark.parametrize(
    "message",
    [
        pytest.param({"id": "1", "role": "user", "content": "hi"}, id="a user"),
        pytest.param(
            {"id": "1", "role": "tool", "content": "9", "tool_call_id": "c"}, id="a result"
        ),
        pytest.param(
            {"id": "1", "role": "tool", "content": "9", "tool_call_id": "c", "is_error": True},
            id="an error",
        ),
        pytest.param(
            {
                "id": "1",
                "role": "assistant",
                "content": "",
                "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}],
            },
            id="a request",
        ),
    ],
)
def test_a_message_comes_back_as_it_was(message: dict[str, Any]) -> None:
    assert to_dicts(from_dict(message)) == [message]


def test_text_blocks_of_a_case_are_read() -> None:
    content = [{"type": "text", "text": "one "}, "two"]
    assert from_dict({"role": "user", "content": content}).text() == "one two"


def test_a_tool_message_without_a_result_keeps_the_id_it_is_about() -> None:
    message = Message.text_message("9 °C", role="tool", message_id="m")
    message.metadata["tool_call_id"] = "c1"
    assert to_dicts(message) == [
        {"id": "m", "role": "tool", "content": "9 °C", "tool_call_id": "c1"}
    ]


def test_a_picture_beside_text_is_left_out_and_named() -> None:
    content = [{"type": "text", "text": "What is this?"}, {"type": "image", "url": "x"}]
    message = {"role": "user", "content": content}

    assert from_dict(message).text() == "What is this?"
    assert other_blocks(message) == ["image"]


def test_a_picture_alone_is_refused() -> None:
    with pytest.raises(GraphError, match="takes text only, and the message holds a block 'image'"):
        from_dict({"role": "user", "content": [{"type": "image", "url": "x"}]})
