"""The palette: everything that can be done or gone to, found by a few letters of its name."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult, RenderResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.events import Click
from textual.getters import query_one
from textual.message import Message
from textual.widgets import Input

from tenxgraph_tui.tui.commands import Command
from tenxgraph_tui.tui.kit import hairline, join, text
from tenxgraph_tui.tui.lines.palette import hit_line, how_line
from tenxgraph_tui.tui.palette import Hit, Palette, Shelf
from tenxgraph_tui.tui.screens.front import Sheet, is_beside
from tenxgraph_tui.tui.widgets.bars import Row
from tenxgraph_tui.tui.widgets.line_list import LineList

NOTHING_FOUND = "Nothing is called like that."


class Hits(LineList, can_focus=False):
    """What was found, the best hit first; the keys go to the input above it."""

    GUTTER = 0

    class Chosen(Message):
        """A hit was clicked."""

    def __init__(self) -> None:
        super().__init__()
        self.hits: list[Hit] = []

    def show(self, hits: list[Hit]) -> None:
        self.hits = hits
        self.styles.height = self.HEAD + max(1, len(hits))
        self.rows_changed(0)
        self.scroll_to(y=0, animate=False, immediate=True)
        self.refresh()

    @property
    def hit(self) -> Hit | None:
        """The one that the cursor is on."""
        return self.hits[self.cursor] if self.hits else None

    def row_count(self) -> int:
        return len(self.hits)

    def head_line(self, index: int, width: int) -> Content:  # noqa: ARG002 - there is one
        return hairline(width)

    def row_line(self, index: int, width: int) -> Content:
        return hit_line(self.hits[index], width)

    def below(self, index: int, width: int) -> Content:
        return super().below(index, width) if self.hits or index else text(f" {NOTHING_FOUND}")

    def is_lit(self) -> bool:
        return True

    def row_clicked(self, index: int) -> None:  # noqa: ARG002 - it has the cursor
        self.post_message(self.Chosen())


class Foot(Row):
    """The keys of the palette, below a line."""

    DEFAULT_CSS = "Foot { height: 2; }"

    def render(self) -> RenderResult:
        width = self.size.width
        return Content("\n").join([hairline(width), how_line(width)])


class Head(Row):
    """What stands before the input."""

    DEFAULT_CSS = "Head { width: 13; }"

    def render(self) -> RenderResult:
        return join(" ", text("Commands", "bold"), "  ", text(">", "bold $primary"))


class PaletteScreen(Sheet[Command | None]):
    """Gives back the command that was chosen, if one was."""

    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Close", id="palette.close"),
        Binding("ctrl+p", "dismiss(None)", "Close", show=False, id="app.palette"),
        Binding("down", "move(1)", "Next", show=False, id="palette.next"),
        Binding("up", "move(-1)", "Previous", show=False, id="palette.previous"),
        Binding("pagedown", "page(1)", "Page down", show=False, id="palette.page_down"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="palette.page_up"),
    ]

    hits = query_one(Hits)
    typed = query_one(Input)

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette

    def compose(self) -> ComposeResult:
        with Vertical(id="palette"):
            with Horizontal(id="query"):
                yield Head()
                yield Input(placeholder="a command, case, eval set or run", compact=True)
            yield Hits()
            yield Foot()

    def on_mount(self) -> None:
        self.hits.show(self._palette.find(""))

    def add(self, shelf: Shelf) -> None:
        """Names that became known only now."""
        self._palette.add(shelf)
        if self.typed.value.strip():
            self.hits.show(self._palette.find(self.typed.value))

    @on(Input.Changed)
    def _search(self, message: Input.Changed) -> None:
        message.stop()
        self.hits.show(self._palette.find(message.value))

    @on(Input.Submitted)
    @on(Hits.Chosen)
    def _choose(self) -> None:
        if self.hits.hit is not None:
            self.dismiss(self.hits.hit.command)

    def action_move(self, rows: int) -> None:
        self.hits.action_move(rows)

    def action_page(self, pages: int) -> None:
        self.hits.action_page(pages)

    def on_click(self, event: Click) -> None:
        if is_beside(self, event):
            self.dismiss(None)
