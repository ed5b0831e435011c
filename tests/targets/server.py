"""An agent behind HTTP, as a process of its own; the path says how it behaves.

It prints its port. `/seen` tells what it was asked so far, and what was given up before its answer.
"""

from __future__ import annotations

import json
import select
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

SEEN: list[dict[str, Any]] = []
TRIED: Counter[str] = Counter()
HEARD: dict[str, list[str]] = {}

EVENTS = (
    ": a comment\n\n"
    'event: delta\ndata: {"delta": "Hel"}\n\n'
    'data: {"delta": "lo"}\n\n'
    'data: {"calls": [{"name": "look", "args": {"at": "it"}, "result": 1}]}\n\n'
    'data: {"usage":\ndata: {"in": 7, "out": 2}}\n\n'
    "data: [DONE]\n\n"
)


class Agent(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)))
        self.answer()

    def do_GET(self) -> None:
        self.body = None
        if self.path == "/seen":
            self.reply(SEEN)
        else:
            self.answer()

    def answer(self) -> None:
        path, _, self.asked = self.path.partition("?")
        self.noted: dict[str, Any] = {
            "path": self.path,
            "body": self.body,
            "headers": {name.lower(): value for name, value in self.headers.items()},
        }
        SEEN.append(self.noted)
        TRIED[path] += 1
        kind, _, argument = path.strip("/").partition("/")
        getattr(self, kind)(argument)

    def chat(self, _: str) -> None:
        """Remembers what each thread said; says all of it, and the credentials it was given."""
        heard = HEARD.setdefault(str((self.body or {}).get("thread")), [])
        heard.append((self.body or {}).get("q", self.asked))
        calls = [
            {"name": "look_up", "args": {"q": heard[-1]}, "result": {"found": len(heard)}},
            {"function": {"name": "save", "arguments": '{"ok": true}'}, "error": "disk full"},
        ]
        told = f"{' / '.join(heard)} {self.headers.get('authorization', '')}".strip()
        usage = {"in": 10, "out": 4}
        self.reply(
            {"reply": {"text": told, "via": ["PLAN", "ACT"]}, "calls": calls, "usage": usage}
        )

    def played(self, file: str) -> None:
        """What a script has for the case and the turn, which the thread and the body name."""
        scripts = json.loads(Path("/", file).read_text(encoding="utf-8"))
        body = self.body or {}
        turn = scripts[body["thread"].rpartition("-tenx-")[0]]["turns"][body["turn"]]
        calls = [call for step in turn.get("steps", []) for call in step["tool_calls"]]
        for call in calls:
            if call.get("unregistered"):
                call["error"] = f"no tool {call['name']!r}"
        said = {"answer": turn.get("response", ""), "calls": calls, "raised": turn.get("raise")}
        self.reply(said)

    def refuse(self, argument: str) -> None:
        """`refuse/503/1`: so often, then an answer."""
        status, _, times = argument.partition("/")
        if not times or TRIED[self.path.partition("?")[0]] <= int(times):
            told = f"no, {self.headers.get('authorization')} {self.path}\nsecond line"
            self.reply({"detail": told}, int(status), {"Retry-After": "0"})
        else:
            self.chat("")

    def hangup(self, _: str) -> None:
        self.close_connection = True

    def html(self, _: str) -> None:
        self.send("<html>gateway \x1b[31m</html>")

    def latin(self, charset: str) -> None:
        """An answer in Latin-1, which the header may say: `latin/iso-8859-1`."""
        headers = {"Content-Type": f"application/json; charset={charset}"} if charset else {}
        self.send('{"reply": {"text": "Café"}}'.encode("latin-1"), headers=headers)

    def latin_late(self, _: str) -> None:
        """The same after more than comes in one piece."""
        self.send(f'{{"reply": {{"text": "{"a" * 200_000}é"}}}}'.encode("latin-1"))

    def moved(self, _: str) -> None:
        self.reply({}, 307, {"Location": "/elsewhere?token=hidden-in-here"})

    def events(self, argument: str) -> None:
        text = EVENTS if argument != "broken" else f"{EVENTS[:60]}data: no JSON\n\n"
        self.send(text)

    def slow(self, _: str) -> None:
        """Ends when whoever asked has gone."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if select.select([self.connection], [], [], 0.02)[0]:
                self.noted["abandoned"] = True
                self.close_connection = True
                return

    def drip(self, _: str) -> None:
        """A byte now and then, and never an end."""
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for _each in range(600):
            self.wfile.write(b"1\r\n \r\n")
            time.sleep(0.05)

    def reply(self, value: Any, status: int = 200, headers: dict[str, str] | None = None) -> None:
        self.send(json.dumps(value), status, headers)

    def send(
        self, text: str | bytes, status: int = 200, headers: dict[str, str] | None = None
    ) -> None:
        data = text.encode() if isinstance(text, str) else text
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: object) -> None:
        pass


if __name__ == "__main__":
    serving = ThreadingHTTPServer(("127.0.0.1", 0), Agent)
    serving.daemon_threads = True
    print(serving.server_port, flush=True)  # noqa: T201 - how the tests learn of it
    serving.serve_forever()
