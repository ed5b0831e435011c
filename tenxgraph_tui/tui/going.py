"""Going to a case, an eval set or a run that is known by its name, from wherever one is."""

from __future__ import annotations

import asyncio

from textual import on
from textual.screen import Screen

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.evaluation.numbers import moment
from tenxgraph_tui.session.labels import set_label, told_apart
from tenxgraph_tui.session.records import RunRecord
from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.adjusting import AdjustableApp
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.intents import ShowValue
from tenxgraph_tui.tui.palette import Shelf
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen
from tenxgraph_tui.tui.widgets.browser import Browser
from tenxgraph_tui.tui.widgets.cases_pane import CasesPane


class GoingApp(AdjustableApp):
    """Knows the names of what there is, and how each of them is shown."""

    def shelves(self) -> list[Shelf]:
        """What can be gone to by its name, without the runs: those have to be read."""
        catalog = self.desk.catalog
        cases = [*catalog]
        sets = catalog.files
        called = told_apart([(file.path, file.label) for file in sets])
        labels = dict(zip((file.path for file in sets), called, strict=True))
        names = [f"{labels[case.path]}/{case.eval_id}" for case in cases]
        return [
            Shelf("eval set", called, lambda place: self.show_set(sets[place].path)),
            Shelf("case", names, lambda place: self.show_case(cases[place])),
        ]

    async def runs(self) -> Shelf:
        """The runs that are kept, the newest first."""
        try:
            found = await asyncio.to_thread(self._shared.reader.runs)
        except StoreError as error:
            toasts.warn(self, "Runs not read", str(error))
            found = []
        now = self._shared.clock()
        names = [_in_words(run, now) for run in found]
        return Shelf("run", names, lambda place: self.show_run(found[place]))

    def show_case(self, case: CaseId) -> None:
        """Look at a case; a filter that hides it is cleared."""
        dashboard = self.to_dashboard()
        if dashboard is None:
            return
        dashboard.action_to_cases()
        key = dashboard.follow(case)
        if key is None:
            name = f"{set_label(case.path, '')}/{case.eval_id}"
            toasts.said(self, "Not in this run", f"{name} is not part of the run that is shown.")
            return
        if dashboard.table.key != key:
            dashboard.query_one(CasesPane).want("")
            dashboard.follow(case)
        if not dashboard.view.display:
            dashboard.post_message(DashboardScreen.OpenCase(key))

    def show_set(self, path: str) -> None:
        """Put the cursor of the browser on an eval set."""
        dashboard = self.to_dashboard()
        if dashboard is not None:
            dashboard.action_side("browser")
            self.screen.call_later(self._go_to_set, path)  # a drawer has no browser yet

    def _go_to_set(self, path: str) -> None:
        browser = self.screen.query_one(Browser)
        browser.call_after_refresh(browser.go_to_file, path)  # and that no size, to scroll in

    def show_run(self, run: RunRecord) -> None:
        """Show a run that is kept."""
        self.to_dashboard()
        self.open_run(run.run_id, run.number)

    @on(ShowValue)
    def _show_value(self, message: ShowValue) -> None:
        from tenxgraph_tui.tui.screens.value import ValueScreen

        if not isinstance(self.screen, ValueScreen):
            self.push_screen(ValueScreen(self.desk, message.name, message.value))

    def to_dashboard(self) -> DashboardScreen | None:
        """Close whatever lies over the first screen."""
        while len(self.screen_stack) > 1:
            self.pop_screen()
        screen: Screen[object] = self.screen
        return screen if isinstance(screen, DashboardScreen) else None


def _in_words(run: RunRecord, now: float) -> str:
    total = run.planned - run.skipped
    configs = dict.fromkeys(one.config for one in run.sets if one.config)
    parts = (f"Run #{run.number}", f"{run.passed}/{total} passed", ", ".join(configs))
    return "  ".join(part for part in (*parts, moment(run.started_at, now)) if part)
