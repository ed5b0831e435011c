"""What flipped after a save, in a few lines above the cases."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from textual.content import Content

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.tui.glyphs import ACCENT, BAD, ERROR, FIXED, GOOD, MUTED, NEW, REGRESSED, WARN
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import BLANK, cell, join, key, pad, rule, text
from tenxgraph_tui.tui.watching.news import News
from tenxgraph_tui.tui.words import cells, clean, wrap

LABEL = 15
FRAME = 8
"""Cells of a rule that are strokes and blanks."""
MOST_PROBLEMS, LINES_OF_A_PROBLEM = 3, 2
BETWEEN = ", "
DISMISS = "Dismiss"


def news_lines(news: News, width: int) -> list[Content]:
    """A rule that says what was saved, and a line for every kind of flip."""
    return [_head(news, width), *_flips(news, width)]


def problem_lines(problems: Sequence[str], width: int) -> list[Content]:
    """Files that cannot be read now, while the last results stay."""
    title = text(f"{ERROR} {numbers.plural(len(problems), 'file')} cannot be read", f"bold {WARN}")
    lines = [rule(title, width, key(word("news.dismiss"), DISMISS))]
    for told in problems[:MOST_PROBLEMS]:
        lines += [text(f"   {line}") for line in wrap(told, max(1, width - 3), LINES_OF_A_PROBLEM)]
    if len(problems) > MOST_PROBLEMS:
        lines.append(text(f"   and {len(problems) - MOST_PROBLEMS} more", MUTED))
    lines.append(text("   What it touches runs again when it is saved.", MUTED))
    return [pad(line, width) for line in lines]


def _head(news: News, width: int) -> Content:
    name = text(news.changed, "bold")
    for told, right in _ways(news):
        title = join(name, text(told, MUTED))
        if title.cell_length + right.cell_length + FRAME <= width:
            break
    return rule(title, width, right)


def _ways(news: News) -> Iterator[tuple[str, Content]]:
    """What stands left and right in the rule, from the longest way to say it to the shortest."""
    saved = f" saved {time.strftime('%H:%M:%S', time.localtime(news.at))}"
    cases = numbers.plural(news.rerun, "case")
    if news.seconds is None:
        yield f"{saved}, rerunning {cases}, what did not pass first", BLANK
        yield f"{saved}, rerunning {cases}", BLANK
        yield saved, BLANK
        return
    rerun = f"{saved}, {cases} rerun in {numbers.seconds(news.seconds)}"
    unchanged = f"{news.unchanged} unchanged"
    if not news.has_flips:
        unchanged = f"nothing flipped, {unchanged}"
    still = f", {news.still_failing} of them not passed" if news.still_failing else ""
    for told in (rerun, saved):
        yield told, _right(f"{unchanged}{still}")
        yield told, _right(unchanged)
    yield "", _right(unchanged)
    yield "", key(word("news.dismiss"), DISMISS)


def _right(told: str) -> Content:
    return join(text(f"{told}  ", MUTED), key(word("news.dismiss"), DISMISS))


def flipped_at(news: News, line: int) -> str | None:
    """The first case of the kind that a line is about."""
    kinds = _kinds(news)
    return kinds[line - 1][-1][0] if 1 <= line <= len(kinds) else None


def is_dismiss_at(line: Content, x: int) -> bool:
    """Whether the key that dismisses is drawn at cell `x` of a line."""
    words = key(word("news.dismiss"), DISMISS).plain
    before, found, _ = line.plain.rpartition(words)
    return bool(found) and cells(before) <= x < cells(before) + cells(words)


def _kinds(news: News) -> list[tuple[str, str, str, tuple[str, ...]]]:
    if not news.is_over:
        return []
    found = (
        (REGRESSED, "broke", BAD, news.broke),
        (ERROR, "errored", WARN, news.errored),
        (FIXED, "fixed", GOOD, news.fixed),
        (NEW, "new", ACCENT, news.new),
    )
    return [one for one in found if one[-1]]


def _flips(news: News, width: int) -> list[Content]:
    return [
        _flip(glyph, f"{len(names)} {word}", style, names, width)
        for glyph, word, style, names in _kinds(news)
    ]


def _flip(glyph: str, label: str, style: str, names: Sequence[str], width: int) -> Content:
    head = join(" ", text(f"{glyph} ", style), cell(label, LABEL - 3, f"bold {style}"))
    return pad(join(head, text(listed(names, max(1, width - LABEL)))), width)


def listed(names: Sequence[str], room: int) -> str:
    """As many names as fit into `room` cells, one at least, and how many more there are."""
    shown: list[str] = []
    used = 0
    for name in map(clean, names):
        used += cells(name) + (len(BETWEEN) if shown else 0)
        if used > room:
            break
        shown.append(name)
    while len(shown) > 1 and cells(_counted(shown, len(names))) > room:
        shown.pop()
    return _counted(shown or [clean(names[0])], len(names))


def _counted(shown: Sequence[str], count: int) -> str:
    more = count - len(shown)
    return BETWEEN.join(shown) + (f", and {more} more" if more else "")
