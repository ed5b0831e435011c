"""Pairing by bit masks, against the slow way."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenxgraph_tui.evaluation.assignment import any_order, in_order, positions


@pytest.mark.parametrize(
    ("same", "size"),
    [
        pytest.param([0b011, 0b101, 0b101], 3, id="the third moves the first along"),
        pytest.param([0b0011, 0b0110, 0b1100, 0b0011], 4, id="a longer chain"),
        pytest.param([0b1, 0b1, 0b1], 1, id="all want the same one"),
        pytest.param([0b0, 0b1], 1, id="one wants none"),
        pytest.param([], 0, id="nothing to assign"),
    ],
)
def test_any_order_assigns_as_many_as_possible(same: list[int], size: int) -> None:
    found = any_order(same)

    assert len(found) == len(set(found.values())) == size
    assert all(same[expected] >> actual & 1 for expected, actual in found.items())


masks = st.lists(st.integers(0, 2**5 - 1), max_size=5)


@settings(max_examples=300, deadline=None)
@given(same=masks)
def test_no_assignment_is_larger(same: list[int]) -> None:
    @cache
    def most(item: int, taken: int) -> int:
        if item == len(same):
            return 0
        options = positions(same[item] & ~taken)
        return max(
            most(item + 1, taken), *(1 + most(item + 1, taken | 1 << at) for at in options), 0
        )

    assert len(any_order(same)) == most(0, 0)


@settings(max_examples=300, deadline=None)
@given(same=masks, alike=masks)
def test_in_order_pairs_rise_and_no_longer_sequence_of_same_pairs_exists(
    same: list[int], alike: list[int]
) -> None:
    alike = (alike + [0] * len(same))[: len(same)]

    @cache
    def longest(at: int, start: int) -> int:
        if at == len(same) or start == 5:
            return 0
        paired = 1 + longest(at + 1, start + 1) if same[at] >> start & 1 else 0
        return max(paired, longest(at + 1, start), longest(at, start + 1))

    pairs = in_order(same, alike, 5)

    assert all(one[0] < other[0] and one[1] < other[1] for one, other in pairwise(pairs))
    assert sum(same[expected] >> actual & 1 for expected, actual in pairs) == longest(0, 0)
    assert all((same[left] | alike[left]) >> right & 1 for left, right in pairs)
