"""Choosing colours: the dashboard beside the list wears the theme under the cursor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult, RenderResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.getters import query_one
from textual.message import Message

from tenxgraph_tui.tui.glyphs import ACCENT, DOT, MUTED
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import KEY, cell, join, keys, pad, rule, text
from tenxgraph_tui.tui.screens.front import Sheet, is_beside
from tenxgraph_tui.tui.widgets.bars import Row
from tenxgraph_tui.tui.widgets.line_list import LineList

NAME = 22


@dataclass(frozen=True, slots=True)
class Choice:
    """A theme by its name, and what it is for."""

    name: str
    about: str


def choice_line(choice: Choice, width: int, *, chosen: bool) -> Content:
    mark = text(f"{DOT} " if chosen else "  ", ACCENT)
    return pad(join(mark, cell(choice.name, NAME), text(choice.about, MUTED)), width)


class ThemeList(LineList):
    """Every theme; the one that was worn when the list was opened is marked."""

    GUTTER = 0
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "choose", "Choose", id="themes.choose"),
    ]

    @dataclass
    class Moved(Message):
        """The cursor is on another theme."""

        name: str

    @dataclass
    class Chosen(Message):
        """The user wants to keep a theme."""

        name: str

    def __init__(self, choices: Sequence[Choice], current: str) -> None:
        super().__init__()
        self._choices, self._current = tuple(choices), current
        names = [choice.name for choice in choices]
        self.cursor = names.index(current) if current in names else 0

    @property
    def name_at_cursor(self) -> str:
        return self._choices[self.cursor].name

    def row_count(self) -> int:
        return len(self._choices)

    def head_line(self, index: int, width: int) -> Content:  # noqa: ARG002 - there is one
        return rule(text("Colours", KEY), width, focused=True)

    def row_line(self, index: int, width: int) -> Content:
        choice = self._choices[index]
        return choice_line(choice, width, chosen=choice.name == self._current)

    def cursor_moved(self) -> None:
        self.post_message(self.Moved(self.name_at_cursor))

    def row_clicked(self, index: int) -> None:  # noqa: ARG002 - it has the cursor
        self.action_choose()

    def action_choose(self) -> None:
        self.post_message(self.Chosen(self.name_at_cursor))


class ThemeKeys(Row):
    """How to leave the list."""

    def render(self) -> RenderResult:
        return keys(
            ((word("themes.choose"), "Keep"), (word("themes.back"), "Back")), self.size.width
        )


class ThemeScreen(Sheet[str | None]):
    """Gives back the theme to keep, None to go back to the one before."""

    AUTO_FOCUS = "ThemeList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Back", id="themes.back"),
    ]

    @dataclass
    class Tried(Message):
        """The user looks at what a theme would be like."""

        name: str

    sheet = query_one(ThemeList)

    def __init__(self, choices: Sequence[Choice], current: str) -> None:
        super().__init__()
        self._choices, self._current = choices, current

    def compose(self) -> ComposeResult:
        with Vertical(id="themes"):
            yield ThemeList(self._choices, self._current)
            yield ThemeKeys()

    def on_mount(self) -> None:
        self.sheet.styles.height = len(self._choices) + 1

    @on(ThemeList.Moved)
    def _try(self, message: ThemeList.Moved) -> None:
        self.post_message(self.Tried(message.name))

    @on(ThemeList.Chosen)
    def _keep(self, message: ThemeList.Chosen) -> None:
        self.dismiss(message.name)

    def on_click(self, event: events.Click) -> None:
        if is_beside(self, event):
            self.dismiss(None)
