"""The tokens of a case beside what it took before, and beside those of its set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from textual.content import Content

from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.evaluation.results import EvalCaseResult
from tenxgraph_tui.tui.glyphs import MUTED
from tenxgraph_tui.tui.kit import cell, join, text
from tenxgraph_tui.tui.panes.model import DetailModel

WIDEST_NAME, ROOMY = 32, 60
GAP = 3
NAMED = 3
"""Calls that are more or fewer than before: at most so many are named."""

Row = tuple[str, str, str, str]
"""What is compared with, how much that was, the change since, and why."""


def compared(model: DetailModel, usage: TokenUsage, width: int) -> list[Content]:
    """A line for everything that there is to compare with, or one that says that there is none."""
    rows = list(_rows(model, usage))
    gap = GAP if width >= ROOMY else 1
    values = max((len(how_much) for _, how_much, _, _ in rows), default=0) + gap
    changes = max((len(change) for _, _, change, _ in rows), default=0) + gap
    name = min(WIDEST_NAME, max(1, width - values - changes))
    found: list[Content] = []
    for what, how_much, change, why in rows:
        line = join(
            cell(what, name, MUTED),
            cell(how_much, values, align="right"),
            cell(change, changes, align="right"),
        )
        longer = join(line, " " * GAP, text(why, MUTED))
        found.append(longer if why and longer.cell_length <= width else line)
    if not any(change for _, _, change, _ in rows):
        found.append(text("There is no earlier run and no other case to compare with.", MUTED))
    return [text("Compared with", "bold"), *found]


def _rows(model: DetailModel, usage: TokenUsage) -> Iterator[Row]:
    now, before = usage.total_tokens, model.before
    if before is not None and before.token_usage.total_tokens:
        then = before.token_usage.total_tokens
        why = _calls_since(before, model.result)
        yield (f"this case in #{model.before_number}", f"{then:,} tok", _change(now, then), why)
    peers = model.peers
    if peers is not None:
        run = f", #{peers.run}" if peers.run is not None else ""
        why = f"of {plural(peers.count, 'case')}"
        yield (
            f"median of {peers.set_name}{run}",
            f"{round(peers.tokens):,} tok",
            _change(now, peers.tokens),
            why,
        )
    share = _cached(model.result)
    if share is not None:
        then_share = _cached(before)
        change = _points(share - then_share) if then_share is not None else ""
        yield ("cached share of input", f"{share * 100:.0f} %", change, "")


def _change(now: float, then: float) -> str:
    """`+7 %`; `same` where nothing changed, and never `+0 %`."""
    change = (now - then) / then * 100
    if not change:
        return "same"
    return f"{round(change):+d} %" if abs(change) >= 1 else f"{change:+.1f} %"


def _points(change: float) -> str:
    points = round(change * 100)
    return f"{points:+d} pt" if points else "same"


def _cached(result: EvalCaseResult | None) -> float | None:
    """How much of what went into the agent's models came from a cache."""
    usage = result.agent_token_usage if result is not None else TokenUsage()
    if not usage.input_tokens:
        return None
    return min(1.0, usage.cache_read_tokens / usage.input_tokens)


def _calls_since(before: EvalCaseResult, now: EvalCaseResult | None) -> str:
    """`one more call: search_web`: what the tool calls say about the change."""
    then = Counter(call.name for call in before.actual_tool_calls)
    made = Counter(call.name for call in now.actual_tool_calls) if now is not None else Counter()
    more, fewer = sorted((made - then).elements()), sorted((then - made).elements())
    told = []
    if more:
        count = "one more call" if len(more) == 1 else f"{len(more)} more calls"
        told.append(f"{count}: {_named(more)}")
    if fewer:
        count = "one call fewer" if len(fewer) == 1 else f"{len(fewer)} calls fewer"
        told.append(f"{count}: {_named(fewer)}")
    return ", ".join(told)


def _named(names: list[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")
