"""The views of the drill-down, in the order of their tabs: a new one is a row here."""

from __future__ import annotations

from textual.binding import Binding

from tenxgraph_tui.tui.widgets.chat_pane import ChatPane
from tenxgraph_tui.tui.widgets.log_pane import LogPane
from tenxgraph_tui.tui.widgets.node_pane import NodePane
from tenxgraph_tui.tui.widgets.step_pane import StepPane
from tenxgraph_tui.tui.widgets.token_pane import TokenPane
from tenxgraph_tui.tui.widgets.view_pane import ViewPane
from tenxgraph_tui.tui.widgets.why_pane import WhyPane

VIEWS: tuple[type[ViewPane], ...] = (WhyPane, StepPane, NodePane, TokenPane, ChatPane, LogPane)
TABS = tuple(view.TAB for view in VIEWS)


def view_bindings() -> list[Binding]:
    """A key for every view, for whoever has an `action_view` that takes the name of a tab."""
    return [
        Binding(
            tab.key,
            f"view({tab.name!r})",
            tab.name,
            show=False,
            tooltip=f"Show {tab.name} of the case",
            id=f"detail.{tab.name.lower()}",
        )
        for tab in TABS
    ]
