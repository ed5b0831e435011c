"""The sheet that waits for one key before a save costs money; the results stay in sight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

if TYPE_CHECKING:  # loaded when there is something to ask: the first frame does not wait for it
    from tenxgraph_tui.tui.watching.question import Answer, Question


class ArmedSheet(Widget, can_focus=True):
    """Lies over the bottom of the panes, and veils nothing."""

    DEFAULT_CSS = """
    ArmedSheet {
        display: none; layer: sheet; dock: bottom; margin: 0 0 1 0;
        width: 1fr; height: auto; background: $surface; text-wrap: nowrap;
    }
    ArmedSheet.-on { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "answer('all')", "Rerun all", show=False, id="armed.all"),
        Binding("f", "answer('not_passed')", "Rerun not passed", show=False, id="armed.not_passed"),
        Binding("o", "answer('offline')", "Offline criteria", show=False, id="armed.offline"),
        Binding("escape", "answer('not_now')", "Not now", show=False, id="armed.not_now"),
        Binding(
            "exclamation_mark",
            "answer('stop_asking')",
            "Stop asking",
            show=False,
            id="armed.stop_asking",
        ),
    ]

    @dataclass
    class Answered(Message):
        """The user says what is to become of the run."""

        answer: Answer

    def __init__(self) -> None:
        super().__init__()
        self._question: Question | None = None

    @property
    def is_asking(self) -> bool:
        return self._question is not None

    def ask(self, question: Question | None) -> None:
        """Ask this, or nothing any more."""
        if question is not self._question:
            self._question = question
            self.set_class(question is not None, "-on")
            self.refresh(layout=True)
            self.screen.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "answer":
            return self._question is not None and parameters[0] in self._question.answers
        return super().check_action(action, parameters)

    def action_answer(self, answer: str) -> None:
        from tenxgraph_tui.tui.watching.question import Answer

        self.post_message(self.Answered(Answer(answer)))

    def _lines(self, width: int) -> list[Content]:
        if self._question is None:
            return []
        from tenxgraph_tui.tui.lines.armed import armed_lines

        height = self.screen.size.height
        return armed_lines(self._question, width, height, focused=self.has_focus)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - the interface is Textual's
        return len(self._lines(width))

    def render(self) -> RenderResult:
        return Content("\n").join(self._lines(self.size.width))

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        if self._question is None:
            return
        from tenxgraph_tui.tui.lines.armed import MARGIN, choices

        rows = choices(self._question, max(0, self.size.width - 2 * MARGIN))
        row = event.y - (self.size.height - len(rows))
        for one in rows[row] if 0 <= row < len(rows) else ():
            if one.start <= event.x - MARGIN < one.end:
                self.action_answer(one.answer)
