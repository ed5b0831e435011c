"""What the palette finds: commands, and eval sets, cases and runs by their names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from tenxgraph_tui.tui.commands import Command
from tenxgraph_tui.tui.finding import Index, Spans, matched
from tenxgraph_tui.tui.words import clean

AT_MOST = 50
"""Hits of one kind that are shown; whoever looks for the next one types on."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A command, and which parts of its text were meant."""

    command: Command
    spans: Spans = ()


class Shelf:
    """Names of one kind, and what choosing the one at a place does."""

    def __init__(self, area: str, names: Sequence[str], choose: Callable[[int], Any]) -> None:
        self._area, self._choose = area, choose
        self._names = [clean(name) for name in names]
        self._index = Index(self._names)

    def find(self, query: str) -> list[Command]:
        return [
            Command(self._names[place], self._area, "", partial(self._choose, place))
            for place in self._index.find(query, AT_MOST)
        ]


class Palette:
    """Commands in the order given when nothing is asked for, else whatever is closest first."""

    def __init__(self, commands: Sequence[Command], shelves: Sequence[Shelf] = ()) -> None:
        self._commands, self._shelves = tuple(commands), list(shelves)

    def add(self, shelf: Shelf) -> None:
        """Names that became known while the palette is open."""
        self._shelves.append(shelf)

    def find(self, query: str) -> list[Hit]:
        """What matches; of equal matches the commands come first."""
        if not query.strip():
            return [Hit(command) for command in self._commands]
        named = (command for shelf in self._shelves for command in shelf.find(query))
        tried = ((command, matched(query, command.text)) for command in (*self._commands, *named))
        found = [(match[0], Hit(command, match[1])) for command, match in tried if match]
        return [hit for _, hit in sorted(found, key=lambda item: item[0])]
