"""Report files of every kind appear whole or not at all, and none takes another's place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.reporters.file import FileReporter
from tenxgraph_tui.evaluation.reporters.html import HTMLReporter
from tenxgraph_tui.evaluation.reporters.json import JSONReporter
from tenxgraph_tui.evaluation.results import EvalReport
from tests.evaluation.reporters.samples import HOSTILE, Endless, telling


def test_a_file_has_the_time_in_its_name(
    writer: type[FileReporter], report: EvalReport, tmp_path: Path
) -> None:
    path = Path(writer().generate(report, str(tmp_path / "made" / "if need be")))
    assert path.name.startswith("weather_20270115_")
    assert path.name.endswith(writer.ending)
    assert path.read_text(encoding="utf-8") == "".join(writer().chunks(report))


def test_two_reports_of_the_same_second_are_two_files(
    writer: type[FileReporter], report: EvalReport, tmp_path: Path
) -> None:
    first, second = (Path(writer().generate(report, str(tmp_path))) for _ in range(2))
    assert second.stem == f"{first.stem}-2"
    assert first.read_bytes() == second.read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


def test_without_a_time_stamp_the_file_is_replaced(
    writer: type[FileReporter], report: EvalReport, tmp_path: Path
) -> None:
    path = tmp_path / f"weather{writer.ending}"
    path.write_text("of yesterday")
    assert writer(timestamp_files=False).generate(report, str(tmp_path)) == str(path)
    assert "of yesterday" not in path.read_text(encoding="utf-8")
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("timestamp_files", [True, False])
@pytest.mark.parametrize("fail_at", [0, 7])
def test_a_report_that_fails_leaves_nothing_behind(
    writer: type[FileReporter], tmp_path: Path, timestamp_files: bool, fail_at: int
) -> None:
    reporter = writer(timestamp_files=timestamp_files)
    with pytest.raises(OSError, match="the store is gone"):
        reporter.generate(Endless(tmp_path, fail_at=fail_at), str(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("writer", [JSONReporter, HTMLReporter])
def test_results_are_written_as_they_are_read(writer: type[FileReporter], tmp_path: Path) -> None:
    source = Endless(tmp_path)
    writer().generate(source, str(tmp_path))
    assert source.sizes[-1] > source.sizes[150] > 0


def test_each_result_is_read_once(writer: type[FileReporter], tmp_path: Path) -> None:
    source = Endless(tmp_path, many=20)
    "".join(writer().chunks(source))
    assert len(source.sizes) == 20


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("passed", [True, False])
def test_whatever_the_agent_says_gives_a_file(
    writer: type[FileReporter], tmp_path: Path, text: str, passed: bool
) -> None:
    report = EvalReport.create(text, [telling(text, passed=passed)], text, {text: text})
    report.metadata = {"file": text, "target": text, "skipped": {text: text}, "cancelled": [text]}
    path = Path(writer().generate(report, str(tmp_path)))
    assert path.stat().st_size
    path.read_text(encoding="utf-8")


def test_a_report_without_results_is_a_file_too(writer: type[FileReporter], tmp_path: Path) -> None:
    assert Path(writer().generate(EvalReport.create("empty", []), str(tmp_path))).stat().st_size
