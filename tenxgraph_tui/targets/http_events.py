"""The JSON values of a stream: server-sent events, or one value a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

DATA = "data:"
END = "[DONE]"
FIELDS = ("event:", "id:", "retry:", ":")


class Events:
    """Takes lines and gives values.

    An event may have several lines of data, which its blank line ends; a value that is whole after
    one line needs no blank line after it. ValueError for an event that is no JSON.
    """

    def __init__(self) -> None:
        self.count = 0
        self.last: Any = None
        self._data: list[str] = []

    def of(self, line: str) -> Iterator[Any]:
        """The values that a line makes whole."""
        text = line.strip()
        if not text:
            yield from self.rest()
        elif text.startswith(DATA):
            self._data.append(text.removeprefix(DATA).strip())
            yield from self._whole()
        elif not text.startswith(FIELDS):
            self._data.append(text)
            yield from self._whole()

    def rest(self) -> Iterator[Any]:
        """What the lines so far make, now that no more belong to them."""
        yield from self._whole()
        if self._data:
            raise ValueError("\n".join(self._data))

    def _whole(self) -> Iterator[Any]:
        text = "\n".join(self._data)
        if not text or text == END:
            self._data.clear()
            return
        try:
            value = json.loads(text)
        except ValueError:
            return
        self._data.clear()
        self.count, self.last = self.count + 1, value
        yield value
