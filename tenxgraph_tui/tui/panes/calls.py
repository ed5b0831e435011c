"""Drawing a tool call in the cells there are, so that what differs is the last thing to go."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from textual.content import Content

from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.tui.glyphs import ELLIPSIS, FAINT, GOOD, MUTED, NOTHING
from tenxgraph_tui.tui.kit import cell, clip, join, pad, text
from tenxgraph_tui.tui.value.written import written
from tenxgraph_tui.tui.words import cells as width_of
from tenxgraph_tui.tui.words import clean, preview, shorten, tail_of

SHORTEST_NAME = 6
SHORTEST_VALUE = 5
KEPT_BEFORE = 2


@dataclass(frozen=True, slots=True)
class Side:
    """How one side of a comparison is drawn; `mark` is the style of what differs."""

    base: str = ""
    mark: str = GOOD


def value_text(value: Any) -> str:
    """The beginning of a JSON value on one line, as it would stand in a call."""
    return clean(preview(written(value)))


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A call on its way to fitting: name, the arguments still shown, and whether some are not."""

    name: str
    args: tuple[tuple[str, str], ...]
    hidden: bool
    differing: Collection[str]
    side: Side

    @property
    def _end(self) -> str:
        return (f" {ELLIPSIS})" if self.args else f"{ELLIPSIS})") if self.hidden else ")"

    def line(self) -> Content:
        parts = [text(self.name, self.side.base), text("(", MUTED)]
        for index, (key, value) in enumerate(self.args):
            style = f"bold underline {self.side.mark}" if key in self.differing else self.side.base
            parts += [text(f"{', ' if index else ''}{key}=", MUTED), text(value, style)]
        return join(*parts, text(self._end, MUTED))

    @property
    def cells(self) -> int:
        args = sum(width_of(key) + 1 + width_of(value) for key, value in self.args)
        commas = 2 * max(0, len(self.args) - 1)
        return width_of(self.name) + 1 + args + commas + len(self._end)

    def without_equals(self, room: int) -> _Drawn:
        """Fewer of the equal arguments, as many as needed; one always stays."""
        drawn = self
        for key, _ in reversed(self.args):
            if drawn.cells <= room or len(drawn.args) == 1:
                break
            if key not in self.differing:
                kept = tuple(arg for arg in drawn.args if arg[0] != key)
                drawn = replace(drawn, args=kept, hidden=True)
        return drawn

    def with_short_name(self, room: int) -> _Drawn:
        over = self.cells - room
        if over <= 0 or not any(key in self.differing for key, _ in self.args):
            return self
        wanted = max(SHORTEST_NAME + 1, width_of(self.name) - over)
        return replace(self, name=shorten(self.name, wanted, "middle"))

    def with_short_values(self, room: int, others: Mapping[str, str]) -> _Drawn:
        """Cut the values, the last first, and never where they begin to differ from `others`."""
        drawn = self
        for key, _ in reversed(self.args):
            over = drawn.cells - room
            if over <= 0:
                break
            other = others.get(key, "") if key in self.differing else ""
            cut = tuple((k, _cut(v, over, other) if k == key else v) for k, v in drawn.args)
            drawn = replace(drawn, args=cut)
        return drawn

    def without_values(self, room: int) -> _Drawn:
        """The name alone, where not even one argument has room."""
        if self.cells <= room or any(key in self.differing for key, _ in self.args):
            return self
        bare = replace(self, args=(), hidden=True)
        over = max(0, bare.cells - room)
        return replace(bare, name=shorten(self.name, width_of(self.name) - over, "middle"))


def _cut(value: str, over: int, other: str) -> str:
    """`value` shorter by `over` cells if it can be: what it shares with `other` goes first."""
    room = max(SHORTEST_VALUE, width_of(value) - over)
    if width_of(value) <= room:
        return value
    quote = '"' if value.startswith('"') and value.endswith('"') else ""
    shared = _shared(value, other)
    inner = value[len(quote) : len(value) - len(quote)]
    spared = room - 2 * len(quote)
    if shared > spared // 2:
        start = shared - len(quote) - KEPT_BEFORE
        tail = inner[max(0, start) :]
        if width_of(tail) < spared:
            tail = inner[tail_of(inner, spared - 1) :]
        inner = f"{ELLIPSIS}{tail}"
    return quote + shorten(inner, spared) + quote


def _shared(value: str, other: str) -> int:
    """How many characters both begin with."""
    pairs = enumerate(zip(value, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(value), len(other)))


def call_line(
    call: ToolCall | None,
    cells: int,
    differing: Collection[str] = (),
    side: Side | None = None,
    other: ToolCall | None = None,
    *,
    any_args: bool = False,
) -> Content:
    """`get_forecast(city="Kyoto", days=1)` in exactly `cells` cells; None is a dash.

    With `any_args` a call that names no argument reads `search(…)`: it stands for all of them.

    Too long: first the equal arguments become "…", then the middle of the name, and last the
    values, those that differ from `other` around the place where they do.
    """
    if call is None:
        return cell(NOTHING, cells, FAINT)
    drawn = _Drawn(
        clean(call.name),
        _args(call),
        hidden=any_args and not call.args,
        differing={clean(key) for key in differing},
        side=side or Side(),
    )
    if drawn.args and drawn.cells > cells:
        others = dict(_args(other)) if other is not None else {}
        drawn = drawn.without_equals(cells).with_short_name(cells)
        drawn = drawn.with_short_values(cells, others).without_values(cells)
    return pad(clip(drawn.line(), cells), cells)


def _args(call: ToolCall) -> tuple[tuple[str, str], ...]:
    return tuple((clean(key), value_text(value)) for key, value in call.args.items())
