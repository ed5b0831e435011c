"""What a model is sent again is converted once, unless a node changed it in between."""

from __future__ import annotations

from tenxgraph_tui.adapters.messages import content_of, to_dicts
from tenxgraph_tui.adapters.port import MessageDict
from tenxgraph_tui.adapters.seen import Seen
from tenxgraph_tui.graph import Message, TextBlock, ToolResultBlock


class Converted:
    """Counts what it converts."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.seen = Seen(self._to_dicts, content_of)

    def _to_dicts(self, message: Message) -> list[MessageDict]:
        self.messages.append(message)
        return to_dicts(message)


def conversation(length: int) -> list[Message]:
    return [Message.text_message(f"message {number}") for number in range(length)]


def texts(dicts: list[MessageDict]) -> list[str]:
    return [str(each["content"]) for each in dicts]


def test_each_message_of_a_growing_conversation_is_converted_once() -> None:
    converted, messages = Converted(), conversation(50)
    for length in range(51):
        told = converted.seen.of(messages[:length])
        assert texts(told) == [f"message {number}" for number in range(length)]
    assert converted.messages == messages


def test_what_is_sent_again_is_the_same_dict() -> None:
    seen, messages = Seen(to_dicts, content_of), conversation(3)
    first, second = seen.of(messages), seen.of([*messages, Message.text_message("new")])
    assert all(one is other for one, other in zip(first, second, strict=False))


def test_a_message_that_a_node_changed_in_place_is_converted_anew() -> None:
    seen, messages = Seen(to_dicts, content_of), conversation(3)
    answer = Message.tool_message([ToolResultBlock(call_id="1", output="long")])
    seen.of([*messages, answer])
    block = messages[0].content[0]
    assert isinstance(block, TextBlock)
    block.text = "short"
    messages[1].content = [TextBlock(text="other")]
    messages[2].tools_calls = [{"id": "1", "function": {"name": "look", "arguments": "{}"}}]
    (result,) = answer.content
    assert isinstance(result, ToolResultBlock)
    result.output = "cut"
    told = seen.of([*messages, answer])
    assert texts(told) == ["short", "other", "message 2", "cut"]
    assert told[2]["tool_calls"] == messages[2].tools_calls


def test_a_shortened_conversation_and_one_message_twice_are_told_as_they_are() -> None:
    seen, messages = Seen(to_dicts, content_of), conversation(4)
    seen.of(messages)
    assert texts(seen.of(messages[2:])) == ["message 2", "message 3"]
    assert texts(seen.of([messages[0], messages[0]])) == ["message 0", "message 0"]
    assert seen.of([]) == []
