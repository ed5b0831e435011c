"""When two values are the same."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenxgraph_tui.evaluation.matching import (
    FirstNumbers,
    different_keys,
    exactly,
    hashed,
    parse_args,
    same_args,
    same_value,
)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param(1, 1.0, True, id="1 and 1.0"),
        pytest.param(0.3, 0.1 + 0.2, True, id="float noise"),
        pytest.param(1.0, 1.000001, False, id="more than noise"),
        pytest.param(2**53, 2**53 + 1, False, id="whole numbers are exact"),
        pytest.param(10**400, 10**400, True, id="however large"),
        pytest.param(10**400, 1.0, False, id="and beside a float"),
        pytest.param(True, 1, False, id="true is not 1"),
        pytest.param(False, 0.0, False, id="false is not 0.0"),
        pytest.param([True], [1], False, id="nor in a list"),
        pytest.param("1", 1, False, id="a text is no number"),
        pytest.param(None, 0, False, id="null is no number"),
        pytest.param({"a": None}, {}, False, id="null is not absent"),
        pytest.param({"a": 1, "b": 2}, {"b": 2, "a": 1}, True, id="keys in any order"),
        pytest.param([1, 2], [2, 1], False, id="lists in their order"),
        pytest.param([1], (1,), True, id="a tuple is a list"),
        pytest.param([], {}, False, id="an empty list is no empty object"),
        pytest.param("ab", ["a", "b"], False, id="a text is no list"),
    ],
)
def test_same_value(one: Any, other: Any, same: bool) -> None:
    assert same_value(one, other) is same
    assert same_value(other, one) is same


def test_no_expected_arguments_accept_any() -> None:
    assert same_args({}, {"x": 1})
    assert not same_args({"x": 1}, {})
    assert different_keys({}, {"x": 1}) == []


def test_different_keys_are_listed_in_the_expected_order() -> None:
    assert different_keys({"b": 1, "a": 2, "c": 3}, {"a": 0, "c": 3, "d": 4}) == ["b", "a", "d"]


@pytest.mark.parametrize(
    ("given_as", "args"),
    [
        pytest.param('{"cmd": "true", "n": 2}', {"cmd": "true", "n": 2}, id="B21: JSON text"),
        pytest.param('{"inner": "{\\"a\\": 1}"}', {"inner": '{"a": 1}'}, id="only the outer text"),
        pytest.param("  ", {}, id="a blank text"),
        pytest.param(None, {}, id="null"),
        pytest.param({"a": 1}, {"a": 1}, id="an object"),
    ],
)
def test_arguments_are_parsed(given_as: Any, args: dict[str, Any]) -> None:
    assert parse_args(given_as) == args


@pytest.mark.parametrize(
    ("given_as", "message"),
    [
        pytest.param("{bad", "arguments given as text are no JSON", id="broken JSON"),
        pytest.param("[1]", "must be an object of names and values", id="JSON of another kind"),
        pytest.param(7, "must be an object of names and values", id="a number"),
    ],
)
def test_bad_arguments_are_refused(given_as: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_args(given_as)


numbers = st.integers() | st.floats(allow_nan=False) | st.sampled_from([1, 1.0, 0.3, 0.1 + 0.2])
values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=2),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    ),
    max_leaves=4,
)


@settings(max_examples=300, deadline=None)
@given(one=values, other=values)
def test_the_stand_ins_agree_with_the_comparison(one: Any, other: Any) -> None:
    if same_value(one, other):
        assert hashed(one) == hashed(other)
        assert FirstNumbers([None, other]).near(one) & 0b10
    try:
        keys = exactly(one), exactly(other)
    except ValueError:
        return
    assert (keys[0] == keys[1]) is same_value(one, other)


def test_no_list_has_the_stand_in_of_a_truth_value() -> None:
    assert exactly(True) != exactly(["bool", 1])


def test_a_float_has_no_exact_stand_in() -> None:
    with pytest.raises(ValueError, match="float"):
        exactly({"x": [1.5]})


def test_values_whose_first_numbers_are_far_apart_are_not_even_looked_at() -> None:
    found = FirstNumbers([{"x": 0.5}, {"x": 0.5 + 1e-10}, {"x": 0.6}, "no number", {"x": math.inf}])
    assert found.near({"x": 0.5}) == 0b00011
    assert found.near("another") == 0b01000
    assert found.near(math.inf) == 0b10000
