"""Secrets of targets: what is shown of a URL, which names are secret, and what is hidden."""

from __future__ import annotations

import pytest

from tenxgraph_tui.errors import TargetError
from tenxgraph_tui.evaluation.secrets import Hiding, filled, is_secret_name, secrets_in, shown_spec


@pytest.mark.parametrize(
    ("spec", "shown"),
    [
        ("agents.py:a", "agents.py:a"),
        ("model:openai/gpt-4o", "model:openai/gpt-4o"),
        ("http://a:8000/x?v=1&page=a%20b", "http://a:8000/x?v=1&page=a%20b"),
        ("https://me:pass@a/x", "https://***@a/x"),
        ("HTTPS://me:p@ss@a/x", "https://***@a/x"),
        ("http://token@a/", "http://***@a/"),
        ("http://a/?API-Key=1&sig=2&x-token=3&q=4", "http://a/?API-Key=***&sig=***&x-token=***&q=4"),
        ("http://a/?key=", "http://a/?key=***"),
        ("http://a/#access_token=1", "http://a/"),
        ("http://[broken?key=1", "http://***"),
    ],
)  # fmt: skip
def test_what_is_shown_of_a_spec(spec: str, shown: str) -> None:
    assert shown_spec(spec) == shown
    assert shown_spec(shown) == shown


@pytest.mark.parametrize("name", ["Authorization", "X-Api-Key", "Cookie", "session_id", "sig"])
def test_names_of_secrets(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", ["Accept", "X-Tenant", "design", "page"])
def test_names_of_other_things(name: str) -> None:
    assert not is_secret_name(name)


def test_a_secret_is_hidden_however_it_is_spelled() -> None:
    hide = Hiding(['Bearer to"ken 1', "short", "", "Basic"])
    assert hide('to"ken 1, to\\"ken 1, to%22ken%201, Bearer to"ken 1') == "***, ***, ***, ***"
    assert hide("Basic and short stay") == "Basic and short stay"


def test_a_user_is_hidden_as_its_header_too() -> None:
    hide = Hiding(secrets_in("http://someone:p%40ssword@a/?key=abcdef-1"))
    assert hide("someone p@ssword c29tZW9uZTpwQHNzd29yZA== abcdef-1") == "*** *** *** ***"


def test_variables_are_filled_in_and_missing_ones_named() -> None:
    assert filled("Bearer env:A, env:B_1", {"A": " x ", "B_1": "y"}, "here") == "Bearer x, y"
    with pytest.raises(TargetError, match=r"^here needs the variable B, which is not set$"):
        filled("env:B", {"B": " "}, "here")
