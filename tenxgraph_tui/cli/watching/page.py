"""What is on the screen: the last results, and below them a few lines that change.

On a terminal a new page takes the place of the old one, and what stood above it stays; where the
output goes into a file, only results are written, one block after the other.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import TextIO

from rich.cells import cell_len, set_cell_size

from tenxgraph_tui.evaluation.reporters.look import Line, encodable, look_of

CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
BESIDES = 7
"""Rows of a page that are no results: counts, files, keys."""
LOWEST = 4
PIPED_ROWS = 1000
_LINE_ENDS = re.compile(r"[\r\n]+")


class Page:
    """`out` gets the results; `notes` what is said beside them, where that is another stream."""

    def __init__(self, out: TextIO, notes: TextIO, *, is_quiet: bool = False) -> None:
        self._out, self._notes, self._is_quiet = out, notes, is_quiet
        self.look = look_of(out)
        self.is_live = out.isatty() and os.environ.get("TERM") not in {None, "dumb"}
        self._body: Sequence[Line] = ()
        self._foot: Sequence[Line] = ()
        self._shown_body = self._shown_foot = 0
        self._said: list[str] = []

    @property
    def rows(self) -> int:
        """How many lines of results are of use: of a terminal its height, less the other lines."""
        return max(LOWEST, self._size().lines - BESIDES) if self.is_live else PIPED_ROWS

    def show(self, body: Sequence[Line], foot: Sequence[Line]) -> None:
        """Results, in the place of those before."""
        self._body, self._foot = body, foot
        if self.is_live:
            self._go_up(self._shown_body + self._shown_foot)
            self._draw()
            return
        self._write([*(self._text(line) for line in body), ""], self._out)
        self.say(*foot)

    def foot(self, lines: Sequence[Line]) -> None:
        """The changing lines alone; where nothing can change they are written with `say`."""
        if not self.is_live or (self._shown_foot and lines == self._foot):
            return
        self._foot = lines
        self._go_up(self._shown_foot)
        self._draw_foot()

    def say(self, *lines: Line) -> None:
        """Lines that stay, where the page is no terminal; those that were said last are not again.

        On a terminal they are part of the page's foot already.
        """
        if self.is_live or self._is_quiet:
            return
        said = [self._text(line) for line in lines]
        if said and said != self._said:
            self._said = said
            self._write(said, self._notes)

    def begin_anew(self) -> None:
        """The lines on the screen are not where they were: another page begins below them."""
        self.look = look_of(self._out)
        self._shown_body = self._shown_foot = 0
        if self.is_live:
            self._write([""], self._out)
            self._draw()

    def leave(self) -> None:
        """The results stay; the changing lines are gone."""
        if self.is_live:
            self._go_up(self._shown_foot)
            with suppress(OSError):
                self._out.flush()

    def _draw(self) -> None:
        self._shown_body = len(self._body)
        self._write([self._text(line) for line in self._body], self._out)
        self._draw_foot()

    def _draw_foot(self) -> None:
        foot = self._foot[-(self._size().lines - 1) :]
        self._shown_foot = len(foot)
        self._write([self._text(line) for line in foot], self._out)

    def _go_up(self, count: int) -> None:
        """To the first of the last `count` lines, and away with them, if they are in sight."""
        height = self._size().lines
        if count >= height:
            return
        with suppress(OSError):
            self._out.write(f"\x1b[{count}F\x1b[J" if count else "\r\x1b[J")

    def _text(self, line: Line) -> str:
        look = self.look
        width = look.width - 1 if self.is_live else None
        text, room = "", width if width is not None else 0
        for part, style in line:
            shown = _LINE_ENDS.sub(" ", encodable(part, self._out))
            if width is not None:
                cells = cell_len(shown)
                if cells > room:
                    shown = set_cell_size(shown, max(0, room - len(look.ellipsis))) + look.ellipsis
                room -= cells
            codes = ";".join(CODES[word] for word in style.split())
            text += f"\x1b[{codes}m{shown}\x1b[0m" if codes and look.colour and shown else shown
            if width is not None and room < 0:
                break
        return text

    def _write(self, lines: Sequence[str], stream: TextIO) -> None:
        with suppress(OSError):  # nobody need be reading it
            stream.write("".join(f"{line}\n" for line in lines))
            stream.flush()

    def _size(self) -> os.terminal_size:
        try:
            return os.get_terminal_size(self._out.fileno())
        except OSError:
            return os.terminal_size((self.look.width, 24))
