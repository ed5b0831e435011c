"""The keys that work right now: to read, and to click."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import events
from textual.binding import ActiveBinding
from textual.content import Content
from textual.screen import Screen

from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.lines.key_bar import Key, key_bar, placed
from tenxgraph_tui.tui.telling import label_of
from tenxgraph_tui.tui.widgets.bars import Row

WIDE = 120


class KeyBar(Row):
    """Those of the focused pane first; a click does what the key does."""

    DEFAULT_CSS = """
    KeyBar { background: $panel; dock: bottom; }
    """
    ORDER: ClassVar[tuple[str, ...]] = (
        "filter.keep",
        "filter.complete",
        "filter.leave",
        "case.back",
        "notice.back",
        "notice.edit",
        "notice.open_folder",
        "cases.open",
        "browser.open",
        "presets.use",
        "causes.show",
        "causes.open",
        "causes.rerun",
        "criteria.raise",
        "criteria.toggle",
        "criteria.reset",
        "criteria.use",
        "criteria.save",
        "run.cancel",
        "cases.clear",
        "cases.clear_filter",
        "cases.next_failed",
        "case.next_failed",
        "value.toggle",
        "value.search",
        "value.next_match",
        "value.copy",
        "log.next_match",
        "log.next_warning",
        "log.search",
        "log.turn",
        "tokens.unit",
        "detail.divergence",
        "detail.open",
        "detail.copy",
        "cases.select",
        "cases.filter",
        "cases.sort",
        "cases.edit",
        "browser.select",
        "browser.edit",
        "case.edit",
        "browser.refresh",
        "run.start",
        "notice.log",
        "run.failed",
        "run.watch",
    )
    ORDER_WITH_DRAWER: ClassVar[tuple[str, ...]] = (
        *ORDER[: ORDER.index("cases.select")],
        "run.start",
        "notice.log",
        "run.failed",
        "dashboard.sets",
        "dashboard.preset",
        *ORDER[ORDER.index("cases.select") :],
    )
    """Where panes are hidden, the keys that show them come before those of the table.

    What failed is run again more often than something else is chosen: its key gives way to none.
    """
    ALWAYS: ClassVar[tuple[str, ...]] = ("app.help", "app.palette", "app.quit")
    WITH_CASES: ClassVar[frozenset[str]] = frozenset({"cases.export", "run.watch"})
    """What an empty project does not need to be told of."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._over: int | None = None

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def _changed(self, screen: Screen[object]) -> None:
        if screen is self.screen and self.size.width:  # else it was never drawn yet
            self.redraw()

    def line(self) -> Content:
        left, right = self._sides()
        shown = [self._key(active) for active in left], [self._key(active) for active in right]
        return key_bar(*shown, self.size.width, self._gap, self._over)

    @property
    def _gap(self) -> str:
        return "   " if self.size.width >= WIDE else "  "

    def _key(self, active: ActiveBinding) -> Key:
        binding = active.binding
        name = binding.key_display or self.app.get_key_display(binding)
        return name, label_of(self._desk, binding.id) or binding.description

    def _sides(self) -> tuple[list[ActiveBinding], list[ActiveBinding]]:
        """What stands at the left, by priority, and at the right."""
        shown: dict[str, ActiveBinding] = {}
        for active in self.screen.active_bindings.values():
            if active.binding.show and active.enabled and active.binding.id:
                shown.setdefault(active.binding.id, active)
        if not self._desk.catalog.files:
            shown = {name: one for name, one in shown.items() if name not in self.WITH_CASES}
        is_wide = self.size.width >= WIDE
        names = self.ORDER if is_wide else self.ORDER_WITH_DRAWER
        order = {name: place for place, name in reversed([*enumerate(names)])}
        left = sorted(
            (name for name in shown if name not in self.ALWAYS),
            key=lambda name: order.get(name, len(order)),
        )
        right = [n for n in self.ALWAYS if n in shown and (is_wide or n != "app.palette")]
        return [shown[name] for name in left], [shown[name] for name in right]

    def _at(self, x: int) -> tuple[int, ActiveBinding] | None:
        """Which key stands at a column."""
        left, right = self._sides()
        keys = [self._key(active) for active in left], [self._key(active) for active in right]
        for place in placed(*keys, self.size.width, self._gap):
            if place.start <= x < place.end:
                return place.index, [*left, *right][place.index]
        return None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._point_at(self._at(event.x))

    def on_leave(self) -> None:
        self._point_at(None)

    def _point_at(self, found: tuple[int, Any] | None) -> None:
        over = found[0] if found is not None else None
        if over != self._over:
            self._over = over
            self.refresh()

    async def on_click(self, event: events.Click) -> None:
        event.stop()
        if (found := self._at(event.x)) is not None:
            active = found[1]
            await self.app.run_action(active.binding.action, active.node)
