"""A target that cannot be loaded: where, why, since when, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tenxgraph_tui.evaluation.events import CaseStatus, Reply
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.tui import editors
from tenxgraph_tui.tui.results import ResultReader
from tests.tui.kept import keep
from tests.tui.script import NOW, Stage, catalog, play, screen_text, stage, until

WIDE, MEDIUM, SMALL = (160, 45), (100, 30), (80, 24)
SOURCE = '''\
def get_forecast(city: str, days: int = 1) -> dict:
    """Forecast for a city."""
    retrun _forecast(city, days)

graph = StateGraph()
'''
ERROR = "target agents.py:assistant could not be imported, no case was run: SyntaxError: invalid"


@pytest.fixture
def agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "agents.py"
    file.write_text(SOURCE, encoding="utf-8")
    return file


@pytest.fixture
def on(agents: Path) -> Stage:
    """A dashboard over one earlier run, in which a case failed."""
    path = agents.with_name("runs.db")
    keep(path, catalog(), {"kobe_wind": CaseStatus.FAILED})
    store = RunStore(path, clock=lambda: NOW)
    made = stage(store=store, reader=ResultReader(store))
    made.desk.root = agents.parent
    return made


async def refuse(pilot: Pilot[Any], on: Stage, agents: Path) -> None:
    """Ask for a run that cannot begin."""
    await until(pilot, lambda: on.desk.good is not None)
    await pilot.press("r")
    reply = Reply(
        seq=0,
        at=NOW,
        run_id=on.children[-1].request.run_id,
        request="run",
        error=ERROR,
        exit_code=5,
        data={
            "kind": "SyntaxError",
            "message": "invalid syntax",
            "file": str(agents),
            "line": 3,
            "column": 4,
            "end_column": 10,
            "python": "/project/.venv/bin/python (3.12.1)",
            "traceback": ["Traceback (most recent call last):", "SyntaxError: invalid [/syntax]"],
        },
    )
    await play(pilot, on, [reply])
    await until(pilot, lambda: "could not be imported" in screen_text(on.app))


@pytest.mark.parametrize("size", [WIDE, MEDIUM, SMALL], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_where_and_why_and_since_when(on: Stage, agents: Path, size: tuple[int, int]) -> None:
    async with on.app.run_test(size=size) as pilot:
        await refuse(pilot, on, agents)
        lines = [line.rstrip() for line in screen_text(on.app).splitlines()]
        flat = [" ".join(line.split()) for line in lines]

        assert flat[1].startswith("! error target agents.py:assistant could not be imported")
        assert "! SyntaxError invalid syntax agents.py, line 3" in flat
        at = flat.index("3 retrun _forecast(city, days)")
        assert lines[at + 1] == " " * lines[at].index("retrun") + "^^^^^^"
        assert any(line.startswith("last good #1 17 of 18 passed, ") for line in flat)
        assert "python /project/.venv/bin/python (3.12.1)" in flat
        command = "command tenxgraph-tui run weather.evalset.json"
        assert command in flat
        for key in ("esc Back to the cases", "o Open line 3", "r Try again", "6 Log", "? Help"):
            assert key in lines[-1]


async def test_the_whole_traceback_is_one_key_away(on: Stage, agents: Path) -> None:
    async with on.app.run_test(size=MEDIUM) as pilot:
        await refuse(pilot, on, agents)
        await pilot.press("6")
        await until(pilot, lambda: "SyntaxError: invalid [/syntax]" in screen_text(on.app))
        assert "retrun" not in screen_text(on.app)
        await pilot.press("escape")
        await until(pilot, lambda: "retrun" in screen_text(on.app))
        await pilot.press("6", "6")
        await until(pilot, lambda: "retrun" in screen_text(on.app))
        await pilot.press("escape")
        await until(pilot, lambda: "kobe_wind" in screen_text(on.app))
        assert on.desk.trouble is None


async def test_the_line_is_opened_in_the_editor(
    on: Stage, agents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[Sequence[str]] = []
    monkeypatch.setenv("VISUAL", "code")
    monkeypatch.setattr(editors, "leave_open", lambda command, closed: called.append(command))
    async with on.app.run_test(size=MEDIUM) as pilot:
        await refuse(pilot, on, agents)
        await pilot.press("o")
        await until(pilot, lambda: bool(called))
        assert f"{agents}:3" in called[0]


async def test_trying_again_asks_for_the_same_run(on: Stage, agents: Path) -> None:
    async with on.app.run_test(size=MEDIUM) as pilot:
        await refuse(pilot, on, agents)
        await pilot.press("r")
        await until(pilot, lambda: len(on.children) == 2 or bool(on.children[0].calls))
        assert on.desk.trouble is None
        assert on.desk.is_busy
