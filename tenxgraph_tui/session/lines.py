"""Cutting what comes out of a pipe into lines, however it arrives and whatever it is."""

from __future__ import annotations

LONGEST = 64 * 1024 * 1024
"""Bytes of one line: a run of 100 000 cases announces itself in one. What is longer is cut."""


class Lines:
    """Bytes in, whole lines out, without their ends."""

    def __init__(self, longest: int = LONGEST) -> None:
        self._longest = longest
        self._begun = bytearray()

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that `chunk` completes."""
        if b"\n" not in chunk:
            self._begun += chunk
            return [self.rest()] if len(self._begun) > self._longest else []
        first, *others = chunk.split(b"\n")
        lines = [bytes(self._begun + first), *others[:-1]]
        self._begun = bytearray(others[-1])
        return lines

    def rest(self) -> bytes:
        """What was begun and never ended."""
        rest, self._begun = bytes(self._begun), bytearray()
        return rest
