"""Forty conversations of two turns at once, on two graphs, ten at a time; none may hold another's.

A graph for it asks `slow`, `quick`, `fails` and the unknown `nobody` in one message of every turn,
each `of` what the user said, with the same call ids each time; `slow` ends last and stands first.
Its answer is `TAG done TEXT of N`, with N the number of messages before it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from tenxgraph_tui.evaluation.execution import ExecutionResult
from tenxgraph_tui.evaluation.recorder import Recorder

Attempt = Callable[..., tuple[Recorder, Awaitable[ExecutionResult]]]


async def forty_conversations(attempt: Attempt, graphs: Mapping[str, Any]) -> list[ExecutionResult]:
    """What was recorded, each checked to be its own conversation's and nobody else's."""
    slots = asyncio.Semaphore(10)

    async def one(tag: str, number: int) -> ExecutionResult:
        async with slots:
            texts = (f"{tag}{number} first", f"{tag}{number} second")
            execution = await attempt(graphs[tag], *texts, eval_id=f"{number}")[1]
        is_its_own(execution, tag, *texts)
        return execution

    held = await asyncio.gather(*(one(tag, number) for number in range(20) for tag in graphs))
    assert len(held) == 40
    return held


def is_its_own(execution: ExecutionResult, tag: str, first: str, second: str) -> None:
    known = [call for call in execution.tool_calls if call.name != "nobody"]
    assert [(c.name, c.args, c.result, c.error) for c in known] == [
        expected
        for of in (first, second)
        for expected in (
            ("slow", {"of": of}, f"{tag} slow {of}", None),
            ("quick", {"of": of}, f"{tag} quick {of}", None),
            ("fails", {"of": of}, None, f"ValueError: {tag} {of}"),
        )
    ]
    unknown = [call for call in execution.tool_calls if call.name == "nobody"]
    assert [call.args["of"] for call in unknown] == [first, second]
    assert all("nobody" in str(call.error) for call in unknown)
    assert execution.responses() == [f"{tag} done {first} of 6", f"{tag} done {second} of 13"]
    assert execution.node_visits == ["MAIN", "TOOL", "MAIN"] * 2
