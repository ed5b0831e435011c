"""The title of a real terminal: it tells of the project and of the run, and is given back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pty.terminal import Terminal
from tests.tui.script import eval_set

AGENT = """\
def echo(messages):
    return "This is about " + messages[-1]["content"].split()[-1]
"""


@pytest.fixture
def agents(project: Path) -> Path:
    (project / "agents.py").write_text(AGENT)
    one = eval_set("echo", ["one", "two"], target="agents.py:echo")
    for case in one.eval_cases:
        case.conversation[0].expected_tool_trajectory = []
    one.to_file(str(project / "echo.evalset.json"))
    return project


def test_the_title_tells_how_it_goes_and_is_given_back(agents: Path) -> None:
    with Terminal(["echo.evalset.json", "--preset", "quick_check"], cwd=agents) as terminal:
        terminal.read_until("2 cases in 1 set")
        terminal.type("r")
        terminal.read_until("2/2 passed")
        terminal.type("q")
        assert terminal.leave() == 0
        written = bytes(terminal.written)
    kept, given_back = written.index(b"\x1b[22;0t"), written.rindex(b"\x1b[23;0t")
    assert kept < written.index(b"\x1b]0;tenxgraph: echo.evalset.json\x07") < given_back
    assert b"\x1b]0;" not in written[given_back:]


def test_a_terminal_without_titles_is_sent_none(agents: Path) -> None:
    with Terminal(["echo.evalset.json"], cwd=agents, env={"TERM": "linux"}) as terminal:
        terminal.read_until("2 cases in 1 set")
        terminal.type("q")
        assert terminal.leave() == 0
        assert b"\x1b]0;" not in terminal.written
        assert b"\x1b[22;0t" not in terminal.written
