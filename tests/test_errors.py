"""The words that errors of every kind share."""

from __future__ import annotations

import pytest

from tenxgraph_tui.errors import kind_of, with_article


@pytest.mark.parametrize(
    ("noun", "said"),
    [("IndexError", "an IndexError"), ("dict", "a dict"), ("UserMessage", "a UserMessage")],
)
def test_a_word_has_its_article(noun: str, said: str) -> None:
    assert with_article(noun) == said


@pytest.mark.parametrize(("value", "said"), [(3, "an int"), ([], "a list"), (None, "None")])
def test_what_was_given_is_called_by_its_kind(value: object, said: str) -> None:
    assert kind_of(value) == said
