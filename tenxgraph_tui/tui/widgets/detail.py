"""The drill-down of one case: its views as tabs in the rule above them."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
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
from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.kit import Part, strip
from tenxgraph_tui.tui.panes.divergence import why_none
from tenxgraph_tui.tui.panes.frame import Tab, case_line, tab_at, tabs
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.widgets.search_line import SearchLine
from tenxgraph_tui.tui.widgets.view_pane import ViewPane
from tenxgraph_tui.tui.widgets.views import TABS, TRAJECTORY, WHY, view_bindings, view_of
from tenxgraph_tui.tui.words import clean

__all__ = ["CaseDetail", "DetailModel"]

ROOM_FOR_CASE_LINE = 12
ROOM_FOR_BLANK = 34
REMEMBERED = 64
"""Cases of which it is known where their reader was."""


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
        return tabs(TABS, self.active.name, cells, self.title, focused=self.focused)

    def on_click(self, event: events.Click) -> None:
        tab = tab_at(TABS, self.active.name, self.size.width, self.title, event.x)
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
    """Shows one case. Where the reader was in each of its views is kept.

    A view is made when it is looked at for the first time.

    In full screen the screen names the case and draws its line: the title and line are left out.
    """

    DEFAULT_CSS = """
    CaseDetail {
        CaseLine { display: none; }
        &.-framed CaseLine { display: block; }
        &.-tall ViewPane { margin-top: 1; }
        ViewPane { display: none; }
        ViewPane.-shown { display: block; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *view_bindings(),
        Binding(
            "d",
            "first_divergence",
            "First divergence",
            tooltip="Go to the first divergence",
            id="detail.divergence",
        ),
    ]

    rule = getters.query_one(TabRule)
    line = getters.query_one(CaseLine)
    search_line = getters.query_one(SearchLine)

    def __init__(self, *, full_screen: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self._full_screen = full_screen
        self._model: DetailModel | None = None
        self._tab, self.pane = WHY, view_of(WHY)
        self.pane.add_class("-shown")
        self._panes = {WHY: self.pane}
        self._places: OrderedDict[CaseKey, dict[str, object]] = OrderedDict()

    def compose(self) -> ComposeResult:
        yield TabRule()
        yield CaseLine()
        yield self.pane
        yield SearchLine()

    @property
    def view(self) -> str:
        """The name of the view that is shown."""
        return self._tab.name

    @property
    def shows_run(self) -> bool:
        """Whether what was said in the whole run is wanted."""
        return any(pane.shows_run for pane in self._panes.values())

    def show(self, model: DetailModel | None) -> None:
        """Draw a case, or nothing."""
        before = self._model
        self._remember()
        self._model = model
        title = clean(model.key.eval_id) if model is not None and not self._full_screen else ""
        self.rule.title, self.line.model = title, model
        self.rule.refresh()
        self.line.refresh()
        if model is None:
            for pane in self._panes.values():
                pane.look_at(None)
        elif before is None or not _is_same(before, model):
            self._draw(model)

    def action_view(self, name: str) -> None:
        """Change to the view with that name; the focus goes along."""
        tab = next((tab for tab in TABS if tab.name == name), self._tab)
        if tab == self._tab:
            return
        had_focus = self.has_focus_within
        self.search_line.close()
        self._remember()
        self.pane.remove_class("-shown")
        self._tab, self.pane = tab, self._pane_of(tab)
        self.rule.active = tab
        self.pane.add_class("-shown")
        self.rule.refresh()
        if self._model is not None:
            self._draw(self._model)
        if had_focus:
            self.pane.focus()

    def _pane_of(self, tab: Tab) -> ViewPane:
        if tab not in self._panes:
            self._panes[tab] = view_of(tab)
            self.mount(self._panes[tab], before=self.search_line)
        return self._panes[tab]

    def action_first_divergence(self) -> None:
        """Open the trajectory with the cursor on the first step that costs score."""
        self.action_view(TRAJECTORY.name)
        if not self.pane.to_divergence():
            toasts.said(self.app, "No divergence", why_none(self._model))

    def _draw(self, model: DetailModel) -> None:
        self.pane.look_at(model, self._places.get(model.key, {}).get(self.view))

    def _remember(self) -> None:
        """Keep where the reader is; of the cases seen longest ago that is forgotten."""
        if self._model is None:
            return
        places = self._places.setdefault(self._model.key, {})
        if (place := self.pane.place) is not None:
            places[self.view] = place
        self._places.move_to_end(self._model.key)
        if len(self._places) > REMEMBERED:
            self._places.popitem(last=False)

    def on_resize(self, event: events.Resize) -> None:
        if self._full_screen:
            return  # how high it is, is known before it is drawn: the styles of the screen say it
        height = event.size.height
        self.set_class(height >= ROOM_FOR_CASE_LINE, "-framed")
        self.set_class(height >= ROOM_FOR_BLANK, "-tall")

    @on(events.DescendantFocus)
    @on(events.DescendantBlur)
    def _focus_moved(self) -> None:
        self.rule.focused = self.has_focus_within
        self.rule.refresh()

    @on(ViewPane.SearchAsked)
    def _search_asked(self, message: ViewPane.SearchAsked) -> None:
        message.stop()
        self.search_line.open()

    @on(SearchLine.Typed)
    def _typed(self, message: SearchLine.Typed) -> None:
        message.stop()
        self.pane.look_for(message.words)

    @on(SearchLine.Closed)
    def _search_closed(self, message: SearchLine.Closed) -> None:
        message.stop()
        self.pane.focus()

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
        and before.run_log is after.run_log
        and before.before is after.before
        and (before.prices, before.peers) == (after.prices, after.peers)
        and after.status is not CaseStatus.RUNNING
    )
