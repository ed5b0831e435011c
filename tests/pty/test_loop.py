"""The whole loop in a real terminal, with real files, a real watcher and real workers."""

from __future__ import annotations

import time
from pathlib import Path
from uuid import uuid4

import pytest

from tests.pty.processes import assert_nobody_is_left
from tests.pty.terminal import Terminal
from tests.pty.walk import AFTER, BEFORE, BROKEN, FIXED, SET, edit, set_up

ESC, ENTER = "\x1b", "\r"


@pytest.fixture
def weather(project: Path) -> Path:
    set_up(project)
    return project


def test_run_drill_edit_see_the_flip_and_export(weather: Path) -> None:
    mark = uuid4().hex
    size = (120, 40)
    with Terminal([SET, "--watch"], cwd=weather, size=size, env={"MARK": mark}) as terminal:
        terminal.read_until("watching")
        terminal.type("r")
        terminal.read_until(BEFORE)
        terminal.type("]")
        terminal.type(ENTER)
        terminal.read_until(FIXED)
        terminal.type("2")
        terminal.read_until("Kyoto")
        terminal.type(ESC)
        terminal.read_until("Cases", since=len(terminal.written))

        before = len(terminal.written)
        edit(weather)
        terminal.read_until("rerunning", since=before)
        terminal.read_until("fixed", since=before)
        terminal.read_until("saved", since=before)
        terminal.read_until(FIXED, since=before)
        terminal.read_until(BROKEN, since=before)
        terminal.read_until(AFTER, since=before)

        terminal.type("e")
        terminal.read_until("Export run")
        terminal.type(ENTER)
        terminal.read_until("Exported run")
        began = time.monotonic()
        terminal.type("q")
        assert terminal.leave() == 0
        assert time.monotonic() - began < 15
    assert_nobody_is_left(mark)
    assert list(weather.glob("eval_reports/*.json"))


@pytest.mark.parametrize("state", ["idle", "running", "after a mistake"])
def test_leaving_leaves_nobody_in_any_state(weather: Path, state: str) -> None:
    mark = uuid4().hex
    with Terminal([SET, "--watch"], cwd=weather, env={"MARK": mark}) as terminal:
        terminal.read_until("watching")
        if state == "running":
            terminal.type("r")
            terminal.read_until("running")
        elif state == "after a mistake":
            with (weather / "agents.py").open("a") as agents:
                agents.write("\ndef (:\n")
            terminal.read_until("SyntaxError")
        terminal.type("q")
        assert terminal.leave() == 0
    assert_nobody_is_left(mark)
