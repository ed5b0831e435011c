"""Type a command into a terminal, press keys when it shows texts, and see it end well.

Usage: python3 .ci/type_command.py COMMAND TEXT KEY [TEXT KEY…]

It proves that the README's first command ends in the dashboard, as written, and that it runs.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
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


def run(command: str, script: list[tuple[str, str]]) -> str | None:
    """What went wrong, or None. A text counts from the key before it on."""
    process, terminal = start(command)
    seen, since = b"", 0
    todo = list(script)
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        seen += read(terminal)
        if todo and ENTERS_FULL_SCREEN in seen and todo[0][0] in plain(seen[since:]):
            os.write(terminal, todo.pop(0)[1].encode())
            since = len(seen)
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            seen += read(terminal)
            return verdict(seen, todo, os.waitstatus_to_exitcode(status))
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return (
        f"it did not end in {SECONDS} s, waiting for {todo[:1]}; it wrote:\n{plain(seen)[-3000:]}"
    )


def plain(seen: bytes) -> str:
    """The text without the sequences that move and colour it."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen.decode(errors="replace"))


def verdict(seen: bytes, todo: list[tuple[str, str]], code: int) -> str | None:
    if todo:
        return f"{todo[0][0]!r} was never shown; it wrote:\n{plain(seen)[-3000:]}"
    if code:
        return f"exit code {code}"
    return None if LEAVES_FULL_SCREEN in seen else "the terminal was left in full screen"


if __name__ == "__main__":
    _, line, *words = sys.argv
    problem = run(line, list(zip(words[::2], words[1::2], strict=True)))
    print(problem or f"showed {', '.join(words[::2])} and ended with exit code 0")
    sys.exit(1 if problem else 0)
