"""A file that is saved twice in one second is read twice, however alike the two are."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

PROGRAM = textwrap.dedent("""
    import sys
    from tenxgraph_tui.cli.bytecode import keep_no_fresh_bytecode

    keep_no_fresh_bytecode()
    sys.path.insert(0, ".")
    import prices

    print(prices.LIMIT)
""")


def limit_of(folder: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def save(folder: Path, limit: int, at: float) -> None:
    file = folder / "prices.py"
    file.write_text(f"LIMIT = {limit}\n")
    os.utime(file, (at, at))


def test_of_what_was_saved_just_now_no_bytecode_is_kept(tmp_path: Path) -> None:
    now = time.time() + 60  # however slow the machine is
    save(tmp_path, 1, now)
    assert limit_of(tmp_path) == "1"
    save(tmp_path, 2, now)
    assert limit_of(tmp_path) == "2"


def test_of_what_has_settled_bytecode_is_kept(tmp_path: Path) -> None:
    save(tmp_path, 1, time.time() - 60)
    assert limit_of(tmp_path) == "1"
    assert list((tmp_path / "__pycache__").glob("prices.*.pyc"))
