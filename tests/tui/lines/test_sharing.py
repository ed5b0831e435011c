"""The sheets of copying and exporting: every line is as wide as asked, whatever names say."""

from __future__ import annotations

import pytest

from tenxgraph_tui.tui.copies import What
from tenxgraph_tui.tui.exporting.choice import ExportChoice, export_rows
from tenxgraph_tui.tui.exporting.runs import Exported
from tenxgraph_tui.tui.lines.copies import CopyRow, copy_line, copy_title, preview_lines
from tenxgraph_tui.tui.lines.export import (
    FOOT,
    ExportStatus,
    export_line,
    export_title,
    foot_line,
)

WIDTHS = [0, 1, 2, 5, 8, 13, 20, 33, 40, 60, 80, 160]
NASTY = "[/] 家族👨‍👩‍👧 \x1b[2J\n[link=x]y[/link] " + "long " * 40
STATUSES = [
    ExportStatus(),
    ExportStatus(NASTY, is_busy=True),
    ExportStatus(problem=NASTY),
]


@pytest.mark.parametrize("width", WIDTHS)
def test_every_line_has_its_width(width: int) -> None:
    row = CopyRow(What.TEST, f"the pytest test of {NASTY}", NASTY)
    lines = [copy_title("Copy", width), copy_line(row, width)]
    lines += preview_lines(row, width, 4)
    lines += [export_line(one, width) for one in export_rows(ExportChoice(), NASTY)]
    lines += [export_title(Exported(18, NASTY), width)]
    lines += [foot_line(status, index, width) for status in STATUSES for index in range(FOOT)]
    assert {line.cell_length for line in lines} == {width}
    assert not any("\x1b" in line.plain or "\n" in line.plain for line in lines)


@pytest.mark.parametrize("height", [0, 1, 2, 4])
def test_a_preview_has_its_height_and_says_that_there_is_more(height: int) -> None:
    lines = preview_lines(CopyRow(What.REOPEN, "x", "word " * 100), 20, height)
    assert len(lines) == height
    if height:
        assert lines[-1].plain.rstrip().endswith("…")
    assert len(preview_lines(None, 20, height)) == height
    short = preview_lines(CopyRow(What.REOPEN, "x", "word"), 20, height)
    assert [line.plain.strip() for line in short] == ["word", "", "", ""][:height]


def test_rows_begin_with_what_they_are() -> None:
    row = CopyRow(What.RERUN_CASE, "the command that reruns Tokyo", "")
    assert copy_line(row, 40).plain.rstrip() == "Command that reruns Tokyo"


def test_the_sheet_shows_boxes_folder_and_keys() -> None:
    rows = [*export_rows(ExportChoice(without=("details",)), "out")]
    lines = [export_line(row, 70).plain.rstrip() for row in rows]
    assert lines[0] == "write  [x] JSON         for programs; no text is cut"
    assert lines[4].split() == ["into", "out", "space", "Change"]
    assert lines[5].startswith("with   [ ] reasons")
    busy, idle = ExportStatus("50% written", is_busy=True), ExportStatus(problem="out: full")
    assert foot_line(busy, 1, 40).plain.rstrip() == "▸ 50% written"
    assert foot_line(busy, 2, 60).plain.split("   ")[:2] == ["x Stop", "esc Close, it goes on"]
    assert foot_line(idle, 1, 40).plain.rstrip() == "! out: full"
    assert foot_line(idle, 2, 60).plain.split()[:2] == ["enter", "Export"]
