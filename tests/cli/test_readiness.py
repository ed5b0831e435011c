"""What a warm worker has loaded: all that a run needs, nothing that none needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import WriteSet, case
from tests.test_architecture import HEAVY

READY = "from tenxgraph_tui.cli.readiness import be_ready; import sys; be_ready({needs})"
LOADED = 'print(*{name.partition(".")[0] for name in sys.modules})'
RUN = """
import argparse, io
from tenxgraph_tui.cli import worker
before = set(sys.modules)
worker.Lines = lambda: io.BytesIO({line!r})
worker.execute(argparse.Namespace(warm=False, need=[]))
print(*{{name for name in set(sys.modules) - before if name.startswith("tenxgraph_tui")}})
"""


def lines_of(script: str, cwd: Path) -> list[str]:
    command = [sys.executable, "-P", "-c", script]
    done = subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True)
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_a_run_loads_nothing_more_of_ours(write_set: WriteSet, project: Path) -> None:
    from tenxgraph_tui.session.protocol import SetRequest, WorkerRequest

    sets = (SetRequest(path=str(write_set(case("a")))),)
    request = WorkerRequest(root=str(project), sets=sets, store=str(project / "runs.db"))

    *events, loaded = lines_of(READY.format(needs="") + RUN.format(line=request.line()), project)

    assert '"run_finished"' in events[-1]
    assert loaded == ""


def test_what_only_some_runs_need_is_loaded_for_those(project: Path) -> None:
    (plain,) = lines_of(f"{READY.format(needs='')}; {LOADED}", project)
    (judged,) = lines_of(f"{READY.format(needs=['judge'])}; {LOADED}", project)

    assert not {*HEAVY, "jinja2"} & set(plain.split())
    assert "jinja2" in judged.split()


@pytest.mark.parametrize("words", [["--warm"], ["--warm", "--need", "judge"]])
def test_one_that_nobody_asks_for_anything_leaves_without_a_word(
    words: list[str], project: Path
) -> None:
    command = [sys.executable, "-P", "-m", "tenxgraph_tui", "worker", *words]
    done = subprocess.run(command, cwd=project, input=b"", capture_output=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
