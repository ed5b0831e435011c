"""A headless run goes on under the project's interpreter, where that is another than this one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

from tenxgraph_tui.session.interpreter import choose
from tenxgraph_tui.settings import Loaded

MARK = "_TENXGRAPH_TUI_UNDER"
"""In the environment of the process that took our place: a launcher may lead to another path."""


def go_on_under_its_python(settings: Loaded, words: Sequence[str]) -> None:
    """Have the command line `words` carried out by the interpreter that `choose` finds.

    Comes back only where that is this one.

    Raises:
        UsageError: the one that was asked for cannot be used.
    """
    python = choose(settings.root, settings.python, named_by=settings.named("python")).path
    if os.environ.pop(MARK, None) == python or is_this_one(python):
        return
    command = [python, "-P", "-m", "tenxgraph_tui", *words]
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "posix":
        os.execve(python, command, {**os.environ, MARK: python})
    env = {**os.environ, MARK: python}
    raise SystemExit(subprocess.run(command, check=False, env=env).returncode)


def is_this_one(python: str) -> bool:
    """Whether an interpreter is that of the environment we run in."""
    return os.path.dirname(os.path.abspath(python)) == os.path.dirname(sys.executable)  # noqa: PTH100, PTH120 - a link must not be followed
