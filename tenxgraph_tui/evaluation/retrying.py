"""Trying again what may work at the next try: how often, how long apart, and what servers ask."""

from __future__ import annotations

import math
import time
from collections.abc import Awaitable, Callable
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from tenacity import RetryCallState

LONGEST_WAIT = 60.0
"""Seconds. A server that asks for more is not waited for."""
FIRST_WAIT, MOST_WAIT = 0.5, 8.0
"""Seconds between tries where the server does not say; random below, doubled each time."""

T = TypeVar("T")


class Failure(Protocol):
    """What an error of one try tells; `after` is how long the server asks to be left alone."""

    after: float | None

    @property
    def is_transient(self) -> bool:
        """Whether another try makes sense."""


async def retrying(
    attempt: Callable[[], Awaitable[T]],
    kind: type[Exception],
    *,
    attempts: int,
    say: Callable[[Exception, float], None],
) -> T:
    """What the first try gives that succeeds; an error of `kind` is a `Failure`, others end it.

    `say` is told of each failure before the wait, with the seconds to come.

    Raises:
        Exception: the last try's.
    """
    from tenacity import (
        AsyncRetrying,
        retry_if_exception,
        stop_after_attempt,
        wait_random_exponential,
    )

    back_off = wait_random_exponential(multiplier=FIRST_WAIT, max=MOST_WAIT)

    def wait(state: RetryCallState) -> float:
        told = getattr(_error(state), "after", None)
        return back_off(state) if told is None else float(told)

    def before_sleep(state: RetryCallState) -> None:
        error, action = _error(state), state.next_action
        if isinstance(error, Exception):
            say(error, action.sleep if action is not None else 0.0)

    async def once() -> T:
        return await attempt()  # tenacity awaits what it sees to be a coroutine function

    again = AsyncRetrying(
        stop=stop_after_attempt(attempts),
        wait=wait,
        retry=retry_if_exception(lambda error: isinstance(error, kind) and _is_worth_it(error)),
        before_sleep=before_sleep,
        reraise=True,
    )
    given: T = await again(once)
    return given


def seconds_to_wait(told: str) -> float | None:
    """What a header `Retry-After` asks for: seconds or a date; None where it says neither."""
    try:
        seconds = float(told)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(told).timestamp() - time.time()
        except (TypeError, ValueError):
            return None
    return max(seconds, 0.0) if math.isfinite(seconds) else None


def _error(state: RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome is not None else None


def _is_worth_it(error: Exception) -> bool:
    after = getattr(error, "after", None)
    return bool(getattr(error, "is_transient", False)) and (after is None or after <= LONGEST_WAIT)
