"""The two lists of the form: the criteria of a preset, and the settings of one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message

from tenxgraph_tui.tui.draft import Draft, DraftRow
from tenxgraph_tui.tui.glyphs import MUTED
from tenxgraph_tui.tui.kit import KEY, join, rule, text
from tenxgraph_tui.tui.lines.criteria import (
    BOX,
    TYPED,
    about,
    arrow_at,
    criterion_line,
    field_line,
    heading,
)
from tenxgraph_tui.tui.widgets.line_list import LineList

MOST_FIELDS = 4


@dataclass
class Stepped(Message):
    """The user wants the next value of a setting of a criterion, or the one before."""

    field: str
    by: int


class CriteriaList(LineList):
    """Every criterion there is, on or off, with its threshold."""

    GUTTER = 0
    HEAD = 2
    HAS_FLIPS: ClassVar[bool] = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "use", "Use for next run", key_display="enter", id="criteria.use"),
        Binding("space", "switch", "On, off", id="criteria.toggle"),
        Binding("left,h,minus", "step(-1)", "Lower by 0.05", show=False, id="criteria.lower"),
        Binding(
            "right,l,plus",
            "step(1)",
            "Threshold 0.05",
            key_display="←→",
            tooltip="Raise by 0.05",
            id="criteria.raise",
        ),
    ]

    class Moved(Message):
        """The cursor is on another criterion."""

    class Toggled(Message):
        """The user wants the criterion under the cursor on, or off."""

    class Used(Message):
        """The user wants the next run to check this."""

    def __init__(self, draft: Draft, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._draft = draft

    def edit(self, draft: Draft) -> None:
        self._draft = draft
        self.rows_changed()

    def row_count(self) -> int:
        return len(self._draft)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - the interface is Textual's
        return self.HEAD + self.row_count()

    def head_line(self, index: int, width: int) -> Content:
        if index:
            return heading(width, has_flips=self.HAS_FLIPS)
        focused = self.has_focus
        name = text(f"  {self._draft.preset.name}", MUTED)
        return rule(join(text("Preset", KEY if focused else "bold"), name), width, focused=focused)

    def row_line(self, index: int, width: int) -> Content:
        at_cursor = index == self.cursor
        return criterion_line(self._draft.row(index), width, at_cursor=at_cursor)

    def cursor_moved(self) -> None:
        self.post_message(self.Moved())

    def on_click(self, event: events.Click) -> None:
        """A box switches, an arrow moves the threshold; all else only moves the cursor."""
        index = self.scroll_offset.y + event.y - self.HEAD
        if event.y < self.HEAD or index >= self.row_count():
            return
        arrow = arrow_at(event.x, self.inner_width, has_flips=self.HAS_FLIPS)
        by = arrow if index == self.cursor else 0
        self.go_to(index)
        event.prevent_default()
        if event.x < BOX:
            self.action_switch()
        elif by:
            self.action_step(by)

    def action_use(self) -> None:
        self.post_message(self.Used())

    def action_switch(self) -> None:
        self.post_message(self.Toggled())

    def action_step(self, by: int) -> None:
        self.post_message(Stepped("threshold", by))


class FieldList(LineList):
    """The settings of one criterion."""

    GUTTER = 0
    HEAD = 2
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "write", "Change", key_display="enter", id="criteria.write"),
        Binding("left,h,minus", "step(-1)", "Lower", show=False, id="criteria.lower"),
        Binding("right,l,plus,space", "step(1)", "Raise", show=False, id="criteria.raise"),
    ]

    @dataclass
    class WriteAsked(Message):
        """The user wants to type the value of a setting."""

        field: str

    def __init__(self, row: DraftRow, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._row = row

    def look_at(self, row: DraftRow) -> None:
        is_same = row.name == self._row.name
        self._row = row
        self.rows_changed(None if is_same else 0)

    @property
    def field(self) -> str:
        """The setting under the cursor."""
        return self._row.fields[self.cursor]

    def row_count(self) -> int:
        return len(self._row.fields)

    def head_line(self, index: int, width: int) -> Content:
        if index:
            return about(self._row, width)
        focused = self.has_focus
        return rule(text(self._row.name, KEY if focused else "bold"), width, focused=focused)

    def row_line(self, index: int, width: int) -> Content:
        at_cursor = index == self.cursor and self.has_focus
        return field_line(self._row, self._row.fields[index], width, at_cursor=at_cursor)

    def row_clicked(self, index: int) -> None:  # noqa: ARG002 - it has the cursor
        self.action_write()

    def action_write(self) -> None:
        """Type the value, or take the next one where there are only a few."""
        if self.field in TYPED:
            self.post_message(self.WriteAsked(self.field))
        else:
            self.action_step(1)

    def action_step(self, by: int) -> None:
        self.post_message(Stepped(self.field, by))
