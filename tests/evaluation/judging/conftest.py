"""A model server for all tests, and models asked through it by the real LiteLLM."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace

import pytest

from tenxgraph_tui.evaluation.judging.context import judged_by
from tenxgraph_tui.evaluation.judging.models import LiteLLMJudge
from tenxgraph_tui.evaluation.judging.port import JudgeOptions
from tenxgraph_tui.evaluation.judging.sampling import Opinion, opinion
from tests.evaluation.judging.server import ModelServer, model_server

KEY = "private-token-4711"
PATIENT = JudgeOptions(timeout=60, total=120)

Asks = Callable[..., Awaitable[Opinion]]


@pytest.fixture(scope="session")
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture
def ask(server: ModelServer) -> Asks:
    """Asks the model of that script for an opinion; further arguments are options of the judge."""

    async def asking(
        script: str, samples: int = 1, prompt: str = "Judge.", **how: float
    ) -> Opinion:
        options = replace(PATIENT, base_url=server.url, **how)  # type: ignore[arg-type]  # all are numbers
        judge = LiteLLMJudge(options, {"TENXGRAPH_TUI_JUDGE_API_KEY": KEY})
        with judged_by(judge):
            return await opinion(prompt, model=script, samples=samples, criterion="tone")

    return asking


async def until(holds: Callable[[], bool]) -> None:
    """Wait for a fact; what it takes depends on the machine."""
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110 - the server lives in another thread
            await asyncio.sleep(0.02)


def until_now(holds: Callable[[], bool]) -> None:
    """The same where no loop runs."""
    end = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)
