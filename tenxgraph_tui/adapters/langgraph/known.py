"""Which messages are which: by the object, or by the id that a state gives to each.

Some models give the same id to different answers; those are different messages.
"""

from __future__ import annotations

from collections.abc import Iterable

from langchain_core.messages import BaseMessage

from tenxgraph_tui.adapters.langgraph.messages import requests_of


class Known:
    """A set of messages. Those without an id are kept, and recognised once they have got one."""

    def __init__(self, messages: Iterable[BaseMessage] = ()) -> None:
        self._objects: dict[int, BaseMessage] = {}
        self._named: dict[str, BaseMessage] = {}
        self._nameless: list[BaseMessage] = []
        for message in messages:
            self.add(message)

    def __contains__(self, message: BaseMessage) -> bool:
        if id(message) in self._objects:
            return True
        known = self._named.get(message.id or "")
        return known is not None and _said(known) == _said(message)

    def add(self, message: BaseMessage) -> None:
        self._objects[id(message)] = message  # kept, so that no other object gets its number
        if message.id:
            self._named[message.id] = message
        else:
            self._nameless.append(message)

    def recognise(self, messages: Iterable[BaseMessage]) -> None:
        """Learn the ids that known messages have got meanwhile; every one of them counts once."""
        nameless, self._nameless = self._nameless, []
        for message in nameless:
            self.add(message)
        if not self._nameless:
            return
        for message in messages:
            if message not in self:
                found = next((one for one in self._nameless if is_same(one, message)), None)
                if found is not None:
                    self._nameless.remove(found)
                    self.add(message)


def is_same(one: BaseMessage, other: BaseMessage) -> bool:
    """Whether both are one message: by their ids, or by what they say where one has no id."""
    if one is other or (one.id and other.id):
        return one is other or one.id == other.id
    return _said(one) == _said(other)


def is_among(message: BaseMessage, messages: Iterable[BaseMessage]) -> bool:
    """Whether one of them is this one, or has its id and says the same."""
    named = message.id or object()
    return any(
        each is message or (each.id == named and _said(each) == _said(message)) for each in messages
    )


def _said(message: BaseMessage) -> tuple[object, ...]:
    return message.type, str(message.text), requests_of(message)
