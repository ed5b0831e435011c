"""What nobody wrote on purpose starts no run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.session.watching.followed import Followed, Role
from tenxgraph_tui.session.watching.ground import matters
from tenxgraph_tui.session.watching.ignoring import Ignoring

ROOT = Path("/p")


@pytest.mark.parametrize(
    "name",
    [
        ".git/index",
        ".git/HEAD.evalset.json",
        ".venv/lib/agents.py",
        "venv/lib/agents.py",
        "node_modules/x/y.py",
        "lib/__pycache__/a.cpython-311.pyc",
        "lib/site-packages/x.py",
        ".tenxgraph-tui/runs.db-wal",
        ".tenxgraph-tui/x.evalset.json",
        ".mypy_cache/a.py",
        ".agents.py.swp",
        "agents.py~",
        "4913",
        "#agents.py#",
        ".#agents.py",
        "agents.py.tmp",
        "sedA1b2C3",
        "agents.py___jb_tmp___",
        "agents.py.tmp.12345.678",
        "weather_20260101_120000.json",
        "weather_20260101_120000_junit.xml",
        "reports/last.json",
        "reports/deep/last.html",
    ],
)
def test_outputs_caches_and_leftovers_are_ignored(name: str) -> None:
    assert Ignoring(ROOT, [ROOT / "reports"]).ignores(ROOT / name)


@pytest.mark.parametrize(
    "name",
    [
        "agents.py",
        "prompts/system.md",
        "evals/weather.evalset.json",
        "sediment.py",
        "temporary.py",
        "environment/a.py",
        "reports.py",
        "reports/weather.evalset.json",
        "reports/tables.py",
    ],
)
def test_work_is_not_ignored_wherever_it_lies(name: str) -> None:
    assert not Ignoring(ROOT, [ROOT / "reports"]).ignores(ROOT / name)


def test_reports_that_go_into_the_root_do_not_hide_it() -> None:
    assert not Ignoring(ROOT, [ROOT]).ignores(ROOT / "agents.py")


def test_what_the_agent_reads_is_followed_whatever_it_is_called() -> None:
    path = ROOT / ".env"
    followed = Followed(ROOT, {path: Role.DATA})
    assert matters(path, followed, Ignoring(ROOT))
    assert not matters(ROOT / ".envrc", followed, Ignoring(ROOT))


def test_what_runs_write_themselves_is_not_followed_even_if_they_read_it() -> None:
    path = ROOT / "memory.json"
    followed = Followed(ROOT).with_used([str(path)]).with_used([], [str(path)])
    assert not matters(path, followed, Ignoring(ROOT))
    assert path not in followed.with_used([str(path)]).files
