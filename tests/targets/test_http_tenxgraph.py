"""10xGraph's API server: replies that 10xgraph-api 0.9 gave, and the server itself where it is."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tenxgraph_tui.errors import EndpointError
from tenxgraph_tui.targets.http_tenxgraph import api_url
from tests.targets.conftest import Server, ask

RECORDED = json.loads((Path(__file__).parents[1] / "data/tenxgraph_api.json").read_text())

AGENT = '''
from tenxgraph.core.graph import StateGraph, ToolNode
from tenxgraph.core.state import AgentState, Message
from tenxgraph.core.state.message_block import TextBlock
from tenxgraph.storage.checkpointer import InMemoryCheckpointer
from tenxgraph.utils import END

def weather(city: str) -> dict:
    """Weather."""
    return {"city": city, "t": 3}

def fails(x: int) -> str:
    """Fails."""
    raise ValueError("disk full")

def call(number, name, arguments):
    function = {"name": name, "arguments": arguments}
    return {"id": f"call_{number}", "type": "function", "function": function}

def main(state: AgentState):
    asked = [message.text() for message in state.context if message.role == "user"]
    if state.context[-1].role == "user" and "boom" in asked[-1]:
        raise RuntimeError("agent broke")
    if state.context[-1].role == "user" and "weather" in asked[-1]:
        calls = [call(1, "weather", '{"city": "Oslo"}'), call(2, "fails", '{"x": 1}')]
        text = [TextBlock(text="let me look")]
        return Message(role="assistant", content=text, tools_calls=calls)
    said = f"answer {len(asked)}: " + " / ".join(asked)
    return Message.text_message(said, role="assistant")

def route(state):
    last = state.context[-1]
    return "TOOL" if last.role == "assistant" and last.tools_calls else END

graph = StateGraph(AgentState)
graph.add_node("MAIN", main)
graph.add_node("TOOL", ToolNode([weather, fails]))
graph.add_conditional_edges("MAIN", route, {"TOOL": "TOOL", END: END})
graph.add_edge("TOOL", "MAIN")
graph.set_entry_point("MAIN")
app = graph.compile(checkpointer=InMemoryCheckpointer())
'''


class Played(BaseHTTPRequestHandler):
    """Answers with what was recorded for the kind of request and the user's text."""

    seen: ClassVar[list[dict[str, Any]]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.seen.append(body)
        (message,) = body["messages"]
        (block,) = message["content"]
        reply = RECORDED[f"{self.path.rpartition('/')[2]} {block['text']}"]
        self.send_response(reply["status"])
        self.end_headers()
        self.wfile.write("\n".join(reply["lines"]).encode())

    def log_message(self, *args: object) -> None:
        pass


@contextlib.contextmanager
def played() -> Iterator[str]:
    serving = ThreadingHTTPServer(("127.0.0.1", 0), Played)
    thread = threading.Thread(target=serving.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{serving.server_port}"
    serving.shutdown()
    thread.join(20)
    serving.server_close()


PROGRAM = shutil.which(
    "10xgraph", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
)


@contextlib.contextmanager
def real(folder: Path) -> Iterator[str]:
    (folder / "agent.py").write_text(AGENT)
    (folder / "10xgraph.json").write_text('{"agent": "agent:app"}')
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["dev", "--host", "127.0.0.1", "--port", str(port), "--no-reload", "--no-open"]
    log = (folder / "log").open("w")
    with (
        log,
        subprocess.Popen([PROGRAM or "", *words], cwd=folder, stdout=log, stderr=log) as child,
    ):
        try:
            url = f"http://127.0.0.1:{port}"
            end = time.monotonic() + 60
            while not _answers(f"{url}/ping"):
                assert child.poll() is None, (folder / "log").read_text()
                assert time.monotonic() < end
                time.sleep(0.1)
            yield url
        finally:
            child.terminate()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except OSError:
        return False


needs_it = pytest.mark.skipif(PROGRAM is None, reason="10xgraph-api is not installed")


@pytest.fixture(scope="module", params=["played", pytest.param("real", marks=needs_it)])
def api(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with played() if request.param == "played" else real(tmp_path_factory.mktemp("api")) as url:
        yield url


@pytest.mark.parametrize(("stream", "visits"), [(False, []), (True, ["MAIN", "TOOL", "MAIN"])])
def test_its_agent_is_evaluated(api: str, stream: bool, visits: list[str]) -> None:
    done = ask(api, "weather", stream=stream)
    assert done.actual_response == "answer 1: weather"
    weather, fails = done.tool_calls
    assert (weather.name, weather.args) == ("weather", {"city": "Oslo"})
    assert weather.result == [{"city": "Oslo", "t": 3}]
    assert (fails.name, fails.args) == ("fails", {"x": 1})
    assert "disk full" in str(fails.error)
    assert done.node_visits == visits
    assert [message["content"] for message in done.messages if message["role"] == "user"] == [
        "weather"
    ]


@pytest.mark.parametrize(
    ("stream", "told"),
    [
        (False, "/v1/graph/invoke: the agent raised a RuntimeError, of which its server tells no"),
        (True, "/v1/graph/stream: the agent raised: .*agent broke"),
    ],
)
def test_an_agent_that_raises_is_no_bad_request(api: str, stream: bool, told: str) -> None:
    with pytest.raises(EndpointError, match=told):
        ask(api, "boom", stream=stream)


@needs_it
def test_it_remembers_its_thread(tmp_path: Path) -> None:
    with real(tmp_path) as url:
        assert ask(url, "one", "two").responses() == ["answer 1: one", "answer 2: one / two"]


def test_only_what_it_takes_is_sent() -> None:
    Played.seen.clear()
    with played() as url:
        ask(url, "weather")
    (sent,) = Played.seen
    assert sent["messages"] == [{"role": "user", "content": [{"type": "text", "text": "weather"}]}]
    assert set(sent) == {"messages", "config", "response_granularity"}
    assert set(sent["config"]) == {"thread_id", "user_id"}


def test_a_graph_that_paused_is_an_error() -> None:
    reply = RECORDED["invoke weather"]
    value = json.loads(reply["lines"][0])
    value["data"]["state"]["execution_meta"]["interrupted_node"] = "MAIN"
    RECORDED["invoke paused"] = {**reply, "lines": [json.dumps(value)]}
    with played() as url, pytest.raises(EndpointError, match="paused at MAIN and waits for some"):
        ask(url, "paused")


def test_another_server_is_told_apart(agent_server: Server) -> None:
    with pytest.raises(EndpointError, match=r"no reply of 10xGraph's API server: .*describe"):
        ask(f"{agent_server.url}/html")


@pytest.mark.parametrize(
    ("named", "asked"),
    [
        ("http://a", "http://a/v1/graph/invoke"),
        ("http://a/api/", "http://a/api/v1/graph/invoke"),
        ("http://a/v1/graph/invoke?k=1", "http://a/v1/graph/invoke?k=1"),
        ("http://a/v1/graph/stream", "http://a/v1/graph/invoke"),
    ],
)
def test_the_root_and_the_request_may_be_named(named: str, asked: str) -> None:
    assert api_url(named, stream=False) == asked
