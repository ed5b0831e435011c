"""The browser: eval sets and their cases, to look at, to select, to edit and to open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message

from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.framing import Part
from tenxgraph_tui.tui.glyphs import MUTED, WARN
from tenxgraph_tui.tui.intents import EditCase, EditFile, TagChosen
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import BLANK, KEY, join, rule, text
from tenxgraph_tui.tui.lines.browser import ABOUT_LINES, line, on_box, on_fold, tag_at
from tenxgraph_tui.tui.outline import Entry, Kind
from tenxgraph_tui.tui.remembered import Remembered
from tenxgraph_tui.tui.tree import SHORT, Tree
from tenxgraph_tui.tui.widgets.line_list import LineList

ROOM_FOR_FOOT, ROOM_FOR_GAP, GAP = 12, 16, 1
TOLD_OF = frozenset({Kind.CASE, Kind.FILE, Kind.TAG})
"""What there is more to know of than its line says."""


class Browser(LineList):
    """A tree of what the catalog holds, with the last known status of everything in it."""

    GUTTER = 0
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", tooltip="Open, fold or unfold", id="browser.open"),
        Binding(
            "space", "select", "Select", tooltip="Select what is on the line", id="browser.select"
        ),
        Binding("o", "edit", "Edit file", tooltip="Edit the file", id="browser.edit"),
        Binding("right,l", "fold(True)", "Unfold", show=False, id="browser.unfold"),
        Binding("left,h", "fold(False)", "Fold", show=False, id="browser.fold"),
    ]

    @dataclass
    class Moved(Message):
        """The cursor is on a case."""

        case: CaseId

    @dataclass
    class Opened(Message):
        """The user wants to see all of a case."""

        case: CaseId

    @dataclass
    class Selected(Message):
        """The user wants these cases in, or out of, the selection."""

        cases: tuple[CaseId, ...]

    def __init__(self, desk: Desk, remembered: Remembered, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._tree = Tree(desk, remembered)

    def on_resize(self) -> None:
        self.show()

    def show(self) -> None:
        """Draw what is known now; the cursor stays on what it is on."""
        at = self.entry
        if self._tree.renew(self.inner_width):
            self.rows_changed(self._tree.find(at))
            self.refresh(layout=True)
        else:
            self.update_lines()

    @property
    def entry(self) -> Entry:
        """What the cursor is on."""
        return self._tree.entries[self.cursor]

    def row_count(self) -> int:
        return len(self._tree.entries)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - the interface is Textual's
        return self.HEAD + self.row_count() + GAP + ABOUT_LINES

    def cursor_moved(self) -> None:
        self.rows_changed()  # what stands below the tree is about the line with the cursor
        self.refresh_bindings()
        if self.entry.case is not None:
            self.post_message(self.Moved(self.entry.case))

    def on_click(self, event: events.Click) -> None:
        """Triangles, boxes and tags do what they stand for; the rest of a line is the line."""
        part, index, _ = self.frame.place(event.y, self.scroll_offset.y)
        if part is not Part.ROW:
            return
        entry, tree = self._tree.entries[index], self._tree.context
        if on_fold(entry, event.x):
            self._fold(entry, is_open=not self._tree.is_open(entry))
        elif on_box(entry, tree, event.x):
            self._select(entry)
        elif tag := tag_at(entry, tree, self.inner_width, event.x):
            self.post_message(TagChosen(tag))
        else:
            return
        event.prevent_default()
        self.go_to(index)

    def row_clicked(self, index: int) -> None:  # noqa: ARG002 - it has the cursor
        self.action_open()

    def head_line(self, index: int, width: int) -> Content:  # noqa: ARG002 - there is one
        focused = self.has_focus
        name = text("Eval sets", KEY if focused else "bold")
        title = join(text(word("dashboard.sets"), KEY), " ", name)
        chosen, broken = len(self._tree.context.picked), self._tree.problems
        right = text(f"{broken} not read", WARN) if broken else BLANK
        return rule(
            title, width, text(f"{chosen} selected", MUTED) if chosen else right, focused=focused
        )

    def row_line(self, index: int, width: int) -> Content:
        return line(self._tree.entries[index], self._tree.context, width)

    def below(self, index: int, width: int) -> Content:
        """Where the tree leaves room: a gap, then what there is to know of its line."""
        lines = self._tree.about(self.entry, width)
        fits = self.row_count() + 1 + len(lines) <= self.frame.page
        return lines[index - 1] if fits and 1 <= index <= len(lines) else BLANK

    @property
    def foot(self) -> int:
        """What is told of a line stays in sight where the tree is longer than the pane."""
        height = self.size.height
        is_long = self.row_count() + self.HEAD > height >= ROOM_FOR_FOOT
        if not is_long or self.entry.kind not in TOLD_OF:
            return 0
        return SHORT + (height >= ROOM_FOR_GAP)

    def foot_line(self, index: int, width: int) -> Content:
        gap = self.foot - SHORT
        return self._tree.in_short(self.entry, width)[index - gap] if index >= gap else BLANK

    def action_open(self) -> None:
        entry = self.entry
        if entry.case is not None:
            self.post_message(self.Opened(entry.case))
        elif entry.kind is Kind.TAG:
            self.post_message(TagChosen(entry.name))
        elif entry.kind is Kind.NOTE:
            self.action_edit()
        else:
            self._fold(entry, is_open=not self._tree.is_open(entry))

    def action_edit(self) -> None:
        """Open the file in an editor: at the case, or at the line that is wrong."""
        entry = self.entry
        if entry.case is not None:
            self.post_message(EditCase(entry.case))
        elif entry.file is not None:
            self.post_message(EditFile(entry.file.path, entry.leads_to))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "edit":
            return self.entry.file is not None
        return super().check_action(action, parameters)

    def action_fold(self, is_open: bool) -> None:
        """Unfold what is below the cursor; fold what it is in, and go to that line."""
        if not is_open and not self._tree.is_open(self.entry):
            parent = self._tree.parent(self.cursor)
            if parent is None:
                return
            self.go_to(parent)
        self._fold(self.entry, is_open=is_open)

    def _fold(self, entry: Entry, *, is_open: bool) -> None:
        self._tree.fold(entry, is_open=is_open)
        self.show()

    def go_to_file(self, path: str) -> None:
        """Unfold a file, and put the cursor on it."""
        self._tree.open_file(path)
        self.show()
        place = self._tree.place_of_file(path)
        if place is not None:
            self.go_to(place)
            self.scroll_to(y=place, animate=False, immediate=True)  # with what is below it

    def action_select(self) -> None:
        self._select(self.entry)

    def _select(self, entry: Entry) -> None:
        if cases := tuple(self._tree.context.outline.cases(entry)):
            self.post_message(self.Selected(cases))
