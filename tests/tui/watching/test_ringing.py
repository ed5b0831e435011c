from __future__ import annotations

import os
import stat
import time
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tenxgraph_tui.tui.watching.news import News
from tenxgraph_tui.tui.watching.ringing import headline, ring, sequence

BROKE = News("agents.py", 0.0, 3, 1.0, broke=("a", "b"), fixed=("c",))
SAME = News("agents.py", 0.0, 3, 1.0, unchanged=3)


class Terminal:
    """Stands for an application; remembers what its terminal was sent."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self._driver = SimpleNamespace(write=self.written.append)

    def bell(self) -> None:
        self.written.append("\a")


def rung(notify: str | None, news: News, environ: Mapping[str, str]) -> list[str]:
    app: Any = Terminal()
    ring(app, notify, news, {"PATH": "", **environ})
    written: list[str] = app.written
    return written


@pytest.mark.parametrize(
    ("notify", "news", "written"),
    [
        pytest.param(None, BROKE, [], id="nothing unless it is wanted"),
        pytest.param("bell", BROKE, ["\a"], id="the bell"),
        pytest.param("bell", SAME, [], id="nothing flipped"),
        pytest.param("desktop", SAME, [], id="nothing flipped, on the desktop"),
    ],
)
def test_it_is_quiet_unless_something_flipped(
    notify: str | None, news: News, written: list[str]
) -> None:
    assert rung(notify, news, {"TERM": "xterm"}) == written


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({"TERM": "xterm-kitty"}, "\x1b]9;tenxgraph: 2 broke, 1 fixed: agents.py\x07"),
        ({"TERM": "foot"}, "\x1b]777;notify;tenxgraph: 2 broke, 1 fixed;agents.py\x07"),
        (
            {"TERM": "screen", "TMUX": "/tmp/x"},
            "\x1bPtmux;\x1b\x1b]9;tenxgraph: 2 broke, 1 fixed: agents.py\x07\x1b\\",
        ),
    ],
)
def test_a_terminal_is_told_in_the_way_it_knows(environ: Mapping[str, str], told: str) -> None:
    assert rung("desktop", BROKE, environ) == [told]


def test_names_of_files_send_nothing_of_their_own() -> None:
    told = sequence("a;b", "\x1b]0;owned\x07\n", {"TERM": "foot"})
    assert told.count("\x1b") == 1
    assert told.count("\x07") == 1
    assert told.count(";") == 3


def test_a_desktop_is_told_by_its_own_command(tmp_path: Path) -> None:
    command, told = tmp_path / "notify-send", tmp_path / "told"
    command.write_text(f'#!/bin/sh\nprintf "%s|" "$@" > {told}.new\nmv {told}.new {told}\n')
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    environ = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "DISPLAY": ":0"}
    assert rung("desktop", BROKE, environ) == []
    deadline = time.monotonic() + 20
    while not told.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert told.read_text().endswith("|--|tenxgraph: 2 broke, 1 fixed|agents.py|")


def test_a_headline_counts_every_kind() -> None:
    assert headline(News("a", 0.0, 3, 1.0, errored=("x",), fixed=("y",))) == "1 errored, 1 fixed"
