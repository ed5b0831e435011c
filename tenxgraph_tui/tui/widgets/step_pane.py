"""The trajectory as a widget: a cursor over the steps, and the selected one below them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content

from tenxgraph_tui.tui.kit import CURSOR, CURSOR_BLURRED
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.picked import Picked
from tenxgraph_tui.tui.panes.step_picked import picked_of
from tenxgraph_tui.tui.panes.steps import Timeline, timeline
from tenxgraph_tui.tui.panes.trajectory import draw
from tenxgraph_tui.tui.widgets.view_pane import ViewPane

FAR = 10**6


@dataclass(slots=True)
class Position:
    """Where a reader was: the selected step, and how far its details are scrolled."""

    selected: int = 0
    offset: int = 0


class StepPane(ViewPane):
    """Draws a timeline in exactly its own height; it is the cursor that moves, not the pane."""

    DEFAULT_CSS = """
    StepPane { overflow-y: hidden; scrollbar-gutter: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Step up", show=False, id="steps.up"),
        Binding("down,j", "move(1)", "Step down", show=False, id="steps.down"),
        Binding("home", f"move({-FAR})", "First step", show=False, id="steps.first"),
        Binding("end", f"move({FAR})", "Last step", show=False, id="steps.last"),
        Binding("pageup", "scroll_step(-1)", "Scroll step", show=False, id="steps.page_up"),
        Binding("pagedown", "scroll_step(1)", "Scroll step", show=False, id="steps.page_down"),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._model: DetailModel | None = None
        self._timeline = Timeline((), None, 0.0)
        self._clickable: list[int | None] = []
        self.position = Position()

    @property
    def divergence(self) -> int | None:
        """The first step that costs score."""
        return self._timeline.divergence

    def to_divergence(self) -> bool:
        if self.divergence is None:
            return False
        self.select(self.divergence)
        return True

    @property
    def place(self) -> object:
        return self.position if self._timeline.steps else None

    @property
    def picked(self) -> Picked | None:
        at, steps = self.position.selected, self._timeline.steps
        return picked_of(steps[at], at) if at < len(steps) else None

    def look_at(self, model: DetailModel | None, place: object = None) -> None:
        """Draw a case, or nothing; without a place the cursor is on the first divergence.

        While a case runs the cursor goes along with its last step, until it is moved away.
        """
        was_last = self.position.selected == self._timeline.current
        self._model = model
        self._timeline = timeline(model) if model is not None else Timeline((), None, 0.0)
        found = self._timeline
        start = Position(found.current if found.current is not None else found.divergence or 0)
        is_kept = isinstance(place, Position) and not (was_last and place is self.position)
        self.position = place if is_kept and isinstance(place, Position) else start
        self.show(self._draw)

    def select(self, step: int) -> None:
        """Move the cursor to a step, or as near as possible."""
        last = max(0, len(self._timeline.steps) - 1)
        self.position.selected = max(0, min(step, last))
        self.position.offset = 0
        self.redraw()

    def action_move(self, steps: int) -> None:
        self.select(self.position.selected + steps)

    def action_scroll_step(self, pages: int) -> None:
        page = max(1, self.size.height // 3)
        self.position.offset = max(0, self.position.offset + pages * page)
        self.redraw()

    def on_click(self, event: events.Click) -> None:
        if 0 <= event.y < len(self._clickable):
            step = self._clickable[event.y]
            if step is not None and step == self.position.selected and event.chain > 1:
                self.action_open()
            elif step is not None:
                self.select(step)

    def _draw(self, width: int, height: int) -> list[Content]:
        if self._model is None:
            return []
        cursor = CURSOR if self.has_focus else CURSOR_BLURRED
        at = self.position
        drawn = draw(self._timeline, self._model, width, height, at.selected, at.offset, cursor)
        self._clickable, at.offset = drawn.steps, drawn.offset
        return drawn.lines
