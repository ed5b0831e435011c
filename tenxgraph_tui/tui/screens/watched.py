"""What a screen tells of watch mode: what flipped, what cannot be read, what would cost money."""

from __future__ import annotations

from textual import on
from textual.getters import query_one
from textual.widgets import Input

from tenxgraph_tui.tui.screens.side import SideScreen
from tenxgraph_tui.tui.screens.sizes import DETAIL_FROM
from tenxgraph_tui.tui.widgets.armed import ArmedSheet
from tenxgraph_tui.tui.widgets.case_table import CaseTable
from tenxgraph_tui.tui.widgets.news import NewsView

ROOM = 18
"""Rows of what else stands on the screen where it is low: bars, some cases, details."""


class WatchedScreen(SideScreen[None]):
    """Has a `NewsView` above its cases and an `ArmedSheet` below them."""

    table = query_one(CaseTable)
    news = query_one(NewsView)
    armed = query_one(ArmedSheet)

    def show_watch(self) -> None:
        """Tell what a save came to, or ask what it may cost: then the keys go there."""
        watch, was_asking = self._shared.desk.watch, self.armed.is_asking
        self.news.tell(watch)
        self._make_room()
        self.armed.ask(watch.question)
        if self.armed.is_asking and not was_asking and not isinstance(self.focused, Input):
            self.set_focus(self.armed)
        elif was_asking and not self.armed.is_asking and self.focused in (None, self.armed):
            self.set_focus(self.table)

    def on_resize(self) -> None:
        self._make_room()

    def _make_room(self) -> None:
        """Where there is no room for what is told, cases and details, the details give way."""
        height, needed = self.size.height, self.news.lines_told + ROOM
        self.set_class(DETAIL_FROM[1] <= height < needed, "-crowded")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "dismiss_news":
            return self._shared.desk.watch.has_told
        return super().check_action(action, parameters)

    @on(NewsView.Dismissed)
    def action_dismiss_news(self) -> None:
        """What was told is read."""
        watch = self._shared.desk.watch
        watch.news, watch.problems = None, ()
        self._shared.changed.publish(None)

    @on(NewsView.CaseChosen)
    def _go_to_flipped(self, message: NewsView.CaseChosen) -> None:
        rows = self._shared.listing.rows
        key = next((row.key for row in rows if row.key.eval_id == message.name), None)
        if key is not None:
            self.table.put_cursor(key)
