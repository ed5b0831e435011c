"""Agents that are quick, so that a run of 200 cases is over in a moment, but not all at once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

SHORTEST, STEPS, STEP = 0.005, 10, 0.005


async def answer(messages: Sequence[dict[str, Any]]) -> str:
    """Say hello after 5 to 50 ms, as the number in the question has it."""
    number = int(str(messages[-1]["content"]).rpartition(" ")[2])
    await asyncio.sleep(SHORTEST + STEP * (number * 7 % STEPS))
    return f"hello {number}"
