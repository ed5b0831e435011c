"""The manager runs what is switched on; a reporter that raises stops no other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.config import ReporterConfig
from tenxgraph_tui.evaluation.reporters.html import HTMLReporter
from tenxgraph_tui.evaluation.reporters.manager import ReporterManager
from tenxgraph_tui.evaluation.results import EvalReport
from tests.evaluation.reporters.samples import passing


def test_console_json_and_html_are_on_by_default(
    report: EvalReport, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = ReporterManager(ReporterConfig()).run_all(report, str(tmp_path))
    assert output.console_output
    assert "2/4 passed" in capsys.readouterr().out
    assert output.generated_files == [output.json_path, output.html_path]
    assert EvalReport.from_file(output.generated_files[0]) == report
    assert not output.has_errors


def test_every_format_in_the_documented_order(report: EvalReport, tmp_path: Path) -> None:
    config = ReporterConfig(console=False, junit_xml=True, markdown=True, timestamp_files=False)
    output = ReporterManager(config).run_all(report, str(tmp_path))
    names = ["weather.json", "weather.html", "weather_junit.xml", "weather.md"]
    assert output.generated_files == [str(tmp_path / name) for name in names]
    assert output.markdown_path == str(tmp_path / "weather.md")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
    assert all(path.stat().st_size for path in tmp_path.iterdir())


def test_sets_with_ids_alike_get_files_of_their_own(tmp_path: Path) -> None:
    config = ReporterConfig(console=False, junit_xml=True, markdown=True, timestamp_files=False)
    manager = ReporterManager(config)
    for eval_set_id in ("a/b", "a b"):
        manager.run_all(EvalReport.create(eval_set_id, [passing()]), str(tmp_path))
    assert len(list(tmp_path.iterdir())) == 8


def test_one_format_that_fails_stops_no_other_and_leaves_no_file(
    report: EvalReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def chunks(_: object, __: object) -> Iterator[str]:
        yield "<!doctype html>"
        raise RuntimeError("no page")

    monkeypatch.setattr(HTMLReporter, "chunks", chunks)
    config = ReporterConfig(console=False, junit_xml=True, markdown=True)
    output = ReporterManager(config).run_all(report, str(tmp_path))
    assert output.errors == [("HTMLReporter", "no page")]
    assert output.html_path is None
    assert {path.suffix for path in tmp_path.iterdir()} == {".json", ".xml", ".md"}


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
