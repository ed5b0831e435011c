"""Attempts that failed because something could not be reached, and are made again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator

from tenxgraph_tui.evaluation.results import EvalCaseResult
from tenxgraph_tui.evaluation.retrying import retrying

UNREACHED = "unreached"
"""The key in the metadata of a result whose error is no fault of the agent's."""
RETRIED = "retried"
"""The key for the errors of the tries before the one that counts."""

STATUSES = frozenset({408, 429, 500, 502, 503, 504, 529})
NAMES = frozenset(
    {
        "APIConnectionError",
        "APITimeoutError",
        "InternalServerError",
        "OverloadedError",
        "RateLimitError",
        "ServiceUnavailableError",
        "TransportError",
    }
)
"""What clients of models and of HTTP call such errors; none of them is imported here."""


def is_unreached(error: BaseException) -> bool:
    """Whether an agent failed because a server or a network did: another try may go well."""
    return any(map(_says_so, _chain(error)))


async def with_retries(
    once: Callable[[], Awaitable[EvalCaseResult]], retries: int, say: Callable[[str], object]
) -> EvalCaseResult:
    """What `once` gives, tried at most `retries` times more while something cannot be reached.

    `say` is told of each failure before the wait. `metadata.retried` keeps their errors.
    """
    if not retries:
        return await once()
    errors: list[str] = []

    async def attempt() -> EvalCaseResult:
        result = await once()
        if result.metadata.get(UNREACHED):
            raise _NotReached(result)
        return result

    def note(error: Exception, _: float) -> None:
        errors.append(str(error))
        say(f"try {len(errors) + 1} of {retries + 1}, because of {error}")

    try:
        result = await retrying(attempt, _NotReached, attempts=retries + 1, say=note)
    except _NotReached as last:
        result = last.result
    if errors:
        result.metadata[RETRIED] = errors
    return result


class _NotReached(Exception):
    """Carries the result of a try that may be made again; see `retrying.Failure`."""

    after: float | None = None
    is_transient = True

    def __init__(self, result: EvalCaseResult) -> None:
        super().__init__(result.error or "")
        self.result = result


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__


def _says_so(error: BaseException) -> bool:
    if isinstance(said := getattr(error, "is_transient", None), bool):
        return said
    response = getattr(error, "response", None)
    for status in (getattr(error, "status_code", None), getattr(response, "status_code", None)):
        if isinstance(status, int):
            return status in STATUSES
    if isinstance(error, ConnectionError | TimeoutError):
        return True
    return any(kind.__name__ in NAMES for kind in type(error).__mro__)
