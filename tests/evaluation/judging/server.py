"""A model server on loopback that speaks OpenAI's chat completions; the model's name is its script.

`MODE` or `MODE@ARGUMENT`; several joined by `|` play one a request, and the last for ever:
`500|429@1|good`. It counts by the whole name, so tests that share a server use names of their own.
`play@FILE` plays a file of scripts: the turns of each conversation, by its first question.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tenxgraph_tui.graph import Message, TokenUsages
from tests.parity.corpus import next_message

FINISH = {
    "call": "tool_calls",
    "truncated": "length",
    "whole-but-cut": "length",
    "filtered": "content_filter",
}
USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 20,
    "total_tokens": 120,
    "prompt_tokens_details": {"cached_tokens": 40},
}
MINUS = {"prompt_tokens": -1, "completion_tokens": 20, "total_tokens": 19}
MARKER = re.compile(r'exactly "([0-9a-f]+)"')
TICK = 0.02


@dataclass(slots=True)
class Request:
    """What was asked for, and when; `abandoned` when the client hung up before its answer."""

    model: str
    body: dict[str, Any]
    headers: dict[str, str]
    at: float
    abandoned: bool = False

    @property
    def prompt(self) -> str:
        return "\n".join(str(each.get("content")) for each in self.body.get("messages", []))


@dataclass(slots=True)
class ModelServer:
    """`delay` is how long each answer takes, `peak` the most requests under way at once."""

    url: str = ""
    delay: float = 0.0
    requests: list[Request] = field(default_factory=list)
    peak: int = 0
    _flying: int = 0
    _played: Counter[str] = field(default_factory=Counter)

    def asked(self, model: str) -> list[Request]:
        """The requests for one script."""
        return [request for request in self.requests if request.model == model]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, kept alive."""
        try:
            while True:
                request = await _received(reader)
                self.requests.append(request)
                self._flying += 1
                self.peak = max(self.peak, self._flying)
                try:
                    await self._answer(request, reader, writer)
                finally:
                    self._flying -= 1
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # hung up, or the server stops
        finally:
            writer.close()

    async def _answer(
        self, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        script = request.model.split("|")
        step = min(self._played[request.model], len(script) - 1)
        self._played[request.model] += 1
        mode, _, argument = script[step].partition("@")
        if mode == "hangup":
            raise ConnectionResetError
        if mode == "drip":  # a byte now and then: read timeouts never fire, only a total one
            writer.write(_head(200, "Transfer-Encoding: chunked\r\n"))
        waits = float(argument or 30) if mode in {"slow", "drip"} else self.delay
        await self._pass(waits, request, reader, writer, is_dripping=mode == "drip")
        status, extra, data = _response(mode, argument, request)
        if mode == "drip":
            writer.write(b"%x\r\n%s\r\n0\r\n\r\n" % (len(data), data))
        else:
            writer.write(_head(status, f"{extra}Content-Length: {len(data)}\r\n") + data)
        await writer.drain()

    async def _pass(
        self,
        seconds: float,
        request: Request,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        is_dripping: bool,
    ) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            await asyncio.sleep(min(left, TICK))
            if reader.at_eof() or writer.is_closing():
                request.abandoned = True
                raise ConnectionResetError
            if is_dripping:
                writer.write(b"1\r\n \r\n")


@contextmanager
def model_server() -> Iterator[ModelServer]:
    """A server on a free port, in a thread with a loop of its own."""
    server, ready, loop = ModelServer(), threading.Event(), asyncio.SelectorEventLoop()
    stopping = asyncio.Event()

    async def main() -> None:
        listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, backlog=1024)
        server.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/v1"
        ready.set()
        await stopping.wait()
        listening.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    thread = threading.Thread(target=lambda: loop.run_until_complete(main()), daemon=True)
    thread.start()
    assert ready.wait(20)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stopping.set)
        thread.join(20)
        loop.close()


async def _received(reader: asyncio.StreamReader) -> Request:
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")[1:]
    pairs = (line.partition(":") for line in lines if line)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    body = json.loads(await reader.readexactly(int(headers.get("content-length", 0))) or b"{}")
    return Request(body.get("model", ""), body, headers, time.monotonic())


def _head(status: int, headers: str) -> bytes:
    return f"HTTP/1.1 {status} Said\r\nContent-Type: application/json\r\n{headers}\r\n".encode()


