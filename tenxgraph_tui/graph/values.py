"""Whatever a tool returned, as a JSON value that nobody can change afterwards."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pydantic_core import PydanticSerializationError, to_jsonable_python

DEEPEST = 50
SCALARS = frozenset({str, int, bool, type(None)})


def json_value(value: object) -> Any:
    """A JSON value of its own: models as dicts, NaN as text, what is not JSON as its `repr`."""
    if value is None or isinstance(value, (bool, int)) or type(value) is str:
        return value
    if type(value) is dict and all(type(item) in SCALARS for item in value.values()):
        return {str(key): item for key, item in value.items()}  # most messages: nothing to convert
    try:
        return _finite(to_jsonable_python(value, fallback=_plain))
    except (PydanticSerializationError, ValueError, TypeError, UnicodeError):
        return _walked(value)  # lone surrogates, bytes, circles: rare, so by hand


def _walked(value: object, within: tuple[int, ...] = ()) -> Any:
    """By hand, what holds itself as its `repr`."""
    if id(value) in within or len(within) > DEEPEST:
        return repr(value)
    within = (*within, id(value))
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return _finite(value)
        case Mapping():
            return {str(key): _walked(item, within) for key, item in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_walked(item, within) for item in value]
        case _:
            return repr(value)


def _plain(value: Any) -> Any:
    scalar = getattr(value, "tolist", None)  # arrays and scalars of numpy and of its kin
    return scalar() if callable(scalar) else repr(value)


def _finite(value: Any) -> Any:
    """Numbers that JSON cannot say as text; pydantic does that only when it writes text."""
    match value:
        case float() if not math.isfinite(value):
            return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        case list():
            return [_finite(item) for item in value]
        case dict():
            return {key: _finite(item) for key, item in value.items()}
        case _:
            return value
