"""A short round of what `.ci/run` does a hundred times, and that it would notice a loss."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

KILLS = Path(__file__).with_name("kills.py")


def kill(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(KILLS), *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=200)


def test_nothing_that_had_finished_is_lost_when_processes_are_killed() -> None:
    done = kill("--kills", "5", "--seed", "3")

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("5 kills")
    assert re.search(r": [1-9][0-9]* cases promised, 0 lost", done.stdout)


def test_a_store_that_commits_too_late_is_found_out() -> None:
    done = kill("--kills", "2", "--seed", "3", "--gap", "60")

    assert done.returncode == 1
    assert "lost" in done.stdout
    assert done.stderr == ""
