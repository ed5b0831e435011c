"""Asking again: how often, how long apart and until when, whatever provider fails."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from tenxgraph_tui.errors import JudgeError, JudgeFailure
from tenxgraph_tui.evaluation.judging.failures import AskingFailed
from tenxgraph_tui.evaluation.judging.port import JudgeOptions
from tenxgraph_tui.evaluation.retrying import retrying

log = logging.getLogger(__name__)

T = TypeVar("T")
Attempt = Callable[[asyncio.Timeout], Awaitable[T]]
"""One try. It may move the deadline of all of them, for time that does not count."""


@dataclass(slots=True)
class Tries:
    """The tries of one sample of `model`."""

    model: str
    options: JudgeOptions
    _failed: list[AskingFailed] = field(default_factory=list)

    async def of(self, attempt: Attempt[T]) -> T:
        """What the first try gives that succeeds.

        Raises:
            JudgeError: the last failure, when there is no point in another try or no time for it.
        """
        try:
            async with asyncio.timeout(self.options.total) as deadline:
                return await self._retrying(attempt, deadline)
        except AskingFailed as error:
            tries = f" ({len(self._failed)} tries)" if len(self._failed) > 1 else ""
            raise JudgeError(f"{error}{tries}", error.cause) from None
        except TimeoutError:
            raise self._too_late() from None

    async def _retrying(self, attempt: Attempt[T], deadline: asyncio.Timeout) -> T:
        return await retrying(
            lambda: self._one(attempt, deadline),
            AskingFailed,
            attempts=self.options.attempts,
            say=lambda error, seconds: log.warning("%s; again in %.1f s", error, seconds),
        )

    async def _one(self, attempt: Attempt[T], deadline: asyncio.Timeout) -> T:
        try:
            return await attempt(deadline)
        except AskingFailed as error:
            self._failed.append(error)
            raise

    def _too_late(self) -> JudgeError:
        if not self._failed:
            told = f"judge {self.model}: no answer within {self.options.total:g} s"
            return JudgeError(told, JudgeFailure.TIMEOUT)
        last = self._failed[-1]
        return JudgeError(f"{last} (given up after {self.options.total:g} s)", last.cause)


@asynccontextmanager
async def turn(slots: asyncio.Semaphore, deadline: asyncio.Timeout) -> AsyncIterator[None]:
    """One of the slots. Waiting for it does not count against the deadline."""
    loop, until = asyncio.get_running_loop(), deadline.when()
    began = loop.time()
    deadline.reschedule(None)
    async with slots:
        deadline.reschedule(None if until is None else until + loop.time() - began)
        yield
