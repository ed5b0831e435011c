"""The same world for every test: time, home, colours and cursors do not depend on the machine."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

LEAKY = (
    "NO_COLOR",
    "FORCE_COLOR",
    "COLORTERM",
    "PYTHONSAFEPATH",
    "VIRTUAL_ENV",
    *(f"{scheme}_proxy" for scheme in ("http", "https", "all", "no")),
    *(f"{scheme}_PROXY" for scheme in ("HTTP", "HTTPS", "ALL", "NO")),
)

OURS_OR_A_KEY = re.compile(r"^TENXGRAPH_TUI_|_API_KEY$|^GOOGLE_GENAI_|^ANTHROPIC_AUTH_")
"""No setting and no model of whoever runs the tests."""

# What tests share is imported as `tests.…`, however pytest was started.
sys.path.insert(0, str(Path(__file__).parents[1]))

# Textual reads these once, when it is imported; so they are set before any test module is.
os.environ |= {"TEXTUAL_ANIMATIONS": "none", "TEXTUAL_COLOR_SYSTEM": "truecolor"}
os.environ.pop("NO_COLOR", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    told = "keep the pictures of the dashboard as they are drawn now"
    parser.addoption("--update-pictures", action="store_true", help=told)


@pytest.fixture(autouse=True)
def _same_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("home")
    for name in (*LEAKY, *filter(OURS_OR_A_KEY.search, os.environ)):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    for variable, folder in (
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_CACHE_HOME", "cache"),
        ("XDG_DATA_HOME", "data"),
        ("XDG_STATE_HOME", "state"),
    ):
        monkeypatch.setenv(variable, str(home / folder))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LINES", "30")
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.fixture(autouse=True)
def _steady_cursor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "tui" not in request.path.parts:
        return  # nothing else may need textual
    from textual.widgets import Input

    monkeypatch.setattr(Input.cursor_blink, "_default", False)


@pytest.fixture
def clock() -> Callable[[], float]:
    """A clock that moves on by one second at every reading."""
    return _ticks().__next__


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project that is the working directory; what is above it is never looked at."""
    (tmp_path / "tenxgraph-tui.toml").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _ticks() -> Iterator[float]:
    now = 1_800_000_000.0
    while True:
        yield now
        now += 1.0
