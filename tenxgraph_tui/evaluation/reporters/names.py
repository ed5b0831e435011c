"""Report files: what they are called, and that none of them is ever half written or lost."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import IO

LONGEST = 120
STAMP = "%Y%m%d_%H%M%S"


def stem(eval_set_id: str) -> str:
    """The id as a file name: letters, digits, `_` and `-` stay, the rest becomes `_`.

    A long one is cut and gets 8 hex digits of its hash.
    """
    name = re.sub(r"[^\w-]", "_", eval_set_id) or "eval"
    if len(name.encode()) <= LONGEST:
        return name
    return f"{name.encode()[:LONGEST].decode(errors='ignore')}_{digest(eval_set_id)}"


class Stems:
    """Gives different ids different stems, even where `stem` makes them the same."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}

    def of(self, eval_set_id: str) -> str:
        """The same id always gets the same stem."""
        name = stem(eval_set_id)
        if self._ids.setdefault(name, eval_set_id) == eval_set_id:
            return name
        return f"{name}_{digest(eval_set_id)}"


def digest(text: str) -> str:
    """8 hex digits that tell two texts apart whose file names are the same."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:8]


def stamped(name: str, timestamp: float) -> str:
    """`name` with the local time; `timestamp` is in Unix seconds."""
    return f"{name}_{datetime.fromtimestamp(timestamp, tz=UTC).astimezone():{STAMP}}"


def claim(path: Path) -> Path:
    """Create `path`, or where it is taken the first free one of `-2`, `-3` and so on."""
    for number in count(1):
        candidate = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
        try:
            os.close(os.open(candidate, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        except FileExistsError:
            continue
        return candidate
    raise AssertionError  # pragma: no cover - count() never ends


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write that takes the place of `path` when all went well, and is gone if not."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with draft.open("wb") as file:
            yield file
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def new_file(path: Path) -> Iterator[tuple[Path, IO[bytes]]]:
    """Like `replacing`, but never over a file that is there already; gives its name too."""
    claimed = claim(path)
    try:
        with replacing(claimed) as file:
            yield claimed, file
    except BaseException:
        claimed.unlink(missing_ok=True)
        raise
