"""Textual's way to a terminal, for one that is taken away."""

from __future__ import annotations

import errno
import os
import signal

from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver


class TerminalDriver(LinuxDriver):
    """To lose the terminal is no mistake of ours, and nothing to draw a traceback for."""

    def run_input_thread(self) -> None:
        try:
            super().run_input_thread()
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            # Somebody else has the terminal: whoever would give it back to us is gone.
            os.kill(os.getpid(), signal.SIGHUP)


def for_terminal(usual: type[Driver]) -> type[Driver]:
    """Ours in the place of Textual's own; another that was asked for stays."""
    return TerminalDriver if usual is LinuxDriver else usual
