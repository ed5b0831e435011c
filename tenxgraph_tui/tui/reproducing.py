"""The command line that shows, without the dashboard, what a run of it ran into."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from pathlib import Path

from tenxgraph_tui.evaluation.events import SetInfo
from tenxgraph_tui.evaluation.presets import PRESETS
from tenxgraph_tui.session.protocol import WorkerRequest

PROGRAM = "tenxgraph-tui"
MOST_FILES = 3


def command_of(request: WorkerRequest, files: Iterable[str] = ()) -> str:
    """`tenxgraph-tui run …` for what was asked for, or for some of its files only.

    A config that exists nowhere but in the request cannot be named, and is left out.
    """
    words = [PROGRAM, "run", *_places([*files] or [one.path for one in request.sets])]
    if request.target is not None:
        words += ["--target", request.target]
    if isinstance(request.config, str):
        flag = "--preset" if request.config in PRESETS else "--config"
        words += [flag, request.config]
    return shlex.join(words)


def blamed_in(error: str, sets: Iterable[SetInfo]) -> SetInfo | None:
    """The first set whose target an error is about; its file is enough to see it again."""
    return next((info for info in sets if info.target and info.target in error), None)


def _places(files: list[str]) -> list[str]:
    """As people would type them: relative, and a folder for many."""
    if len(files) > MOST_FILES:
        return [_short(os.path.commonpath([Path(file).absolute() for file in files]))]
    return [_short(file) for file in files]


def _short(file: str) -> str:
    relative = os.path.relpath(file)
    return file if relative.startswith(os.pardir) else relative
