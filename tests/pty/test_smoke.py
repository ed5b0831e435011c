"""The real program in a real terminal: it starts, runs agents and leaves nothing behind."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.pty.processes import is_alive, wait_for
from tests.pty.terminal import Terminal
from tests.tui.script import eval_set

AGENT = """\
import os, pathlib, subprocess, sys, time

with open("imported.log", "a") as log:
    log.write(f"{os.getpid()}\\n")


def echo(messages):
    print("[/] printed by the agent" * 50)
    subprocess.run(["echo", "printed by a child"], check=True)
    return "This is about " + messages[-1]["content"].split()[-1]


def stuck(messages):
    child = subprocess.Popen(["sleep", "1000"])
    pathlib.Path("stuck.log").write_text(f"{os.getpid()} {child.pid}")
    time.sleep(1000)
"""
BUG = """\
from tenxgraph_tui.tui.screens.help import HelpScreen


def compose(self):
    raise RuntimeError("a bug of ours")


HelpScreen.compose = compose
"""
LEFT = 1049
CURSOR = 25


@pytest.fixture
def agents(project: Path) -> Path:
    (project / "agents.py").write_text(AGENT)
    for name, ids in (("echo", ["one", "two", "three"]), ("stuck", ["one"])):
        one = eval_set(name, ids, target=f"agents.py:{name}")
        for case in one.eval_cases:
            case.conversation[0].expected_tool_trajectory = []
        one.to_file(str(project / f"{name}.evalset.json"))
    return project


def assert_restored(terminal: Terminal) -> None:
    assert not terminal.is_on(LEFT)
    assert terminal.is_on(CURSOR)
    assert terminal.modes == terminal.before


@pytest.mark.parametrize(
    "env",
    [
        pytest.param({}, id="a terminal with colours"),
        pytest.param({"TERM": "screen-256color", "NO_COLOR": "1"}, id="a multiplexer, no colours"),
    ],
)
def test_a_run_from_the_first_key_to_the_last(agents: Path, env: dict[str, str]) -> None:
    with Terminal(
        ["echo.evalset.json", "--preset", "quick_check"], cwd=agents, env=env
    ) as terminal:
        terminal.read_until("3 cases in 1 set")
        assert terminal.is_on(LEFT)
        terminal.type("r")
        terminal.read_until("3/3 passed")
        terminal.resize(60, 20)
        terminal.read_until("worst")
        terminal.resize(160, 45)
        terminal.read_until("ctrl+p Commands")
        terminal.type("q")
        assert terminal.leave() == 0
        assert_restored(terminal)
        dashboard = terminal.process.pid
    imported_by = (agents / "imported.log").read_text().split()
    assert imported_by
    assert str(dashboard) not in imported_by


def test_leaving_waits_for_no_agent_and_leaves_no_process_behind(agents: Path) -> None:
    with Terminal(["stuck.evalset.json"], cwd=agents) as terminal:
        terminal.read_until("1 case in 1 set")
        terminal.type("r")
        terminal.read_until("stuck")
        log = agents / "stuck.log"
        wait_for(lambda: log.exists() and len(log.read_text().split()) == 2)
        began = time.monotonic()
        terminal.type("q")
        assert terminal.leave() == 0
        assert time.monotonic() - began < 15  # the agent sleeps for a thousand seconds
        assert_restored(terminal)
    pids = [int(pid) for pid in log.read_text().split()]
    wait_for(lambda: not any(is_alive(pid) for pid in pids))


def test_ctrl_c_leaves_like_q(agents: Path) -> None:
    with Terminal(["echo.evalset.json"], cwd=agents) as terminal:
        terminal.read_until("3 cases in 1 set")
        terminal.type("\x03")
        assert terminal.leave() == 0
        assert_restored(terminal)


def test_a_bug_of_ours_gives_the_terminal_back_and_is_no_success(agents: Path) -> None:
    bugs = agents / "bugs"
    bugs.mkdir()
    (bugs / "sitecustomize.py").write_text(BUG)
    env = {"PYTHONPATH": str(bugs)}
    with Terminal(["echo.evalset.json"], cwd=agents, env=env) as terminal:
        terminal.read_until("3 cases in 1 set")
        terminal.type("?")
        assert terminal.leave() == 1
        assert_restored(terminal)
        assert "a bug of ours" in terminal.text()


def test_a_terminal_that_can_do_nothing_is_refused_with_the_way_out(agents: Path) -> None:
    with Terminal(["echo.evalset.json"], cwd=agents, env={"TERM": "dumb"}) as terminal:
        assert terminal.leave() == 2
        assert "use 'tenxgraph-tui run PATH'" in terminal.text()
        assert b"\x1b" not in terminal.written
