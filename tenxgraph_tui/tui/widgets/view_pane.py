"""One view of a case, as the drill-down knows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.picked import Picked
from tenxgraph_tui.tui.widgets.line_pane import LinePane


class ViewPane(LinePane):
    """Draws a case. A `place` is where its reader was: what only the view itself understands."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", tooltip="Open what the cursor is on", id="detail.open"),
        Binding("y", "copy", "Copy", tooltip="Copy what the cursor is on", id="detail.copy"),
    ]

    @dataclass
    class Opened(Message):
        """The user wants to see all of what the cursor is on."""

        picked: Picked

    @dataclass
    class CopyAsked(Message):
        """The user wants all of what the cursor is on in the clipboard."""

        picked: Picked

    class SearchAsked(Message):
        """The user wants to type words to `look_for`."""

    @property
    def place(self) -> object:
        """Where the reader is; None where there is nothing to read."""
        raise NotImplementedError

    @property
    def picked(self) -> Picked | None:
        """What the cursor is on, if it is anything that can be had whole."""
        return None

    def look_at(self, model: DetailModel | None, place: object = None) -> None:
        """Draw a case, or nothing, with the reader where `place` says; None is the beginning."""
        raise NotImplementedError

    @property
    def shows_run(self) -> bool:
        """Whether what was said in the whole run is wanted."""
        return False

    def to_divergence(self) -> bool:
        """Put the cursor on the first step that costs score; whether there is one here."""
        return False

    def look_for(self, words: str) -> None:
        """Mark words and go to the first of them; a view that asks for a search can do that."""

    def on_focus(self) -> None:
        self.call_later(self.redraw)  # whether it has the focus is known after this

    def on_blur(self) -> None:
        self.call_later(self.redraw)

    def action_open(self) -> None:
        if (picked := self.picked) is not None:
            self.post_message(self.Opened(picked))
        else:
            toasts.said(self.app, "Nothing to open", "There is nothing under the cursor.")

    def action_copy(self) -> None:
        if (picked := self.picked) is not None:
            self.post_message(self.CopyAsked(picked))
        else:
            toasts.said(self.app, "Nothing to copy", "There is nothing under the cursor.")
