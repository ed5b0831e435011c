"""Every exception this package raises on purpose, and the exit code it maps to.

TenxError                     3
├── UsageError                2  the command line asks for something that cannot be done
├── EvalSetError              4  a file could not be read as an eval set
│   └── EvalSetNotFound       2  there is no such file
├── ConfigError               4  a config, a setting or a judge key is wrong or missing
│   └── ConfigNotFound        2  there is no such config file
├── TargetError               5  the thing under test could not be loaded
│   └── AlreadyCompiledError  5  a compiled graph where an uncompiled one is needed
├── EndpointError             3  an agent behind HTTP could not be asked, or gave no answer
├── JudgeError                3  a judge model answered with nothing usable
└── StoreError                3  the run store could not be read or written
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from typing import Any, ClassVar, Self

TOLD_OF_A_GROUP = 3
"""Different errors of an exception group that its one line names."""


def worded(error: BaseException) -> str:
    """`ValueError: its text`, whatever the error is: one of an agent may raise when it is asked.

    An exception group, which itself says only how many errors it holds, is told with the first few.
    """
    if not isinstance(error, BaseExceptionGroup):
        return _worded(error)
    told = list(dict.fromkeys(_worded(one) for one in grouped(error)))
    more = ["…"] if len(told) > TOLD_OF_A_GROUP else []
    return f"{_worded(error)}: {'; '.join([*told[:TOLD_OF_A_GROUP], *more])}"


def grouped(error: BaseException) -> Iterator[BaseException]:
    """The errors in an exception group, through groups in it; any other error is itself."""
    waiting = [error]
    while waiting:
        one = waiting.pop()
        if isinstance(one, BaseExceptionGroup):
            waiting.extend(reversed(one.exceptions))
        else:
            yield one


def _worded(error: BaseException) -> str:
    kind = type(error).__name__
    try:
        text = str(error)
    except Exception as second:  # noqa: BLE001 - of an agent's own class
        return f"{kind} (its text cannot be had: __str__ raised {type(second).__name__})"
    return f"{kind}: {text}" if text else kind


def with_article(noun: str) -> str:
    """`an int`, `a User`: by the first letter, but for the U, with which names begin like *you*."""
    return f"an {noun}" if noun[:1] in "aeioAEIO" else f"a {noun}"


def kind_of(value: object) -> str:
    """What somebody gave instead of what was needed: `an int`, `a Profile`, `None`."""
    return "None" if value is None else with_article(type(value).__name__)


class JudgeFailure(StrEnum):
    """Why a judge gave nothing usable: it could not be asked, or what it said is no verdict."""

    NO_KEY = "no key"
    NOT_ALLOWED = "not allowed"
    NO_CREDIT = "no credit"
    NO_MODEL = "no such model"
    BAD_REQUEST = "bad request"
    TOO_LONG = "prompt too long"
    RATE_LIMIT = "rate limit"
    TIMEOUT = "timeout"
    CONNECTION = "no connection"
    SERVER = "server error"
    MALFORMED = "malformed response"
    NO_LIBRARY = "library missing"
    NO_CHOICES = "no choices"
    REFUSED = "refused"
    FILTERED = "filtered"
    TRUNCATED = "truncated"
    EMPTY = "empty answer"
    NO_JSON = "no JSON"
    NO_VERDICT = "no verdict"
    BAD_VERDICT = "bad verdict"
    BAD_SCORE = "bad score"
    TOO_FEW = "too few samples"
    OTHER = "other"


class TenxError(Exception):
    """Base class; anything else that escapes the package is a bug."""

    exit_code: ClassVar[int] = 3


class UsageError(TenxError):
    """The command line names something that does not exist or does not fit together."""

    exit_code = 2


class EvalSetError(TenxError):
    """A file could not be read as an eval set; the message names file and position."""

    exit_code = 4


class EvalSetNotFound(EvalSetError, FileNotFoundError):
    """There is no eval set at that path; also a `FileNotFoundError`, as the seed lists it."""

    exit_code = 2


class ConfigError(TenxError):
    """An eval config, a setting or a judge key is wrong or missing."""

    exit_code = 4


class ConfigNotFound(ConfigError, FileNotFoundError):
    """There is no config at that path; also a `FileNotFoundError`, as `from_file` documents."""

    exit_code = 2


class TargetError(TenxError):
    """The thing under test could not be imported, built or recognised."""

    exit_code = 5


class AlreadyCompiledError(TargetError, AttributeError):
    """A compiled graph was given where an uncompiled one is needed; also an `AttributeError`."""


class EndpointError(TenxError):
    """An agent behind HTTP, or a model, could not be asked or gave no answer: the case's error.

    `after` is how long the server asks to be left alone, in seconds.
    """

    def __init__(
        self, message: str, *, is_transient: bool = False, after: float | None = None
    ) -> None:
        super().__init__(message)
        self.is_transient, self.after = is_transient, after

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), is_transient=self.is_transient, after=self.after), self.args


class JudgeError(TenxError):
    """A judge gave nothing usable, for the reason in `cause`.

    It becomes an error verdict inside a run, and reaches the shell only outside one.
    """

    def __init__(self, message: str, cause: JudgeFailure = JudgeFailure.OTHER) -> None:
        super().__init__(message)
        self.cause = cause

    def __reduce__(self) -> tuple[type[Self], tuple[str, JudgeFailure]]:
        return type(self), (str(self), self.cause)


class StoreError(TenxError):
    """The run store cannot be read or written; it stops a run, it is never skipped."""
