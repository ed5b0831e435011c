"""*Tokens*: what a case took, by call, agent and judge, in tokens or in dollars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.content import Content

from tenxgraph_tui.evaluation.numbers import money
from tenxgraph_tui.evaluation.numbers import tokens as token_text
from tenxgraph_tui.tui.glyphs import FAINT, MUTED
from tenxgraph_tui.tui.kit import BLANK, between, clip, spread, text
from tenxgraph_tui.tui.panes import states
from tenxgraph_tui.tui.panes.compared_tokens import compared
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.spending import Entry, Part, Spending, spending
from tenxgraph_tui.tui.panes.token_table import Table, legend
from tenxgraph_tui.tui.words import wrap

NOTE_LINES = 4
UNTOLD = (
    "No tokens were recorded: the agent does not tell what its model took. A graph tells it in the "
    "usages of a message, a function in the usage of the message that it returns, a server where "
    "input_tokens and output_tokens of its settings point."
)
NO_MODEL = "There is no price: the agent does not tell which model it asked."
PRICES = (
    "Prices are those of LiteLLM's list on this machine; nothing is fetched. "
    "A model without a price shows – and is left out of totals."
)


def lines(model: DetailModel, width: int, height: int, *, in_money: bool = False) -> list[Content]:
    """Every line is at most `width` cells; there may be more lines than `height`."""
    del height  # it scrolls
    if model.result is None:
        return [clip(line, width) for line in _so_far(model, width)]
    found = spending(model)
    if not found.usage.total_tokens:
        return _paragraph(UNTOLD, width)
    blocks = [*_sections(found, width, in_money=in_money), compared(model, found.usage, width)]
    blocks.append(_paragraph(PRICES if found.models else NO_MODEL, width, FAINT))
    shown = [line for block in blocks if block for line in (*block, BLANK)][:-1]
    return [clip(line, width) for line in shown]


def table_text(found: Spending) -> str:
    """The whole table for a spreadsheet: a line for each call, its columns between tabs."""
    rows = ["\t".join(("what", "input", "cached", "output", "dollars"))]
    rows += [_tabbed(entry) for part in (found.agent, found.judge) for entry in part.entries]
    rows += [_tabbed(entry) for entry in _totals(found)]
    return "\n".join(rows) + "\n"


def _tabbed(entry: Entry) -> str:
    usage = entry.usage
    dollars = f"{entry.dollars.total:.6f}" if entry.dollars is not None else ""
    counts = (usage.input_tokens, usage.cache_read_tokens, usage.output_tokens)
    return "\t".join([" ".join(entry.name.split()), *map(str, counts), dollars])


def _so_far(model: DetailModel, width: int) -> Iterator[Content]:
    """A case without a result: what is known of it, and the tokens that it took until now."""
    count = model.progress.tokens if model.progress is not None else 0
    if count:
        told = f"{token_text(count)} tok so far. Known by call when the case has finished."
        yield text(told, MUTED)
        yield BLANK
    for block in states.without_result(model, width):
        yield from block


def _paragraph(told: str, width: int, style: str = MUTED) -> list[Content]:
    return [text(line, style) for line in wrap(told, width, NOTE_LINES)]


def _totals(found: Spending) -> list[Entry]:
    """The agent, the judges if any were asked, and both of them together."""
    agent = Entry("agent", found.agent.usage, found.agent.dollars)
    if not found.judge.entries:
        return [agent]
    judge = Entry("judge", found.judge.usage, found.judge.dollars)
    return [agent, judge, Entry("total", found.usage, found.dollars)]


def _sections(found: Spending, width: int, *, in_money: bool) -> list[list[Content]]:
    totals = _totals(found)
    entries = [*totals, *found.agent.entries, *found.judge.entries]
    table = Table.of(entries, width, in_money=in_money)
    return [
        _overall(totals, table, width),
        _by_call("Agent, by call", found.agent, table, width),
        _by_call("Judge, by criterion", found.judge, table, width),
    ]


def _overall(totals: Sequence[Entry], table: Table, width: int) -> list[Content]:
    """Agent beside judge; the line that sums up has no bar."""
    longest = max(table.value(entry) for entry in totals[:2])
    scale, key = _scale(table, longest), legend() if table.has_bars else BLANK
    head = [_titled("Agent and judge", [between([scale, key]), key], width)]
    if key.plain not in head[0].plain:
        head.append(key)
    rows = [table.row(entry, longest) for entry in totals[:2]]
    if len(totals) == 1:
        rows.append(table.without("judge", "no model was asked"))
    else:
        rows.append(table.row(totals[-1], 0, "bold"))
    return [*head, table.head(), *rows]


def _titled(title: str, facts: Sequence[Content], width: int) -> Content:
    """A title, and at the right the first of the facts that leaves it its room."""
    room = width - len(title) - 2
    fitting = (fact for fact in facts if fact.cell_length <= room)
    return spread(text(title, "bold"), next(fitting, BLANK), width)


def _by_call(title: str, part: Part, table: Table, width: int) -> list[Content]:
    if not part.entries:
        return []
    longest = max(map(table.value, part.entries))
    scale, asked = _scale(table, longest), text(", ".join(part.models), MUTED)
    head = _titled(title, [between([asked, scale]), scale], width)
    rows = [table.row(entry, longest) for entry in part.entries]
    if part.silent:
        rows.append(table.without(part.silent, "no model call"))
    return [head, *rows]


def _scale(table: Table, longest: float) -> Content:
    """What the longest bar of a section stands for."""
    if not table.has_bars or not longest:
        return BLANK
    shown = money(longest) if table.in_money else f"{round(longest):,} tok"
    return text(f"longest bar {shown}", MUTED)
