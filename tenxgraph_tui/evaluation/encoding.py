"""Models as JSON that can always be written and read again, whatever an agent put into them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError

from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.visible import visible

DEEPEST = 100


def as_json(model: BaseModel, *, without: str = "") -> str:
    """The model as one line, with every field but `without`.

    What JSON cannot hold is written as a person would see it.
    """
    try:
        return model.model_dump_json(exclude={without}, fallback=repr, warnings=False)
    except PydanticSerializationError:
        # Lone surrogates, bytes, circular or bottomless values: rare, and no reason to stop a run.
        plain = {name: _plain(value, 1) for name, value in model if name != without}
        return json.dumps(plain, ensure_ascii=False)


def _plain(value: Any, depth: int) -> Any:
    if depth > DEEPEST:
        return "…"
    plain: Any = None
    match value:
        case None | bool() | int():
            plain = value
        case float():
            plain = value if math.isfinite(value) else None
        case BaseModel():
            plain = {name: _plain(each, depth + 1) for name, each in value}
        case Mapping():
            plain = {_text(str(key)): _plain(each, depth + 1) for key, each in value.items()}
        case list() | tuple() | set() | frozenset():
            plain = [_plain(each, depth + 1) for each in value]
        case TokenUsage():
            plain = value.to_dict()
        case _ if is_dataclass(value) and not isinstance(value, type):
            plain = {one.name: _plain(getattr(value, one.name), depth + 1) for one in fields(value)}
        case _:
            plain = _text(value if isinstance(value, str) else repr(value))
    return plain


def _text(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return visible(text, multiline=True)
    return str(text)
