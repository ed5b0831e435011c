"""The columns that can be switched on and off, one a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation.events import CriterionInfo
from tenxgraph_tui.tui.column_choice import NUMBERS, ColumnChoice
from tenxgraph_tui.tui.glyphs import ACCENT, FAINT, MUTED
from tenxgraph_tui.tui.kit import cell, clip, join, spread, text
from tenxgraph_tui.tui.lines.columns import Columns, Wanted, column_of, short_name

BOX = {True: "[x] ", False: "[ ] "}
NAME = 9
TITLES = {"tokens": "tok"}


@dataclass(frozen=True, slots=True)
class ColumnRow:
    """One column. `note` says why it is not in the table although it is on."""

    name: str
    title: str
    holds: str
    is_on: bool
    note: str = ""


def column_rows(
    choice: ColumnChoice, criteria: Sequence[CriterionInfo], wanted: Wanted, shown: Columns
) -> list[ColumnRow]:
    """Every column but status and case, in the order of the table."""
    slots = {column_of(one): one for one in criteria}
    there = {column_of(one) for one in shown.scores}
    there |= {name for name in NUMBERS if getattr(shown, name)}
    rows = [
        ColumnRow(slot, short_name(one), one.name, choice.shows(slot), _note(slot in there))
        for slot, one in slots.items()
    ]
    missing = {"cost": "no price is known", "change": "there is no baseline"}
    for name, holds in NUMBERS.items():
        lacks = missing.get(name, "") if not getattr(wanted, name) else ""
        note = lacks or _note(name in there)
        rows.append(ColumnRow(name, TITLES.get(name, name), holds, choice.shows(name), note))
    return rows


def _note(is_there: bool) -> str:
    return "" if is_there else "no room"


def column_line(row: ColumnRow, width: int) -> Content:
    """One column in exactly `width` cells."""
    left = join(
        text(BOX[row.is_on], ACCENT if row.is_on else MUTED),
        cell(row.title, NAME, "" if row.is_on else MUTED),
        text(row.holds, MUTED),
    )
    note = text(row.note if row.is_on else "", FAINT)
    return spread(left, clip(note, max(0, width - len(BOX[True]) - NAME)), width)
