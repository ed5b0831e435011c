"""Type a command into a terminal, wait until it shows a text, press q, and see it end well.

Usage: python3 .ci/type_command.py COMMAND TEXT

It proves that the README's first command ends in the dashboard, as written.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

SECONDS = 480  # most of it is the installation
ENTERS_FULL_SCREEN = b"\x1b[?1049h"
LEAVES_FULL_SCREEN = b"\x1b[?1049l"


def start(command: str) -> tuple[int, int]:
    """The process and its terminal of 30 rows and 100 columns."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execvp("bash", ["bash", "-c", command])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    return process, terminal


def read(terminal: int) -> bytes:
    """What it wrote within a second; a terminal that was hung up gives nothing."""
    ready, _, _ = select.select([terminal], [], [], 1)
    try:
        return os.read(terminal, 65536) if ready else b""
    except OSError:
        return b""


def run(command: str, text: str) -> str | None:
    """What went wrong, or None."""
    process, terminal = start(command)
    seen = b""
    pressed = False
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        seen += read(terminal)
        screen = re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]", b"", seen.rpartition(ENTERS_FULL_SCREEN)[2])
        if not pressed and ENTERS_FULL_SCREEN in seen and text.encode() in screen:
            os.write(terminal, b"q")
            pressed = True
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            seen += read(terminal)
            break
    else:
        os.kill(process, 9)
        os.waitpid(process, 0)
        return f"it did not end in {SECONDS} s; it wrote:\n{seen[-4000:].decode(errors='replace')}"
    if not pressed:
        return f"{text!r} was never shown; it wrote:\n{seen[-4000:].decode(errors='replace')}"
    if os.waitstatus_to_exitcode(status):
        return f"exit code {os.waitstatus_to_exitcode(status)} after q"
    return None if LEAVES_FULL_SCREEN in seen else "the terminal was left in full screen"


if __name__ == "__main__":
    problem = run(sys.argv[1], sys.argv[2])
    print(problem or f"showed {sys.argv[2]!r} and ended with exit code 0")
    sys.exit(1 if problem else 0)
