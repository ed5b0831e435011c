"""What an agent printed can be read with its case, and why it blocks while it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tenxgraph_tui.evaluation.events import CaseStatus, Log
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.panes import why
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.printed import lines_of

Progress = Callable[..., DetailModel]
BLOCKS = "tokyo_forecast holds the event loop at agents.py:12: await an async call there."


def said(text: str, seq: int = 0, **fields: Any) -> Log:
    return Log(seq=seq, at=0.0, run_id="run", text=text, **fields)


def warned(text: str, seq: int = 0) -> Log:
    return said(text, seq, source="tenxgraph", level="warning")


def shown(model: DetailModel, *log: Log, width: int = 120) -> list[str]:
    lines = why.lines(replace(model, log=log), width, 40)
    return [line.plain.rstrip() for line in lines]


def test_what_was_printed_stands_last_and_its_newest_line_at_the_end(tokyo: DetailModel) -> None:
    lines = shown(tokyo, *(said(f"line {number}") for number in range(30)))
    assert lines[-10] == "printed   line 20"
    assert lines[-1] == "          line 29"


@pytest.mark.parametrize(
    "status", [CaseStatus.RUNNING, CaseStatus.CANCELLED], ids=["while it runs", "without a result"]
)
def test_a_warning_of_ours_stands_above_what_was_printed(
    unfinished: Progress, status: CaseStatus
) -> None:
    lines = shown(unfinished(status), said("asking the weather"), warned(BLOCKS), warned(BLOCKS))
    assert [line for line in lines if line][-2:] == [
        f"note      {BLOCKS}",
        "printed   asking the weather",
    ]


def test_lines_that_were_left_out_are_counted(tokyo: DetailModel) -> None:
    assert shown(tokyo, said("the end", dropped=3))[-2:] == [
        "printed   … 3 lines left out",
        "          the end",
    ]


def test_nothing_is_said_of_a_case_that_printed_nothing(tokyo: DetailModel) -> None:
    assert not any("printed" in line or "note  " in line for line in shown(tokyo))


def test_a_long_line_or_one_with_control_characters_stays_within_the_pane(
    tokyo: DetailModel,
) -> None:
    lines = why.lines(replace(tokyo, log=(said("x\x1b[31m" * 200),)), 60, 20)
    assert max(line.cell_length for line in lines) <= 60
    assert "\x1b" not in lines[-1].plain


def test_only_what_a_case_itself_printed_is_shown_with_it() -> None:
    key, other = CaseKey(0, "a"), CaseKey(0, "b")
    mine = said("mine", case=key)
    assert lines_of(key, [said("theirs", case=other), mine, said("whose?")]) == (mine,)
