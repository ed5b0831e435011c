"""Expected beside actual: which rows a person sees."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenxgraph_tui.evaluation.alignment import (
    Mark,
    Row,
    align_calls,
    align_nodes,
    first_divergence,
    word_diff,
)
from tenxgraph_tui.evaluation.config import MatchType
from tenxgraph_tui.evaluation.dataset import ToolCall

EXACT, IN_ORDER, ANY_ORDER = MatchType.EXACT, MatchType.IN_ORDER, MatchType.ANY_ORDER
SIGNS = {Mark.SAME: "=", Mark.DIFFERS: "≠", Mark.MISSING: "-", Mark.EXTRA: "+"}


def call(name: str, **args: object) -> ToolCall:
    return ToolCall(name=name, args=args)


def signs(rows: Sequence[Row[Any]]) -> str:
    """The marks of the rows with the names they are about, like `=a -b`."""
    return " ".join(
        f"{SIGNS[row.mark]}{getattr(item, 'name', item)}"
        for row in rows
        for item in [row.expected if row.expected is not None else row.actual]
    )


@pytest.mark.parametrize(
    ("expected", "actual", "rows"),
    [
        pytest.param("abc", "abc", "=a =b =c", id="equal lists align fully"),
        pytest.param("abc", "bc", "-a =b =c", id="the first is missing"),
        pytest.param("abc", "axbc", "=a +x =b =c", id="one between them is extra"),
        pytest.param("abc", "axc", "=a -b +x =c", id="one took the place of another"),
        pytest.param("ab", "ba", "-a =b +a", id="two in the wrong order"),
        pytest.param("a", "aa", "=a +a", id="the earliest of two is taken"),
        pytest.param("", "ab", "+a +b", id="nothing expected"),
        pytest.param("ab", "", "-a -b", id="nothing done"),
        pytest.param("", "", "", id="nothing at all"),
    ],
)
def test_nodes_align(expected: str, actual: str, rows: str) -> None:
    assert signs(align_nodes(list(expected), list(actual))) == rows


def test_a_call_with_another_argument_stands_beside_the_expected_one() -> None:
    expected = [call("geo"), call("forecast", city="Tokyo", days=3), call("alerts")]
    actual = [call("geo"), call("forecast", city="Kyoto", days=3)]

    rows = align_calls(expected, actual)

    assert signs(rows) == "=geo ≠forecast -alerts"
    assert rows[1].keys == ("city",)
    assert (rows[1].expected_index, rows[1].actual_index) == (1, 1)
    assert first_divergence(rows) == 1


def test_keys_that_only_one_side_has_differ_too() -> None:
    (row,) = align_calls([call("f", a=1, b=2)], [call("f", b=2, c=3)])

    assert row.keys == ("a", "c")


def test_without_check_args_arguments_do_not_count() -> None:
    (row,) = align_calls([call("f", a=1)], [call("f", a=2)], check_args=False)

    assert (row.mark, row.keys, row.costs) == (Mark.SAME, (), False)


@pytest.mark.parametrize(
    ("match_type", "divergence"),
    [
        pytest.param(EXACT, 1, id="EXACT: an extra costs"),
        pytest.param(IN_ORDER, 3, id="IN_ORDER: an extra does not, the missing one does"),
        pytest.param(ANY_ORDER, 2, id="ANY_ORDER: nor there; extras come last"),
    ],
)
def test_the_first_divergence_is_what_costs_score(match_type: MatchType, divergence: int) -> None:
    rows = align_nodes(list("abc"), list("axb"), match_type)

    assert first_divergence(rows) == divergence


def test_in_any_order_rows_follow_the_expectation_and_extras_come_last() -> None:
    rows = align_nodes(list("abc"), list("xcba"), ANY_ORDER)

    assert signs(rows) == "=a =b =c +x"
    assert [row.actual_index for row in rows] == [3, 2, 1, 0]
    assert first_divergence(rows) is None


def test_in_any_order_a_call_with_another_argument_is_still_paired() -> None:
    rows = align_calls(
        [call("f", a=1), call("g")], [call("g"), call("f", a=2)], match_type=ANY_ORDER
    )

    assert signs(rows) == "≠f =g"


def test_same_calls_are_worth_more_than_pairs_with_other_arguments() -> None:
    expected = [call("f", a=1), call("f", a=2), call("f", a=3)]

    rows = align_calls(expected, expected[1:])

    assert signs(rows) == "-f =f =f"


def test_numbers_within_tolerance_align() -> None:
    rows = align_calls(
        [call("f", x=0.3), call("f", x=1)], [call("f", x=0.30000000000000004), call("f", x=1.0)]
    )

    assert signs(rows) == "=f =f"


arguments = st.dictionaries(st.sampled_from("xy"), st.sampled_from([1, 1.0, 2, "1", True, None]))
some_calls = st.lists(st.builds(ToolCall, name=st.sampled_from("abc"), args=arguments), max_size=8)


@settings(max_examples=200, deadline=None)
@given(
    expected=some_calls,
    actual=some_calls,
    match_type=st.sampled_from(MatchType),
    check_args=st.booleans(),
)
def test_every_item_stands_in_exactly_one_row(
    expected: list[ToolCall], actual: list[ToolCall], match_type: MatchType, check_args: bool
) -> None:
    rows = align_calls(expected, actual, match_type, check_args)

    left = [row.expected_index for row in rows if row.expected_index is not None]
    right = [row.actual_index for row in rows if row.actual_index is not None]
    assert left == list(range(len(expected)))
    assert sorted(right) == list(range(len(actual)))
    assert match_type is ANY_ORDER or right == sorted(right)
    for row in rows:
        if row.expected is not None and row.actual is not None:
            same = row.expected.matches(row.actual, check_args=check_args)
            assert row.mark is (Mark.SAME if same else Mark.DIFFERS)
            assert row.expected.name == row.actual.name
            assert bool(row.keys) is not same
        else:
            assert row.mark is (Mark.MISSING if row.actual is None else Mark.EXTRA)


@pytest.mark.parametrize("match_type", MatchType)
@settings(max_examples=60, deadline=None)
@given(calls=some_calls)
def test_equal_lists_align_fully(match_type: MatchType, calls: list[ToolCall]) -> None:
    rows = align_calls(calls, [one.model_copy(deep=True) for one in calls], match_type)

    assert [row.mark for row in rows] == [Mark.SAME] * len(calls)
    assert first_divergence(rows) is None


@settings(max_examples=100, deadline=None)
@given(expected=some_calls, actual=some_calls, check_args=st.booleans())
def test_the_first_divergence_is_the_first_row_that_is_not_the_same(
    expected: list[ToolCall], actual: list[ToolCall], check_args: bool
) -> None:
    rows = align_calls(expected, actual, EXACT, check_args)

    marks = [row.mark for row in rows]
    first = next((at for at, mark in enumerate(marks) if mark is not Mark.SAME), None)
    assert first_divergence(rows) == first


@settings(max_examples=100, deadline=None)
@given(expected=some_calls, actual=some_calls)
def test_as_many_rows_as_possible_are_the_same(
    expected: list[ToolCall], actual: list[ToolCall]
) -> None:
    rows = align_calls(expected, actual, IN_ORDER)

    assert sum(row.mark is Mark.SAME for row in rows) == _longest(expected, actual)


@settings(max_examples=60, deadline=None)
@given(expected=st.lists(some_calls.map(lambda found: found[:1]), max_size=5), actual=some_calls)
def test_in_any_order_too(expected: list[list[ToolCall]], actual: list[ToolCall]) -> None:
    wanted, made = [one for found in expected for one in found], actual[:5]

    rows = align_calls(wanted, made, ANY_ORDER)

    assert sum(row.mark is Mark.SAME for row in rows) == _most(wanted, made)


def _longest(expected: Sequence[ToolCall], actual: Sequence[ToolCall]) -> int:
    """The textbook longest common subsequence."""
    before = [0] * (len(actual) + 1)
    for one in expected:
        row = [0]
        for position, other in enumerate(actual):
            match = before[position] + 1 if one.matches(other) else 0
            row.append(max(match, before[position + 1], row[-1]))
        before = row
    return before[-1]


def _most(expected: Sequence[ToolCall], actual: Sequence[ToolCall]) -> int:
    """The best of all assignments."""
    padded: list[ToolCall | None] = [*actual, *[None] * len(expected)]
    return max(
        sum(
            other is not None and one.matches(other)
            for one, other in zip(expected, chosen, strict=True)
        )
        for chosen in permutations(padded, len(expected))
    )


class TestWords:
    def marked(self, expected: str, actual: str) -> tuple[str, str]:
        """Both sides with the words that differ in brackets."""
        left, right = (
            "".join(text if same else f"[{text}]" for text, same in side)
            for side in word_diff(expected, actual)
        )
        return left, right

    @pytest.mark.parametrize(
        ("expected", "actual", "marked"),
        [
            pytest.param(
                "It is sunny.",
                "It is rainy.",
                ("It is [sunny.]", "It is [rainy.]"),
                id="one word differs",
            ),
            pytest.param(
                "Hello, World!", "hello world", ("Hello, World!", "hello world"), id="case"
            ),
            pytest.param(
                "the cat", "the the", ("the [cat]", "the [the]"), id="repeats are counted"
            ),
            pytest.param("已取消", "已发货", ("已[取][消]", "已[发][货]"), id="Chinese"),
            pytest.param("café", "cafe\u0301", ("café", "cafe\u0301"), id="Unicode forms"),
            pytest.param("", "a", ("", "[a]"), id="nothing expected"),
            pytest.param("?!", "...", ("?!", "..."), id="no words at all"),
            pytest.param(" (a) b", "b", ("[ (a) ]b", "b"), id="what stands before the first word"),
        ],
    )
    def test_differing_words_are_marked(
        self, expected: str, actual: str, marked: tuple[str, str]
    ) -> None:
        assert self.marked(expected, actual) == marked

    @settings(max_examples=100, deadline=None)
    @given(expected=st.text(), actual=st.text())
    def test_the_pieces_joined_are_the_text(self, expected: str, actual: str) -> None:
        left, right = word_diff(expected, actual)

        assert "".join(text for text, _ in left) == expected
        assert "".join(text for text, _ in right) == actual


@pytest.mark.parametrize("match_type", MatchType)
def test_long_lists_take_no_comparison_of_every_pair(
    match_type: MatchType, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = 0

    def count(*_: Any) -> bool:
        nonlocal compared
        compared += 1
        return False

    monkeypatch.setattr("tenxgraph_tui.evaluation.alignment.same_args", count)
    expected = [call("f", i=i) for i in range(500)]
    actual = [call("f", i=(i * 7) % 501) for i in range(500)]

    rows = align_calls(expected, actual, match_type)

    assert compared == 0
    assert sum(row.expected is not None for row in rows) == 500


LONG = {
    "one tool": lambda at: call("look", page=(at * 7) % 501),
    "three tools, repeats": lambda at: call("abc"[at % 3], x=at * at % 3),
    "numbers that are nearly the same": lambda at: call("f", x=0.1 * (at * 7 % 501)),
    "no two alike": lambda at: call(f"tool_{at * 7 % 501}"),
}


@pytest.mark.parametrize("made", LONG.values(), ids=LONG.keys())
@pytest.mark.parametrize("match_type", MatchType)
def test_long_lists_align_in_the_time_of_a_few_loops_over_their_pairs(
    match_type: MatchType, made: Callable[[int], ToolCall]
) -> None:
    """A loop over 500 × 500 pairs takes about 7 ms where 50 ms are allowed."""
    expected, actual = [made(at) for at in range(500)], [made(at + 1) for at in range(500)]

    def over_pairs() -> int:
        return sum(left == right for left in range(500) for right in range(500))

    def aligned() -> list[Row[ToolCall]]:
        return align_calls(expected, actual, match_type)

    assert shortest(aligned) < 7 * shortest(over_pairs)


def shortest(work: Callable[[], object]) -> float:
    """The time that something takes when nothing disturbs it."""

    def once() -> float:
        begin = time.process_time()
        work()
        return time.process_time() - begin

    return min(once() for _ in range(5))
