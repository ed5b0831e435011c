"""A project of 10xGraph in the dashboard, in a real terminal: it runs, and is followed."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest

from tests.pty.processes import assert_nobody_is_left
from tests.pty.terminal import Terminal
from tests.targets.tenxgraph_shop import add_module, replace, set_up

pytest.importorskip("tenxgraph", reason="10xGraph is not installed (it needs Python 3.12)")


def test_a_project_of_10xgraph_runs_and_each_save_shows_what_it_did(tmp_path: Path) -> None:
    set_up(tmp_path)
    add_module(tmp_path)
    mark = uuid4().hex
    with Terminal([], cwd=tmp_path, size=(120, 30), env={"MARK": mark}) as terminal:
        terminal.read_until("ready")
        terminal.read_until("on_its_way")
        terminal.type("w")
        terminal.read_until("watching")
        terminal.type("r")
        terminal.read_until("1/1 passed")

        for name, old, new, told in (
            ("prompts/answer.txt", "on its way", "gone for good", "1 broke"),
            ("prompts/answer.txt", "gone for good", "on its way", "1 fixed"),
            ("graph/tools.py", "shipped", "packed", "nothing flipped"),
            ("graph/agent.py", "A-1", "A-2", "1 broke"),
            ("evals/shop_eval.py", "A-1", "A-2", "1 fixed"),
        ):
            before = len(terminal.written)
            replace(tmp_path / name, old, new)
            terminal.read_until(f"{name} saved", since=before)
            terminal.read_until(told, since=before)

        terminal.type("q")
        assert terminal.leave() == 0
    assert_nobody_is_left(mark)
