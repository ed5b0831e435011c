"""The same world for every test: time, home, colours and cursors do not depend on the machine."""

from __future__ import annotations

import gc
import os
import re
import socket
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

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

HERE = {None, "", "localhost", "127.0.0.1", "::1", "0.0.0.0", "::", socket.gethostname()}

# What tests share is imported as `tests.…`, however pytest was started.
sys.path.insert(0, str(Path(__file__).parents[1]))

# Textual reads these once, when it is imported; so they are set before any test module is.
os.environ |= {"TEXTUAL_ANIMATIONS": "none", "TEXTUAL_COLOR_SYSTEM": "truecolor"}
os.environ.pop("NO_COLOR", None)

# Every process that tests start would compile all that it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

BETWEEN_COLLECTIONS = 20_000
"""Objects that are made until garbage is looked for; Python's own 700 are for small programs."""


def pytest_addoption(parser: pytest.Parser) -> None:
    told = "keep the pictures of the dashboard as they are drawn now"
    parser.addoption("--update-pictures", action="store_true", help=told)


@pytest.hookimpl(wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Of `-n auto`, half as many again as there are cores: a third of the time a screen is waited
    for, or another process."""
    cores = yield
    return cores if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else cores + cores // 2


def pytest_collection_finish() -> None:
    """What is imported and collected stays to the end: no search for garbage looks at it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(BETWEEN_COLLECTIONS)


@pytest.fixture(autouse=True)
def _own_judges() -> Iterator[None]:
    """The judges of a process are made where one is asked first: no test finds another's."""
    yield
    context = sys.modules.get("tenxgraph_tui.evaluation.judging.context")
    if context is not None:
        context._of_the_process.cache_clear()


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
def _no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever a test reaches but this machine is refused, and fails the test."""
    reached: list[object] = []
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def guarded_connect(sock: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and address[0] not in HERE:
            reached.append(address)
            raise ConnectionRefusedError(f"tests reach nobody: {address}")
        connect(sock, address)

    def guarded_look_up(host: Any, *more: Any, **named: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if name not in HERE:
            reached.append(name)
            raise socket.gaierror(f"tests reach nobody: {name}")
        return look_up(host, *more, **named)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_look_up)
    yield
    assert reached == []


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
