"""Why cases failed, at a glance: what failures share, and the cases of each cause."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.getters import query_one

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.evaluation.progress import DONE
from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.causes.failure import Failure
from tenxgraph_tui.tui.causes.grouping import Cause, causes
from tenxgraph_tui.tui.causes.looking import AT_ONCE, Lookout
from tenxgraph_tui.tui.causes.view import CauseView, views
from tenxgraph_tui.tui.context import Context
from tenxgraph_tui.tui.intents import CopyCase, EditCase
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen
from tenxgraph_tui.tui.screens.front import Front
from tenxgraph_tui.tui.screens.sizes import HEIGHTS, WIDTHS, classes_at
from tenxgraph_tui.tui.telling import facts
from tenxgraph_tui.tui.widgets.bars import RunStrip, TopBar
from tenxgraph_tui.tui.widgets.causes import CauseFacts, CauseList, MemberList, Summary
from tenxgraph_tui.tui.widgets.key_bar import KeyBar
from tenxgraph_tui.tui.widgets.notices import TooSmall

LOOKED_AFTER_EVERY = 0.5
"""Seconds between two looks at whether anything is different."""
GROUPED_AFTER = 5 * AT_ONCE
"""Cases that are read until they are grouped again."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be done with the cases of a cause: run again, or shown in the table."""

    cause: Cause
    is_rerun: bool


class CausesScreen(Front[Wish]):
    """Groups the failures of `failed`; what is read of them comes in while it is looked at.

    A `note` says what was tried: then they are those of one moment, and gone with it.
    """

    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    AUTO_FOCUS = "CauseList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Back", tooltip="Back to the cases", id="case.back"),
        Binding(
            "r", "rerun", "Rerun these", tooltip="Rerun the cases of the cause", id="causes.rerun"
        ),
        # where the one above has nothing to do: everything is not what was meant
        Binding("r", "none_to_rerun", show=False, id="causes.rerun"),
        Binding("o", "edit", "Edit case", tooltip="Edit the file of the case", id="causes.edit"),
        Binding("y", "copy", "Copy", tooltip="Copy a command, or the case", id="cases.copy"),
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
        self._board = context.desk.board
        self._seen: tuple[object, ...] = ()

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
        self.keep_up_with(self._shared.changed, self._changed)
        self.set_interval(LOOKED_AFTER_EVERY, self._look_again)
        self._draw_bars()
        self._look_again()

    def _changed(self) -> None:
        self._draw_bars()
        if self._board is not self._shared.desk.board:
            self._look_again()  # what is listed may not be there any more

    def _draw_bars(self) -> None:
        desk = self._shared.desk
        crumbs = (desk.catalog.title, "causes", *([self._note] if self._note else []))
        self.top.show(crumbs, facts(desk), desk.watch.mode)
        self.strip.show(desk, self._shared.clock())

    def _look_again(self) -> None:
        """Group anew where another case has finished, and read what nobody has looked at."""
        desk = self._shared.desk
        if self._board is not desk.board:
            if self._note:
                self.dismiss(None)
                return
            self._board = desk.board
            self._show([], Summary())
        seen = (id(desk.board.cases), desk.state.done, desk.state.is_running, desk.comparison)
        if seen != self._seen:
            self._seen = seen
            self.run_worker(self._look(), group="causes", exclusive=True, exit_on_error=False)

    async def _look(self) -> None:
        """Read what nobody has looked at, and group what was read from time to time."""
        wanted = self._lookout.missing(self._failed())
        try:
            for start in range(0, len(wanted), AT_ONCE):
                some = wanted[start : start + AT_ONCE]
                self._lookout.take(some, await asyncio.to_thread(self._lookout.look, some))
                left = len(wanted) - start - len(some)
                if left and start % GROUPED_AFTER == 0:
                    await self._group(left)
        except StoreError as error:
            toasts.warn(self.app, "Not read", str(error))
        await self._group()

    async def _group(self, left: int = 0) -> None:
        """In a thread, as thousands of failures take a while; not shown if they are gone then.

        While some are `left` only those that were read are shown: a cause keeps its title.
        """
        board = self._board
        found, summary = await asyncio.to_thread(self._grouped, left)
        if board is self._shared.desk.board:
            self._show(found, summary)

    def _grouped(self, left: int) -> tuple[list[CauseView], Summary]:
        desk = self._shared.desk
        failed = [one for one in self._failed() if not left or self._lookout.knows(one.key)]
        found = causes(failed, self._lookout.findings)
        total = sum(case.status in DONE for case in desk.board.cases.values())
        return views(found, desk), Summary(total, total - len(failed) - left, left)

    def _show(self, found: Sequence[CauseView], summary: Summary) -> None:
        self.causes.show(found, summary)
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
        if action in {"rerun", "edit", "copy"}:
            return self.causes.cause is not None
        return super().check_action(action, parameters)

    def action_rerun(self) -> None:
        self._wish(is_rerun=True)

    def action_none_to_rerun(self) -> None:
        toasts.said(self.app, "No cause to rerun", "Nothing here failed.")

    def _wish(self, *, is_rerun: bool) -> None:
        view = self.causes.cause
        if view is not None:
            self.dismiss(Wish(view.cause, is_rerun))

    def action_edit(self) -> None:
        """Edit the case under the cursor of its list."""
        key = self.members.key
        if key is not None:
            self.post_message(EditCase(self._shared.desk.id_of(key)))

    def action_copy(self) -> None:
        key = self.members.key
        if key is not None:
            self.post_message(CopyCase(key))
