"""The drill-down of one case: its views as tabs in the rule above them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.kit import Part, strip
from tenxgraph_tui.tui.panes import why
from tenxgraph_tui.tui.panes.frame import Tab, case_line, tab_at, tabs
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.widgets.line_pane import LinePane
from tenxgraph_tui.tui.widgets.step_pane import Position, StepPane
from tenxgraph_tui.tui.words import clean

__all__ = ["CaseDetail", "DetailModel"]

WHY, TRAJECTORY = Tab("1", "Why"), Tab("2", "Trajectory")
VIEWS = (WHY, TRAJECTORY)
ROOM_FOR_CASE_LINE = 12
ROOM_FOR_BLANK = 34


@dataclass(slots=True)
class _Reading:
    """Where a reader was in a case."""

    top: float = 0
    step: Position | None = None


class _Line(Widget):
    """One line above the panes."""

    DEFAULT_CSS = "_Line { height: 1; }"

    def draw(self, cells: int) -> Part:
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        if y or not self.size.width:
            return Strip.blank(self.size.width, self.rich_style)
        return strip(self.draw(self.size.width), self.size.width, self.visual_style)


class TabRule(_Line):
    """The rule with the name of the case and the tabs of its views."""

    @dataclass
    class Chosen(Message):
        """A tab was clicked."""

        tab: Tab

    def __init__(self) -> None:
        super().__init__()
        self.title, self.active, self.focused = "", WHY, False

    def draw(self, cells: int) -> Part:
        return tabs(VIEWS, self.active.name, cells, self.title, focused=self.focused)

    def on_click(self, event: events.Click) -> None:
        tab = tab_at(VIEWS, self.active.name, self.size.width, self.title, event.x)
        if tab is not None:
            self.post_message(self.Chosen(tab))


class CaseLine(_Line):
    """Status, criteria and numbers of the case."""

    def __init__(self) -> None:
        super().__init__()
        self.model: DetailModel | None = None

    def draw(self, cells: int) -> Part:
        return case_line(self.model, cells) if self.model is not None else ""


class CaseDetail(Vertical):
    """Shows one case. What the reader had scrolled to is kept while its data change.

    In full screen the screen names the case and draws its line: the title and line are left out.
    """

    DEFAULT_CSS = """
    CaseDetail {
        CaseLine { display: none; }
        &.-framed CaseLine { display: block; }
        &.-tall LinePane { margin-top: 1; }
        LinePane { display: none; }
        &.-why #why, &.-trajectory #trajectory { display: block; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("1", "view('Why')", "Why", show=False, id="detail.why"),
        Binding("2", "view('Trajectory')", "Trajectory", show=False, id="detail.trajectory"),
        Binding("d", "first_divergence", "First divergence", id="detail.divergence"),
    ]

    rule = getters.query_one(TabRule)
    line = getters.query_one(CaseLine)
    reasons = getters.query_one("#why", LinePane)
    steps = getters.query_one("#trajectory", StepPane)

    def __init__(self, *, full_screen: bool = False, id: str | None = None) -> None:
        super().__init__(id=id, classes="-why")
        self._full_screen = full_screen
        self._model: DetailModel | None = None
        self._view = WHY
        self._readings: dict[CaseKey, _Reading] = {}

    def compose(self) -> ComposeResult:
        yield TabRule()
        yield CaseLine()
        yield LinePane(id="why")
        yield StepPane(id="trajectory")

    @property
    def view(self) -> str:
        """The name of the view that is shown."""
        return self._view.name

    def show(self, model: DetailModel | None) -> None:
        """Draw a case, or nothing."""
        before, self._model = self._model, model
        if before is not None:
            self._remember(before.key)
        title = clean(model.key.eval_id) if model is not None and not self._full_screen else ""
        self.rule.title, self.line.model = title, model
        self.rule.refresh()
        self.line.refresh()
        if model is None:
            self.reasons.show(None)
            self.steps.show_steps(None, None)
        elif before is None or not _is_same(before, model):
            self._draw(model)

    def action_view(self, name: str) -> None:
        """Change to the view with that name; the focus goes along."""
        tab = next((tab for tab in VIEWS if tab.name == name), None)
        if tab is None or tab is self._view:
            return
        had_focus = self.has_focus_within
        if self._model is not None:
            self._remember(self._model.key)
        self._view = self.rule.active = tab
        for view in VIEWS:
            self.set_class(view is tab, f"-{view.name.lower()}")
        self.rule.refresh()
        if self._model is not None:
            self._draw(self._model)
        if had_focus:
            self.pane.focus()

    def action_first_divergence(self) -> None:
        """Open the trajectory with the cursor on the first step that costs score."""
        self.action_view(TRAJECTORY.name)
        if self.steps.divergence is not None:
            self.steps.select(self.steps.divergence)

    @property
    def pane(self) -> LinePane:
        """The pane that is shown, and that takes the focus."""
        return self.reasons if self._view is WHY else self.steps

    def _draw(self, model: DetailModel) -> None:
        reading = self._readings.setdefault(model.key, _Reading())
        if self._view is WHY:
            self.reasons.show(partial(why.lines, model), top=reading.top)
        else:
            self.steps.show_steps(model, reading.step)

    def _remember(self, key: CaseKey) -> None:
        reading = self._readings.setdefault(key, _Reading())
        if self._view is WHY:
            reading.top = self.reasons.scroll_offset.y
        elif self.steps.has_steps:
            reading.step = self.steps.position

    def on_resize(self, event: events.Resize) -> None:
        height = event.size.height
        self.set_class(height >= ROOM_FOR_CASE_LINE and not self._full_screen, "-framed")
        self.set_class(height >= ROOM_FOR_BLANK, "-tall")

    @on(events.DescendantFocus)
    @on(events.DescendantBlur)
    def _focus_moved(self) -> None:
        self.rule.focused = self.has_focus_within
        self.rule.refresh()

    @on(TabRule.Chosen)
    def _tab_chosen(self, message: TabRule.Chosen) -> None:
        message.stop()
        self.action_view(message.tab.name)


def _is_same(before: DetailModel, after: DetailModel) -> bool:
    """Whether nothing can have changed: a stored result does not, a case in progress does."""
    return (
        before.key == after.key
        and before.result is not None
        and before.result is after.result
        and before.case is after.case
        and before.status == after.status
        and before.log == after.log
        and after.status is not CaseStatus.RUNNING
    )
