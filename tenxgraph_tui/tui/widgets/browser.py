"""The browser: eval sets and their cases, to look at, to select and to open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.glyphs import MUTED
from tenxgraph_tui.tui.kit import BLANK, KEY, join, rule, text
from tenxgraph_tui.tui.lines.browser import Entry, TreeContext, entries, line
from tenxgraph_tui.tui.widgets.line_list import LineList

UNFOLD_ALL_UP_TO = 12


class Browser(LineList):
    """A tree of what the catalog holds, with the last known status of everything in it."""

    GUTTER = 0
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", tooltip="Open, fold or unfold", id="browser.open"),
        Binding(
            "space", "select", "Select", tooltip="Select what is on the line", id="browser.select"
        ),
        Binding("right,l", "unfold", "Unfold", show=False, id="browser.unfold"),
        Binding("left,h", "fold", "Fold", show=False, id="browser.fold"),
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

    def __init__(self, desk: Desk, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._desk = desk
        files = desk.catalog.files
        few = len(desk.catalog) <= UNFOLD_ALL_UP_TO
        self._unfolded = {file.path for file in (files if few else files[:1])}
        self._unfolded |= {file.path for file in files if file.problem}
        self._entries: tuple[Entry, ...] = ()
        self._tree = self._tree_context()

    def on_mount(self) -> None:
        self._build()

    def on_resize(self) -> None:
        self._build()

    def show(self) -> None:
        """Draw what is known now."""
        self._tree = self._tree_context()
        self.update_lines()

    def _tree_context(self) -> TreeContext:
        desk = self._desk
        return TreeContext(
            desk.catalog, self._unfolded, desk.choices.selected, self._status, self._share
        )

    def _build(self) -> None:
        at = self._entries[self.cursor].identity if self._entries else None
        self._entries = entries(self._desk.catalog, self._unfolded, self.inner_width)
        place = [index for index, entry in enumerate(self._entries) if entry.identity == at]
        self.rows_changed(place[0] if place else None)

    def _status(self, case: CaseId) -> CaseStatus:
        return self._desk.standings.status_of(case)

    def _share(self, entry: Entry) -> tuple[int, int]:
        files = [entry.file] if entry.file else self._desk.catalog.files
        passed = sum(self._desk.standings.passed_in(file.path) for file in files)
        return passed, sum(self._desk.catalog.runnable_in(file.path) for file in files)

    @property
    def entry(self) -> Entry:
        """What the cursor is on."""
        return self._entries[self.cursor]

    def row_count(self) -> int:
        return len(self._entries)

    def cursor_moved(self) -> None:
        if self.entry.file is not None and self.entry.case is not None:
            self.post_message(self.Moved(CaseId(self.entry.file.path, self.entry.case)))

    def row_clicked(self, index: int) -> None:  # noqa: ARG002 - it has the cursor
        self.action_open()

    def head_line(self, index: int, width: int) -> Content:  # noqa: ARG002 - there is one
        focused = self.has_focus
        title = join(text("b", KEY), " ", text("Eval sets", KEY if focused else "bold"))
        chosen = len(self._desk.choices.selected)
        right = text(f"{chosen} selected", MUTED) if chosen else BLANK
        return rule(title, width, right, focused=focused)

    def row_line(self, index: int, width: int) -> Content:
        return line(self._entries[index], self._tree, width)

    def action_open(self) -> None:
        entry = self.entry
        if entry.file is None:
            return
        if entry.case is not None:
            self.post_message(self.Opened(CaseId(entry.file.path, entry.case)))
        elif entry.is_file:
            self._fold(entry.file.path, is_open=entry.file.path not in self._unfolded)

    def action_unfold(self) -> None:
        if self.entry.file is not None:
            self._fold(self.entry.file.path, is_open=True)

    def action_fold(self) -> None:
        """Fold the file that the cursor is in, and go to its line."""
        file = self.entry.file
        if file is None:
            return
        self.cursor = next(i for i, e in enumerate(self._entries) if e.file is file and e.is_file)
        self._fold(file.path, is_open=False)

    def _fold(self, path: str, *, is_open: bool) -> None:
        (self._unfolded.add if is_open else self._unfolded.discard)(path)
        self._build()

    def action_select(self) -> None:
        cases = tuple(self.entry.cases(self._desk.catalog))
        if cases:
            self.post_message(self.Selected(cases))
