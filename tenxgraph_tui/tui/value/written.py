"""Values as JSON, as far as anybody reads: a result may be a list of a million numbers."""

from __future__ import annotations

import json
from typing import Any

from tenxgraph_tui.tui.words import LONGEST_TEXT, preview


def written(value: Any, *, indent: int | None = None, most: int = LONGEST_TEXT) -> str:
    """The beginning of a value as JSON: at least `most` characters of it, if there are as many."""
    if not isinstance(value, dict | list):
        held = preview(value) if isinstance(value, str) else value
        return json.dumps(held, ensure_ascii=False, default=repr)
    encoder = json.JSONEncoder(ensure_ascii=False, indent=indent, default=repr)
    found: list[str] = []
    length = 0
    for chunk in encoder.iterencode(value):
        found.append(chunk)
        length += len(chunk)
        if length > most:
            break
    return "".join(found)
