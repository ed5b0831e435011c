"""The peer of the drill-down's benchmark: a plain screen with as many widgets as that of a case."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

LINES = "The answer to this question is a sentence of some length.\n" * 60


class PlainScreen(Screen[None]):
    """Rows above and below of what is scrolled, and nothing that is read or compared."""

    DEFAULT_CSS = "PlainScreen > Static { height: 1; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Back")]

    def compose(self) -> ComposeResult:
        yield Static("title")
        yield Static("status")
        with Container(), Vertical():
            yield Static("tabs")
            yield VerticalScroll(Static(LINES))
        yield Static("keys")


class PlainApp(App[None]):
    """Opens the screen; `escape` leaves it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "open", "Open")]

    def action_open(self) -> None:
        self.push_screen(PlainScreen())
