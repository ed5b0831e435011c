"""What stands in place of the cases when there are none, or none could be run."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace

from textual.content import Content

from tenxgraph_tui.session.told import SourceLine
from tenxgraph_tui.tui.catalog import Catalog
from tenxgraph_tui.tui.glyphs import FAINT, MUTED, NOTHING, PASSED, WARN
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import (
    BLANK,
    KEY,
    cell,
    hairline,
    highlight,
    join,
    keys,
    pad,
    rule,
    text,
)
from tenxgraph_tui.tui.trouble import Trouble
from tenxgraph_tui.tui.words import cells, clean, wrap

LABEL, NUMBER, INDENT, TAB, AIRY_FROM = 12, 6, 2, 4, 12
EMPTY_WIDTH, EMPTY_FACT, EMPTY_KEY = 70, 35, 8
NO_TARGET = ("no target named", "eval sets can name their own")
OUR_PYTHON = "Python " + ".".join(str(part) for part in sys.version_info[:3])
PATTERNS = "*.evalset.json, *_eval.py and eval_*.py"


def trouble_lines(
    trouble: Trouble, width: int, height: int, *, focused: bool = True
) -> list[Content]:
    """What went wrong, where, and what to do about it."""
    head = join(text(trouble.subject, "bold $primary"), "  ", text(trouble.name, MUTED))
    airy = height >= AIRY_FROM
    lines = [rule(head, width, focused=focused)]
    lines += [BLANK] if airy else []
    lines += _what(trouble, width)
    if trouble.excerpt:
        lines += [BLANK, *(one for line in trouble.excerpt for one in _source(line, width))]
    lines.append(BLANK)
    for label, value in trouble.facts:
        lines += _labelled(label, value, width)
    if trouble.output:
        lines += [BLANK, text("last output", MUTED)]
        lines += [pad(join("  ", text(line)), width) for line in trouble.output]
    return [pad(line, width) for line in lines]


def log_lines(trouble: Trouble, width: int, height: int, *, focused: bool = True) -> list[Content]:
    """The whole traceback, for who wants to know how it came to that."""
    head = join(text(trouble.subject, "bold $primary"), "  ", text("whole traceback", MUTED))
    lines = [rule(head, width, focused=focused)]
    lines += [BLANK] if height >= AIRY_FROM else []
    for line in trouble.log:
        indent = len(line) - len(line.lstrip())
        room = max(1, width - indent)
        lines += [join(" " * indent, text(part)) for part in wrap(line.strip(), room)]
    return [pad(line, width) for line in lines]


def _what(trouble: Trouble, width: int) -> list[Content]:
    kind = text(trouble.kind, f"bold {WARN}")
    message = wrap(trouble.message, max(1, width - INDENT))
    place = text(trouble.place, MUTED)
    head = join(text("! ", WARN), kind)
    one_line = join(head, "  " if trouble.kind else "", text(message[0] if message else ""))
    if len(message) == 1 and one_line.cell_length + place.cell_length + 3 <= width:
        return [join(one_line, "   ", place) if trouble.place else one_line]
    lines = [head] if trouble.kind else []
    sign = text("! ", WARN) if not trouble.kind else text("  ")
    lines += [join(sign if i == 0 else "  ", text(part)) for i, part in enumerate(message)]
    return [*lines, join("  ", place)] if trouble.place else lines


def _source(line: SourceLine, width: int) -> list[Content]:
    """A line of code; below the one that the error names what of it is to blame."""
    number = cell(line.number, NUMBER, "" if line.hot else FAINT, align="right")
    row = join(number, "  ", text(_code(line.text), "" if line.hot else MUTED))
    if not line.hot:
        return [pad(row, width)]
    shown = [highlight(row, width, "on $warning-muted")]
    if line.marks is not None:
        begin, end = (cells(clean(_code(line.text[:at]))) for at in line.marks)
        if begin < end:
            carets = text("^" * (end - begin), WARN)
            shown.append(pad(join(" " * (NUMBER + 2 + begin), carets), width))
    return shown


def _code(source: str) -> str:
    return source.expandtabs(TAB)


def _labelled(label: str, value: str, width: int) -> list[Content]:
    room = max(1, width - LABEL)
    return [
        join(cell(label if index == 0 else "", LABEL, MUTED), text(part))
        for index, part in enumerate(wrap(value, room))
    ]


@dataclass(frozen=True, slots=True)
class Empty:
    """What is known when there is no eval set: where it was looked, and what is installed.

    `target` and `python` are followed by where they are named; `notes` say why eval modules that
    were found have nothing to run.
    """

    looked_in: tuple[str, ...]
    target: tuple[str, str] | None = None
    notes: tuple[str, ...] = ()
    runs: int = 0
    python: tuple[str, str] = field(default_factory=lambda: (OUR_PYTHON, "this program's"))

    def now(self, catalog: Catalog) -> Empty:
        """The same for files that were read again."""
        return replace(self, looked_in=catalog.looked_in, notes=catalog.notes)


def empty_lines(empty: Empty, width: int, height: int) -> list[Content]:
    """No eval sets: where it looked, for what, and what to do next."""
    inner = min(EMPTY_WIDTH, max(1, width - 4))
    lines = [text("No eval sets here yet", "bold")]
    looked_in = f"Looked in {', '.join(empty.looked_in)} and below for"
    lines += [text(part, MUTED) for part in wrap(looked_in, inner)]
    lines += [text(PATTERNS), BLANK]
    for note in empty.notes:
        lines += [*(text(part, WARN) for part in wrap(note, inner)), BLANK]
    opens = word("notice.open_folder")
    lines += [
        _next(opens, "Open a folder", "another project, or a part of one", inner),
        _next(word("browser.refresh"), "Look again", "where a file was added meanwhile", inner),
        _next("", "Write a NAME.evalset.json", "the README shows how", inner),
        BLANK,
        hairline(inner),
        BLANK,
        _fact(PASSED, *empty.python, inner),
        _fact(PASSED if empty.target else NOTHING, *(empty.target or NO_TARGET), inner),
        _fact(PASSED if empty.runs else NOTHING, *_runs(empty.runs), inner),
    ]
    left, top = max(0, (width - inner) // 2), max(0, (height - len(lines)) // 3)
    return [pad(join(" " * left, pad(line, inner)), width) for line in [BLANK] * top + lines]


def _next(key: str, label: str, why: str, width: int) -> Content:
    head = join(cell(key, EMPTY_KEY, KEY), cell(label, EMPTY_FACT - EMPTY_KEY))
    return pad(join(head, text(why, MUTED)), width)


def _fact(glyph: str, what: str, why: str, width: int) -> Content:
    return pad(join(text(f"{glyph} "), cell(what, EMPTY_FACT - 2), text(why, MUTED)), width)


def _runs(runs: int) -> tuple[str, str]:
    where = "kept in .tenxgraph-tui/runs.db"
    return (f"{runs} runs" if runs > 1 else "1 run", where) if runs else ("no runs yet", where)


def too_small(width: int, height: int, needed: tuple[int, int]) -> list[Content]:
    """The terminal is too small to draw anything sensible in."""
    lines = [
        text("Terminal too small", "bold"),
        text(f"{width}×{height}, needs {needed[0]}×{needed[1]}", MUTED),
        keys([(word("app.quit"), "Quit")]),
    ]
    return [pad(line, width) for line in lines[:height]]
