"""The files that watch mode follows: what each is to a run, when it was saved, what followed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.tui.glyphs import MUTED
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import KEY, Part, cell, join, keys, pad, rule, sign, text
from tenxgraph_tui.tui.watching.state import SIGNS, Saved, WatchMode

ROLE, TIME, GAP = 18, 9, 2
LEAST_NAME, LARGEST_NAME, LEAST_TOLD = 16, 48, 16
FOOT = 3
REST = "and every other .py file of the project, until a run has told what it uses"


@dataclass(frozen=True, slots=True)
class WatchedFile:
    """A followed file: its path as people know it, and the last save of it in this session."""

    name: str
    path: str
    role: str
    saved: Saved | None = None


def watched_title(
    files: Sequence[WatchedFile], mode: WatchMode, width: int, *, is_all: bool = True
) -> Content:
    """The rule above; `is_all` where no other file counts."""
    many = numbers.plural(len(files), "file") + ("" if is_all else " and .py files")
    title = join(text("Watched", KEY), text(f"  {many}", MUTED))
    return rule(title, width, sign(SIGNS[mode]), focused=True)


def watched_line(file: WatchedFile, width: int) -> Content:
    """One file in exactly `width` cells; the path is cut last."""
    told = width - LARGEST_NAME - ROLE - TIME - 3 * GAP
    name = max(LEAST_NAME, min(LARGEST_NAME, width - ROLE - TIME - 3 * GAP - LEAST_TOLD))
    parts: list[Part] = [cell(file.name, min(name, width), mode="middle"), " " * GAP]
    if width >= LEAST_NAME + ROLE + TIME + 3 * GAP:
        parts += [cell(file.role, ROLE, MUTED), " " * GAP]
    if file.saved is not None:
        at = time.strftime("%H:%M:%S", time.localtime(file.saved.at))
        parts += [cell(at, TIME), text(file.saved.told if told > 0 else "", MUTED)]
    return pad(join(*parts), width)


def foot_line(about: str, index: int, width: int, *, is_all: bool = True) -> Content:
    """What is watched besides, what the last save of the file under the cursor led to, the keys."""
    if index == FOOT - 1:
        watch = (word("run.watch"), "Watch on, off")
        edit, close = (word("watched.edit"), "Open in the editor"), (word("watched.close"), "Close")
        return pad(keys((edit, watch, close), width), width)
    return pad(text(about if index == 1 else "" if is_all else REST, MUTED), width)
