"""What a run tells while it goes on: one line a thing, safe and short."""

from __future__ import annotations

import io
from typing import Any

import pytest

from tenxgraph_tui.cli.narration import Narration
from tenxgraph_tui.evaluation.events import (
    CaseFinished,
    CaseInfo,
    CaseRestarted,
    CaseStarted,
    CaseStatus,
    Log,
    RunEvent,
    RunStarted,
    SetInfo,
)
from tenxgraph_tui.evaluation.results import CaseKey

STAMP: dict[str, Any] = {"seq": 0, "at": 0.0, "run_id": "r"}
TOKYO = CaseKey(0, "tokyo")


def started(*ids: str) -> RunStarted:
    cases = (CaseInfo(eval_id="tokyo"),)
    sets = tuple(SetInfo(eval_set_id=name, cases=cases) for name in ids)
    return RunStarted(**STAMP, sets=sets, number=18)


def finished(status: CaseStatus, **fields: object) -> CaseFinished:
    return CaseFinished.model_validate(
        {**STAMP, "case": TOKYO, "status": status, "duration_seconds": 1.9, **fields}
    )


def told(*events: RunEvent, encoding: str = "utf-8") -> list[str]:
    raw = io.BytesIO()
    narration = Narration(io.TextIOWrapper(raw, encoding=encoding, errors="backslashreplace"))
    for event in events:
        narration(event)
    return raw.getvalue().decode(encoding).splitlines()


@pytest.mark.parametrize(
    ("event", "line"),
    [
        pytest.param(started("a"), "running 1 case of 1 set as run #18", id="the beginning"),
        pytest.param(finished(CaseStatus.PASSED), "[PASS]      tokyo  1.9s", id="a pass"),
        pytest.param(
            finished(CaseStatus.FAILED, reason="trajectory: missing: search"),
            "[FAIL]      tokyo  1.9s  trajectory: missing: search",
            id="a failure and why",
        ),
        pytest.param(
            finished(CaseStatus.ERROR, error="boom\nat line 3"),
            r"[ERROR]     tokyo  1.9s  boom\nat line 3",
            id="an error in one line",
        ),
        pytest.param(finished(CaseStatus.CANCELLED), "[CANCEL]    tokyo", id="cancelled"),
        pytest.param(
            finished(CaseStatus.SKIPPED, reason="later"), "[SKIP]      tokyo  later", id="skipped"
        ),
        pytest.param(
            finished(CaseStatus.PASSED, known=True),
            "[PASS]      tokyo  1.9s  known failure",
            id="a known failure",
        ),
        pytest.param(
            CaseRestarted(**STAMP, case=TOKYO, reason="x blocked the event loop"),
            "tokyo starts again: x blocked the event loop",
            id="a restart",
        ),
        pytest.param(Log(**STAMP, case=TOKYO, text="hello"), "tokyo │ hello", id="a printed line"),
        pytest.param(
            Log(**STAMP, case=TOKYO, text="\x1b[2Jx"), r"tokyo │ \x1b[2Jx", id="made visible"
        ),
        pytest.param(Log(**STAMP, text="from C"), "agent │ from C", id="a line of nobody"),
        pytest.param(
            Log(**STAMP, text="odd", source="tenxgraph", level="warning"),
            "warning: odd",
            id="a notice of ours",
        ),
    ],
)
def test_one_line(event: RunEvent, line: str) -> None:
    assert told(event) == [line]


def test_with_several_sets_a_case_is_named_with_its_set() -> None:
    lines = told(started("asia", "europe"), finished(CaseStatus.PASSED))
    assert lines[1] == "[PASS]      asia/tokyo  1.9s"


def test_steps_are_for_live_views() -> None:
    assert told(CaseStarted(**STAMP, case=TOKYO)) == []


def test_a_stream_without_the_bar_gets_another() -> None:
    line = Log(**STAMP, case=TOKYO, text="日本")
    assert told(line, encoding="ascii") == [r"tokyo | \u65e5\u672c"]


def test_a_long_reason_is_cut() -> None:
    (line,) = told(finished(CaseStatus.FAILED, reason="x" * 500))
    assert len(line) < 200


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_the_status_has_colour() -> None:
    raw = io.BytesIO()
    terminal = Terminal(raw, encoding="utf-8")
    Narration(terminal)(finished(CaseStatus.FAILED))
    assert raw.getvalue().decode() == "\x1b[31m✗ failed   \x1b[0m tokyo  1.9s\n"
