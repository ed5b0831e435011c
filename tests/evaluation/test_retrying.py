"""What servers ask in `Retry-After`, and which failures are worth another try."""

from __future__ import annotations

import time
from email.utils import formatdate

import pytest

from tenxgraph_tui.errors import EndpointError
from tenxgraph_tui.evaluation.retrying import retrying, seconds_to_wait


@pytest.mark.parametrize(
    ("told", "seconds"),
    [("3", 3.0), ("0.5", 0.5), ("-1", 0.0), ("nan", None), ("inf", None), ("soon", None)],
)  # fmt: skip
def test_seconds(told: str, seconds: float | None) -> None:
    assert seconds_to_wait(told) == seconds


def test_a_date_is_the_time_until_then_and_a_past_one_is_now() -> None:
    until = seconds_to_wait(formatdate(time.time() + 3600, usegmt=True))
    assert until is not None
    assert 3000 < until <= 3600
    assert seconds_to_wait("Wed, 21 Oct 2015 07:28:00 GMT") == 0.0


@pytest.mark.parametrize(
    ("error", "tries"),
    [
        (EndpointError("passes", is_transient=True, after=0.0), 3),
        (EndpointError("stays"), 1),
        (EndpointError("asks for too long", is_transient=True, after=61.0), 1),
        (ValueError("of another kind"), 1),
    ],
)
async def test_tries(error: Exception, tries: int) -> None:
    told: list[tuple[str, float]] = []
    count = 0

    async def once() -> None:
        nonlocal count
        count += 1
        raise error

    with pytest.raises(type(error)):
        await retrying(
            once,
            EndpointError,
            attempts=3,
            say=lambda failed, seconds: told.append((str(failed), seconds)),
        )
    assert count == tries
    assert told == [("passes", 0.0)] * (tries - 1)
