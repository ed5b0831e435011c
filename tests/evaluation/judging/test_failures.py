"""What asking raises, as a cause and one sentence."""

from __future__ import annotations

import json
from email.utils import formatdate
from typing import Any

import pytest

from tenxgraph_tui.errors import JudgeFailure
from tenxgraph_tui.evaluation.judging.failures import AskingFailed, asking_failed


class ProviderError(Exception):
    """What LiteLLM's exceptions have in common."""

    def __init__(self, text: str, status: int | None = None, **more: Any) -> None:
        super().__init__(text)
        self.status_code = status
        self.__dict__ |= more


def told(error: Exception) -> AskingFailed:
    return asking_failed(error, "gpt-4o", lambda text: text.replace("secret", "***"))


def caused(error: Exception, by: Exception) -> Exception:
    error.__context__ = by
    return error


@pytest.mark.parametrize(
    ("error", "cause", "is_transient"),
    [
        (ProviderError("no", 401), JudgeFailure.NOT_ALLOWED, False),
        (ProviderError("no", 403), JudgeFailure.NOT_ALLOWED, False),
        (ProviderError("pay", 402), JudgeFailure.NO_CREDIT, False),
        (ProviderError("gone", 404), JudgeFailure.NO_MODEL, False),
        (ProviderError("?", 418), JudgeFailure.BAD_REQUEST, False),
        (ProviderError("big", 413), JudgeFailure.TOO_LONG, False),
        (ProviderError("slowly", 429), JudgeFailure.RATE_LIMIT, True),
        (ProviderError("insufficient_quota", 429), JudgeFailure.NO_CREDIT, False),
        (
            ProviderError("429", 429, body={"code": "insufficient_quota"}),
            JudgeFailure.NO_CREDIT,
            False,
        ),
        (
            ProviderError("Your credit balance is too low", 400),
            JudgeFailure.NO_CREDIT,
            False,
        ),
        (ProviderError("prompt is too long: 9 tokens", 400), JudgeFailure.TOO_LONG, False),
        (ProviderError("x", 400, code="content_filter"), JudgeFailure.FILTERED, False),
        (ProviderError("oops", 500), JudgeFailure.SERVER, True),
        (ProviderError("overloaded", 529), JudgeFailure.SERVER, True),
        (ProviderError("conflict", 409), JudgeFailure.SERVER, True),
        (ProviderError("late", 504), JudgeFailure.TIMEOUT, True),
        (TimeoutError(), JudgeFailure.TIMEOUT, True),
        (
            caused(ProviderError("Connection error.", 500), ConnectionRefusedError(111, "refused")),
            JudgeFailure.CONNECTION,
            True,
        ),
        (
            caused(ProviderError("?", 500), json.JSONDecodeError("x", "y", 0)),
            JudgeFailure.MALFORMED,
            True,
        ),
        (
            caused(ProviderError("?", 500), UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no")),
            JudgeFailure.MALFORMED,
            True,
        ),
        (
            caused(ProviderError("?", 500), UnicodeEncodeError("ascii", "é", 0, 1, "no")),
            JudgeFailure.OTHER,
            False,
        ),
        (ProviderError("what?", 200), JudgeFailure.MALFORMED, True),
        (
            caused(ProviderError("x", 500), ModuleNotFoundError("No module named 'google'")),
            JudgeFailure.NO_LIBRARY,
            False,
        ),
        (
            ProviderError("Your default credentials were not found", None),
            JudgeFailure.NO_KEY,
            False,
        ),
        (KeyError("a bug"), JudgeFailure.OTHER, False),
    ],
)
def test_the_cause_is_told_apart(error: Exception, cause: JudgeFailure, is_transient: bool) -> None:
    found = told(error)
    assert (found.cause, found.is_transient) == (cause, is_transient)
    assert str(found).startswith("judge gpt-4o: ")


def test_the_sentence_has_one_line_of_the_providers_words_and_no_key() -> None:
    words = "litellm.AuthenticationError: OpenAIException - bad secret\nTraceback: …"
    assert str(told(ProviderError(words, 401))) == (
        "judge gpt-4o: it refused the key (401): bad ***"
    )
    assert len(str(told(ProviderError("x" * 5000, 400)))) < 300


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("litellm.APIError: APIError: OpenAIException - litellm.APIError: LiteLLM: no", "no"),
        (
            "litellm.APIError: Invalid response object Traceback (most recent call last):\n  …",
            "Invalid response object",
        ),
        ("Error code: 404", "Error code: 404"),
    ],
)
def test_the_classes_and_tracebacks_around_a_providers_words_are_left_out(
    words: str, said: str
) -> None:
    assert str(told(ProviderError(words, 500))).endswith(f": {said}")


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        ("0.5", 0.5),
        ("-3", 0.0),
        ("nan", None),
        ("inf", None),
        ("soon", None),
        ("", None),
    ],
)
def test_the_server_may_say_when_to_come_back(header: str, seconds: float | None) -> None:
    error = ProviderError("slowly", 429, litellm_response_headers={"retry-after": header})
    assert told(error).after == seconds


def test_it_may_say_so_as_a_date() -> None:
    for offset in (30, -30):
        date = formatdate(float(_now() + offset), usegmt=True)
        error = ProviderError("slowly", 429, litellm_response_headers={"retry-after": date})
        after = told(error).after
        assert after is not None
        assert max(0, offset - 25) <= after <= max(0, offset + 1)


def test_an_error_that_is_its_own_context_ends_too() -> None:
    error = ProviderError("round", 500)
    other = ProviderError("and round", 500)
    error.__context__, other.__context__ = other, error
    assert told(error).cause is JudgeFailure.SERVER


def _now() -> float:
    import time

    return time.time()
