"""The first screen: eval sets, presets, the cases as they run, and why the one below failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.getters import query_one
from textual.message import Message

from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.context import Context
from tenxgraph_tui.tui.keeper import restore_view
from tenxgraph_tui.tui.lines.notices import Empty
from tenxgraph_tui.tui.screens.sizes import DETAIL_FROM, HEIGHTS, WIDE_FROM, WIDTHS, classes_at
from tenxgraph_tui.tui.screens.stepping import say_none, stepping_bindings
from tenxgraph_tui.tui.screens.watched import WatchedScreen
from tenxgraph_tui.tui.telling import facts
from tenxgraph_tui.tui.widgets.armed import ArmedSheet
from tenxgraph_tui.tui.widgets.bars import RunStrip, TopBar
from tenxgraph_tui.tui.widgets.browser import Browser
from tenxgraph_tui.tui.widgets.case_table import CaseTable
from tenxgraph_tui.tui.widgets.case_view import CaseView
from tenxgraph_tui.tui.widgets.cases_pane import CasesPane
from tenxgraph_tui.tui.widgets.key_bar import KeyBar
from tenxgraph_tui.tui.widgets.news import NewsView
from tenxgraph_tui.tui.widgets.notices import EmptyView, TooSmall, TroubleView
from tenxgraph_tui.tui.widgets.preset_panel import PresetPanel
from tenxgraph_tui.tui.widgets.tour import TourCorner
from tenxgraph_tui.tui.widgets.views import view_bindings


class DashboardScreen(WatchedScreen):
    """Routes what the panes report; draws from the desk, decides nothing."""

    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    AUTO_FOCUS = "CaseTable"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "b", "side('browser')", "Eval sets", tooltip="Go to the eval sets", id="dashboard.sets"
        ),
        Binding("p", "side('presets')", "Preset", tooltip="Choose a preset", id="dashboard.preset"),
        Binding("escape", "dismiss_news", "Dismiss", show=False, id="news.dismiss"),
        Binding("escape", "to_cases", "Back to the cases", show=False, id="dashboard.back"),
        *stepping_bindings(),
        *view_bindings(),
        Binding("d", "divergence", "First divergence", show=False, id="detail.divergence"),
    ]

    top = query_one(TopBar)
    strip = query_one(RunStrip)
    browser = query_one(Browser)
    presets = query_one(PresetPanel)
    table = query_one(CaseTable)
    view = query_one(CaseView)
    trouble = query_one("#trouble", TroubleView)
    trouble_below = query_one("#trouble-below", TroubleView)
    empty = query_one(EmptyView)

    @dataclass
    class OpenCase(Message):
        """The user wants to see all of a case."""

        key: CaseKey

    def __init__(self, context: Context, empty: Empty) -> None:
        super().__init__(context)
        self._empty = empty
        self._doable: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        self.update_classes(classes_at(self.app.size), animate=False)
        desk = self._shared.desk
        yield TopBar()
        yield RunStrip()
        with Horizontal(id="body"):
            with Vertical(id="side"):
                yield Browser(desk, self._shared.remembered)
                yield PresetPanel(desk)
            with Vertical(id="main"):
                yield NewsView()
                yield CasesPane(self._shared)
                yield CaseView(desk, self._shared.reader, self._shared.clock)
                yield TroubleView(id="trouble-below")
        yield TroubleView(id="trouble")
        yield EmptyView()
        yield TooSmall()
        yield ArmedSheet()
        yield KeyBar(desk)
        yield TourCorner(self._shared)

    def on_mount(self) -> None:
        shared = self._shared
        self.keep_up_with(shared.changed, self.draw)
        self.draw()
        self.restore()

    def restore(self) -> None:
        """Look at what was looked at in the last session."""
        restore_view(self._shared.desk, self._shared.remembered, self.table, self.view.detail)

    def draw(self) -> None:
        """Show the desk as it is now."""
        desk, now = self._shared.desk, self._shared.clock()
        self.top.show((desk.catalog.title,), facts(desk), desk.watch.mode)
        self.strip.show(desk, now)
        self.browser.show()
        self.table.show(now)
        self._show_instead()
        self.show_watch()
        self.view.look_at(self.table.key)
        doable = (
            desk.is_busy,
            desk.standings.has_failed,
            self._has_next(),
            self.table.key is not None,
            len(desk.choices.selected),
            id(desk.catalog),
            desk.watch.mode,
            desk.watch.has_told,
        )
        if doable != self._doable:
            self._doable = doable
            self.refresh_bindings()

    def _has_next(self) -> bool:
        """Whether a row is of a case that did not pass."""
        return not self.has_class("-trouble") and self._shared.listing.rows.not_passed > 0

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "next_failed":
            return self._has_next()
        if action == "none_failed":
            return not (self.has_class("-trouble") or self.has_class("-empty"))
        if action == "to_cases":
            is_there = self.has_class("-empty") or isinstance(self.focused, CaseTable)
            return self._shared.desk.trouble is not None or not is_there
        if action == "side":
            return not self.has_class("-empty")
        return super().check_action(action, parameters)

    def _show_instead(self) -> None:
        """Trouble or an empty project takes the place of the cases, and the focus with it."""
        desk, before = self._shared.desk, (self.has_class("-trouble"), self.has_class("-empty"))
        is_below = desk.trouble is not None and not desk.is_blocked and self._has_detail
        in_trouble = desk.trouble is not None and not is_below
        is_coming = desk.files_to_come or desk.reading is not None
        is_empty = not (desk.catalog.files or desk.state.cases or is_coming)
        self.trouble.tell(desk.trouble)
        self.trouble_below.tell(desk.trouble)
        self.set_class(is_below, "-trouble-below")
        self.empty.tell(self._empty.now(desk.catalog))
        self.set_class(in_trouble, "-trouble")
        self.set_class(is_empty, "-empty")
        if before != (in_trouble, is_empty):
            pane = self.trouble if in_trouble else self.empty if is_empty else self.table
            self.set_focus(pane)

    @property
    def _has_detail(self) -> bool:
        """Whether there is room below the cases."""
        width, height = DETAIL_FROM
        return self.size.width >= width and self.size.height >= height

    def action_side(self, pane: str) -> None:
        """Go to the browser or the presets; where they have no room, open them over the cases."""
        self._leave_trouble()
        if self.size.width < WIDE_FROM:
            from tenxgraph_tui.tui.screens.drawer import Drawer

            self.app.push_screen(Drawer(self._shared, pane), self._leave_drawer)
            return
        self.set_focus(self.browser if pane == "browser" else self.presets)

    def action_view(self, name: str) -> None:
        """Change the view of the case below, wherever the focus is."""
        self.view.detail.action_view(name)

    def action_divergence(self) -> None:
        self.view.detail.action_first_divergence()

    def action_next_failed(self, step: int) -> None:
        """Go to the next case that did not pass, whichever pane has the focus."""
        self.table.to_next_failed(step)

    def action_none_failed(self) -> None:
        """Say why there is nothing to go to."""
        say_none(self.app, self._shared)

    @on(CaseTable.Moved)
    def _look(self, message: CaseTable.Moved) -> None:
        self.view.look_at(message.key)

    @on(CaseTable.Opened)
    def _open(self, message: CaseTable.Opened) -> None:
        self.post_message(self.OpenCase(message.key))

    @on(CaseTable.Selected)
    def _select(self, message: CaseTable.Selected) -> None:
        desk = self._shared.desk
        desk.choices.toggle([desk.id_of(key) for key in message.keys])
        self._shared.changed.publish(None)

    @on(CasesPane.ColumnsAsked)
    def _choose_columns(self) -> None:
        from tenxgraph_tui.tui.screens.columns import ColumnsScreen

        pane = self.query_one(CasesPane)
        self.app.push_screen(ColumnsScreen(pane.column_rows, pane.toggle_column))

    @on(CaseTable.Cleared)
    def _clear_selection(self) -> None:
        self._shared.desk.choices.clear()
        self._shared.changed.publish(None)

    @on(Browser.Moved)
    def _follow(self, message: Browser.Moved) -> None:
        self.follow(message.case)

    @on(Browser.Opened)
    def _open_from_browser(self, message: Browser.Opened) -> None:
        self._leave_drawer(message.case)

    def _leave_drawer(self, case: CaseId | None) -> None:
        if case is not None and (key := self.follow(case)) is not None:
            self.post_message(self.OpenCase(key))

    def action_to_cases(self) -> None:
        """Leave whatever stands in the place of the cases, or the pane beside them."""
        self._leave_trouble()
        self.set_focus(self.table)

    @on(TroubleView.Dismissed)
    def _leave_trouble(self) -> None:
        if self._shared.desk.trouble is not None:
            self._shared.desk.trouble = None
            self.draw()

    def follow(self, case: CaseId) -> CaseKey | None:
        """Put the table's cursor on a case, if it is part of what the table shows."""
        key = self._shared.desk.key_of(case)
        if key is not None:
            self.table.put_cursor(key)
        return key
