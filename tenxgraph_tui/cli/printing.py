"""Lines of a command that only tells something."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tenxgraph_tui.errors import TenxError
from tenxgraph_tui.evaluation.reporters.look import encodable
from tenxgraph_tui.evaluation.visible import visible


def put(text: str, *, to_errors: bool = False) -> None:
    """Write a line to standard output, or to standard error, in whatever encoding it has.

    What could act on the terminal is written out: names from files are among what is printed.

    Raises:
        TenxError: the disk is full, or the like.
    """
    stream = sys.stderr if to_errors else sys.stdout
    try:
        stream.write(f"{encodable(visible(text, multiline=True), stream)}\n")
    except BrokenPipeError:
        raise
    except OSError as error:
        raise TenxError(f"this could not be printed: {error.strerror or error}") from None


def table(rows: Sequence[tuple[str, ...]], *, gap: str = "  ") -> list[str]:
    """Rows with their cells below each other; the last cell of a row may have any width."""
    if not rows:
        return []
    widths = [max(map(len, column)) for column in zip(*(row[:-1] for row in rows), strict=True)]
    return [
        gap.join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]])
        for row in rows
    ]
