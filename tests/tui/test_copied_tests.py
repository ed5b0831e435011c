"""A test that is copied from the dashboard runs without it, and fails for the reason it shows."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.progress import NOT_PASSED
from tenxgraph_tui.evaluation.results import CaseKey, Verdict
from tenxgraph_tui.tui.app import TenxApp
from tenxgraph_tui.tui.screens.copies import CopyScreen
from tenxgraph_tui.tui.start import make_app
from tenxgraph_tui.tui.widgets.case_table import CaseTable
from tests.tui.script import until

SAMPLES = Path(__file__).parents[2] / "sample_evalsets"
WHAT = (
    "evals/weather.evalset.json",
    "evals/support.evalset.json::change_address_then_confirm",
    "evals/broken.evalset.json::agent_raises",
    "evals/broken.evalset.json::nothing_to_check",
)


@pytest.fixture
def samples(project: Path) -> Path:
    """The samples in a folder of a project, and a run of most of them that fail."""
    shutil.copytree(SAMPLES, project / "evals")
    run(["-m", "tenxgraph_tui", "run", *WHAT, "--quiet"])
    return project


def run(words: list[str]) -> str:
    """Run Python in the current folder; what it says."""
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, check=False, timeout=120
    )
    return done.stdout + done.stderr


async def copied_tests(app: TenxApp) -> dict[CaseKey, str]:
    """The test of every case that did not pass, as it is in the clipboard after `y`."""
    texts: dict[CaseKey, str] = {}
    async with app.run_test(size=(160, 45), notifications=True) as pilot:
        await until(pilot, lambda: app.desk.state.finished_at is not None)
        for case in app.desk.state.cases.values():
            if case.status in NOT_PASSED:
                app.screen.query_one(CaseTable).put_cursor(case.key)
                app.copy_to_clipboard("")
                await pilot.press("y")
                await until(pilot, lambda: isinstance(app.screen, CopyScreen))
                await pilot.press("end", "enter")
                await until(pilot, lambda: bool(app.clipboard))
                texts[case.key] = app.clipboard
    return texts


async def test_a_copied_test_fails_for_the_reason_that_the_dashboard_shows(samples: Path) -> None:
    app, control = make_app(paths=[], run="last")
    try:
        texts = await copied_tests(app)
    finally:
        control.close()
    cases = app.desk.state.cases
    assert {cases[key].status for key in texts} == {CaseStatus.FAILED, CaseStatus.ERROR}
    assert len(texts) > 3
    for place, text in enumerate(texts.values()):
        (samples / f"test_{place}.py").write_text(text, encoding="utf-8")

    told = run(["-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", "--color=no"])

    assert f"{len(texts)} failed" in told
    assert "passed" not in told.splitlines()[-1]
    for key in texts:
        assert_told(told, key, app)


def assert_told(told: str, key: CaseKey, app: TenxApp) -> None:
    """The error, or every criterion that failed with its score and the words of its reason."""
    case = app.desk.state.cases[key]
    if case.error is not None:
        assert case.error in told
        return
    failed = [one for one in case.verdicts.values() if one.verdict is Verdict.FAILED]
    assert failed
    for verdict in failed:
        score = numbers.score(verdict.score, passed=False)
        assert f"{verdict.criterion} {score}, needs" in told
        assert verdict.reason in told
