"""From whatever asking a model raises to one sentence with its cause."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from json import JSONDecodeError

from tenxgraph_tui.errors import JudgeError, JudgeFailure
from tenxgraph_tui.evaluation.retrying import seconds_to_wait

TOLD = 200
"""Characters of a provider's own words that are worth reading."""
TRANSIENT = {
    JudgeFailure.RATE_LIMIT,
    JudgeFailure.TIMEOUT,
    JudgeFailure.CONNECTION,
    JudgeFailure.SERVER,
    JudgeFailure.MALFORMED,
}
"""What may be gone at the next try."""
BY_STATUS = {
    400: JudgeFailure.BAD_REQUEST,
    401: JudgeFailure.NOT_ALLOWED,
    402: JudgeFailure.NO_CREDIT,
    403: JudgeFailure.NOT_ALLOWED,
    404: JudgeFailure.NO_MODEL,
    408: JudgeFailure.TIMEOUT,
    409: JudgeFailure.SERVER,
    413: JudgeFailure.TOO_LONG,
    422: JudgeFailure.BAD_REQUEST,
    425: JudgeFailure.SERVER,
    429: JudgeFailure.RATE_LIMIT,
    504: JudgeFailure.TIMEOUT,
}
BY_WORDS = (
    (re.compile(r"insufficient_quota|credit balance|billing", re.I), JudgeFailure.NO_CREDIT),
    (
        re.compile(r"context[ _]length|context[ _]window|prompt is too long|too many tokens", re.I),
        JudgeFailure.TOO_LONG,
    ),
    (re.compile(r"content[ _](policy|filter|management)", re.I), JudgeFailure.FILTERED),
    (re.compile(r"default credentials", re.I), JudgeFailure.NO_KEY),
)
"""What providers tell in words alone, under statuses that mean other things too."""
SENTENCES = {
    JudgeFailure.NO_KEY: "it has no key",
    JudgeFailure.NOT_ALLOWED: "it refused the key",
    JudgeFailure.NO_CREDIT: "there is no credit left",
    JudgeFailure.NO_MODEL: "there is no such model",
    JudgeFailure.BAD_REQUEST: "it refused the request",
    JudgeFailure.TOO_LONG: "the prompt is too long for it",
    JudgeFailure.RATE_LIMIT: "its rate limit is reached",
    JudgeFailure.TIMEOUT: "it did not answer in time",
    JudgeFailure.CONNECTION: "it cannot be reached",
    JudgeFailure.SERVER: "its server failed",
    JudgeFailure.MALFORMED: "its server answered with something else than a completion",
    JudgeFailure.NO_LIBRARY: "a library that it needs is missing",
    JudgeFailure.FILTERED: "its content filter refused the prompt",
    JudgeFailure.OTHER: "it could not be asked",
}
NOT_A_COMPLETION = range(200, 400)
UNREADABLE = (JSONDecodeError, UnicodeDecodeError)
NO_COMPLETION = re.compile(
    r"invalid response from LLM endpoint|Invalid response object|'choices' that is not a list"
)
"""What LiteLLM says, with a status of its own, of a response that is none: no server failed."""
LEADING = re.compile(
    r"^(?:litellm\.\w+:\s*|\w+(?:Error|Exception)(?::| -)\s*|LiteLLM:\s*)+|\b\w+Exception - "
)
"""The classes that LiteLLM puts before a provider's words."""
TRACEBACK = "Traceback (most recent call last):"
BROKEN = 500


class AskingFailed(JudgeError):
    """A request came to nothing. `after` is how long the server asks to be left alone, seconds."""

    def __init__(
        self,
        message: str,
        cause: JudgeFailure = JudgeFailure.OTHER,
        after: float | None = None,
    ) -> None:
        super().__init__(message, cause)
        self.after = after

    @property
    def is_transient(self) -> bool:
        """Whether asking again makes sense."""
        return self.cause in TRANSIENT


def asking_failed(
    error: Exception, model: str, hide: Callable[[str], str], *, who: str = "judge"
) -> AskingFailed:
    """What went wrong when `model` was asked; `hide` takes keys out of a provider's words."""
    if isinstance(error, AskingFailed):
        return error
    cause = _cause(error)
    told = f"{who} {model}: {SENTENCES[cause]}"
    words = _words(error, hide)
    status = _status(error)
    known = cause in {JudgeFailure.TIMEOUT, JudgeFailure.CONNECTION, JudgeFailure.MALFORMED}
    if status is not None and not known and cause is not JudgeFailure.OTHER:
        told += f" ({status})"
    if words and not (known and isinstance(error, TimeoutError)):
        told += f": {words}"
    return AskingFailed(told, cause, _retry_after(error))


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An error and what it came from: LiteLLM sets no `__cause__`."""
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield link
        link = link.__cause__ or link.__context__


def _cause(error: Exception) -> JudgeFailure:
    links, status = list(_chain(error)), _status(error)
    text = f"{error} {getattr(error, 'body', '')} {getattr(error, 'code', '')}"
    in_words = BY_WORDS if status is None or status < BROKEN else ()
    is_late = isinstance(error, TimeoutError) or "Timeout" in type(error).__name__
    found = (
        (any(_is_unsent(link) for link in links), JudgeFailure.NO_KEY),
        (any(isinstance(link, ImportError) for link in links), JudgeFailure.NO_LIBRARY),
        *((words.search(text) is not None, cause) for words, cause in in_words),
        (any(isinstance(link, UNREADABLE) for link in links), JudgeFailure.MALFORMED),
        (any(isinstance(link, UnicodeEncodeError) for link in links), JudgeFailure.OTHER),
        (is_late, JudgeFailure.TIMEOUT),
        (any(isinstance(link, OSError) for link in links), JudgeFailure.CONNECTION),
        ("Connection error" in text, JudgeFailure.CONNECTION),
        (NO_COMPLETION.search(text) is not None, JudgeFailure.MALFORMED),
    )
    return next((cause for holds, cause in found if holds), None) or _by_status(status)


def _is_unsent(link: BaseException) -> bool:
    """Exactly this class of the OpenAI library, not one of its own: it found no credentials."""
    return (type(link).__module__, type(link).__name__) == ("openai", "OpenAIError")


def _by_status(status: int | None) -> JudgeFailure:
    if status is None:
        return JudgeFailure.OTHER
    if status in NOT_A_COMPLETION:
        return JudgeFailure.MALFORMED
    known = BY_STATUS.get(status)
    if known is not None:
        return known
    return JudgeFailure.SERVER if status >= BROKEN else JudgeFailure.BAD_REQUEST


def _status(error: Exception) -> int | None:
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def _words(error: Exception, hide: Callable[[str], str]) -> str:
    """The provider's own words: LiteLLM puts its classes before them, some add a traceback."""
    first = next((line for line in str(error).splitlines() if line.strip()), "")
    first = LEADING.sub("", first.strip()).removesuffix(TRACEBACK).strip()
    first = hide(first)
    return first if len(first) <= TOLD else f"{first[: TOLD - 1]}…"


def _retry_after(error: Exception) -> float | None:
    """Seconds, from the header `Retry-After`: a number or a date."""
    headers = getattr(error, "litellm_response_headers", None) or {}
    told = str(headers.get("retry-after", "")).strip()
    if not told:
        return None
    return seconds_to_wait(told)
