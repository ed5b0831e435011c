"""Lines that were drawn, kept for as long as they look the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from textual.content import Content

MOST = 400
"""Some screens full."""
Look = TypeVar("Look", bound=Hashable)


class Kept(Generic[Look]):
    """Each line by everything that its look depends on."""

    def __init__(self) -> None:
        self._lines: dict[Look, Content] = {}

    def get(self, look: Look, draw: Callable[[], Content]) -> Content:
        """The line that looks so; drawn if it was not, or too long ago."""
        line = self._lines.get(look)
        if line is None:
            if len(self._lines) >= MOST:
                self._lines.clear()
            line = self._lines[look] = draw()
        return line

    def clear(self) -> None:
        """Everything looks different now."""
        self._lines.clear()
