"""A step as the timeline shows it."""

from __future__ import annotations

from dataclasses import dataclass

from tenxgraph_tui.tui.panes.rows import AnyRow, name_of


@dataclass(frozen=True, slots=True)
class Step:
    """One row of the timeline. `at` is in seconds from the first step, `took` in seconds.

    `is_context` marks steps that nothing was expected of: they are shown, not compared. `is_live`
    marks those of a case that runs, of which the rest is not known yet; `is_open` those that go on.
    """

    row: AnyRow
    is_tool: bool
    is_context: bool = False
    is_live: bool = False
    is_open: bool = False
    at: float | None = None
    took: float | None = None
    turn: int | None = None
    node: str = ""

    @property
    def name(self) -> str:
        return name_of(self.row)

    @property
    def diverges(self) -> bool:
        return self.row.costs and not self.is_context
