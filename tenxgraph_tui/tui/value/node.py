"""A value and what is in it, as far as anyone has looked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from tenxgraph_tui.tui.words import clean

GROUP = 1000
"""How many entries unfold at once; more of them stand in groups, or groups of groups."""
LONG_TEXT = 200
"""Characters from which a text within JSON is one line until it is unfolded."""
FEW, NEAR = 40, 3
"""What is unfolded from the beginning: what has few entries and lies not deep."""
Path = tuple[str | int, ...]


@dataclass(slots=True, eq=False)
class Node:
    """A value within the whole, or the entries `first` to `end` of one that has too many.

    `key` is what the value is called in its parent, None for the whole and for groups.
    """

    value: Any
    key: str | int | None = None
    parent: Node | None = None
    depth: int = 0
    first: int = 0
    end: int = 0
    is_group: bool = False
    is_open: bool = False
    _children: list[Node] | None = None
    _text: str | None = None

    @property
    def is_container(self) -> bool:
        return isinstance(self.value, dict | list)

    @property
    def is_long(self) -> bool:
        """Whether it is a text that is unfolded into lines."""
        value = self.value
        return isinstance(value, str) and (len(value) > LONG_TEXT or "\n" in value)

    @property
    def folds(self) -> bool:
        return self.is_long or (self.is_container and len(self.value) > 0)

    @property
    def text(self) -> str:
        """A text as it is drawn; its line breaks are in it."""
        if self._text is None:
            self._text = clean(self.value, multiline=True)
        return self._text

    @property
    def children(self) -> list[Node]:
        if self._children is None:
            self._children = [*self._made()] if self.is_container else []
        return self._children

    def _made(self) -> Iterator[Node]:
        first, end = (self.first, self.end) if self.is_group else (0, len(self.value))
        step = 1
        while (end - first) / step > GROUP:
            step *= GROUP
        depth = self.depth + 1
        if step > 1:
            for at in range(first, end, step):
                group = (at, min(at + step, end))
                yield Node(self.value, None, self, depth, *group, is_group=True)
            return
        for key, value in islice(_entries(self.value), first, end):
            yield Node(value, key, self, depth)

    @property
    def data(self) -> Any:
        """The value; of a group the entries in it."""
        if not self.is_group:
            return self.value
        if isinstance(self.value, list):
            return self.value[self.first : self.end]
        return dict(islice(self.value.items(), self.first, self.end))

    def path(self) -> Path:
        """The keys that lead here."""
        found: list[str | int] = []
        node: Node | None = self
        while node is not None:
            if node.key is not None:
                found.append(node.key)
            node = node.parent
        return tuple(reversed(found))


def _entries(value: Any) -> Iterable[tuple[str | int, Any]]:
    return value.items() if isinstance(value, dict) else enumerate(value)


def is_in(node: Node | None, outer: Node) -> bool:
    while node is not None and node.depth > outer.depth:
        node = node.parent
    return node is outer


def parents_of(node: Node) -> Iterator[Node]:
    above = node.parent
    while above is not None:
        yield above
        above = above.parent


def child_of(node: Node, key: str | int) -> Node:
    """The entry with a key, in whatever group it is."""
    if not node.children or not node.children[0].is_group:
        return next(child for child in node.children if child.key == key)
    at = key if isinstance(key, int) else [*node.value].index(key)
    return child_of(next(group for group in node.children if group.first <= at < group.end), key)


def open_few(node: Node) -> None:
    """Unfold what can be taken in at a glance."""
    if node.is_container and len(node.value) <= FEW and node.depth < NEAR:
        node.is_open = node.folds
        for child in node.children:
            open_few(child)


def all_open(node: Node) -> Iterator[Node]:
    if node.is_open:
        yield node
        for child in node.children:
            yield from all_open(child)


def read_json(value: Any) -> Any:
    """A text that holds JSON as what it holds; anything else as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return found if isinstance(found, dict | list) else value
