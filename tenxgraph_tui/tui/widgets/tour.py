"""The tour's sheet: at the bottom right, over the detail; one row where there is no detail."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult, RenderResult
from textual.containers import Container
from textual.content import Content
from textual.widget import Widget

from tenxgraph_tui.tui.commands import bound
from tenxgraph_tui.tui.context import Context
from tenxgraph_tui.tui.lines.tour import button_at, tour_line, tour_lines


class TourSheet(Widget):
    """Draws the step that the tour is at."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._shared = context
        self._keys: dict[str, str] = {}

    @property
    def _is_line(self) -> bool:
        return self.size.height == 1

    def show(self) -> None:
        self._keys = {one.id: one.keys[0] for one in bound(self.screen)}
        self.refresh(layout=True)

    def render(self) -> RenderResult:
        step, width = self._shared.tour.step, self.size.width
        if step is None:
            return ""
        if self._is_line:
            return tour_line(step, self._keys, width)
        return Content("\n").join(tour_lines(step, self._keys, width))

    def get_content_height(self, *_: object) -> int:
        step = self._shared.tour.step
        return len(tour_lines(step, self._keys, 1)) if step is not None else 0

    async def on_click(self, event: events.Click) -> None:
        event.stop()
        step, last = self._shared.tour.step, self.size.height - 1
        is_button = step is not None and event.y == last and not self._is_line
        name = button_at(step, self._keys, event.x) if step is not None and is_button else None
        action = {"tour.next": "app.tour_next", "tour.end": "app.tour_end"}.get(name or "")
        if action is not None:
            await self.run_action(action)


class TourCorner(Container):
    """Where the sheet stands; nothing of what is below is hidden or kept from the mouse."""

    DEFAULT_CSS = """
    TourCorner {
        display: none; layer: tour; dock: bottom; width: 1fr; height: auto;
        visibility: hidden; align-horizontal: right; margin: 0 1 1 0;
        TourSheet { visibility: visible; width: 52; height: auto; background: $surface; }
        &.-on { display: block; }
    }
    """

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._shared = context

    def compose(self) -> ComposeResult:
        yield TourSheet(self._shared)

    def on_mount(self) -> None:
        self._shared.changed.subscribe(self, lambda _: self._draw())
        self._draw()

    def _draw(self) -> None:
        tour, desk = self._shared.tour, self._shared.desk
        tour.look(desk)
        is_on = tour.step is not None and desk.trouble is None and bool(len(desk.catalog))
        self.set_class(is_on, "-on")
        if is_on:
            self.query_one(TourSheet).show()
