"""The preset panel: choose what is checked, and see what that means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message

from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.framing import Part
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import BLANK, KEY, join, rule, text
from tenxgraph_tui.tui.preset_choice import PresetChoice
from tenxgraph_tui.tui.presets import Preset
from tenxgraph_tui.tui.widgets.line_list import LineList

SIGN_CELLS = 2
GAP, ENOUGH = 1, 5


class PresetPanel(LineList):
    """Every preset, and at the bottom the criteria of the one under the cursor."""

    GUTTER = 0
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter",
            "use",
            "Use for next run",
            tooltip="Use the preset for the next run",
            id="presets.use",
        ),
        Binding("space", "combine", "Combine", tooltip="Combine presets", id="presets.combine"),
        Binding(
            "t,right,l",
            "edit",
            "Edit criteria",
            key_display="t",
            tooltip="Edit the criteria of the preset",
            id="presets.edit",
        ),
        Binding(
            "S",
            "save",
            "Save as config",
            tooltip="Save the preset as a config file",
            id="presets.save",
        ),
    ]

    @dataclass
    class Used(Message):
        """The user chose a preset."""

        preset: Preset

    @dataclass
    class Combined(Message):
        """The user wants a preset beside those in use, or not beside them any more."""

        preset: Preset

    @dataclass
    class EditAsked(Message):
        """The user wants to change what a preset checks."""

        preset: Preset

    @dataclass
    class SaveAsked(Message):
        """The user wants a preset as a config file."""

        preset: Preset

    def __init__(self, desk: Desk, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._choice = PresetChoice(desk)
        self.cursor = self._choice.place_of_used
        self._at = self._choice.presets[self.cursor].key
        self._known = self._choice.facts()

    def show(self) -> None:
        """Draw what is known now, unless it is what is drawn; the cursor stays on its preset."""
        known, facts = self._known, self._choice.facts()
        same = [one is other for one, other in zip(known, facts, strict=True)]
        if all(same):
            return
        self._known = facts
        is_another_list_and_choice = not any(same[:2])
        if is_another_list_and_choice:
            self.go_to_used()
        else:
            self.rows_changed(self._choice.place_of(self._at))

    def go_to_used(self) -> None:
        """Put the cursor on what the next run takes."""
        self.rows_changed(self._choice.place_of_used)

    def rows_changed(self, index: int | None = None) -> None:
        self._choice.forget()
        super().rows_changed(index)
        self._at = self._choice.presets[self.cursor].key

    def row_count(self) -> int:
        return len(self._choice.presets)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - the interface is Textual's
        return self.HEAD + self.row_count() + GAP + self._choice.longest(width)

    @property
    def foot(self) -> int:
        """What the presets leave where that is enough for most of them, else half of the panel."""
        room = self.size.height - self.HEAD
        left = room - self.row_count()
        most = left if left >= ENOUGH else max(left, room // 2)
        return max(0, min(GAP + self._choice.longest(self.inner_width), most))

    def cursor_moved(self) -> None:
        self._at = self._choice.presets[self.cursor].key
        self.refresh()  # what is below the list is about the preset under the cursor

    def on_click(self, event: events.Click) -> None:
        """The sign in front of a preset is what `space` is."""
        part, index, _ = self.frame.place(event.y, self.scroll_offset.y)
        if part is Part.ROW and event.x < SIGN_CELLS:
            event.prevent_default()
            self.go_to(index)
            self.action_combine()

    def row_clicked(self, index: int) -> None:  # noqa: ARG002 - it has the cursor
        self.action_use()

    def foot_clicked(self, index: int) -> None:  # noqa: ARG002 - all of it is about one preset
        self.action_edit()

    def head_line(self, index: int, width: int) -> Content:  # noqa: ARG002 - there is one
        focused = self.has_focus
        name = text("Preset", KEY if focused else "bold")
        title = join(text(word("dashboard.preset"), KEY), " ", name)
        return rule(title, width, focused=focused)

    def row_line(self, index: int, width: int) -> Content:
        return self._choice.line(index, width)

    def foot_line(self, index: int, width: int) -> Content:
        lines = self._choice.told(self.cursor, width, self.foot - GAP)
        return lines[index - GAP] if GAP <= index < GAP + len(lines) else BLANK

    def action_use(self) -> None:
        self.post_message(self.Used(self._choice.presets[self.cursor]))

    def action_combine(self) -> None:
        self.post_message(self.Combined(self._choice.presets[self.cursor]))

    def action_edit(self) -> None:
        self.post_message(self.EditAsked(self._choice.presets[self.cursor]))

    def action_save(self) -> None:
        self.post_message(self.SaveAsked(self._choice.looked_at(self.cursor)))
