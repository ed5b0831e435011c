"""Other thresholds, tried on the scores that there are: nothing runs again."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.getters import query_one

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.session.labels import set_labels
from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.causes.failure import failures
from tenxgraph_tui.tui.causes.grouping import causes
from tenxgraph_tui.tui.causes.looking import AT_ONCE, Lookout
from tenxgraph_tui.tui.context import Context
from tenxgraph_tui.tui.lines.what_if import Shown
from tenxgraph_tui.tui.presets import Preset, refusal
from tenxgraph_tui.tui.screens.causes import CausesScreen, Wish
from tenxgraph_tui.tui.screens.front import Front
from tenxgraph_tui.tui.screens.naming import ask_for_name
from tenxgraph_tui.tui.screens.sizes import HEIGHTS, WIDTHS, classes_at
from tenxgraph_tui.tui.telling import facts
from tenxgraph_tui.tui.whatif.model import WhatIf, moved_in_words
from tenxgraph_tui.tui.widgets.bars import RunStrip, TopBar
from tenxgraph_tui.tui.widgets.criteria import CriteriaList, Stepped
from tenxgraph_tui.tui.widgets.key_bar import KeyBar
from tenxgraph_tui.tui.widgets.notices import TooSmall
from tenxgraph_tui.tui.widgets.what_if import OutcomePane, TriedCriteria

UNMOVED = "nothing moved"
AT_REST = 0.12
"""Seconds without a key after which causes are counted: that looks at every failure."""


class WhatIfScreen(Front[Preset | Wish]):
    """Gives back the preset to be used for the next run, or what is wished for in Causes."""

    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    AUTO_FOCUS = "TriedCriteria"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Back", tooltip="Back to the cases", id="case.back"),
        Binding("0", "reset", "Reset", tooltip="As it was in the run", id="criteria.reset"),
        Binding("S", "save", "Save as config", key_display="S", id="criteria.save"),
        Binding("g", "causes", "Causes", tooltip="Show what would still fail", id="cases.causes"),
    ]

    top = query_one(TopBar)
    strip = query_one(RunStrip)
    criteria = query_one(TriedCriteria)
    outcome = query_one(OutcomePane)

    def __init__(self, context: Context, lookout: Lookout, model: WhatIf) -> None:
        super().__init__()
        self._shared, self._lookout, self._model = context, lookout, model
        self._of = self._sight()
        self._causes: tuple[int, int] | None = None

    def compose(self) -> ComposeResult:
        self.update_classes(classes_at(self.app.size), animate=False)
        yield TopBar()
        yield RunStrip()
        with Container(id="what_if"):
            yield TriedCriteria(self._model)
            yield OutcomePane()
        yield TooSmall()
        yield KeyBar(self._shared.desk)

    def on_mount(self) -> None:
        self.keep_up_with(self._shared.changed, self._follow)
        self._follow()
        self._moved()
        self.run_worker(self._read(), group="causes", exclusive=True, exit_on_error=False)

    def _sight(self) -> tuple[object, ...]:
        desk = self._shared.desk
        return desk.state.run_id, id(desk.board.cases), desk.state.done

    def _follow(self) -> None:
        """Another run, or more results of this one, are other scores: then one begins anew."""
        desk = self._shared.desk
        self.top.show((desk.catalog.title, "what if"), facts(desk), desk.watch.mode)
        self.strip.show(desk, self._shared.clock())
        if self._sight() != self._of:
            self.dismiss(None)

    def on_screen_resume(self) -> None:
        self._follow()

    async def _read(self) -> None:
        """Find out why cases failed, for the number of causes."""
        wanted = self._lookout.missing(self._model.trial.failures())
        try:
            for start in range(0, len(wanted), AT_ONCE):
                some = wanted[start : start + AT_ONCE]
                self._lookout.take(some, await asyncio.to_thread(self._lookout.look, some))
        except StoreError as error:
            toasts.warn(self.app, "Not read", str(error))
        self._count_soon()

    def _moved(self) -> None:
        """Draw what comes of it now, and the causes a little later."""
        self._causes = None
        self._draw()
        self._count_soon()

    def _count_soon(self) -> None:
        self.run_worker(self._count(), group="count", exclusive=True, exit_on_error=False)

    async def _count(self) -> None:
        """Count the causes: that looks at every failure, so no key waits for it."""
        await asyncio.sleep(AT_REST)
        self._causes = await asyncio.to_thread(self._counted)
        self._draw()

    def _counted(self) -> tuple[int, int]:
        find, failed = self._lookout.findings, failures(self._shared.desk.board)
        return len(causes(failed, find)), len(causes(self._model.trial.failures(), find))

    def _draw(self) -> None:
        self.criteria.update_lines()
        if len(self._model):
            self.outcome.tell(self._shown())
        self.refresh_bindings()

    def _shown(self) -> Shown:
        desk = self._shared.desk
        found = self._model.outcome(self.criteria.cursor)
        labels = set_labels(desk.board.sets)
        keys = (one.key for some in (found.up, found.down, found.still) for one in some)
        names = {key: f"{labels[key.set_index]}/{key.eval_id}" for key in keys}
        number = desk.state.number
        run = f"run #{number}" if number is not None and not desk.board.earlier else "last results"
        return Shown(found, names, self._causes, run)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in {"reset", "save"}:
            return len(self._model) > 0
        return super().check_action(action, parameters)

    @on(CriteriaList.Moved)
    def _look(self) -> None:
        self._draw()

    @on(CriteriaList.Toggled)
    def _toggle(self) -> None:
        self._model.toggle(self.criteria.cursor)
        self._moved()

    @on(Stepped)
    def _step(self, message: Stepped) -> None:
        self._model.step(self.criteria.cursor, message.by)
        self._moved()

    def action_reset(self) -> None:
        self._model.reset(self.criteria.cursor)
        self._moved()

    @on(CriteriaList.Used)
    def _use(self) -> None:
        """Take it for the next run, if anything can be checked with it."""
        told = refusal(self._model.preset, self._shared.desk.choices.judges.obstacle)
        if told:
            toasts.said(self.app, "Not used", told)
        else:
            self.dismiss(self._model.preset)

    def action_save(self) -> None:
        """Ask for a name, and keep the config under it."""
        ask_for_name(self.app, self._shared.desk, self._model.preset, self._saved)

    def _saved(self, saved: Preset) -> None:  # noqa: ARG002 - it is in the list already
        self._shared.changed.publish(None)

    def action_causes(self) -> None:
        """Show what would fail, and why."""
        note = moved_in_words(self._model.moved) or UNMOVED
        screen = CausesScreen(self._shared, self._lookout, self._model.trial.failures, note)
        self.app.push_screen(screen, self._fulfil)

    def _fulfil(self, wish: Wish | None) -> None:
        if wish is not None:
            self.dismiss(wish)
