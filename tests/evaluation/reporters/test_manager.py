"""The manager runs what is switched on; a reporter that raises stops no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.config import ReporterConfig
from tenxgraph_tui.evaluation.reporters.manager import ReporterManager
from tenxgraph_tui.evaluation.results import EvalReport


def test_console_json_and_html_are_on_by_default(
    report: EvalReport, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = ReporterManager(ReporterConfig()).run_all(report, str(tmp_path))
    assert output.console_output
    assert "2/4 passed" in capsys.readouterr().out
    assert output.generated_files == [output.json_path, output.html_path]
    assert EvalReport.from_file(output.generated_files[0]) == report
    assert not output.has_errors


def test_disabled_does_nothing_at_all(
    report: EvalReport, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "never made"
    output = ReporterManager(ReporterConfig(enabled=False)).run_all(report, str(folder))
    assert not output.console_output
    assert output.generated_files == []
    assert capsys.readouterr().out == ""
    assert not folder.exists()


def test_the_folder_of_the_config_is_below_the_working_directory(
    report: EvalReport, project: Path
) -> None:
    config = ReporterConfig(console=False, output_dir="reports", timestamp_files=False)
    output = ReporterManager(config).run_all(report)
    assert output.json_path == "reports/weather.json"
    assert (project / "reports" / "weather.json").is_file()


def test_a_reporter_that_raises_is_named_and_the_others_run(
    report: EvalReport, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    output = ReporterManager(ReporterConfig()).run_all(report, str(tmp_path / "file"))
    assert output.console_output
    assert capsys.readouterr().out
    assert [name for name, _ in output.errors] == ["JSONReporter", "HTMLReporter"]
    assert output.has_errors


def test_switches_reach_the_file(report: EvalReport, tmp_path: Path) -> None:
    config = ReporterConfig(console=False, include_actual_response=False)
    output = ReporterManager(config).run_all(report, str(tmp_path))
    assert "actual_response" not in Path(str(output.json_path)).read_text(encoding="utf-8")
