"""The field in which a filter is typed, with how it can go on below it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.getters import query_one
from textual.message import Message
from textual.suggester import SuggestionReady
from textual.widgets import Input

from tenxgraph_tui.tui.filtering.search import Typed
from tenxgraph_tui.tui.kit import KEY, text
from tenxgraph_tui.tui.lines.filter import hint_line, option_at
from tenxgraph_tui.tui.widgets.bars import Row
from tenxgraph_tui.tui.words import clean


class FilterInput(Input):
    """A line of text whose keys are those of a filter."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "keep", "Keep", key_display="enter", id="filter.keep"),
        Binding("tab", "complete", "Complete", key_display="tab", id="filter.complete"),
        Binding("escape", "leave", "Clear, then close", key_display="esc", id="filter.leave"),
        Binding("down", "choose(1)", "Next completion", show=False, id="filter.next"),
        Binding("up", "choose(-1)", "Previous completion", show=False, id="filter.previous"),
    ]

    @dataclass
    class Kept(Message):
        """The filter is as it should be."""

    class Left(Message):
        """The focus went elsewhere, or the user wants to leave."""

    @dataclass
    class Chosen(Message):
        """The user wants another completion, or with `by` 0 the one that is chosen."""

        by: int

    def validate_value(self, value: str) -> str:
        """What is pasted can hold anything; it is shown, and looked for, as it can be drawn."""
        return clean(value)

    def action_keep(self) -> None:
        self.post_message(self.Kept())

    def action_complete(self) -> None:
        self.post_message(self.Chosen(0))

    def action_choose(self, by: int) -> None:
        self.post_message(self.Chosen(by))

    def action_leave(self) -> None:
        """The first time everything that was typed goes, the second time the field."""
        if self.value:
            self.value = ""
        else:
            self.post_message(self.Left())

    def on_blur(self) -> None:
        if self.app.app_focus:  # not when only the terminal lost the focus
            self.post_message(self.Left())


class FilterHint(Row):
    """How the filter can go on; a click takes one of the ways."""

    @dataclass
    class Clicked(Message):
        """The user wants the completion at that cell."""

        x: int

    def __init__(self) -> None:
        super().__init__()
        self._typed, self._chosen = Typed(), 0

    def show(self, typed: Typed, chosen: int) -> None:
        self._typed, self._chosen = typed, chosen
        self.redraw()

    def line(self) -> Content:
        one = self._typed
        return hint_line(
            one.told, one.options, self._chosen, self.size.width, is_wrong=one.is_wrong
        )

    def on_click(self, event: events.Click) -> None:
        self.post_message(self.Clicked(event.x))


class Prompt(Row):
    """The key that leads here."""

    def line(self) -> Content:
        return text("/ ", KEY)


class FilterBar(Vertical):
    """Reports what is typed; what it says about that comes back by `tell`."""

    DEFAULT_CSS = """
    FilterBar {
        display: none;
        height: 2;
        &.-open { display: block; }
        Horizontal { height: 1; }
        Prompt { width: 2; }
        FilterInput, FilterInput:focus {
            width: 1fr;
            height: 1;
            border: none;
            padding: 0;
            background: transparent;
            background-tint: transparent;
        }
        FilterInput > .input--suggestion { color: $foreground-disabled; }
    }
    """

    @dataclass
    class Changed(Message):
        """Another text; `cursor` is where it goes on."""

        text: str
        cursor: int

    @dataclass
    class Closed(Message):
        """The bar closed; the keys `was_left` to another pane."""

        was_left: bool

    input = query_one(FilterInput)
    hint = query_one(FilterHint)

    def __init__(self) -> None:
        super().__init__()
        self._typed, self._chosen = Typed(), 0

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield Prompt()
            yield FilterInput(compact=True, select_on_focus=False)
        yield FilterHint()

    def open(self, value: str) -> None:
        """Begin to type, behind the filter that there is."""
        self.add_class("-open")
        self.input.value = value
        self.input.cursor_position = len(value)
        self.input.focus()
        self._tell_of_change()

    @property
    def is_open(self) -> bool:
        return self.has_class("-open")

    def tell(self, typed: Typed) -> None:
        """Say how what was typed can go on."""
        self._typed, self._chosen = typed, 0
        self._show()

    def _show(self) -> None:
        self.hint.show(self._typed, self._chosen)
        value, at_end = self.input.value, self.input.cursor_at_end
        options = self._typed.options
        if not (value and options and at_end):
            return
        whole, _ = options[self._chosen].applied(value, len(value))
        if whole.lower().startswith(value.lower()):
            self.input.post_message(SuggestionReady(value, whole))

    def _tell_of_change(self) -> None:
        self.post_message(self.Changed(self.input.value, self.input.cursor_position))

    @on(Input.Changed)
    def _typed_on(self, event: Input.Changed) -> None:
        event.stop()
        self._tell_of_change()

    @on(FilterInput.Chosen)
    def _choose(self, message: FilterInput.Chosen) -> None:
        count = len(self._typed.options)
        if message.by and count:
            self._chosen = (self._chosen + message.by) % count
            self._show()
        elif count:
            self._complete(self._chosen)
        elif not message.by:
            self.screen.focus_next()

    @on(FilterHint.Clicked)
    def _click(self, message: FilterHint.Clicked) -> None:
        width = self.hint.size.width
        index = option_at(self._typed.options, self._chosen, message.x, width)
        self.input.focus()
        if index is not None and not self._typed.is_wrong:
            self._complete(index)

    def _complete(self, index: int) -> None:
        field = self.input
        one = self._typed.options[index]
        field.value, field.cursor_position = one.applied(field.value, field.cursor_position)

    @on(FilterInput.Kept)
    def _keep(self) -> None:
        """What is not finished yet stays open, and says what it lacks."""
        if len(self._typed.options) == 1 and self._typed.told:
            self._complete(0)
        elif not self._typed.told:
            self._close(was_left=False)

    @on(FilterInput.Left)
    def _leave(self) -> None:
        if self.is_open:
            self._close(was_left=not self.input.has_focus)

    def _close(self, *, was_left: bool) -> None:
        self.remove_class("-open")
        self.post_message(self.Closed(was_left))
