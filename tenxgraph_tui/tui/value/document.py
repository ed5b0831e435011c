"""A value as lines that fold: JSON, or a text. As much is made of it as is unfolded."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from tenxgraph_tui.tui.value.layout import Line, Part, lines_of
from tenxgraph_tui.tui.value.node import Node, all_open, child_of, is_in, open_few, parents_of

LARGE, AT_FIRST = 200_000, 500
"""Characters of unfolded text that take long to break into lines; the lines shown meanwhile."""


class Document:
    """The lines of a value at some width. `version` changes with what is unfolded."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self.root = Node(value)
        self.lines: list[Line] = []
        self.width = self.version = 0
        open_few(self.root)
        self.root.is_open = self.root.folds or isinstance(value, str)

    @property
    def is_large(self) -> bool:
        """Whether the lines may take long to make, so that a thread should."""
        open_texts = (one.value for one in all_open(self.root) if isinstance(one.value, str))
        return sum(map(len, open_texts)) > LARGE

    def laid_out(self, width: int) -> list[Line]:
        """The lines at a width; nothing changes, so that a thread may ask for them."""
        return list(lines_of(self.root, width))

    def begin(self, width: int) -> None:
        """Show the first lines at a width: all of what is not large."""
        few = AT_FIRST if self.is_large else None
        self.take(list(islice(lines_of(self.root, width), few)), width)

    def take(self, lines: list[Line], width: int) -> None:
        """Show these lines, which were made for that width."""
        self.lines, self.width = lines, width

    def place(self, node: Node, offset: int = 0) -> int | None:
        """The line of a node, or of the character at an offset in its text, if it is shown."""
        found = None
        for at, line in enumerate(self.lines):
            is_before = line.part is Part.HEAD or (line.part is Part.TEXT and line.start <= offset)
            if line.node is node and is_before:
                found = at
            elif found is not None:
                break
        return found

    def toggle(self, at: int) -> int:
        """Fold or unfold what a line is of; gives the line that it begins in.

        Of a very long text only the first lines are made: the rest comes with `laid_out`.
        """
        node = self.lines[at].node
        if not node.folds or (node is self.root and isinstance(node.value, str)):
            return at
        first, end = self._extent(at)
        node.is_open = not node.is_open
        self.version += 1
        few = AT_FIRST if node.is_long and len(node.value) > LARGE else None
        self.lines[first:end] = islice(lines_of(node, self.width), few)
        return first

    def _extent(self, at: int) -> tuple[int, int]:
        """The lines of the node that a line is of, with all that is in it."""
        node = self.lines[at].node
        first = at
        while self.lines[first].node is not node or self.lines[first].part is not Part.HEAD:
            first -= 1
        end = first + 1
        while end < len(self.lines) and is_in(self.lines[end].node, node):
            end += 1
        return first, end

    def find(self, path: Sequence[str | int]) -> Node:
        """The node at the end of a path; it and what lies around it are unfolded."""
        node = self.root
        for key in path:
            node = child_of(node, key)
        around = [*reversed([*parents_of(node)]), *([node] if node.is_long else [])]
        closed = [one for one in around if one.folds and not one.is_open]
        for inner in closed[1:]:
            inner.is_open = True
        if closed:
            self._open(closed[0])
        return node

    def _open(self, node: Node) -> None:
        at = self.place(node)
        if at is not None:
            self.toggle(at)
        else:  # not among the first lines: it is when all of them are there
            node.is_open = True
            self.version += 1
