"""What the browser shows of a desk: the entries of the tree, and what each line of them needs."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from tenxgraph_tui.tui.catalog import SetFile
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.folding import Folding
from tenxgraph_tui.tui.lines.browser import TreeContext, about, in_short
from tenxgraph_tui.tui.outline import Entry, Kind, Outline, Picked, folder_key
from tenxgraph_tui.tui.remembered import Remembered

SHORT = 2


class Tree:
    """Keeps up with the desk: what did not change since the last look is not made again."""

    def __init__(self, desk: Desk, remembered: Remembered) -> None:
        self._desk = desk
        self._folding = Folding(remembered, desk.root)
        self._outline = Outline(desk.catalog)
        self._picked = Picked(self._outline, desk.choices.selected)
        self._built: tuple[object, ...] = ()
        self._about: tuple[object, list[Content]] = (None, [])
        self.entries: tuple[Entry, ...] = ()
        self.renew(0)

    def renew(self, width: int) -> bool:
        """Look at the desk again, for a pane of that width; whether there are other entries."""
        desk = self._desk
        is_other = self._outline.catalog is not desk.catalog
        if is_other:
            self._outline = Outline(desk.catalog)
        if is_other or self._picked.selected is not desk.choices.selected:
            self._picked = Picked(self._outline, desk.choices.selected)
        unfolded = self._folding.of(self._outline)
        self.context = TreeContext(
            self._outline, unfolded, self._picked, desk.standings.status_of, self._share
        )
        built = (self._outline, unfolded, width)
        if built == self._built:
            return False
        self._built = built
        self.entries = self._outline.entries(unfolded, width)
        return True

    def find(self, entry: Entry) -> int | None:
        """Where an entry stands now, if it still does."""
        places = (at for at, one in enumerate(self.entries) if one.identity == entry.identity)
        return next(places, None)

    def parent(self, index: int) -> int | None:
        """Where what the entry is in stands, and can be folded."""
        depth = self.entries[index].depth
        above = range(index - 1, -1, -1)
        places = (at for at in above if self.entries[at].depth < depth and self.entries[at].key)
        return next(places, None)

    def is_open(self, entry: Entry) -> bool:
        return entry.key in self.context.unfolded

    def fold(self, entry: Entry, *, is_open: bool) -> None:
        """Fold or unfold what is below an entry, if anything is."""
        if entry.key is not None:
            self._folding.put(self._outline, entry.key, is_open=is_open)

    def open_file(self, path: str) -> None:
        """Unfold a file, and the folder that it is in."""
        for name, files in self._outline.folders.items():
            if any(file.path == path for file in files):
                self._folding.put(self._outline, folder_key(name), is_open=True)
        self._folding.put(self._outline, path, is_open=True)

    def place_of_file(self, path: str) -> int | None:
        """Where the line of a file stands, if it does."""
        files = (at for at, one in enumerate(self.entries) if one.kind is Kind.FILE)
        return next((at for at in files if self.entries[at].key == path), None)

    def about(self, entry: Entry, width: int) -> list[Content]:
        """What there is to know of an entry."""
        drawn = (entry, self._outline, width)
        if self._about[0] != drawn:
            case = self._desk.catalog.case(entry.case) if entry.case else None
            self._about = (drawn, about(entry, case, width))
        return self._about[1]

    def in_short(self, entry: Entry, width: int) -> list[Content]:
        """The same in a few lines, where the tree itself needs the room."""
        drawn = (entry, self._outline, width, "in short")
        if self._about[0] != drawn:
            case = self._desk.catalog.case(entry.case) if entry.case else None
            self._about = (drawn, in_short(entry, case, width, SHORT))
        return self._about[1]

    @property
    def problems(self) -> int:
        """How many files cannot be read."""
        return sum(bool(file.problem) for file in self._outline.catalog.files)

    def _share(self, files: Sequence[SetFile]) -> tuple[int, int]:
        """How many cases of the files passed when they last ran, and of how many that run."""
        passed = sum(self._desk.standings.passed_in(file.path) for file in files if file.cases)
        return passed, sum(self._desk.catalog.runnable_in(file.path) for file in files)
