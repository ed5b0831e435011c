"""Whatever a tool returned, as a JSON value that nobody can change afterwards."""

from __future__ import annotations

from typing import Any

from pydantic_core import PydanticSerializationError, to_jsonable_python


def json_value(value: object) -> Any:
    """A JSON value of its own: models as dicts, NaN as text, what is not JSON as its `repr`."""
    if value is None or isinstance(value, (bool, int)) or type(value) is str:
        return value
    try:
        return to_jsonable_python(value, fallback=_plain, inf_nan_mode="strings")
    except (PydanticSerializationError, ValueError, TypeError, UnicodeError):
        return repr(value)


def _plain(value: Any) -> Any:
    scalar = getattr(value, "tolist", None)  # arrays and scalars of numpy and of its kin
    return scalar() if callable(scalar) else repr(value)
