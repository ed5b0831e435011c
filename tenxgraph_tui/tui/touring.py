"""The keys of the tour, and what can be done that belongs to no screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType

from tenxgraph_tui.tui.commands import Command
from tenxgraph_tui.tui.guided import GuidedApp
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen


class TouringApp(GuidedApp):
    """Its keys work only while the tour is shown: `esc` belongs to everybody else first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "n", "tour_next", "Next step", show=False, tooltip="Go on with the tour", id="tour.next"
        ),
        Binding("escape", "tour_end", "End the tour", show=False, id="tour.end"),
    ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in {"tour_next", "tour_end"}:
            return self._shared.tour.step is not None and isinstance(self.screen, DashboardScreen)
        return super().check_action(action, parameters)

    def commands(self) -> Iterator[Command]:
        """What the palette offers beyond the bindings."""
        yield from super().commands()
        yield Command("Show the tour", "app", "", self.action_tour)

    def action_tour(self) -> None:
        """Begin the tour again."""
        self._shared.tour.begin(self.desk)
        self._tour_moved()

    def action_tour_next(self) -> None:
        self._shared.tour.next()
        self._tour_moved()

    def action_tour_end(self) -> None:
        self._shared.tour.end()
        self._tour_moved()

    @on(DashboardScreen.OpenCase)
    def _case_opened(self) -> None:
        if self._shared.tour.case_opened():
            self._tour_moved()

    def _tour_moved(self) -> None:
        self.changed.publish(None)
        self.screen.refresh_bindings()
