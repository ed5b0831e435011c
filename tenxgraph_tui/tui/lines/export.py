"""The sheet of an export: what is written, where, with what in it, and how far it is."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.tui.exporting.choice import ExportRow
from tenxgraph_tui.tui.exporting.runs import Exported
from tenxgraph_tui.tui.glyphs import ACCENT, ERROR, MUTED, STATUS, WARN
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import BLANK, KEY, cell, clip, join, key, keys, pad, rule, spread, text
from tenxgraph_tui.tui.lines.column_rows import BOX

GROUP, TITLE = 7, 13
FOOT = 3


@dataclass(frozen=True, slots=True)
class ExportStatus:
    """What stands below the choices: how far it is, or what is wrong."""

    told: str = ""
    problem: str = ""
    is_busy: bool = False


def export_title(run: Exported, width: int) -> Content:
    """The rule above: which run it is."""
    title = join(text(f"Export run #{run.number}", KEY), text(f"  {run.about}", MUTED))
    return rule(title, width, focused=True)


def export_line(row: ExportRow, width: int) -> Content:
    """One choice in exactly `width` cells."""
    group = cell(row.group, GROUP, MUTED)
    if row.value is not None:
        left = join(group, text(row.value))
        change = key(word("export.toggle"), "Change")
        return spread(left, clip(change, max(0, width - GROUP - TITLE)), width)
    line = join(
        group,
        text(BOX[row.is_on], ACCENT if row.is_on else MUTED),
        cell(row.title, TITLE, "" if row.is_on else MUTED),
        text(row.about, MUTED),
    )
    return pad(line, width)


def foot_line(status: ExportStatus, index: int, width: int) -> Content:
    """What is going on, and the keys, below a blank line."""
    if index == FOOT - 1:
        return pad(keys(_offered(status), width), width)
    if index == 0:
        return pad(BLANK, width)
    if status.problem:
        return pad(text(f"{ERROR} {status.problem}", WARN), width)
    if status.is_busy:
        running = STATUS[CaseStatus.RUNNING].glyph
        return pad(join(text(f"{running} ", ACCENT), text(status.told)), width)
    return pad(text(status.told, MUTED), width)


def _offered(status: ExportStatus) -> tuple[tuple[str, str], ...]:
    """The keys, and what they do now."""
    close = word("export.close")
    if status.is_busy:
        return (word("export.stop"), "Stop"), (close, "Close, it goes on")
    begin, switch = (word("export.begin"), "Export"), (word("export.toggle"), "On, off")
    return begin, switch, (close, "Close")
