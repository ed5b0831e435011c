"""What of the tree is unfolded: the same in every browser, and in the next session."""

from __future__ import annotations

from pathlib import Path

from tenxgraph_tui.tui.outline import Outline
from tenxgraph_tui.tui.remembered import Remembered, place_of


class Folding:
    """Reads and writes `remembered.unfolded`; until something is folded, the tree decides once.

    A file that cannot be read is unfolded when that is found out, whatever was folded before.
    """

    def __init__(self, remembered: Remembered, root: Path) -> None:
        self._remembered, self._root = remembered, root
        self._outline: Outline | None = None
        self._noted: frozenset[str] | None = None
        self._places: dict[str, str] = {}
        self._at_first: set[str] = set()
        self._broken: set[str] = set()
        self._alarming: set[str] = set()
        self._unfolded: frozenset[str] = frozenset()

    def of(self, outline: Outline) -> frozenset[str]:
        """The keys of what is unfolded; the same object until that changes."""
        if outline is not self._outline:
            self._look_at(outline)
        elif self._remembered.unfolded is self._noted:
            return self._unfolded
        self._noted = self._remembered.unfolded
        if self._noted is not None:
            known = {key for key in outline.keys if self._places.get(key, key) in self._noted}
        else:
            known = self._at_first & outline.keys
        self._unfolded = frozenset(known | self._alarming)
        return self._unfolded

    def put(self, outline: Outline, key: str, *, is_open: bool) -> None:
        """Fold or unfold what is below a line."""
        unfolded = set(self.of(outline))
        (unfolded.add if is_open else unfolded.discard)(key)
        self._alarming.discard(key)
        self._remembered.unfolded = frozenset(self._places.get(key, key) for key in unfolded)

    def _look_at(self, outline: Outline) -> None:
        self._outline = outline
        files = outline.catalog.files
        self._places = {file.path: place_of(file.path, self._root) for file in files}
        broken = {file.path for file in files if file.problem}
        if not self._at_first:
            self._at_first = outline.unfolded_at_first()
        self._alarming = (self._alarming & broken) | (broken - self._broken)
        self._broken = broken
