"""The nodes as a widget: a cursor over the calls, and the selected one beside or below them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content

from tenxgraph_tui.tui.kit import CURSOR, CURSOR_BLURRED
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.node_call import NodeCall
from tenxgraph_tui.tui.panes.node_calls import decisive_call, node_calls
from tenxgraph_tui.tui.panes.node_picked import picked_of
from tenxgraph_tui.tui.panes.nodes import Drawn, draw
from tenxgraph_tui.tui.panes.picked import Picked
from tenxgraph_tui.tui.widgets.view_pane import ViewPane

FAR = 10**6
WHEEL = 3


@dataclass(slots=True)
class Position:
    """Where a reader was: the selected call, and how far its details are scrolled."""

    selected: int = 0
    offset: int = 0


class NodePane(ViewPane):
    """Draws calls in exactly its own height; it is the cursor that moves, not the pane."""

    DEFAULT_CSS = """
    NodePane { overflow-y: hidden; scrollbar-gutter: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Call up", show=False, id="nodes.up"),
        Binding("down,j", "move(1)", "Call down", show=False, id="nodes.down"),
        Binding("home", f"move({-FAR})", "First call", show=False, id="nodes.first"),
        Binding("end", f"move({FAR})", "Last call", show=False, id="nodes.last"),
        Binding("pageup", "scroll_call(-1)", "Scroll call", show=False, id="nodes.page_up"),
        Binding("pagedown", "scroll_call(1)", "Scroll call", show=False, id="nodes.page_down"),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._model: DetailModel | None = None
        self._calls: Sequence[NodeCall] = ()
        self._drawn = Drawn([], [])
        self.position = Position()

    @property
    def place(self) -> object:
        return self.position if self._calls else None

    @property
    def picked(self) -> Picked | None:
        """Everything that was recorded of the selected call."""
        if not self._calls:
            return None
        return picked_of(self._calls[min(self.position.selected, len(self._calls) - 1)])

    def look_at(self, model: DetailModel | None, place: object = None) -> None:
        """Draw a case, or nothing; without a place the cursor is where it went wrong.

        While a case runs the cursor goes along with its last call, until it is moved away.
        """
        is_last = self.position.selected == len(self._calls) - 1
        goes_along = self._is_live and is_last and place is self.position
        self._model = model
        self._calls = node_calls(model) if model is not None else ()
        if isinstance(place, Position) and not goes_along:
            self.position = place
        elif model is None or self._is_live:
            self.position = Position(max(0, len(self._calls) - 1))
        else:
            self.position = Position(decisive_call(model))
        self.show(self._draw)

    @property
    def _is_live(self) -> bool:
        return self._model is not None and self._model.result is None

    def select(self, call: int) -> None:
        """Move the cursor to a call, or as near as possible."""
        last = max(0, len(self._calls) - 1)
        self.position.selected = max(0, min(call, last))
        self.position.offset = 0
        self.redraw()

    def action_move(self, calls: int) -> None:
        self.select(self.position.selected + calls)

    def action_scroll_call(self, pages: int) -> None:
        self._scroll_details(pages * max(1, self.size.height // 3))

    def _scroll_details(self, lines: int) -> None:
        self.position.offset = max(0, self.position.offset + lines)
        self.redraw()

    def on_click(self, event: events.Click) -> None:
        call = self._drawn.call_at(event.x, event.y)
        if call is not None:
            self.select(call)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._turn_wheel(event, 1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._turn_wheel(event, -1)

    def _turn_wheel(self, event: events.MouseEvent, way: int) -> None:
        """Over the list the cursor moves, over the details they are scrolled."""
        event.stop()
        if self._drawn.call_at(event.x, event.y) is not None:
            self.action_move(way)
        else:
            self._scroll_details(way * WHEEL)

    def on_focus(self) -> None:
        self.redraw()

    def on_blur(self) -> None:
        self.redraw()

    def _draw(self, width: int, height: int) -> list[Content]:
        if self._model is None:
            return []
        cursor = CURSOR if self.has_focus else CURSOR_BLURRED
        at = self.position
        drawn = draw(self._calls, self._model, width, height, at.selected, at.offset, cursor)
        self._drawn, at.offset = drawn, drawn.offset
        return drawn.lines
