"""What the nodes of an attempt were sent, which is the whole conversation again and again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from tenxgraph_tui.adapters.port import MessageDict
from tenxgraph_tui.graph.values import json_value


class Sent:
    """What each node was sent last; of what it is sent again no copy is made."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[tuple[MessageDict, ...], list[MessageDict]]] = {}

    def again(self, node: str, seen: Sequence[MessageDict]) -> list[MessageDict]:
        """What a node is sent, as JSON values: a message that it got before is the same object."""
        given = tuple(seen)
        before, kept = self._last.get(node, ((), []))
        earlier = zip_longest(given, before[: len(given)], kept[: len(given)])
        messages = [
            old if one is same or one == same else json_value(one) for one, same, old in earlier
        ]
        self._last[node] = given, messages
        return messages
