"""The log as a widget: a cursor over its lines, warnings one key away, and a search."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message

from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.kit import CURSOR, CURSOR_BLURRED
from tenxgraph_tui.tui.panes import log_picked
from tenxgraph_tui.tui.panes.log import Drawn, draw
from tenxgraph_tui.tui.panes.log_reading import LogReading, Spot
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.picked import Picked
from tenxgraph_tui.tui.widgets.view_pane import ViewPane

FAR = 10**6
WHEEL = 3


class LogPane(ViewPane):
    """Draws rows in exactly its own height; it is the cursor that moves, not the pane."""

    DEFAULT_CSS = """
    LogPane { overflow-y: hidden; scrollbar-gutter: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False, id="pane.up"),
        Binding("down,j", "move(1)", "Down", show=False, id="pane.down"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="pane.page_up"),
        Binding("pagedown", "page(1)", "Page down", show=False, id="pane.page_down"),
        Binding("home", f"move({-FAR})", "Top", show=False, id="pane.home"),
        Binding("end", f"move({FAR})", "End", show=False, id="pane.end"),
        Binding("n", "next_match(1)", "Next match", id="log.next_match"),
        Binding("N", "next_match(-1)", "Previous match", show=False, id="log.previous_match"),
        Binding("n", "next_warning", "Next warning", id="log.next_warning"),
        Binding("slash", "search", "Search", tooltip="Look for words in the log", id="log.search"),
        Binding("m", "turn", "Case or run", tooltip="Log of the case or the run", id="log.turn"),
        Binding("Y", "copy_all", "Copy log", tooltip="Copy all lines of the log", id="log.copy"),
    ]

    class Turned(Message):
        """The lines of the whole run are wanted, or not any more."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._reading = LogReading()
        self._drawn = Drawn([], [])

    @property
    def shows_run(self) -> bool:
        """Whether the lines of the whole run are wanted."""
        return self._reading.is_run

    @property
    def place(self) -> object:
        return self._reading.spot if self._reading.journal.entries else None

    @property
    def picked(self) -> Picked | None:
        entries = self._reading.journal.entries
        return log_picked.of_entry(entries[self._reading.spot.selected]) if entries else None

    def look_at(self, model: DetailModel | None, place: object = None) -> None:
        had_matches = self._reading.has_matches
        self._reading.take(model, place if isinstance(place, Spot) else None)
        self.show(self._draw)
        if self._reading.has_matches != had_matches:
            self.refresh_bindings()

    def look_for(self, words: str) -> None:
        self._reading.look_for(words)
        self.redraw()
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "next_match":
            return self._reading.has_matches
        if action == "next_warning":
            return not self._reading.has_matches
        return super().check_action(action, parameters)

    def select(self, row: int) -> None:
        """Move the cursor to a row, or as near as possible."""
        self._reading.go(row)
        self.redraw()

    def action_move(self, rows: int) -> None:
        self.select(self._reading.spot.selected + rows)

    def action_page(self, pages: int) -> None:
        self.action_move(pages * max(1, self._drawn.room - 1))

    def action_next_match(self, step: int) -> None:
        self._reading.next_match(step)
        self.redraw()

    def action_next_warning(self) -> None:
        if not self._reading.next_warning():
            toasts.said(self.app, "No warning", "No line says that it is a warning or an error.")
        self.redraw()

    def action_search(self) -> None:
        self.post_message(self.SearchAsked())

    def action_turn(self) -> None:
        """From the lines of the case to those of the whole run, or back."""
        self._reading.turn()
        self.redraw()
        self.post_message(self.Turned())

    def action_copy_all(self) -> None:
        self.post_message(self.CopyAsked(log_picked.of_all(is_run=self._reading.is_run)))

    def on_click(self, event: events.Click) -> None:
        row = self._drawn.row_at(event.y)
        if row is None:
            return
        is_again = row == self._reading.spot.selected and event.chain > 1
        self.select(row)
        if is_again:
            self.action_open()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.action_move(WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.action_move(-WHEEL)

    def _draw(self, width: int, height: int) -> list[Content]:
        reading = self._reading
        if reading.model is None:
            return []
        cursor = CURSOR if self.has_focus else CURSOR_BLURRED
        self._drawn = draw(reading.journal, reading.model, width, height, reading.looking, cursor)
        reading.go(reading.spot.selected, self._drawn.top)
        return self._drawn.lines
