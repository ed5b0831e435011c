"""Which process writes a run, and whether it still does: how an interrupted run is told apart."""

from __future__ import annotations

import os
import platform
from pathlib import Path

from pydantic import BaseModel, ConfigDict

BOOT = Path("/proc/sys/kernel/random/boot_id")
START_FIELD = 19  # of what follows the program's name in /proc/PID/stat: when it was started
TOO_OLD = 24 * 3600.0


class Owner(BaseModel):
    """A process, told apart from a later one with the same id where the system allows that."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    host: str
    boot: str
    pid: int
    start: str

    @classmethod
    def this_process(cls) -> Owner:
        """The process that calls."""
        pid = os.getpid()
        return cls(host=platform.node(), boot=_boot(), pid=pid, start=_start(pid))

    def may_be_writing(self, age: float) -> bool:
        """Whether a run of this owner that began `age` seconds ago may still be going on.

        Of a process on another machine only the age is known: a day is too old.
        """
        if self.host != platform.node():
            return age < TOO_OLD
        if self.boot != _boot() or not _exists(self.pid):
            return False
        return self.start == _start(self.pid) if self.start else age < TOO_OLD


def _exists(pid: int) -> bool:
    if os.name == "nt":
        return True  # there, asking with signal 0 would interrupt the process
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # somebody else's
    return True


def _boot() -> str:
    try:
        return BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _start(pid: int) -> str:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()
    is_a_zombie = fields[0] == "Z"
    return "" if is_a_zombie else fields[START_FIELD]
