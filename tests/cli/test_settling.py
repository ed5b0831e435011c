"""What was loaded before a run is not garbage that a run would look for."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

from tests.samples.test_outcomes import ROOT

PROGRAM = textwrap.dedent("""
    import gc, sys

    from tenxgraph_tui.cli.main import main

    loaded = len(gc.get_objects())
    code = main(["run", *sys.argv[1:]])
    left = len(gc.get_objects())
    print(code, gc.get_freeze_count() > loaded > left)
""")


def test_what_is_loaded_when_a_run_begins_is_left_out(tmp_path: Path) -> None:
    arguments = ["--quiet", "--report", "none", str(ROOT / "sample_evalsets/trains.evalset.json")]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split()[-2:] == ["1", "True"], done.stdout + done.stderr
