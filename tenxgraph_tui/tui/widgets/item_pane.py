"""A view of running text with a cursor that goes from one thing to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content

from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.kit import CURSOR, highlight
from tenxgraph_tui.tui.panes.items import Item
from tenxgraph_tui.tui.panes.picked import Picked
from tenxgraph_tui.tui.panes.stops import Stops
from tenxgraph_tui.tui.widgets.view_pane import ViewPane

Items = Callable[[int, int, frozenset[str]], list[Item]]
"""From a width, a height and the names of what is unfolded to what there is to read."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a reader was: the item with the cursor, the first line in sight, what is unfolded."""

    cursor: int = 0
    top: int = 0
    unfolded: frozenset[str] = frozenset()


class ItemPane(ViewPane):
    """Without the focus no cursor is drawn: it is read, not walked through.

    A subclass calls `read` with what draws its items.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False, id="pane.up"),
        Binding("down,j", "move(1)", "Down", show=False, id="pane.down"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="pane.page_up"),
        Binding("pagedown", "page(1)", "Page down", show=False, id="pane.page_down"),
        Binding("home", "end(-1)", "Top", show=False, id="pane.home"),
        Binding("end", "end(1)", "End", show=False, id="pane.end"),
        Binding("space", "fold", "Fold", tooltip="Fold or unfold a part", id="detail.fold"),
    ]
    FOLDS: ClassVar[str] = "Criteria that passed can be unfolded."

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._items: Items | None = None
        self._made: list[Item] = []
        self._made_for: tuple[int, int, frozenset[str]] | None = None
        self._stops = Stops()
        self._cursor = 0
        self._unfolded: frozenset[str] = frozenset()

    def read(self, items: Items | None, place: object) -> None:
        """Draw other items, with the reader where `place` says."""
        spot = place if isinstance(place, Spot) else Spot()
        self._items, self._made_for = items, None
        self._made, self._stops = [], Stops()
        self._cursor, self._unfolded = spot.cursor, spot.unfolded
        self.show(self._draw if items is not None else None, top=spot.top)

    @property
    def place(self) -> object:
        return Spot(self._cursor, self.scroll_offset.y, self._unfolded)

    @property
    def picked(self) -> Picked | None:
        return self._stops.item(self._cursor).picked

    def _draw(self, width: int, height: int) -> list[Content]:
        wanted = (width, height, self._unfolded)
        if self._items is not None and wanted != self._made_for:
            self._made, self._made_for = self._items(*wanted), wanted
            self._stops = Stops(self._made)
            self._cursor = max(0, min(self._cursor, len(self._stops) - 1))
        on = self._stops.item(self._cursor) if self.has_focus else None
        return [
            highlight(line, width, CURSOR) if one is on else line
            for one in self._made
            for line in one.lines
        ]

    @property
    def _sight(self) -> range:
        top = self.scroll_offset.y
        return range(top, top + max(1, self.scrollable_content_region.height))

    def _to_line(self, top: float) -> None:
        self.scroll_to(y=top, animate=False, immediate=True, force=True)

    def _go(self, at: int | None) -> None:
        """Put the cursor on an item, if it is one, and scroll as little as that needs."""
        if at is not None:
            self._cursor = at
            self._to_line(self._stops.top_for(at, self._sight))
        self.redraw()

    def go_to(self, name: str) -> None:
        """Put the cursor on what people call `name`, at the top if there is more than fits."""
        self.redraw()  # a pane that is new was not told of its size yet, and has nothing to go to
        at = self._stops.named(name)
        if at is not None:
            self._to_line(self._stops.line_of(at))
            self._go(at)

    def action_move(self, step: int) -> None:
        """Go to the next item; where that is not in sight, scroll there first."""
        at = self._stops.after(self._cursor, step, self._sight)
        if at is None:
            self._to_line(self.scroll_offset.y + step)
        else:
            self._go(at)

    def action_page(self, pages: int) -> None:
        before = self.scroll_offset.y
        self._to_line(before + pages * len(self._sight))
        if self.scroll_offset.y == before:
            self.action_end(pages)
        else:
            self._go(self._stops.first_seen(pages, self._sight))

    def action_end(self, step: int) -> None:
        """To the very first or last line."""
        self._cursor = 0 if step < 0 else max(0, len(self._stops) - 1)
        self._to_line(0 if step < 0 else self.max_scroll_y)
        self.redraw()

    def action_fold(self) -> None:
        """Open or close what the cursor is on."""
        name = self._stops.item(self._cursor).fold
        if not name:
            toasts.said(self.app, "Nothing to fold", self.FOLDS)
            return
        self._unfolded ^= {name}
        self.redraw()

    def action_open(self) -> None:
        if self._stops.item(self._cursor).fold:
            self.action_fold()
        else:
            super().action_open()

    def on_click(self, event: events.Click) -> None:
        at = self._stops.at_line(self.scroll_offset.y + event.y)
        if at is None:
            return
        is_again = at == self._cursor and event.chain > 1
        self._go(at)
        if is_again or self._stops.item(at).fold:
            self.action_open()
