"""The dashboard as an application: it folds what the worker tells and hands out what to do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.screen import Screen

from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.settings import Loaded
from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.catalog import Catalog
from tenxgraph_tui.tui.commands import Command
from tenxgraph_tui.tui.companions import Companion
from tenxgraph_tui.tui.conductor import Conductor
from tenxgraph_tui.tui.context import Context
from tenxgraph_tui.tui.control import RunControl
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.keeper import Keeper
from tenxgraph_tui.tui.keymap import Keys
from tenxgraph_tui.tui.lines.notices import Empty
from tenxgraph_tui.tui.look import Look
from tenxgraph_tui.tui.past_runs import PastRuns
from tenxgraph_tui.tui.pump import EventPump
from tenxgraph_tui.tui.remembered import Memory
from tenxgraph_tui.tui.rereading import Rereader
from tenxgraph_tui.tui.results import ResultReader
from tenxgraph_tui.tui.screens.case import CaseScreen
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen
from tenxgraph_tui.tui.screens.sizes import HEIGHTS, WIDTHS
from tenxgraph_tui.tui.tour import Tour
from tenxgraph_tui.tui.watching.app import WatchingApp

if TYPE_CHECKING:  # loaded when they are wanted: the first frame does not wait for them
    from tenxgraph_tui.tui.watching.reading import Reload
    from tenxgraph_tui.tui.watching.saves import MakeWatcher

STYLES = (
    *("dashboard", "case", "drawer", "help", "palette", "toast"),
    *("sheets", "columns", "criteria", "settings", "value", "causes", "what_if", "sharing"),
    "ansi",
)
"""All of them are loaded here: the styles of a default screen are not loaded with it."""


class TenxApp(WatchingApp):
    """One desk, one worker at most, and the screens that look at them."""

    TITLE = "tenxgraph"
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    CSS_PATH = [f"styles/{name}.tcss" for name in STYLES]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", "Quit", id="app.quit"),
        Binding("ctrl+c", "quit", "Quit", show=False, id="app.interrupt"),
    ]

    def __init__(
        self,
        desk: Desk,
        *,
        pump: EventPump,
        control: RunControl,
        reader: ResultReader,
        empty: Empty,
        store: str | None = None,
        note: str = "",
        look: Look | None = None,
        settings: Loaded | None = None,
        clock: Callable[[], float] = time.time,
        memory: Memory | None = None,
        companions: Sequence[Companion] = (),
        past: PastRuns | None = None,
        read: Callable[[], Catalog] | None = None,
        reload: Reload | None = None,
        watcher: MakeWatcher | None = None,
        tour: Tour | None = None,
    ) -> None:
        super().__init__(desk, Conductor(desk, control, store, clock, past))
        self._pump = pump
        self.rereader = Rereader(read or (lambda: desk.catalog), desk.choices.entries_for)
        memory = memory or Memory()
        settings = settings or Loaded(desk.root)
        self._shared = Context(
            desk, reader, self.changed, clock, memory.values, settings, tour or Tour()
        )
        self.look = look or Look(settings, memory.values)
        self.look.dress(self)
        self._keeper = Keeper(memory, desk)
        self._reload, self._watcher = reload, watcher
        self._companions = [self.look, Keys(settings), self._keeper, *companions]
        self._empty, self._note = empty, note

    def get_default_screen(self) -> Screen[None]:
        return DashboardScreen(self._shared, self._empty)

    def on_mount(self) -> None:
        self._pump.attach(self)
        self.set_interval(1, self._tick)
        if self._note:
            toasts.warn(self, "Kept elsewhere", self._note)
        for companion in tuple(self._companions):
            companion.begin(self)
        self.call_after_refresh(self._begin_vigil)

    def _begin_vigil(self) -> None:
        if self.is_running:
            self.vigil.tick(self)

    @on(EventPump.Drained)
    def fold(self, message: EventPump.Drained) -> None:
        self.conductor.take_in(message.events)
        self.vigil.hear(message.events)
        self.changed.publish(None)

    def _tick(self) -> None:
        if self.desk.is_busy:
            self.changed.publish(None)
        for companion in self._companions:
            companion.tick(self)

    async def action_quit(self) -> None:
        for companion in self._companions:
            companion.end(self)
        self.exit()

    def commands(self) -> Iterator[Command]:
        yield from super().commands()
        yield Command("Forget what this project remembers", "app", "", self.action_forget)

    def action_forget(self) -> None:
        """Forget what the dashboard remembers of this project."""
        self._keeper.forget(self)

    @on(DashboardScreen.OpenCase)
    def _open_case(self, message: DashboardScreen.OpenCase) -> None:
        if not isinstance(self.screen, CaseScreen):
            self.push_screen(CaseScreen(self._shared, message.key), self._back_from_case)

    def _back_from_case(self, key: CaseKey | None) -> None:
        """The cursor stands on the case that was looked at last."""
        if key is not None and isinstance(self.screen, DashboardScreen):
            self.screen.table.put_cursor(key)

    def get_line_filters(self) -> Sequence[LineFilter]:
        signs = self.look.signs
        return [*super().get_line_filters(), *([signs] if signs.enabled else [])]
