"""The preset panel: choose what is checked, and see what that means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message

from tenxgraph_tui.tui.choices import Preset
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.kit import BLANK, KEY, join, rule, text
from tenxgraph_tui.tui.lines.presets import choice, contents
from tenxgraph_tui.tui.widgets.line_list import LineList


class PresetPanel(LineList):
    """Every preset, and below them the criteria of the one under the cursor."""

    GUTTER = 0
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "use", "Use for next run", key_display="enter", id="presets.use"),
    ]

    @dataclass
    class Used(Message):
        """The user chose a preset."""

        preset: Preset

    def __init__(self, desk: Desk, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._desk = desk
        self.cursor = desk.choices.presets.index(desk.choices.preset)

    @property
    def _presets(self) -> tuple[Preset, ...]:
        return self._desk.choices.presets

    def row_count(self) -> int:
        return len(self._presets)

    def rows_changed(self, index: int | None = None) -> None:
        super().rows_changed(index)
        self.virtual_size = self.virtual_size.with_height(self._height())

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - the interface is Textual's
        return self._height()

    def reveal(self) -> None:
        """On the last preset, show what is below it too."""
        super().reveal()
        if self.cursor == self.row_count() - 1:
            self.scroll_end(animate=False, immediate=True)

    def _height(self) -> int:
        """Room for the longest preset, so that nothing jumps when the cursor moves."""
        longest = max(len(contents(preset, 1)) for preset in self._presets)
        return self.HEAD + self.row_count() + 1 + longest

    def cursor_moved(self) -> None:
        self.refresh()  # what is below the list is about the preset under the cursor

    def row_clicked(self, index: int) -> None:  # noqa: ARG002 - it has the cursor
        self.action_use()

    def head_line(self, index: int, width: int) -> Content:  # noqa: ARG002 - there is one
        focused = self.has_focus
        title = join(text("p", KEY), " ", text("Preset", KEY if focused else "bold"))
        return rule(title, width, focused=focused)

    def row_line(self, index: int, width: int) -> Content:
        preset = self._presets[index]
        return choice(preset, width, chosen=preset is self._desk.choices.preset)

    def below(self, index: int, width: int) -> Content:
        """The lines under the list: a gap, then the criteria."""
        lines = contents(self._presets[self.cursor], width)
        return lines[index - 1] if 1 <= index <= len(lines) else BLANK

    def action_use(self) -> None:
        self.post_message(self.Used(self._presets[self.cursor]))
