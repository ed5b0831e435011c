"""A dashboard that nobody can see any more ends by itself, and its workers with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest

from tests.pty.processes import assert_nobody_is_left, is_alive, processes_with, wait_for
from tests.pty.terminal import Terminal
from tests.tui.script import eval_set

ROOT = Path(__file__).parents[2]
SET = "stuck.evalset.json"
AGENT = """\
import pathlib, time


def stuck(messages):
    pathlib.Path("stuck.log").touch()
    time.sleep(1000)
"""
PARENT = """\
import sys, time
from pathlib import Path
from tests.pty.terminal import Terminal

with Terminal(["stuck.evalset.json"], cwd=Path.cwd(), controls="controls" in sys.argv) as terminal:
    terminal.read_until("1 case in 1 set")
    Path("shown").touch()
    time.sleep(1000)
"""
SHELL = """\
import os, signal, subprocess, sys, time

signal.signal(signal.SIGTTOU, signal.SIG_IGN)
job = subprocess.Popen(["/bin/sh", "-c", sys.argv[1]], process_group=0)
os.tcsetpgrp(0, job.pid)
open("job", "w").write(str(job.pid))
job.wait()
os.tcsetpgrp(0, os.getpgrp())
print("the prompt of a shell", flush=True)
time.sleep(1000)
"""
LEFT, CURSOR = 1049, 25


@pytest.fixture
def agents(project: Path) -> Path:
    (project / "agents.py").write_text(AGENT)
    one = eval_set("stuck", ["one"], target="agents.py:stuck")
    one.eval_cases[0].conversation[0].expected_tool_trajectory = []
    one.to_file(str(project / SET))
    return project


@pytest.fixture
def mark() -> str:
    return uuid4().hex


def has_a_worker_that_waits(mark: str) -> Callable[[], bool]:
    return lambda: len(processes_with(mark)) > 1


def run_stuck(terminal: Terminal, agents: Path) -> None:
    terminal.type("r")
    wait_for((agents / "stuck.log").exists)


@pytest.mark.parametrize("runs", [False, True], ids=["idle", "an agent is stuck"])
@pytest.mark.parametrize("controls", [False, True], ids=["it asks", "it is told"])
def test_a_terminal_that_is_gone_ends_it_and_its_workers(
    agents: Path, mark: str, controls: bool, runs: bool
) -> None:
    with Terminal([SET], cwd=agents, env={"MARK": mark}, controls=controls) as terminal:
        terminal.read_until("1 case in 1 set")
        wait_for(has_a_worker_that_waits(mark))
        if runs:
            run_stuck(terminal, agents)
        terminal.hang_up()
        assert terminal.process.wait(timeout=20) == 130
    assert_nobody_is_left(mark)


@pytest.mark.parametrize("controls", ["", "controls"], ids=["it asks", "it is told"])
def test_whoever_holds_the_terminal_may_be_killed(agents: Path, mark: str, controls: str) -> None:
    env = {**os.environ, "MARK": mark, "PYTHONPATH": str(ROOT)}
    parent = subprocess.Popen([sys.executable, "-c", PARENT, controls], cwd=agents, env=env)
    try:
        wait_for((agents / "shown").exists, 60)
    finally:
        parent.kill()
        parent.wait()
    assert_nobody_is_left(mark)


@pytest.mark.parametrize(
    "sign", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=lambda sign: sign.name
)
def test_who_tells_it_to_leave_gets_the_terminal_back(
    agents: Path, mark: str, sign: signal.Signals
) -> None:
    with Terminal([SET], cwd=agents, env={"MARK": mark}) as terminal:
        terminal.read_until("1 case in 1 set")
        run_stuck(terminal, agents)
        terminal.process.send_signal(sign)
        assert terminal.leave() == 130
        assert "Traceback" not in terminal.text()
        assert not terminal.is_on(LEFT)
        assert terminal.is_on(CURSOR)
        assert terminal.modes == terminal.before
    assert_nobody_is_left(mark)


@pytest.mark.parametrize("deep", [False, True], ids=["its parent", "whoever started that"])
def test_a_job_whose_starter_is_killed_leaves_the_terminal_to_the_shell(
    agents: Path, mark: str, deep: bool
) -> None:
    job = f"MARK={mark} {sys.executable} -m tenxgraph_tui {SET}; :"
    words = [f"/bin/sh -c '{job}'; :" if deep else job]
    shell = [sys.executable, "-c", SHELL]
    with Terminal(words, cwd=agents, command=shell, controls=True) as terminal:
        terminal.read_until("1 case in 1 set")
        wait_for(has_a_worker_that_waits(mark))
        os.kill(int((agents / "job").read_text()), signal.SIGKILL)
        terminal.read_until("the prompt of a shell")
        deadline = time.monotonic() + 20
        while processes_with(mark):
            assert time.monotonic() < deadline
            terminal.type("x")  # by reading it, one that has a parent learns of its loss
            terminal._read()
        while terminal._read():
            pass
        assert not terminal.is_on(LEFT)
        assert "Traceback" not in terminal.text()
        assert is_alive(terminal.process.pid)
