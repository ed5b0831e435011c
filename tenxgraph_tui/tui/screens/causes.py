"""Why cases failed, at a glance: what failures share, and the cases of each cause."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.getters import query_one
from textual.screen import Screen

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.evaluation.progress import DONE
from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.causes.failure import Failure
from tenxgraph_tui.tui.causes.grouping import Cause, causes
from tenxgraph_tui.tui.causes.looking import AT_ONCE, Lookout
from tenxgraph_tui.tui.causes.view import CauseView, views
from tenxgraph_tui.tui.context import Context
from tenxgraph_tui.tui.intents import EditCase
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen
from tenxgraph_tui.tui.screens.sizes import HEIGHTS, WIDTHS, classes_at
from tenxgraph_tui.tui.telling import facts
from tenxgraph_tui.tui.widgets.bars import RunStrip, TopBar
from tenxgraph_tui.tui.widgets.causes import CauseFacts, CauseList, MemberList, Summary
from tenxgraph_tui.tui.widgets.key_bar import KeyBar
from tenxgraph_tui.tui.widgets.notices import TooSmall

LOOKED_AFTER_EVERY = 0.25
"""Seconds between two looks at whether anything is different."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be done with the cases of a cause: run again, or shown in the table."""

    cause: Cause
    is_rerun: bool


class CausesScreen(Screen[Wish]):
    """Groups the failures of `failed`; what is read of them comes in while it is looked at."""

    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    AUTO_FOCUS = "CauseList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Back", tooltip="Back to the cases", id="case.back"),
        Binding(
            "r", "rerun", "Rerun these", tooltip="Rerun the cases of the cause", id="causes.rerun"
        ),
        Binding("o", "edit", "Edit case", tooltip="Edit the file of the case", id="causes.edit"),
    ]

    top = query_one(TopBar)
    strip = query_one(RunStrip)
    causes = query_one(CauseList)
    facts = query_one(CauseFacts)
    members = query_one(MemberList)

    def __init__(
        self,
        context: Context,
        lookout: Lookout,
        failed: Callable[[], Iterable[Failure]],
        note: str = "",
    ) -> None:
        super().__init__()
        self._shared, self._lookout, self._failed, self._note = context, lookout, failed, note
        self._seen: tuple[object, ...] = ()
        self._reading = 0

    def compose(self) -> ComposeResult:
        self.update_classes(classes_at(self.app.size), animate=False)
        yield TopBar()
        yield RunStrip()
        with Container(id="causes"):
            yield CauseList()
            with Vertical(id="cause"):
                yield CauseFacts()
                yield MemberList()
        yield TooSmall()
        yield KeyBar(self._shared.desk)

    def on_mount(self) -> None:
        self._shared.changed.subscribe(self, lambda _: self._draw_bars())
        self.set_interval(LOOKED_AFTER_EVERY, self._look_again)
        self._draw_bars()
        self._look_again()

    def _draw_bars(self) -> None:
        desk = self._shared.desk
        crumbs = (desk.catalog.title, "causes", *([self._note] if self._note else []))
        self.top.show(crumbs, facts(desk))
        self.strip.show(desk, self._shared.clock())

    def _look_again(self) -> None:
        """Group anew where another case has finished, and read what nobody has looked at."""
        desk = self._shared.desk
        seen = (id(desk.board.cases), desk.state.done, desk.state.is_running, desk.comparison)
        if seen == self._seen:
            return
        self._seen = seen
        self.draw()
        self.run_worker(self._read(), group="causes", exclusive=True, exit_on_error=False)

    async def _read(self) -> None:
        wanted = self._lookout.missing(self._failed())
        try:
            for start in range(0, len(wanted), AT_ONCE):
                some = wanted[start : start + AT_ONCE]
                found = await asyncio.to_thread(self._lookout.look, some)
                self._lookout.take(some, found)
                self._reading = len(wanted) - start - len(some)
                self.draw()
        except StoreError as error:
            self._reading = 0
            toasts.warn(self.app, "Not read", str(error))
            self.draw()

    def draw(self) -> None:
        """Show the causes as far as they are known."""
        desk = self._shared.desk
        found = causes(self._failed(), self._lookout.findings)
        counts = [case.status for case in desk.board.cases.values() if case.status in DONE]
        failed = sum(len(one.members) for one in found)
        summary = Summary(len(counts), len(counts) - failed, self._reading)
        self.causes.show(views(found, desk), summary)
        self._look_at(self.causes.cause)
        self.refresh_bindings()

    def _look_at(self, view: CauseView | None) -> None:
        self.facts.show(view)
        self.members.show(view)

    @on(CauseList.Moved)
    def _moved(self) -> None:
        self._look_at(self.causes.cause)

    @on(MemberList.Lit)
    def _light(self, message: MemberList.Lit) -> None:
        self.facts.light(is_lit=message.is_lit)

    @on(CauseList.ShowAsked)
    def _show_cases(self) -> None:
        self._wish(is_rerun=False)

    @on(MemberList.Opened)
    def _open(self, message: MemberList.Opened) -> None:
        self.post_message(DashboardScreen.OpenCase(message.key))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in {"rerun", "edit"}:
            return self.causes.cause is not None
        return super().check_action(action, parameters)

    def action_rerun(self) -> None:
        self._wish(is_rerun=True)

    def _wish(self, *, is_rerun: bool) -> None:
        view = self.causes.cause
        if view is not None:
            self.dismiss(Wish(view.cause, is_rerun))

    def action_edit(self) -> None:
        """Edit the case under the cursor of its list."""
        key = self.members.key
        if key is not None:
            self.post_message(EditCase(self._shared.desk.id_of(key)))
