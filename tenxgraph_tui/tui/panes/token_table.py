"""A table of tokens: bars of three shapes that read without colour, and exact numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.numbers import money
from tenxgraph_tui.session.models import Dollars
from tenxgraph_tui.tui.glyphs import ACCENT, DASHED, DOUBLE, FAINT, HEAVY, MUTED, NOTHING
from tenxgraph_tui.tui.kit import Part, cell, join, text
from tenxgraph_tui.tui.panes.spending import Entry
from tenxgraph_tui.tui.words import cells as width_of
from tenxgraph_tui.tui.words import clean

NAME, GAP = 18, 2
ROOMY = 70
SHORTEST_BAR, NO_CACHED_BELOW = 8, 52
SHAPES = ((DASHED, MUTED), (HEAVY, ACCENT), (DOUBLE, ""))
"""What came from a cache, what else went in, and what came out."""


def legend() -> Content:
    names = ("in, cached", "in", "out")
    parts: list[Part] = []
    for (shape, style), name in zip(SHAPES, names, strict=True):
        parts += ["   " if parts else "", text(shape * 3, style), text(f" {name}", MUTED)]
    return join(*parts)


def share_of(usage: TokenUsage) -> tuple[float, float, float]:
    """Tokens as the three parts of a bar."""
    cached = min(usage.cache_read_tokens, usage.input_tokens)
    return (cached, usage.input_tokens - cached, usage.output_tokens)


def cost_of(dollars: Dollars | None) -> tuple[float, float, float]:
    """Dollars as the three parts of a bar; nothing where they are not known."""
    return (dollars.cached, dollars.input, dollars.output) if dollars is not None else (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Table:
    """How wide each column is; the bars have what is left, 0 where that is too little."""

    name: int
    sent: int
    cached: int
    out: int
    cost: int
    bar: int
    in_money: bool = False

    @classmethod
    def of(cls, entries: Sequence[Entry], width: int, *, in_money: bool = False) -> Table:
        """The columns for these entries in `width` cells."""
        longest = max((width_of(clean(entry.name)) for entry in entries), default=0)
        name = min(max(NAME if width >= ROOMY else 0, longest + GAP), max(width // 3, 1))
        usages = [entry.usage for entry in entries]
        sent = _cells("in", (f"{usage.input_tokens:,}" for usage in usages))
        cached = _cells("cached", (f"{usage.cache_read_tokens:,}" for usage in usages))
        cached = cached if width >= NO_CACHED_BELOW else 0
        out = _cells("out", (f"{usage.output_tokens:,}" for usage in usages))
        cost = _cells("cost", (_money(entry.dollars) for entry in entries))
        left = width - name - sent - cached - out - cost - GAP
        return cls(name, sent, cached, out, cost, max(0, left), in_money)

    @property
    def has_bars(self) -> bool:
        return self.bar >= SHORTEST_BAR

    def head(self) -> Content:
        return join(
            cell("", self.name + self.bar + GAP),
            cell("in", self.sent, MUTED, align="right"),
            cell("cached", self.cached, MUTED, align="right"),
            cell("out", self.out, MUTED, align="right"),
            cell("cost", self.cost, MUTED, align="right"),
        )

    def row(self, entry: Entry, longest: float, style: str = "") -> Content:
        """An entry; `longest` is what a bar of full length stands for, 0 draws none."""
        muted = style or MUTED
        return join(
            cell(entry.name, self.name, style, mode="middle"),
            self._bar(entry, longest),
            cell("", GAP),
            _number(entry.usage.input_tokens, self.sent, style),
            _number(entry.usage.cache_read_tokens, self.cached, muted),
            _number(entry.usage.output_tokens, self.out, style),
            cell(_money(entry.dollars), self.cost, muted, align="right"),
        )

    def without(self, name: str, told: str) -> Content:
        """Something that took nothing, and why."""
        return join(cell(name, self.name - 1, MUTED, mode="middle"), " ", text(told, FAINT))

    def value(self, entry: Entry) -> float:
        """What the length of an entry's bar stands for."""
        return sum(self._parts(entry))

    def _parts(self, entry: Entry) -> tuple[float, float, float]:
        return cost_of(entry.dollars) if self.in_money else share_of(entry.usage)

    def _bar(self, entry: Entry, longest: float) -> Content:
        if not self.has_bars or longest <= 0:
            return cell("", self.bar)
        if self.in_money and entry.dollars is None:
            return cell("price unknown", self.bar, FAINT)
        return bar(self._parts(entry), longest, self.bar)


def bar(parts: tuple[float, float, float], longest: float, cells: int) -> Content:
    """The parts to scale in exactly `cells` cells; none of them that is there vanishes."""
    drawn: list[Part] = []
    used, total = 0, 0.0
    for value, (shape, style) in zip(parts, SHAPES, strict=True):
        total += value
        end = round(total / longest * cells)
        if value > 0:
            end = max(end, used + 1)
        end = min(end, cells)
        drawn.append(text(shape * (end - used), style))
        used = max(used, end)
    return join(*drawn, " " * (cells - used))


def _cells(head: str, shown: Iterable[str]) -> int:
    return max(len(head), *(len(one) for one in shown), 0) + GAP


def _number(count: int, cells: int, style: str) -> Content:
    return cell(f"{count:,}" if count else NOTHING, cells, style, align="right")


def _money(dollars: Dollars | None) -> str:
    return money(dollars.total if dollars is not None else None)
