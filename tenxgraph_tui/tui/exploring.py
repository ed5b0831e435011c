"""What is looked at over many cases at a time: why they failed, and other thresholds."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual import on

from tenxgraph_tui.evaluation.progress import DONE
from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.context import Context
from tenxgraph_tui.tui.files_app import FilesApp
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.presets import Preset
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen
from tenxgraph_tui.tui.telling import why_none_failed
from tenxgraph_tui.tui.widgets.cases_pane import CasesPane

if TYPE_CHECKING:  # loaded when they are asked for: the first frame does not wait for them
    from tenxgraph_tui.tui.causes.grouping import Cause
    from tenxgraph_tui.tui.causes.looking import Lookout
    from tenxgraph_tui.tui.screens.causes import Wish
    from tenxgraph_tui.tui.whatif.model import WhatIf

SORTED_AT_ONCE = 1000
"""Cases whose scores are sorted faster than a frame is drawn."""


class ExploringApp(FilesApp):
    """Opens the screens that look at all results, and does what is wished for there."""

    _shared: Context
    _lookout: Lookout | None = None

    def _findings(self) -> Lookout:
        """What was found out so far, for whichever screen wants to know."""
        from tenxgraph_tui.tui.causes.looking import Lookout

        if self._lookout is None:
            self._lookout = Lookout(self.desk, self._shared.reader)
        return self._lookout

    def _has_results(self, otherwise: str) -> bool:
        if any(case.status in DONE for case in self.desk.board.cases.values()):
            return True
        toasts.said(self, otherwise, why_none_failed(self.desk))
        return False

    @on(CasesPane.CausesAsked)
    def _show_causes(self) -> None:
        from tenxgraph_tui.tui.causes.failure import failures
        from tenxgraph_tui.tui.screens.causes import CausesScreen

        if self._has_results("No causes"):
            desk = self.desk
            screen = CausesScreen(self._shared, self._findings(), lambda: failures(desk.board))
            self.push_screen(screen, self._fulfil)

    @on(CasesPane.WhatIfAsked)
    def _show_what_if(self) -> None:
        from tenxgraph_tui.tui.whatif.model import WhatIf

        if not self._has_results("Nothing to try it on"):
            return
        if len(self.desk.board.cases) <= SORTED_AT_ONCE:
            self._try_on(WhatIf.of(self.desk, self._shared.reader))
        else:
            self.run_worker(self._sort(), group="what if", exclusive=True)

    async def _sort(self) -> None:
        """Sort the scores while keys are heard: of ten thousand cases it takes a moment."""
        from tenxgraph_tui.tui.whatif.model import WhatIf

        model = await asyncio.to_thread(WhatIf.of, self.desk, self._shared.reader)
        if isinstance(self.screen, DashboardScreen):
            self._try_on(model)

    def _try_on(self, model: WhatIf) -> None:
        from tenxgraph_tui.tui.screens.what_if import WhatIfScreen

        self.push_screen(WhatIfScreen(self._shared, self._findings(), model), self._fulfil)

    def _fulfil(self, wish: Wish | Preset | None) -> None:
        if isinstance(wish, Preset):
            self._use(wish)
        elif wish is not None and wish.is_rerun:
            self.begin_run([self.desk.id_of(key) for key in wish.cause.keys])
        elif wish is not None:
            self._show_cases(wish.cause)

    def _use(self, preset: Preset) -> None:
        """Take what was tried for the next run."""
        dashboard = self.to_dashboard()
        if dashboard is not None:
            dashboard.use_edited(preset)
            toasts.done(self, f"{preset.name} for the next run", f"{word('run.start')} runs it.")

    def _show_cases(self, cause: Cause) -> None:
        """Have the table show the cases of a cause, by a filter."""
        dashboard = self.to_dashboard()
        if dashboard is not None:
            wanted = self._shared.listing.search.name_cause(cause.title, cause.keys)
            dashboard.query_one(CasesPane).want(wanted)
            dashboard.action_to_cases()
