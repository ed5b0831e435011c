"""The line in which words are typed that are looked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.getters import query_one
from textual.message import Message
from textual.widgets import Input

from tenxgraph_tui.tui.widgets.filter_bar import Prompt
from tenxgraph_tui.tui.words import clean


class SearchInput(Input):
    """A line of text whose keys are those of a search."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "close(True)", "Keep", key_display="enter", id="search.keep"),
        Binding("escape", "close(False)", "Clear", key_display="esc", id="search.clear"),
    ]

    @dataclass
    class Left(Message):
        """The user has typed enough, or wants no search."""

        is_kept: bool

    def validate_value(self, value: str) -> str:
        """What is pasted can hold anything; it is looked for as it can be drawn."""
        return clean(value)

    def action_close(self, is_kept: bool) -> None:
        self.post_message(self.Left(is_kept))


class SearchLine(Horizontal):
    """Hidden until it is opened; says what is typed with every letter."""

    DEFAULT_CSS = """
    SearchLine {
        display: none;
        height: 1;
        &.-open { display: block; }
        Prompt { width: 2; }
        SearchInput, SearchInput:focus {
            width: 1fr;
            height: 1;
            border: none;
            padding: 0;
            background: transparent;
            background-tint: transparent;
        }
    }
    """

    @dataclass
    class Typed(Message):
        """Other words; empty ones end the search."""

        words: str

    class Closed(Message):
        """The keys are for the pane again."""

    input = query_one(SearchInput)

    def open(self) -> None:
        """Have words typed; the first time, what they are typed into is made."""
        if not self.children:
            self.mount(Prompt(), SearchInput(compact=True, select_on_focus=True))
        self.add_class("-open")
        self.input.focus()

    def close(self) -> None:
        """Hide it; what was found stays marked."""
        self.remove_class("-open")

    @on(Input.Changed)
    def _changed(self, message: Input.Changed) -> None:
        message.stop()
        self.post_message(self.Typed(message.value))

    @on(SearchInput.Left)
    def _left(self, message: SearchInput.Left) -> None:
        message.stop()
        if not message.is_kept:
            self.input.value = ""
        self.close()
        self.post_message(self.Closed())
