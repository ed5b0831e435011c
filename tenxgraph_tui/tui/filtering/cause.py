"""The condition that the screen of causes puts into the filter: to be of a cause."""

from __future__ import annotations

from dataclasses import dataclass

from tenxgraph_tui.tui.filtering.conditions import Predicate, Scene


@dataclass(frozen=True, slots=True)
class CauseIs:
    """Cases that failed for one of the causes when they were shown; they may have run since."""

    titles: frozenset[str]

    def on(self, scene: Scene) -> Predicate:
        titles, is_in_cause = self.titles, scene.is_in_cause
        return lambda case: any(is_in_cause(case.key, title) for title in titles)
