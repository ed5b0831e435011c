"""One case on the whole screen."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.getters import query_one

from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.labels import set_labels
from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.context import Context
from tenxgraph_tui.tui.intents import EditCase
from tenxgraph_tui.tui.lines.changes import from_run, since
from tenxgraph_tui.tui.screens.front import Front
from tenxgraph_tui.tui.screens.sizes import HEIGHTS, WIDTHS, classes_at
from tenxgraph_tui.tui.telling import baseline_fact, preset_label, why_none_failed
from tenxgraph_tui.tui.widgets.bars import CaseStrip, TopBar
from tenxgraph_tui.tui.widgets.case_view import CaseView
from tenxgraph_tui.tui.widgets.key_bar import KeyBar
from tenxgraph_tui.tui.widgets.notices import TooSmall


class CaseScreen(Front[CaseKey]):
    """Gives back the case that was looked at last."""

    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    AUTO_FOCUS = "#why"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", tooltip="Back to the cases", id="case.back"),
        Binding("o", "edit", "Edit", tooltip="Edit the file of the case", id="case.edit"),
        Binding(
            "right_square_bracket",
            "next_failed(1)",
            "Next failed",
            tooltip="Next failed case",
            id="case.next_failed",
        ),
        Binding(
            "left_square_bracket",
            "next_failed(-1)",
            "Previous failed",
            show=False,
            tooltip="Previous failed case",
            id="case.previous_failed",
        ),
    ]

    top = query_one(TopBar)
    strip = query_one(CaseStrip)
    view = query_one(CaseView)

    def __init__(self, context: Context, key: CaseKey) -> None:
        super().__init__()
        self._shared, self._key = context, key
        self._case, self._run_id = context.desk.id_of(key), context.desk.state.run_id

    def compose(self) -> ComposeResult:
        self.update_classes(classes_at(self.app.size), animate=False)
        yield TopBar()
        yield CaseStrip()
        shared = self._shared
        yield CaseView(shared.desk, shared.reader, shared.clock, full_screen=True)
        yield TooSmall()
        yield KeyBar(shared.desk)

    def on_mount(self) -> None:
        self.keep_up_with(self._shared.changed, self.draw)
        self.view.look_at(self._key)
        self.draw()

    def on_screen_resume(self) -> None:
        self.draw()

    def draw(self) -> None:
        """Show the case as it is now; a run without it closes the screen."""
        desk = self._shared.desk
        if self._run_id != desk.state.run_id:
            self._find_again()
        progress = desk.board.cases.get(self._key)
        if progress is None or desk.is_blocked:
            self.dismiss(self._key)
            return
        source = desk.board.source(self._key)
        info = source.info
        run = f"#{source.number}" if source.number is not None else ""
        label = set_labels(desk.board.sets)[self._key.set_index]
        self.top.show(
            (desk.catalog.title, label, self._key.eval_id),
            [
                ("target", info.target),
                ("preset", preset_label(info.config)),
                baseline_fact(desk),
                ("run", run),
            ],
            desk.watch.mode,
        )
        is_earlier = self._key in desk.board.earlier
        news = from_run(source.number) if is_earlier else since(desk.against(self._key))
        self.strip.show(progress, self._place(), self._shared.clock(), news)
        self.view.redraw()

    def _find_again(self) -> None:
        """Another run may have numbered its sets anew."""
        self._run_id = self._shared.desk.state.run_id
        key = self._shared.desk.key_of(self._case)
        if key is not None:
            self._key = key
            self.view.look_at(key)

    def _place(self) -> tuple[int, int]:
        """Which of the listed cases that did not pass this is, and how many there are."""
        rows = self._shared.listing.rows
        return rows.standing(self._key), rows.not_passed

    def action_edit(self) -> None:
        self.post_message(EditCase(self._case))

    def action_back(self) -> None:
        self.dismiss(self._key)

    def action_next_failed(self, step: int) -> None:
        """The next listed case that did not pass, around the end if need be."""
        found = self._shared.listing.rows.next_not_passed(self._key, step)
        if found is None:
            toasts.said(self.app, "Nothing to go to", why_none_failed(self._shared.desk))
            return
        self._key = found
        self._case = self._shared.desk.id_of(self._key)
        self.view.look_at(self._key)
        self.draw()
