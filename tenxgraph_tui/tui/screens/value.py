"""One value on the whole screen: an answer, the result of a call, a verdict with its details."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.getters import query_one

from tenxgraph_tui.tui import copying
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.glyphs import MUTED
from tenxgraph_tui.tui.intents import Copy
from tenxgraph_tui.tui.kit import KEY, join, rule, text
from tenxgraph_tui.tui.lines.value import size_of
from tenxgraph_tui.tui.screens.front import Front
from tenxgraph_tui.tui.screens.sizes import HEIGHTS, WIDTHS, classes_at
from tenxgraph_tui.tui.value.document import Document
from tenxgraph_tui.tui.value.node import read_json
from tenxgraph_tui.tui.value.search import MOST, Found, pattern_of, search
from tenxgraph_tui.tui.widgets.bars import Row
from tenxgraph_tui.tui.widgets.key_bar import KeyBar
from tenxgraph_tui.tui.widgets.notices import TooSmall
from tenxgraph_tui.tui.widgets.search_line import SearchLine
from tenxgraph_tui.tui.widgets.value_pane import ValuePane


class ValueTitle(Row):
    """What the value is, how much there is of it, and what was found in it."""

    def __init__(self, title: str, size: str) -> None:
        super().__init__()
        self._title, self._extent, self._found = title, size, ""

    def tell(self, found: str) -> None:
        """Say how a search goes."""
        self._found = found
        self.redraw()

    def line(self) -> Content:
        title = join(text(self._title, KEY), "  ", text(self._extent, MUTED))
        return rule(title, self.size.width, text(self._found, MUTED), focused=True)


class ValueScreen(Front[None]):
    """Over the case that the value is of; a text that holds JSON is shown as what it holds."""

    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    AUTO_FOCUS = "ValuePane"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="case.back"),
        Binding("slash", "search", "Search", tooltip="Look for words", id="value.search"),
        Binding("n", "next_match(1)", "Next match", id="value.next_match"),
        Binding("N", "next_match(-1)", "Previous match", show=False, id="value.previous_match"),
    ]

    title_row = query_one(ValueTitle)
    pane = query_one(ValuePane)
    search_line = query_one(SearchLine)

    def __init__(self, desk: Desk, title: str, value: Any) -> None:
        super().__init__()
        self._desk, self._title, self._value = desk, title, value
        self._document = Document(read_json(value))
        self._words = ""
        self._found: list[Found] = []
        self._at = 0

    def compose(self) -> ComposeResult:
        self.update_classes(classes_at(self.app.size), animate=False)
        yield ValueTitle(self._title, size_of(self._value))
        yield ValuePane(self._document)
        yield SearchLine()
        yield TooSmall()
        yield KeyBar(self._desk)

    def action_back(self) -> None:
        """The first time the search goes, the second time the value."""
        if self._words:
            self.search_line.input.value = ""
        else:
            self.dismiss(None)

    def action_search(self) -> None:
        """Type words to look for."""
        self.search_line.open()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "next_match":
            return bool(self._found)
        return super().check_action(action, parameters)

    def action_next_match(self, step: int) -> None:
        """Go to the next place where the words stand, around the end if need be."""
        self._at = (self._at + step) % len(self._found)
        self._show_match()

    @on(SearchLine.Closed)
    def _to_pane(self) -> None:
        self.pane.focus()

    @on(SearchLine.Typed)
    def _look_for(self, message: SearchLine.Typed) -> None:
        self._words = message.words
        self.run_worker(self._search(message.words), exclusive=True, exit_on_error=False)

    async def _search(self, words: str) -> None:
        def is_wanted() -> bool:
            return words == self._words

        found = await asyncio.to_thread(search, self._document.value, words, is_wanted)
        if not is_wanted():
            return
        self._found, self._at = found, 0
        self.pane.mark(pattern_of(words) if words else None)
        self._show_match()
        self.refresh_bindings()

    def _show_match(self) -> None:
        if not self._words:
            self.title_row.tell("")
        elif not self._found:
            self.title_row.tell("not found")
        else:
            self.pane.go_to_found(self._found[self._at])
            more = "+" if len(self._found) == MOST else ""
            self.title_row.tell(f"{self._at + 1:,} of {len(self._found):,}{more}")

    @on(ValuePane.CopyAsked)
    async def _copy(self, message: ValuePane.CopyAsked) -> None:
        whole = self._title if not message.path else f"{message.path} of {self._title}"
        value = message.value if message.path else self._value
        self.post_message(Copy(whole, await asyncio.to_thread(copying.text_of, value)))
