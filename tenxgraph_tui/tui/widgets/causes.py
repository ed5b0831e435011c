"""The two lists of the screen of causes: what failures share, and the cases of one cause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.causes.view import CauseView
from tenxgraph_tui.tui.kit import BLANK
from tenxgraph_tui.tui.lines.causes import (
    Columns,
    cause_below,
    cause_line,
    cause_rule,
    causes_rule,
    facts,
    member_line,
    members_heading,
    none_line,
)
from tenxgraph_tui.tui.widgets.line_list import LineList
from tenxgraph_tui.tui.words import cells, clean

LOW, TALL = 28, 40
"""Rows of the screen from which a cause has two lines, and from which a blank one parts them."""
TALLEST = 3


@dataclass(frozen=True, slots=True)
class Summary:
    """How many cases there are, how many of them passed, and how many are still to be read."""

    total: int = 0
    passed: int = 0
    reading: int = 0


class CauseList(LineList):
    """Every cause; the cursor stays on its cause when others come."""

    GUTTER = 0
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter",
            "show",
            "Show cases",
            tooltip="Show the cases of the cause in the table",
            id="causes.show",
        ),
    ]

    class Moved(Message):
        """The cursor is on another cause."""

    class ShowAsked(Message):
        """The user wants the cases of the cause in the table."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._views: Sequence[CauseView] = ()
        self._summary = Summary()

    def show(self, views: Sequence[CauseView], summary: Summary) -> None:
        at = self.cause.cause.key if self.cause is not None else None
        self._views, self._summary = views, summary
        keys = [view.cause.key for view in views]
        self.rows_changed(keys.index(at) if at in keys else None)

    @property
    def cause(self) -> CauseView | None:
        """The cause under the cursor."""
        return self._views[self.cursor] if self.cursor < len(self._views) else None

    @property
    def row_height(self) -> int:
        height = self.app.size.height
        return TALLEST if height >= TALL else 2 if height >= LOW else 1

    def row_count(self) -> int:
        return len(self._views)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - the interface is Textual's
        return self.HEAD + max(1, self.row_count()) * self.row_height

    def head_line(self, index: int, width: int) -> Content:  # noqa: ARG002 - there is one
        summary, focused = self._summary, self.has_focus
        failed = sum(view.count for view in self._views)
        return causes_rule(failed, len(self._views), summary.reading, width, focused=focused)

    def row_line(self, index: int, width: int) -> Content:
        most = max(view.count for view in self._views)
        return cause_line(self._views[index], most, width, in_one=self.row_height == 1)

    def row_part(self, index: int, part: int, width: int) -> Content | None:
        if self.row_height == TALLEST:
            part -= 1  # the blank one stands in front, and so below the rule too
        if part < 0:
            return None
        return cause_below(self._views[index], width) if part else self.row_line(index, width)

    def below(self, index: int, width: int) -> Content:
        if index or self._views or self._summary.reading:
            return BLANK
        return none_line(self._summary.passed, self._summary.total, width)

    def cursor_moved(self) -> None:
        self.post_message(self.Moved())

    def row_clicked(self, index: int) -> None:  # noqa: ARG002 - it has the cursor
        self.action_show()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "show":
            return self.cause is not None
        return super().check_action(action, parameters)

    def action_show(self) -> None:
        self.post_message(self.ShowAsked())


class CauseFacts(Widget):
    """What the cases of a cause share."""

    DEFAULT_CSS = """
    CauseFacts { height: auto; width: 1fr; text-wrap: nowrap; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._view: CauseView | None = None
        self.is_lit = False

    def show(self, view: CauseView | None) -> None:
        self._view = view
        self.refresh(layout=True)

    def light(self, *, is_lit: bool) -> None:
        """Whether the focus is in the cases below it."""
        self.is_lit = is_lit
        self.refresh()

    def _lines(self, width: int) -> list[Content]:
        if self._view is None:
            return []
        return [cause_rule(self._view, width, focused=self.is_lit), *facts(self._view, width)]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - the interface is Textual's
        return len(self._lines(width))

    def render(self) -> RenderResult:
        return Content("\n").join(self._lines(self.size.width))


class MemberList(LineList):
    """The cases of one cause, and what differs in each."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", tooltip="Open the case", id="causes.open"),
    ]

    @dataclass
    class Opened(Message):
        """The user wants to see all of a case."""

        key: CaseKey

    @dataclass
    class Lit(Message):
        """The focus came, or went."""

        is_lit: bool

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._view: CauseView | None = None
        self._longest = 0

    def show(self, view: CauseView | None) -> None:
        was, self._view = self._view, view
        is_same = was is not None and view is not None and was.cause.key == view.cause.key
        members = view.cause.members if view is not None else ()
        names = (cells(clean(view.name_of(one.key))) for one in members) if view else iter(())
        self._longest = max(names, default=0)
        self.rows_changed(None if is_same else 0)

    @property
    def key(self) -> CaseKey | None:
        """The case under the cursor."""
        if self._view is None or self.cursor >= self.row_count():
            return None
        return self._view.cause.members[self.cursor].key

    def row_count(self) -> int:
        return self._view.count if self._view is not None else 0

    def _columns(self, view: CauseView, width: int) -> Columns:
        return Columns.of(view, width, self._longest)

    def head_line(self, index: int, width: int) -> Content:  # noqa: ARG002 - there is one
        if self._view is None:
            return BLANK
        return members_heading(self._view, self._columns(self._view, width), width)

    def row_line(self, index: int, width: int) -> Content:
        assert self._view is not None  # without one there are no rows
        member = self._view.cause.members[index]
        return member_line(self._view, member, self._columns(self._view, width))

    def row_clicked(self, index: int) -> None:  # noqa: ARG002 - it has the cursor
        self.action_open()

    def on_focus(self) -> None:
        super().on_focus()
        self.post_message(self.Lit(True))

    def on_blur(self) -> None:
        super().on_blur()
        self.post_message(self.Lit(False))

    def action_open(self) -> None:
        if (key := self.key) is not None:
            self.post_message(self.Opened(key))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "open":
            return self.key is not None
        return super().check_action(action, parameters)
