"""Servers in processes of their own, and targets that are asked through the real client."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import urllib.request
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import ExecutionResult
from tenxgraph_tui.evaluation.recorder import Recorder, recording
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.evaluation.target_options import TargetOptions
from tenxgraph_tui.targets import resolve


@dataclass(frozen=True)
class Server:
    url: str

    def asked(self, path: str) -> list[dict[str, Any]]:
        """The requests for that path, oldest first."""
        with urllib.request.urlopen(f"{self.url}/seen", timeout=30) as reply:
            return [each for each in json.load(reply) if each["path"] == path]


def agent_process() -> Generator[str, None, None]:
    """Starts the server, gives its URL, and stops it when it is closed."""
    script = Path(__file__).parent / "server.py"
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, text=True
    ) as child:
        try:
            assert child.stdout is not None
            yield f"http://127.0.0.1:{child.stdout.readline().strip()}"
        finally:
            child.kill()


@pytest.fixture(scope="session")
def agent_server() -> Iterator[Server]:
    for url in agent_process():
        yield Server(url)


def ask(
    spec: str, *turns: str, http: dict[str, Any] | None = None, **described: Any
) -> ExecutionResult:
    """What a target did in a case with these turns; `described` is what the settings say of it.

    With `http` they describe other URLs.
    """
    known = http if http is not None else {spec.partition("?")[0]: described}
    options = TargetOptions.model_validate({"http": known})
    case = EvalCase.multi_turn("case", [(turn, "") for turn in turns or ("hello",)])

    async def run() -> ExecutionResult:
        source = resolve(spec, base=Path.cwd(), options=options)
        source.load()
        target = await source.open()
        recorder = Recorder(CaseKey(0, case.eval_id))
        with recording(recorder):
            return await target.run(case, recorder)

    return asyncio.run(run())
