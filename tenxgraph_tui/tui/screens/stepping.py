"""The keys that go from one case that did not pass to the next."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.binding import Binding

from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.context import Context
from tenxgraph_tui.tui.telling import why_none_failed


def stepping_bindings() -> list[Binding]:
    """For whoever has the actions `next_failed` (1 or -1) and `none_failed`, which says why not."""
    return [
        Binding(
            "right_square_bracket",
            "next_failed(1)",
            "Next failed",
            tooltip="Next failed case",
            id="cases.next_failed",
        ),
        Binding(
            "left_square_bracket",
            "next_failed(-1)",
            "Previous failed",
            show=False,
            tooltip="Previous failed case",
            id="cases.previous_failed",
        ),
        # say why the two above have nothing to do, and move with their keys
        Binding("right_square_bracket", "none_failed", show=False, id="cases.next_failed"),
        Binding("left_square_bracket", "none_failed", show=False, id="cases.previous_failed"),
    ]


def say_none(app: App[Any], shared: Context) -> None:
    """Say why there is no case to go to."""
    told = why_none_failed(shared.desk, is_filtered=shared.listing.filter is not None)
    toasts.said(app, "Nothing to go to", told)
