"""Several evaluations in a row: every report is kept and written once, whatever the others do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.errors import ConfigError, EvalSetNotFound, TargetError
from tenxgraph_tui.evaluation.batch import EvaluationRunner, run_eval
from tenxgraph_tui.evaluation.builder import create_simple_eval_set
from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.dataset import EvalSet
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.evaluation.reporters.manager import ReporterManager, ReporterOutput
from tenxgraph_tui.evaluation.results import ReportSource
from tests.evaluation.agents import QUIET, saying

GOOD = {"Hello": "Hi there"}


def one(eval_set_id: str, expected: str = "Hi there") -> EvalSet:
    return create_simple_eval_set(eval_set_id, [("Hello", expected, None)])


@pytest.fixture
def reported(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the sets whose reporters ran, in order."""
    ids: list[str] = []

    def run_all(
        _: ReporterManager, report: ReportSource, output_dir: str | None = None
    ) -> ReporterOutput:
        assert output_dir is None
        ids.append(report.eval_set_id)
        return ReporterOutput()

    monkeypatch.setattr(ReporterManager, "run_all", run_all)
    return ids


async def test_d34_two_apps_from_create_eval_app_are_both_heard() -> None:
    runner = EvaluationRunner(QUIET)
    assert runner.summary == {"total_evaluations": 0}
    two = create_simple_eval_set("two", [("a", "one", None), ("b", "two", None)])
    reports = await runner.run(
        [(*saying(GOOD), one("one")), (*saying({"a": "one", "b": "nothing like it"}), two)]
    )
    assert reports is runner.results
    assert list(reports) == ["one", "two"]
    responses = [[r.actual_response for r in report.results] for report in reports.values()]
    assert responses == [["Hi there"], ["one", "nothing like it"]]
    assert runner.summary == {
        "total_evaluations": 2,
        "total_cases": 3,
        "passed_cases": 2,
        "overall_pass_rate": pytest.approx(2 / 3),
    }


async def test_d41_each_report_is_written_once(reported: list[str]) -> None:
    runner = EvaluationRunner(EvalPresets.quick_check())
    app = saying(GOOD)
    await runner.run([(*app, one("s1")), (*app, one("s2"))])
    assert reported == ["s1", "s2"]
    await runner.run([(*app, one("s3"))])
    assert reported == ["s1", "s2", "s3"]


async def test_no_reporter_runs_where_they_are_switched_off(reported: list[str]) -> None:
    await EvaluationRunner().run([(*saying(GOOD), one("s"))], config=QUIET)
    assert reported == []


async def test_d41_a_set_that_cannot_be_run_stops_no_other(
    reported: list[str], tmp_path: Path
) -> None:
    broken = tmp_path / "broken.evalset.json"
    broken.write_text("{")
    last = tmp_path / "last.evalset.json"
    one("last").to_file(str(last))
    runner = EvaluationRunner(EvalPresets.quick_check())
    evaluations: list[Any] = [
        (*saying(GOOD), one("first")),
        (*saying(GOOD), "nope.json"),
        (*saying(GOOD), str(broken)),
        (3, saying(GOOD)[1], one("no agent")),
        ("not", "three"),
        (*saying(GOOD), str(last)),
    ]
    with pytest.raises(ExceptionGroup) as caught:
        await runner.run(evaluations)
    assert list(runner.results) == ["first", "last"]
    assert reported == ["first", "last"]
    told = str(caught.value)
    assert "4 of 6" in told
    for name in ("nope.json", str(broken), "no agent", "evaluations[4]"):
        assert name in told
    kinds = [type(error) for error in caught.value.exceptions]
    assert kinds[0] is EvalSetNotFound
    assert kinds[2:] == [TargetError, TypeError]
    assert caught.value.exceptions[0].__notes__ == ["evaluations[1]: nope.json"]


async def test_a_later_report_takes_the_place_of_one_with_its_id(reported: list[str]) -> None:
    runner = EvaluationRunner(EvalPresets.quick_check())
    app = saying(GOOD)
    await runner.run([(*app, one("same")), (*app, one("same", "something else"))])
    assert runner.summary["passed_cases"] == 0
    assert runner.summary["total_evaluations"] == 1
    assert reported == ["same", "same"]


async def test_ids_that_sanitise_alike_get_files_of_their_own(tmp_path: Path) -> None:
    config = EvalPresets.quick_check()
    config.reporter.console = config.reporter.html = False
    config.reporter.timestamp_files = False
    config.reporter.output_dir = str(tmp_path / "out")
    app = saying(GOOD)
    await EvaluationRunner(config).run([(*app, one("a/b")), (*app, one("a b"))])
    assert len(list((tmp_path / "out").glob("a_b*.json"))) == 2


async def test_a_reporter_that_fails_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    config = EvalPresets.quick_check()
    config.reporter.console = config.reporter.html = False
    taken = tmp_path / "taken"
    taken.touch()
    config.reporter.output_dir = str(taken)
    reports = await EvaluationRunner(config).run([(*saying(GOOD), one("s"))])
    assert reports["s"].passed
    assert "JSONReporter failed" in caplog.text


async def test_nothing_to_run_is_no_evaluation() -> None:
    runner = EvaluationRunner(QUIET)
    assert await runner.run([]) == {}
    assert runner.summary == {"total_evaluations": 0}
    await runner.run([(*saying(GOOD), EvalSet(eval_set_id="empty"))])
    assert runner.summary["overall_pass_rate"] == 0.0
    assert not runner.results["empty"].passed


def test_the_config_of_a_runner_defaults_to_the_documented_one() -> None:
    assert EvaluationRunner().default_config == EvalConfig.default()


async def test_run_eval_reads_the_file(tmp_path: Path) -> None:
    path = tmp_path / "hello.evalset.json"
    one("hello").to_file(str(path))
    assert (await run_eval(*saying(GOOD), str(path), QUIET)).passed
    with pytest.raises(FileNotFoundError, match=r"nope\.json"):
        await run_eval(*saying(GOOD), "nope.json", QUIET)
    with pytest.raises(ConfigError, match="no criterion is enabled"):
        await run_eval(*saying(GOOD), str(path), EvalConfig())
