"""The views of the drill-down, in the order of their tabs: a new one is a row here."""

from __future__ import annotations

from importlib import import_module

from textual.binding import Binding

from tenxgraph_tui.tui.panes.frame import Tab
from tenxgraph_tui.tui.widgets.view_pane import ViewPane

VIEWS: dict[Tab, tuple[str, str]] = {
    Tab("1", "Why"): ("why_pane", "WhyPane"),
    Tab("2", "Trajectory"): ("step_pane", "StepPane"),
    Tab("3", "Nodes"): ("node_pane", "NodePane"),
    Tab("4", "Tokens"): ("token_pane", "TokenPane"),
    Tab("5", "Chat"): ("chat_pane", "ChatPane"),
    Tab("6", "Log"): ("log_pane", "LogPane"),
}
"""Each tab's module and widget: it is loaded when it is looked at, no first frame waits for it."""
TABS = tuple(VIEWS)
WHY, TRAJECTORY, *_ = TABS


def view_of(tab: Tab) -> ViewPane:
    """A new view, as the tab shows it."""
    module, name = VIEWS[tab]
    view: type[ViewPane] = getattr(import_module(f"{__package__}.{module}"), name)
    return view(id=tab.name.lower())


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
