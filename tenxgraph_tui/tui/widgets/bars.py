"""The rows that frame a screen, as widgets that draw what they are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.widget import Widget

from tenxgraph_tui.evaluation.numbers import clock, plural
from tenxgraph_tui.evaluation.progress import CaseProgress, RunState
from tenxgraph_tui.tui.changes import Change
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.glyphs import ACCENT, ERROR, RUNNING, WARN
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import BLANK
from tenxgraph_tui.tui.lines.bars import (
    Headline,
    headline,
    note_strip,
    reading_headline,
    run_strip,
    waiting_headline,
)
from tenxgraph_tui.tui.lines.case_strip import case_strip
from tenxgraph_tui.tui.lines.key_bar import Key
from tenxgraph_tui.tui.lines.top_bar import is_watch_at, top_bar
from tenxgraph_tui.tui.telling import last_run, run_label, starting_with
from tenxgraph_tui.tui.watching.state import WatchMode


class Row(Widget):
    """One row; what it draws is never taken for markup."""

    DEFAULT_CSS = """
    Row { height: 1; width: 1fr; text-wrap: nowrap; }
    """
    _drawn = BLANK

    def line(self) -> Content:
        """The row in as many cells as it has."""
        raise NotImplementedError

    def render(self) -> RenderResult:
        self._drawn = self.line()
        return self._drawn

    def redraw(self) -> None:
        """Draw the row again if it looks different: what is drawn for nothing delays a key."""
        line = self.line()
        if not line.is_same(self._drawn):
            self._drawn = line
            self.refresh()


class TopBar(Row):
    """Where one is and what is run."""

    DEFAULT_CSS = """
    TopBar { background: $panel; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._crumbs: tuple[str, ...] = ("",)
        self._facts: tuple[Key, ...] = ()
        self._watch: WatchMode | None = None

    def show(
        self, crumbs: Sequence[str], facts: Sequence[Key], watch: WatchMode | None = None
    ) -> None:
        self._crumbs, self._facts, self._watch = tuple(crumbs), tuple(facts), watch
        self.redraw()

    def line(self) -> Content:
        return top_bar(self._crumbs, self._facts, self.size.width, self._watch)

    async def on_click(self, event: events.Click) -> None:
        """The sign of watch mode leads to what is watched."""
        if is_watch_at(self.line(), event.x, self._watch):
            event.stop()
            await self.run_action("app.watched")


class RunStrip(Row):
    """How the run goes, in one row."""

    def __init__(self) -> None:
        super().__init__()
        self._head = waiting_headline("ready", "")
        self._state: RunState | None = None
        self._changes: Mapping[Change, int] = {}
        self._now = 0.0
        self._right = ""

    def show(self, desk: Desk, now: float) -> None:
        self._now = now
        self._head, self._state, self._right = strip_of(desk, now)
        self._changes = {} if desk.state.is_running else desk.comparison.counts
        self.redraw()

    def line(self) -> Content:
        if self._state is None:
            return note_strip(self._head, self.size.width, self._right)
        width = self.size.width
        return run_strip(self._head, self._state, self._now, width, self._changes)


def strip_of(desk: Desk, now: float) -> tuple[Headline, RunState | None, str]:
    """What the strip says; without a state it is a sentence instead of a bar."""
    if desk.trouble is not None:
        return Headline(ERROR, WARN, "error", desk.trouble.headline), None, ""
    if desk.is_starting:
        doing = "stopping" if desk.is_stopping else "starting"
        why = desk.watch.reason or starting_with(desk)
        head = Headline(RUNNING, ACCENT, doing, why)
        return head, None, clock(now - desk.requested_at)
    if desk.files_to_come or desk.reading is not None:
        return reading_headline(desk.files_to_come, desk.reading, desk.state), None, ""
    if desk.state.started_at is not None:
        return headline(desk.state, is_stopping=desk.is_stopping), desk.state, ""
    if not len(desk.catalog):
        return waiting_headline("ready", "no case to run"), None, ""
    files = plural(len(desk.catalog.readable), "set")
    chosen = len(desk.choices.selected)
    rest = f"{plural(len(desk.catalog), 'case')} in {files}"
    if chosen:
        rest = f"{chosen} of {plural(len(desk.catalog), 'case')} selected"
    runs = [(word("run.start"), run_label(desk))]
    return waiting_headline("ready", rest, runs, last_run(desk, now)), None, ""


class CaseStrip(Row):
    """How one case stands, and which of those that did not pass it is."""

    def __init__(self) -> None:
        super().__init__()
        self._case: CaseProgress | None = None
        self._place, self._now, self._news = (0, 0), 0.0, BLANK

    def show(
        self, case: CaseProgress, place: tuple[int, int], now: float, news: Content = BLANK
    ) -> None:
        self._case, self._place, self._now, self._news = case, place, now, news
        self.redraw()

    def line(self) -> Content:
        if self._case is None:
            return BLANK
        return case_strip(self._case, self._place, self._now, self.size.width, self._news)
