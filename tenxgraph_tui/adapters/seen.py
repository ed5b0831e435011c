"""What a model was sent, step after step: nearly the same messages each time, converted once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import Any, Generic, TypeVar

from tenxgraph_tui.adapters.port import MessageDict

M = TypeVar("M")
Told = tuple[M, tuple[object, ...], tuple[MessageDict, ...]]


class Seen(Generic[M]):
    """Messages of a framework as dicts of the port; what stands where it stood is the same dict.

    `content_of` gives all of a message that a node may change in place: one that no longer has the
    content that it had is converted anew.
    """

    def __init__(
        self,
        to_dicts: Callable[[M], Iterable[MessageDict]],
        content_of: Callable[[M], tuple[object, ...]],
    ) -> None:
        self._to_dicts, self._content_of = to_dicts, content_of
        self._last: list[Told[M]] = []

    def of(self, messages: Sequence[M]) -> list[MessageDict]:
        """The dicts of all messages, in order."""
        contents = map(self._content_of, messages)
        known: Iterable[Any] = self._last[: len(messages)]
        self._last = [
            told
            if told is not None and told[0] is message and told[1] == content
            else (message, content, tuple(self._to_dicts(message)))
            for message, content, told in zip_longest(messages, contents, known)
        ]
        return [one for _, _, dicts in self._last for one in dicts]
