"""The keys that start and stop runs; they work on every screen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.app import App
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.signal import Signal
from textual.widget import Widget

from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.asking import can_cancel, failed_ids, has_cases_to_run
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.conductor import Conductor
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.telling import why_none_failed
from tenxgraph_tui.tui.widgets.case_view import CaseView


class RunApp(App[int]):
    """An application over one desk. `changed` is published after every change of it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "run", "Run", tooltip="Run the selected cases, or all", id="run.start"),
        Binding("f", "rerun_failed", "Rerun failed", tooltip="Rerun failed cases", id="run.failed"),
        # where the one above has nothing to do; it moves with its key
        Binding("f", "nothing_failed", show=False, id="run.failed"),
        Binding("x", "cancel_run", "Cancel run", tooltip="Cancel the run", id="run.cancel"),
        Binding(
            "X",
            "cancel_case",
            "Cancel case",
            show=False,
            tooltip="Cancel the case that is looked at",
            id="cases.cancel",
        ),
    ]

    def __init__(self, desk: Desk, conductor: Conductor) -> None:
        super().__init__()
        self.desk, self.conductor = desk, conductor
        self.changed = Signal[None](self, "changed")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "run":
                return has_cases_to_run(self.desk)
            case "rerun_failed":
                return self.desk.standings.has_failed
            case "cancel_run":
                return self.desk.is_busy
            case "cancel_case":
                return can_cancel(self.desk, self._case_in_sight())
        return super().check_action(action, parameters)

    def action_run(self) -> None:
        """Run the selection, or everything."""
        self._close_sheets()
        self.begin_run()

    def action_rerun_failed(self) -> None:
        """Run what did not pass when it last ran."""
        self._close_sheets()
        self.begin_run(failed_ids(self.desk))

    def begin_run(self, only: Iterable[CaseId] | None = None) -> None:
        """Run these cases, else the selection, else everything; what runs is stopped first."""
        self.conductor.run(only)
        self.changed.publish(None)

    def open_run(self, run_id: str, number: int) -> None:
        """Show a past run, unless one goes on."""
        self._close_sheets()
        if not self.conductor.open(run_id, number):
            toasts.said(self, "Not opened", f"A run goes on. {word('run.cancel')} cancels it.")
        self.changed.publish(None)

    def action_nothing_failed(self) -> None:
        """Say why nothing is run again."""
        toasts.said(self, "Nothing to rerun", why_none_failed(self.desk))

    def pop_screen(self) -> AwaitComplete:
        """Leave a screen, and forget what was drawn of it.

        Textual keeps that of the last thousand widgets in a cache, whether they are there or not.
        """
        for widget in self.screen.walk_children(Widget, with_self=True):
            widget.refresh()
        return super().pop_screen()

    def _close_sheets(self) -> None:
        """A run is looked at from the cases, not from below a sheet."""
        from tenxgraph_tui.tui.screens.drawer import Drawer
        from tenxgraph_tui.tui.screens.help import HelpScreen

        while isinstance(self.screen, (Drawer, HelpScreen)):
            self.pop_screen()

    def action_cancel_run(self) -> None:
        self.conductor.cancel()
        self.changed.publish(None)

    def action_cancel_case(self) -> None:
        """Give up the case that is looked at; the others go on."""
        key = self._case_in_sight()
        if key is not None:
            self.conductor.cancel_case(key)
            toasts.done(self, "Cancel asked", f"{key.eval_id} is given up, the others go on.")

    def _case_in_sight(self) -> CaseKey | None:
        """The case that is open, or has the cursor, on the screen that is shown."""
        return next((view.key for view in self.screen.query(CaseView)), None)
