"""*Log*: what was said while a case ran, line by line, with a cursor that shows a line whole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.tui.glyphs import FAINT, MUTED, NOTHING, WARN
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import BLANK, CURSOR, clip, highlight, pad, text
from tenxgraph_tui.tui.panes.blocks import paragraph
from tenxgraph_tui.tui.panes.journal import Journal
from tenxgraph_tui.tui.panes.log_row import Columns, Rows
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.scrolled import BAR, with_bar
from tenxgraph_tui.tui.panes.space import ROOMY, SHORT

LONGEST_SHARE = 2
"""The row with the cursor takes at most half of the pane."""


@dataclass(frozen=True, slots=True)
class Looking:
    """Where the reader is: the row with the cursor, the first row in sight, what is looked for.

    `is_run` when the lines are those of the whole run.
    """

    selected: int = 0
    top: int = 0
    found: re.Pattern[str] | None = None
    matches: Sequence[int] = ()
    is_run: bool = False


@dataclass(frozen=True, slots=True)
class Drawn:
    """The lines and the row of each; the first row in sight, and how many have room."""

    lines: list[Content]
    rows: list[int | None]
    top: int = 0
    room: int = 1

    def row_at(self, y: int) -> int | None:
        """The row under the mouse."""
        return self.rows[y] if 0 <= y < len(self.rows) else None


def draw(
    journal: Journal,
    model: DetailModel,
    width: int,
    height: int,
    at: Looking,
    cursor: str = CURSOR,
) -> Drawn:
    """Every line is at most `width` cells; there are at most `height` lines."""
    if not journal.entries:
        lines = _nothing(model, width, is_run=at.is_run)[: max(0, height)]
        return Drawn(lines, [None] * len(lines))
    below = _below(journal, at, width) if height >= SHORT or at.found is not None else []
    if below and height >= ROOMY:
        below = [BLANK, *below]
    head = int(height > 1)
    room = max(1, height - head - len(below))
    columns = Columns.of(max(1, width - BAR), journal.entries, with_cases=at.is_run)
    rows = Rows(columns, journal.begin, model.key.eval_id, at.found)
    shown, owners, top = _window(journal, rows, room, at, cursor)
    listed = with_bar(shown, width, top, max(len(journal.entries), len(shown)))
    padding = [BLANK] * (room - len(listed)) if height < ROOMY else []
    lines = [*[columns.head(width)][:head], *listed, *padding, *below]
    owned = [*[None][:head], *owners]
    owned += [None] * (len(lines) - len(owned))
    return Drawn([clip(line, width) for line in lines][:height], owned[:height], top, room)


def _window(
    journal: Journal, rows: Rows, room: int, at: Looking, cursor: str
) -> tuple[list[Content], list[int | None], int]:
    """The rows in sight: as before, but that the one with the cursor is among them, whole."""
    entries = journal.entries
    selected = max(0, min(at.selected, len(entries) - 1))
    whole = rows.whole(entries[selected], max(1, room // LONGEST_SHARE))
    # the last row may not stand above the end of the pane, nor the selected one end below it
    last = selected - (room - len(whole))
    top = max(0, min(at.top, selected, len(entries) + len(whole) - 1 - room))
    top = max(top, last)
    cells = rows.columns.text + rows.left_cells
    lines: list[Content] = []
    owners: list[int | None] = []
    for index in range(top, len(entries)):
        if len(lines) >= room:
            break
        if index == selected:
            drawn = [highlight(line, cells, cursor) for line in whole]
        else:
            drawn = [rows.line(entries[index])]
        lines += drawn
        owners += [index] * len(drawn)
    return lines[:room], owners[:room], top


def _below(journal: Journal, at: Looking, width: int) -> list[Content]:
    """How much there is, and how a search goes."""
    told = [plural(journal.said, "line")] if journal.said or not journal.loud else []
    if journal.loud:
        told.append(plural(len(journal.loud), "warning"))
    said = f"{', '.join(told)}{' of the whole run' if at.is_run else ''}."
    if at.found is None:
        return [clip(text(said, FAINT), width)]
    if not at.matches:
        return [clip(text(f"not found in {said}", WARN), width)]
    place = f"{at.matches.index(at.selected) + 1:,}" if at.selected in at.matches else NOTHING
    return [clip(text(f"{place} of {plural(len(at.matches), 'match', 'matches')}", MUTED), width)]


def _nothing(model: DetailModel, width: int, *, is_run: bool) -> list[Content]:
    if is_run and model.run_log is None:
        told = "Reading what was said in the run."
    elif is_run:
        told = f"No output of this run was captured. {word('log.turn')} goes back to the case."
    elif model.status is CaseStatus.WAITING:
        told = "This case has not run yet."
    elif model.status is CaseStatus.RUNNING:
        told = "Nothing was printed so far."
    elif model.status is CaseStatus.SKIPPED:
        told = "This case was skipped."
    else:
        told = "No output of this case was captured. "
        told += f"{word('log.turn')} shows the whole run, with sub-processes."
    return [pad(line, width) for line in paragraph("", told, width, style=MUTED)]
