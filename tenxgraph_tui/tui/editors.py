"""Running an editor: in this terminal, which the dashboard lends it, or in a window of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from tenxgraph_tui.errors import UsageError


def wait_for(command: Sequence[str]) -> str:
    """Run an editor that draws in the terminal, until it is left; why it did not start, or "".

    It does not raise: whoever lent the terminal has to take it back.
    """
    # the dashboard draws on standard error, so standard output may lead somewhere else
    out = None if os.isatty(1) else 2
    with _interrupts_left_to_it():
        try:
            subprocess.run(command, check=False, stdout=out)
        except OSError as error:
            return f"{command[0]}: {error.strerror or error}"
    return ""


def leave_open(command: Sequence[str], on_closed: Callable[[], object]) -> None:
    """Start an editor with a window; `on_closed` is called from another thread when it ends.

    It is nobody's child in particular: it stays when the dashboard is left.

    Raises:
        UsageError: it cannot be started.
    """
    try:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise UsageError(f"{command[0]}: {error.strerror or error}") from None

    def wait() -> None:
        child.wait()
        on_closed()

    threading.Thread(target=wait, daemon=True, name="editor").start()


@contextmanager
def _interrupts_left_to_it() -> Iterator[None]:
    """ctrl+c reaches everybody in the terminal, and is meant for the editor.

    A handler of ours is not passed on to it, as ignoring the signal would be.
    """
    before = signal.signal(signal.SIGINT, _nothing)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _nothing(number: int, frame: FrameType | None) -> None:
    """The dashboard goes on waiting for the editor."""
