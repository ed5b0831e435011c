"""Where an error came from, as it is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tenxgraph_tui.errors import TargetError
from tenxgraph_tui.evaluation.places import place_in_code, place_of, users_frame

HERE = Path(__file__).name


def caught(raising: Callable[[], object]) -> BaseException:
    with pytest.raises(BaseException) as told:  # noqa: PT011 - any will do
        raising()
    return told.value


def in_a_library() -> object:
    return json.loads("{")


def wrapped() -> object:
    try:
        return in_a_library()
    except ValueError as error:
        raise TargetError("it does not load") from error


def line_of(function: Callable[[], object]) -> int:
    return function.__code__.co_firstlineno + 1


def test_it_is_the_line_of_the_users_code_not_of_the_library_that_it_called() -> None:
    error = caught(in_a_library)
    assert place_of(error).endswith(f"{HERE}:{line_of(in_a_library)}")
    assert place_in_code(error) == f"{__file__}:{line_of(in_a_library)}"


def test_where_an_error_stands_for_another_it_is_the_line_of_that() -> None:
    assert place_of(caught(wrapped)).endswith(f"{HERE}:{line_of(in_a_library)}")


def in_a_group() -> object:
    within = BaseExceptionGroup("in", [KeyError("never raised"), caught(in_a_library)])
    raise BaseExceptionGroup("many", [within])


def test_of_a_group_it_is_the_line_of_an_error_in_it() -> None:
    assert place_of(caught(in_a_group)).endswith(f"{HERE}:{line_of(in_a_library)}")


def test_what_cannot_be_compiled_is_named_by_its_own_line() -> None:
    error = caught(lambda: compile("x = 1\ny =\n", "agents.py", "exec"))
    assert place_in_code(error) == "agents.py:2"


def test_an_error_that_was_never_raised_has_no_place() -> None:
    assert users_frame(ValueError("no")) is None
    assert place_of(ValueError("no")) == place_in_code(ValueError("no")) == ""
