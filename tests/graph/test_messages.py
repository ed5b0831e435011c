from __future__ import annotations

import pytest

from tenxgraph_tui.graph import ErrorBlock, Message, TextBlock, ToolCallBlock, ToolResultBlock
from tenxgraph_tui.graph.messages import added, tool_requests, with_input


def say(text: str, message_id: str | None = None) -> Message:
    return Message.text_message(text, message_id=message_id)


def test_a_text_message_is_a_users_unless_said_otherwise() -> None:
    assert say("hi").role == "user"


def test_every_message_has_an_id_of_its_own() -> None:
    assert len({say("hi").message_id for _ in range(1000)}) == 1000


@pytest.mark.parametrize(
    ("blocks", "text"),
    [
        pytest.param([TextBlock(text="a"), TextBlock(text="b")], "ab", id="texts are joined"),
        pytest.param([ToolResultBlock(call_id="c", output="9 °C")], "9 °C", id="a text result"),
        pytest.param([ToolResultBlock(call_id="c", output={"t": 9})], '{"t": 9}', id="a value"),
        pytest.param([ErrorBlock(message="no")], "", id="errors are not part of the text"),
        pytest.param([], "", id="nothing said"),
    ],
)
def test_text(blocks: list[TextBlock | ToolResultBlock | ErrorBlock], text: str) -> None:
    assert Message(role="tool", content=blocks).text() == text


def test_blocks_are_read_back_by_their_type() -> None:
    written = Message.tool_message([ToolResultBlock(call_id="c", output=[1])]).model_dump_json()
    assert Message.model_validate_json(written).content == [
        ToolResultBlock(call_id="c", output=[1])
    ]


def test_a_request_written_as_content_counts_as_a_request() -> None:
    block = ToolCallBlock(id="c1", name="find", args={"q": "x"})
    assert tool_requests(Message(role="assistant", content=[block])) == [
        {"id": "c1", "type": "function", "function": {"name": "find", "arguments": {"q": "x"}}}
    ]


def test_input_that_is_there_already_is_not_repeated() -> None:
    first, again = say("yes"), say("yes")
    assert with_input([first], [first, again]) == [first, again]


def ids(messages: list[Message]) -> str:
    return " ".join(message.text() for message in messages)


A, B, C = say("a"), say("b"), say("c")
TWIN_OF_A = say("new", message_id=str(A.message_id))


@pytest.mark.parametrize(
    ("before", "after", "new"),
    [
        pytest.param([A], [A, B, C], "b c", id="the tail of a context that grew"),
        pytest.param([A, B], [A, B], "", id="nothing"),
        pytest.param([A], [A, TWIN_OF_A], "new", id="a repeated id in the tail is still new"),
        pytest.param([A, B], [B, C], "c", id="a context that was shortened"),
        pytest.param([A, B], [C], "c", id="a context that was replaced"),
        pytest.param([A], [A.model_copy(deep=True), B], "b", id="copies are the same message"),
        pytest.param([], [A], "a", id="the first message"),
    ],
)
def test_added(before: list[Message], after: list[Message], new: str) -> None:
    assert ids(added(before, after)) == new
