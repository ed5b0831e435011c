"""When two tool calls are the same call: the rules of equality for JSON arguments."""

from __future__ import annotations

import json
import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

RELATIVE_TOLERANCE = 1e-9


def same_value(expected: Any, actual: Any) -> bool:
    """Whether two JSON values are what a person would call the same.

    The order of keys never matters, the order of lists does. Numbers are equal within a relative
    1e-9 when at least one is a float, two ints exactly. `True` is not `1`, `"1"` is not `1`.
    """
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    if isinstance(expected, int) and isinstance(actual, int):
        return expected == actual
    if isinstance(expected, int | float) and isinstance(actual, int | float):
        return _close(expected, actual)
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        return expected.keys() == actual.keys() and all(
            same_value(value, actual[key]) for key, value in expected.items()
        )
    if _is_list(expected) and _is_list(actual):
        return len(expected) == len(actual) and all(map(same_value, expected, actual))
    return type(expected) is type(actual) and bool(expected == actual)


def same_args(expected: Mapping[str, Any], actual: Mapping[str, Any]) -> bool:
    """Like `same_value`, but no expected arguments at all accept any."""
    return not expected or same_value(expected, actual)


def different_keys(expected: Mapping[str, Any], actual: Mapping[str, Any]) -> list[str]:
    """The argument names whose values differ or that only one side has, expected order first."""
    if not expected:
        return []
    keys = dict.fromkeys([*expected, *actual])
    return [
        key
        for key in keys
        if key not in expected or key not in actual or not same_value(expected[key], actual[key])
    ]


def parse_args(args: Any) -> dict[str, Any]:
    """Arguments as a dict; JSON text is parsed once, and only the outer text.

    Raises:
        ValueError: the text is not a JSON object.
    """
    if isinstance(args, str):
        args = _load(args)
    if args is None:
        return {}
    if not isinstance(args, Mapping):
        raise ValueError(  # noqa: TRY004 - pydantic turns only a ValueError into a message
            f"arguments must be an object of names and values, not {args!r:.80}"
        )
    return dict(args)


def hashed(value: Any) -> Any:
    """A hashable stand-in that is equal wherever `same_value` says so; all numbers look alike."""
    if isinstance(value, bool):
        return (bool, value)
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, Mapping):
        return frozenset((key, hashed(item)) for key, item in value.items())
    if _is_list(value):
        return tuple(map(hashed, value))
    return value if isinstance(value, str) or value is None else type(value).__name__


def exactly(value: Any) -> Any:
    """A hashable stand-in that is equal exactly where `same_value` says so.

    Raises:
        ValueError: there is none, because a float in it is equal within a tolerance only.
    """
    if isinstance(value, bool):
        return (bool, value)
    if value is None or isinstance(value, int | str):
        return value
    if isinstance(value, Mapping):
        return frozenset((key, exactly(item)) for key, item in value.items())
    if _is_list(value):
        return tuple(map(exactly, value))
    raise ValueError(f"{type(value).__name__} has no exact stand-in")


def first_number(value: Any) -> float | None:
    """The first number in a value, keys in alphabetical order: a cheap test before a full one."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            return math.inf
    if isinstance(value, Mapping):
        value = [value[key] for key in sorted(value, key=str)]
    if not _is_list(value):
        return None
    return next((found for item in value if (found := first_number(item)) is not None), None)


class FirstNumbers:
    """Values by their first numbers: finds those that can be the same without a look at each."""

    def __init__(self, values: Sequence[Any]) -> None:
        numbers = [first_number(value) for value in values]
        self._without = [at for at, number in enumerate(numbers) if number is None]
        found = [(number, at) for at, number in enumerate(numbers) if number is not None]
        self._odd = [at for number, at in found if not math.isfinite(number)]
        self._sorted = sorted((number, at) for number, at in found if math.isfinite(number))

    def near(self, value: Any) -> int:
        """A mask of the positions of all that may be the same as `value`, and of few others."""
        number = first_number(value)
        if number is None:
            places = self._without
        elif math.isfinite(number):
            margin = 2 * RELATIVE_TOLERANCE * abs(number)
            first = bisect_left(self._sorted, (number - margin, -1))
            end = bisect_right(self._sorted, (number + margin, math.inf))
            places = [at for _, at in self._sorted[first:end]]
        else:
            places = self._odd
        return sum(1 << at for at in places)


def _close(expected: float, actual: float) -> bool:
    try:
        return math.isclose(expected, actual, rel_tol=RELATIVE_TOLERANCE)
    except OverflowError:  # an int that no float can hold
        return expected == actual


def _load(text: str) -> Any:
    if not text.strip():
        return {}
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"arguments given as text are no JSON: {error}") from None


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
