from __future__ import annotations

from tenxgraph_tui.tui.column_choice import ColumnChoice
from tenxgraph_tui.tui.lines.column_rows import ColumnRow, column_line, column_rows
from tenxgraph_tui.tui.lines.columns import Wanted, columns
from tests.tui.script import CRITERIA


def rows(choice: ColumnChoice, wanted: Wanted, width: int) -> dict[str, ColumnRow]:
    found = column_rows(choice, CRITERIA, wanted, columns(width, wanted))
    return {row.title: row for row in found}


def test_every_column_but_status_and_case_can_be_switched() -> None:
    found = rows(ColumnChoice(), Wanted(CRITERIA), 118)
    assert list(found) == ["tools", "traj", "rouge", "reason", "tok", "cost", "time", "change"]
    assert all(row.is_on for row in found.values())


def test_a_column_that_is_on_and_not_there_says_why() -> None:
    found = rows(ColumnChoice(), Wanted(CRITERIA), 118)
    assert found["cost"].note == "no price is known"
    assert found["change"].note == "there is no baseline"
    assert found["traj"].note == ""
    narrow = rows(ColumnChoice(), Wanted(CRITERIA), 60)
    assert (narrow["traj"].note, narrow["tok"].note) == ("no room", "no room")


def test_a_column_is_one_line_with_a_box() -> None:
    row = ColumnRow("tokens", "tok", "tokens of agent and judges", is_on=True, note="no room")
    line = " ".join(column_line(row, 50).plain.split())
    assert line == "[x] tok tokens of agent and judges no room"
    off = ColumnRow("tokens", "tok", "tokens of agent and judges", is_on=False, note="no room")
    assert column_line(off, 50).plain.rstrip() == "[ ] tok      tokens of agent and judges"
    for width in range(80):
        assert column_line(row, width).cell_length == width
