"""What a pane of running text is made of: lines that are one thing to whoever reads it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.tui.kit import BLANK
from tenxgraph_tui.tui.panes.picked import Picked


@dataclass(frozen=True, slots=True)
class Item:
    """Some lines. With `picked` or `fold` the cursor can be on them.

    `fold` names what is opened and closed there, beside whatever else is in the pane.
    """

    lines: tuple[Content, ...]
    picked: Picked | None = None
    fold: str = ""

    @property
    def takes_cursor(self) -> bool:
        return self.picked is not None or bool(self.fold)


Block = list[Item]
"""Items that belong together: blank rows stand only between blocks."""

GAP = Item((BLANK,))


def block(lines: Iterable[Content], picked: Picked | None = None, fold: str = "") -> Block:
    """The lines as one item; none where there are no lines."""
    found = tuple(lines)
    return [Item(found, picked, fold)] if found else []


def spaced(blocks: Iterable[Block], *, is_roomy: bool) -> Block:
    """The blocks that hold anything, with blank rows between them where there is room."""
    found: Block = []
    for some in blocks:
        if some and found and is_roomy:
            found.append(GAP)
        found += some
    return found


def lines_of(items: Sequence[Item]) -> list[Content]:
    return [line for one in items for line in one.lines]
