"""A small sheet that asks for one text, and says in place what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult, RenderResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.getters import query_one
from textual.suggester import Suggester
from textual.widgets import Input

from tenxgraph_tui.tui.glyphs import ERROR, MUTED, WARN
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import KEY, keys, pad, rule, text
from tenxgraph_tui.tui.screens.front import Sheet
from tenxgraph_tui.tui.widgets.bars import Row
from tenxgraph_tui.tui.words import clean

PRINTED = r"[^\x00-\x1f\x7f-\x9f]*"
"""What can be typed or pasted: no control characters, which a terminal would obey."""


class AskTitle(Row):
    """What is asked."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title

    def render(self) -> RenderResult:
        return rule(text(self._title, KEY), self.size.width, focused=True)


class AskNote(Row):
    """What is wrong with what was typed, else what to type and the keys."""

    def __init__(self, hint: str) -> None:
        super().__init__()
        self._hint, self._problem = hint, ""

    def tell(self, problem: str) -> None:
        self._problem = problem
        self.refresh(layout=True)

    def render(self) -> RenderResult:
        if self._problem:
            return pad(text(f"{ERROR} {self._problem}", WARN), self.size.width)
        return pad(text(self._hint, MUTED), self.size.width)


class AskKeys(Row):
    """How to get out of the sheet."""

    def __init__(self, verb: str) -> None:
        super().__init__()
        self._verb = verb

    def render(self) -> RenderResult:
        return keys((("enter", self._verb), (word("case.back"), "Back")), self.size.width)


class AskScreen(Sheet[bool]):
    """`accept` is given what was typed, and gives back what is wrong with it, "" to be done.

    True when something was accepted.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(False)", "Back", id="case.back"),
    ]

    note = query_one(AskNote)

    def __init__(
        self,
        title: str,
        value: str,
        accept: Callable[[str], str],
        *,
        hint: str = "",
        verb: str = "Change",
        suggester: Suggester | None = None,
    ) -> None:
        super().__init__()
        self._suggester = suggester
        self._title, self._value = title, value
        self._accept, self._hint, self._verb = accept, hint, verb

    def compose(self) -> ComposeResult:
        with Vertical(id="ask"):
            yield AskTitle(self._title)
            yield Input(
                clean(self._value),
                select_on_focus=True,
                restrict=PRINTED,
                suggester=self._suggester,
            )
            yield AskNote(self._hint)
            yield AskKeys(self._verb)

    @on(Input.Submitted)
    def _submit(self, message: Input.Submitted) -> None:
        is_untouched = message.value == clean(self._value)
        problem = self._accept(self._value if is_untouched else message.value)
        if problem:
            self.note.tell(problem)
        else:
            self.dismiss(True)
