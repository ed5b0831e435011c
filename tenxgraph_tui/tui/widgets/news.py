"""What a save came to, above the cases: it stays until it was read."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from tenxgraph_tui.tui.lines.news import flipped_at, is_dismiss_at, news_lines, problem_lines
from tenxgraph_tui.tui.watching.news import News
from tenxgraph_tui.tui.watching.state import Watch


class NewsView(Widget):
    """Draws what watch mode tells; takes no room where there is nothing to tell."""

    DEFAULT_CSS = """
    NewsView { display: none; width: 1fr; height: auto; padding-right: 1; text-wrap: nowrap; }
    NewsView.-on { display: block; }
    """

    class Dismissed(Message):
        """The user has read it."""

    @dataclass
    class CaseChosen(Message):
        """The user wants to see a case that flipped, by the name in its file."""

        name: str

    def __init__(self) -> None:
        super().__init__()
        self._news: News | None = None
        self._problems: tuple[str, ...] = ()

    def tell(self, watch: Watch) -> None:
        """Show what there is to tell now."""
        if (watch.news, watch.problems) == (self._news, self._problems):
            return
        self._news, self._problems = watch.news, watch.problems
        self.set_class(bool(self._news or self._problems), "-on")
        self.refresh(layout=True)

    @property
    def lines_told(self) -> int:
        """How many lines there are to tell."""
        return len(self._lines(max(1, self.size.width)))

    def _lines(self, width: int) -> list[Content]:
        lines = news_lines(self._news, width) if self._news is not None else []
        return [*(problem_lines(self._problems, width) if self._problems else []), *lines]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - the interface is Textual's
        return len(self._lines(width))

    def render(self) -> RenderResult:
        return Content("\n").join(self._lines(self.size.width))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        lines = self._lines(self.size.width)
        if event.y < len(lines) and is_dismiss_at(lines[event.y], event.x):
            self.post_message(self.Dismissed())
        elif self._news is not None:
            line = event.y - (len(lines) - len(news_lines(self._news, self.size.width)))
            name = flipped_at(self._news, line)
            if name is not None:
                self.post_message(self.CaseChosen(name))
