"""Writing a JSON file so that a reader never sees half of it."""

from __future__ import annotations

import errno
import json
import math
import secrets
import shutil
from pathlib import Path
from typing import Any


def write_json(path: str | Path, data: Any) -> None:
    """Write `data` as UTF-8 JSON: to a temporary file beside `path`, then renamed over it.

    A link is followed and the mode of an existing file kept. JSON has no NaN and no infinity: they
    are written as text ("NaN").

    Raises:
        FileNotFoundError: the folder does not exist.
        OSError: it cannot be written; an existing file is left as it was.
    """
    target = Path(path).resolve()
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(target.parent))
    content = encode(data)
    # Hidden and short: watch mode overlooks it, and a name at the length limit still fits.
    temporary = target.with_name(f".{secrets.token_hex(4)}.tmp")
    try:
        temporary.write_bytes(content)
        if target.exists():
            shutil.copymode(target, temporary)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def encode(data: Any) -> bytes:
    """The bytes of a JSON file, indented, with a newline at the end."""
    try:
        text = json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(data), ensure_ascii=False, indent=2, allow_nan=False)
    # Half a surrogate pair cannot be UTF-8; as \udXXX it is the escape that JSON has for it.
    return f"{text}\n".encode("utf-8", "backslashreplace")


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return json.dumps(value)
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
