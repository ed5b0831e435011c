"""Opening the dashboard, on paths or on a past run, where there is a terminal to draw on."""

from __future__ import annotations

import argparse
import gc
import os
import sys

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.tui.served import is_served

FRAMES = "TEXTUAL_FPS"


def execute(arguments: argparse.Namespace) -> int:
    """Open it; the answer is the exit code."""
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    if not (is_terminal or is_served()):
        raise UsageError("not a terminal: use 'tenxgraph-tui run PATH'")
    # What is made before the first frame stays: looking through it for garbage takes longer than
    # making it. The dashboard switches this on again.
    gc.disable()
    # At Textual's own sixty frames a second a key waits up to 17 ms for its frame.
    os.environ.setdefault(FRAMES, "120")
    from tenxgraph_tui.tui.start import start

    return start(
        paths=getattr(arguments, "paths", []),
        target=getattr(arguments, "target", None),
        preset=getattr(arguments, "preset", None),
        config=getattr(arguments, "config", None),
        python=getattr(arguments, "python", None),
        judge_model=getattr(arguments, "judge_model", None),
        judge_base_url=getattr(arguments, "judge_base_url", None),
        judge_cache=getattr(arguments, "judge_cache", None),
        watch=getattr(arguments, "watch", None),
        run=getattr(arguments, "run", None),
    )
