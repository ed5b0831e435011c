"""The words that errors of every kind share."""

from __future__ import annotations

import pytest

from tenxgraph_tui.errors import kind_of, with_article, worded


@pytest.mark.parametrize(
    ("noun", "said"),
    [("IndexError", "an IndexError"), ("dict", "a dict"), ("UserMessage", "a UserMessage")],
)
def test_a_word_has_its_article(noun: str, said: str) -> None:
    assert with_article(noun) == said


@pytest.mark.parametrize(("value", "said"), [(3, "an int"), ([], "a list"), (None, "None")])
def test_what_was_given_is_called_by_its_kind(value: object, said: str) -> None:
    assert kind_of(value) == said


def test_a_group_is_told_with_the_errors_in_it_however_deep_and_each_once() -> None:
    within = ExceptionGroup("in", [TypeError("two"), ValueError("one")])
    error = ExceptionGroup("unhandled errors in a TaskGroup", [ValueError("one"), within])
    said = "unhandled errors in a TaskGroup (2 sub-exceptions): ValueError: one; TypeError: two"
    assert worded(error) == f"ExceptionGroup: {said}"


def test_of_a_group_of_many_errors_the_first_three_are_told() -> None:
    error = ExceptionGroup("many", [ValueError(str(number)) for number in range(9)])
    assert worded(error).endswith(": ValueError: 0; ValueError: 1; ValueError: 2; …")
