"""Every setting with its value and where that comes from, and every key with its id."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult, RenderResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.getters import query_one
from textual.message import Message

from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.intents import EditFile
from tenxgraph_tui.tui.lines.settings import FOOT, foot_lines, key_line, setting_line
from tenxgraph_tui.tui.panes.frame import Tab, tab_at, tabs
from tenxgraph_tui.tui.screens.front import Sheet, is_beside
from tenxgraph_tui.tui.setting_rows import Change, Row
from tenxgraph_tui.tui.widgets.bars import Row as OneRow
from tenxgraph_tui.tui.widgets.line_list import LineList

SETTINGS, KEYS = Tab("1", "Settings"), Tab("2", "Keys")
TABS = (SETTINGS, KEYS)
Rows = Callable[[], Sequence[Row]]


class SettingList(LineList):
    """The rows of a tab; the tabs themselves stand in the rule above them."""

    GUTTER = 0

    @dataclass
    class TabChosen(Message):
        """A tab was clicked."""

        tab: Tab

    class Moved(Message):
        """The cursor is on another row."""

    class Opened(Message):
        """The row that had the cursor was clicked again."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[Row] = ()
        self.tab = SETTINGS

    def show(self, tab: Tab, rows: Sequence[Row]) -> None:
        place = self.cursor if tab is self.tab else 0
        self.tab, self.rows = tab, rows
        self.rows_changed(place)
        self.refresh()

    @property
    def row(self) -> Row | None:
        """The one that the cursor is on."""
        return self.rows[self.cursor] if self.rows else None

    def row_count(self) -> int:
        return len(self.rows)

    def head_line(self, index: int, width: int) -> Content:  # noqa: ARG002 - there is one
        return tabs(TABS, self.tab.name, width, focused=True)

    def row_line(self, index: int, width: int) -> Content:
        draw = setting_line if self.tab is SETTINGS else key_line
        return draw(self.rows[index], width)

    def cursor_moved(self) -> None:
        self.post_message(self.Moved())

    def row_clicked(self, index: int) -> None:  # noqa: ARG002 - it has the cursor
        self.post_message(self.Opened())

    def on_click(self, event: events.Click) -> None:
        if event.y == 0:
            event.prevent_default()
            tab = tab_at(TABS, self.tab.name, self.inner_width, "", event.x)
            if tab is not None:
                self.post_message(self.TabChosen(tab))


class SettingFoot(OneRow):
    """What is to know about the row under the cursor."""

    DEFAULT_CSS = f"SettingFoot {{ height: {FOOT}; }}"

    def __init__(self) -> None:
        super().__init__()
        self._row: Row | None = None

    def show(self, row: Row | None) -> None:
        self._row = row
        self.refresh()

    def render(self) -> RenderResult:
        return Content("\n").join(foot_lines(self._row, self.size.width))


class SettingsScreen(Sheet[None]):
    """`settings` and `keys` give the rows as they are now; what to change is reported."""

    AUTO_FOCUS = "SettingList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Close", id="settings.close"),
        Binding("comma", "dismiss(None)", show=False, id="app.settings"),
        Binding("enter,space", "change", "Change", id="settings.change"),
        Binding("o", "edit", "Open in $EDITOR", id="settings.edit"),
        Binding("1", "tab('Settings')", "Settings", show=False, id="settings.values"),
        Binding("2", "tab('Keys')", "Keys", show=False, id="settings.keys"),
    ]

    @dataclass
    class Wanted(Message):
        """The user wants to change something that can be changed here."""

        change: Change

    rows = query_one(SettingList)
    foot = query_one(SettingFoot)

    def __init__(self, settings: Rows, keys: Rows) -> None:
        super().__init__()
        self._sources = {SETTINGS.name: settings, KEYS.name: keys}

    def compose(self) -> ComposeResult:
        with Vertical(id="settings"):
            yield SettingList()
            yield SettingFoot()

    def on_mount(self) -> None:
        self.draw()

    def draw(self) -> None:
        """Show the rows as they are now."""
        self.action_tab(self.rows.tab.name)

    def action_tab(self, name: str) -> None:
        tab = next(tab for tab in TABS if tab.name == name)
        self.rows.show(tab, self._sources[name]())
        self._tell()

    @on(SettingList.TabChosen)
    def _tab_clicked(self, message: SettingList.TabChosen) -> None:
        self.action_tab(message.tab.name)

    @on(SettingList.Moved)
    def _tell(self) -> None:
        self.foot.show(self.rows.row)

    @on(SettingList.Opened)
    def action_change(self) -> None:
        row = self.rows.row
        if row is None:
            return
        if row.change is not None:
            self.post_message(self.Wanted(row.change))
        else:
            toasts.said(self.app, "Not changed here", row.how)

    def action_edit(self) -> None:
        row = self.rows.row
        if row is not None and row.file is not None:
            self.post_message(EditFile(str(row.file), row.line))

    def on_click(self, event: events.Click) -> None:
        if is_beside(self, event):
            self.dismiss(None)
