"""What is looked for over many cases at a time: what their failures share."""

from __future__ import annotations

from textual import on

from tenxgraph_tui.evaluation.progress import DONE
from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.causes.failure import failures
from tenxgraph_tui.tui.causes.looking import Lookout
from tenxgraph_tui.tui.context import Context
from tenxgraph_tui.tui.files_app import FilesApp
from tenxgraph_tui.tui.screens.causes import CausesScreen, Wish
from tenxgraph_tui.tui.telling import why_none_failed
from tenxgraph_tui.tui.widgets.cases_pane import CasesPane


class ExploringApp(FilesApp):
    """Opens the screens that look at all results, and does what is wished for there."""

    _shared: Context
    _lookout: Lookout | None = None

    def lookout(self) -> Lookout:
        """What was found out so far, for whichever screen wants to know."""
        if self._lookout is None:
            self._lookout = Lookout(self.desk, self._shared.reader)
        return self._lookout

    @on(CasesPane.CausesAsked)
    def _show_causes(self) -> None:
        desk = self.desk
        if not any(case.status in DONE for case in desk.board.cases.values()):
            toasts.said(self, "No causes", why_none_failed(desk))
            return
        screen = CausesScreen(self._shared, self.lookout(), lambda: failures(desk.board))
        self.push_screen(screen, self._fulfil)

    def _fulfil(self, wish: Wish | None) -> None:
        if wish is None:
            return
        keys = wish.cause.keys
        if wish.is_rerun:
            self.conductor.run([self.desk.id_of(key) for key in keys])
            self.changed.publish(None)
            return
        dashboard = self.to_dashboard()
        if dashboard is not None:
            dashboard.query_one(CasesPane).want(
                self._shared.listing.name_cause(wish.cause.title, keys)
            )
            dashboard.action_to_cases()
