"""A child process in a group of its own, which can be signalled without ever hitting a stranger."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from tenxgraph_tui.errors import UsageError


class Child:
    """A started process with three unbuffered pipes.

    Its id stays taken until `reap`, and nobody else may wait for the process; so a signal in
    between reaches the child's group or nobody.

    Raises:
        UsageError: it cannot be started.
    """

    def __init__(
        self, command: Sequence[str], *, cwd: Path | None, env: Mapping[str, str] | None
    ) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=cwd,
                env=env,
                start_new_session=True,
            )
        except OSError as error:
            raise UsageError(f"cannot start {command[0]}: {error.strerror or error}") from error
        self._signalling = threading.Lock()
        self._is_reaped = False

    @property
    def pid(self) -> int:
        """The process, and its group."""
        return self._process.pid

    @property
    def pipes(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        """Our ends of its standard input, output and error."""
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        return stdin, stdout, stderr

    def has_exited(self) -> bool:
        """Whether the process is over; it stays a zombie that holds its id."""
        if not hasattr(os, "waitid"):
            return self._process.poll() is not None
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.pid, flags) is not None

    def signal(self, sign: signal.Signals) -> None:
        """Send a signal to every process of the group; to nobody once it is reaped."""
        with self._signalling:
            if self._is_reaped:
                return
            # Where only zombies are left, macOS says "not permitted".
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, sign)

    def reap(self) -> int:
        """End what is left of the group, and the exit code (negative: the signal)."""
        self.signal(signal.SIGKILL)
        with self._signalling:
            self._is_reaped = True
            return self._process.wait()