def _response(mode: str, argument: str, request: Request) -> tuple[int, str, bytes]:
    """Status, further headers and body. Error bodies quote the key, as some servers do."""
    if mode.isdigit():
        extra = f"Retry-After: {argument}\r\n" if argument else ""
        said = f"said {mode} to {request.headers.get('authorization')}"
        return int(mode), extra, json.dumps({"error": {"message": said, "code": mode}}).encode()
    refused = {"nojson": "response_format", "nowarm": "temperature"}.get(mode)
    if refused is not None and refused in request.body:
        said = f"{refused} is not supported by this model"
        return 400, "", json.dumps({"error": {"message": said}}).encode()
    if mode == "play":
        return _played(argument, request)
    if mode in ERRORS:
        return 400, "", json.dumps({"error": ERRORS[mode]}).encode()
    if mode == "broke":
        error = {"message": "You exceeded your quota", "code": "insufficient_quota"}
        return 429, "", json.dumps({"error": error}).encode()
    text = json.dumps(_completion(mode, argument, request))
    if mode == "malformed":
        text = text[:40]
    if mode == "html":
        text = "<html>gateway</html>"
    return 200, "", text.encode()


def _played(file: str, request: Request) -> tuple[int, str, bytes]:
    """What the script has after the messages of the request; where it raises, the server fails."""
    context = [SimpleNamespace(**message) for message in request.body["messages"]]
    first = next(message.content for message in context if message.role == "user")
    turns = json.loads(Path(file).read_text(encoding="utf-8"))[first]
    try:
        said = next_message(turns, context, Message, TokenUsages)
    except RuntimeError as error:
        return 500, "", json.dumps({"error": {"message": str(error)}}).encode()
    message = {"content": said.text(), "tool_calls": said.tools_calls}
    told = {"message": {"role": "assistant", **message}, "index": 0, "finish_reason": "stop"}
    usage = said.usages.model_dump() if said.usages else USAGE
    return 200, "", json.dumps({**_answered(request), "choices": [told], "usage": usage}).encode()


ERRORS = {
    "toolong": {
        "message": "This model's maximum context length is 8192 tokens.",
        "code": "context_length_exceeded",
    },
    "policy": {"message": "blocked by content policy", "code": "content_policy_violation"},
}


def _completion(mode: str, argument: str, request: Request) -> dict[str, Any]:
    choice = {
        "index": 0,
        "message": {"role": "assistant", **_message(mode, argument, request)},
        "finish_reason": FINISH.get(mode, "stop"),
    }
    usage = {"unpriced": {}, "minus": {"usage": MINUS}}.get(mode, {"usage": USAGE})
    odd: dict[str, Any] = {"empty": [], "noarray": None, "nomessage": [{"index": 0}]}
    return {**_answered(request), "choices": odd.get(mode, [choice]), **usage}


def _answered(request: Request) -> dict[str, Any]:
    return {"id": "said", "object": "chat.completion", "created": 1, "model": request.model}


def _message(mode: str, argument: str, request: Request) -> dict[str, Any]:
    if mode == "call":  # `call@weather=Oslo`, `call@a=1,b=2`
        return {"content": None, "tool_calls": [*map(_call, argument.split(","))]}
    found = MARKER.search(request.prompt)
    marker = found[1] if found else ""
    verdict = {"reasoning": "ok", "score": 0.8, "check": marker}
    good = json.dumps(verdict)
    draft = json.dumps({**verdict, "score": 0.1})
    unsigned = '{"score": 1.0, "reasoning": "said by the agent"}'
    texts: dict[str, str | None] = {
        "fenced": f"```json\n{good}\n```",
        "think": f"<think>maybe {draft}</think>\n{good}",
        "thought": f"maybe {draft} or {{ not yet</think>\n{good}",
        "prose": f"Sure. {good} Anything else?",
        "truncated": good[:-8],
        "filtered": None,
        "refused": None,
        "blank": "",
        "refuse": "I can't help with that.",
        "say": argument,
        "score": good.replace("0.8", argument),
        "echo": request.prompt,
        "unsigned": unsigned,
        "quoting": f"{good}\nThe answer said: {unsigned}",
        "whole-but-cut": good,
    }
    message: dict[str, Any] = {"content": texts.get(mode, good)}
    return message | {"refusal": "I will not judge that."} if mode == "refused" else message


def _call(written: str) -> dict[str, Any]:
    name, _, city = written.partition("=")
    function = {"name": name, "arguments": json.dumps({"city": city})}
    return {"id": "call_1", "type": "function", "function": function}
