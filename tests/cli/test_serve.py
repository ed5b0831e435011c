"""The dashboard in a browser: a real server on this machine, started and stopped here."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from tenxgraph_tui.cli import parsers, serve
from tenxgraph_tui.cli.main import main
from tests.tui.script import eval_set

SMILE = "it's a $HOME `set` & more"


def command(*words: str) -> str:
    return serve.command(parsers.serving().read(words))


def through_a_shell(line: str) -> list[str]:
    """The words that a shell makes of `exec PYTHON -P -m tenxgraph_tui WORDS`."""
    says = "import sys, json; print(json.dumps(sys.argv[1:]))"
    line = line.replace("-P -m tenxgraph_tui", f"-c '{says}'")
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=True)
    return list(json.loads(done.stdout))


def test_every_word_arrives_at_the_dashboard_as_it_was_written() -> None:
    words = through_a_shell(command(SMILE, "--target", "a b.py:x", "--preset", "odd"))
    assert words == ["--target=a b.py:x", "--preset=odd", f"./{SMILE}"]


def test_a_path_is_taken_neither_for_a_command_nor_for_a_flag() -> None:
    assert through_a_shell(command("run", "/abs/x", "--", "--help")) == [
        "./run",
        "/abs/x",
        "./--help",
    ]


@pytest.mark.parametrize(
    ("host", "is_safe"),
    [
        ("127.0.0.1", True),
        ("localhost", True),
        ("::1", True),
        ("0.0.0.0", False),
        ("192.168.1.7", False),
        ("example.org", False),
        ("", False),
    ],
)
def test_only_this_machine_is_safe(host: str, is_safe: bool) -> None:
    assert serve.is_loopback(host) is is_safe


def test_without_the_extra_the_line_says_how_to_install_it(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["serve"]) == 2
    assert capsys.readouterr().err == (
        "tenxgraph-tui: serve needs one more package: pip install 'tenxgraph-tui[serve]'\n"
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nowhere"], "no such file or folder: nowhere"),
        (["--port", "0"], "must be from 1 to 65535, not '0'"),
        (["--prot", "1"], "did you mean --port?"),
    ],
)
def test_what_makes_no_sense_is_said_before_anything_is_served(
    words: list[str], told: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *words]) == 2
    assert told in capsys.readouterr().err


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Serving:
    """`tenxgraph-tui serve` on a port of its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.port = free_port()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tenxgraph_tui", "serve", *words, "--port", str(self.port)],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        self.said: list[str] = []
        for line in self.process.stdout:
            self.said.append(line)
            if "ctrl+c stops it" in line:
                break

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(30)
        assert self.process.stdout is not None
        self.said += self.process.stdout.readlines()
        self.process.stdout.close()
        return code


@pytest.fixture
def folder(project: Path) -> Path:
    (project / "my evals").mkdir()
    one = eval_set("weather", ["london", "paris"], target="agents.py:assistant")
    one.to_file(str(project / "my evals" / "weather.evalset.json"))
    return project


@pytest.fixture
def serving(folder: Path) -> Iterator[Serving]:
    server = Serving(folder, "my evals")
    yield server
    if server.process.poll() is None:
        server.stop()


async def drawn(socket: aiohttp.ClientWebSocketResponse, words: str) -> str:
    """Read what the dashboard draws until it has drawn these words."""
    seen = ""
    async with asyncio.timeout(60):
        while words not in seen:
            message = await socket.receive()
            assert message.type in {aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT}, seen[-2000:]
            if message.type is aiohttp.WSMsgType.BINARY:
                seen += message.data.decode(errors="replace")
    return seen


async def test_a_browser_gets_the_page_and_the_dashboard_in_it(serving: Serving) -> None:
    async with aiohttp.ClientSession(serving.url) as browser:
        async with browser.get("/") as answer:
            page = await answer.text()
            assert answer.status == 200
            assert "font-src 'self'" in answer.headers["Content-Security-Policy"]
        assert f"ws://127.0.0.1:{serving.port}/ws" in page
        async with browser.get("/", headers={"Host": f"localhost:{serving.port}"}) as answer:
            assert f"ws://localhost:{serving.port}/ws" in await answer.text()
        async with browser.ws_connect("/ws?width=100&height=30", origin=serving.url) as socket:
            await drawn(socket, "london")
            await socket.send_json(["stdin", "?"])
            await drawn(socket, "Everywhere")
            await socket.send_json(["stdin", "q"])
            async with asyncio.timeout(60):
                while not socket.closed:
                    await socket.receive()
    assert serving.stop() == 0


async def test_pages_of_other_sites_are_turned_away(serving: Serving) -> None:
    async with aiohttp.ClientSession(serving.url) as browser:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await browser.ws_connect("/ws", origin="https://elsewhere.example")
        assert refused.value.status == 403
        rebound = {"Host": f"elsewhere.example:{serving.port}"}
        async with browser.get("/", headers=rebound) as answer:
            assert answer.status == 403


async def test_who_opens_the_pages_own_connection_as_a_page_is_told(serving: Serving) -> None:
    async with aiohttp.ClientSession(serving.url) as browser, browser.get("/ws") as answer:
        assert answer.status == 426
        assert "the page's own connection" in await answer.text()
    assert serving.stop() == 0
    assert "Traceback" not in "".join(serving.said)


async def test_a_visitor_who_leaves_leaves_no_process_behind(serving: Serving) -> None:
    async with aiohttp.ClientSession(serving.url) as browser:
        async with browser.ws_connect("/ws", origin=serving.url) as socket:
            await drawn(socket, "london")
            dashboards = children_of(serving.process.pid)
            assert dashboards
        await vanished(dashboards)


async def test_no_dashboard_outlives_its_server(serving: Serving) -> None:
    async with (
        aiohttp.ClientSession(serving.url) as browser,
        browser.ws_connect("/ws", origin=serving.url) as socket,
    ):
        await drawn(socket, "london")
        dashboards = children_of(serving.process.pid)
        serving.process.kill()
        serving.process.wait()
        assert serving.process.stdout is not None
        serving.process.stdout.close()
    await vanished(dashboards)


async def vanished(pids: list[int]) -> None:
    deadline = time.monotonic() + 60
    while any(is_there(pid) for pid in pids):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.1)


def is_there(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def children_of(pid: int) -> list[int]:
    if not Path("/proc").is_dir():
        pytest.skip("processes are listed in /proc")
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found]


def test_everybody_is_a_warning(folder: Path) -> None:
    server = Serving(folder, "--host", "0.0.0.0")
    assert server.stop() == 0
    assert "anybody who can reach 0.0.0.0" in server.said[0]
    assert "runs code as you" in server.said[0]


def test_a_port_that_is_taken_is_one_line(folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-m", "tenxgraph_tui", "serve", "--port", port],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == f"tenxgraph-tui: port {port} is taken: choose another with --port\n"
