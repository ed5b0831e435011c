"""The JSON report is strict JSON that both we and 10xGraph read, and never half a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.evaluation.reporters.json import JSONReporter
from tenxgraph_tui.evaluation.results import EvalCaseResult, EvalReport, EvalSummary
from tests.evaluation.reporters.samples import failing, passing


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


def strictly(text: str | bytes) -> Any:
    return json.loads(text, parse_constant=refuse)


def written(report: EvalReport, folder: Path, **options: bool) -> Any:
    path = JSONReporter(**options).generate(report, str(folder))
    return strictly(Path(path).read_bytes())


def test_what_is_written_reads_as_the_same_report(report: EvalReport, tmp_path: Path) -> None:
    path = JSONReporter().generate(report, str(tmp_path / "made" / "if need be"))
    assert EvalReport.from_file(path) == report


@pytest.mark.parametrize("indent", [None, 0, 2, 4])
def test_text_dict_and_indentation_agree(report: EvalReport, indent: int | None) -> None:
    reporter = JSONReporter(indent=indent)
    assert strictly(reporter.to_json(report)) == json.loads(json.dumps(reporter.to_dict(report)))


def test_it_is_indented_like_the_json_module_does_it(report: EvalReport) -> None:
    reporter = JSONReporter()
    whole = json.dumps(reporter.to_dict(report), indent=2, ensure_ascii=False)
    assert reporter.to_json(report) == whole


def test_a_report_without_results(tmp_path: Path) -> None:
    assert written(EvalReport.create("empty", []), tmp_path)["results"] == []


@pytest.mark.parametrize(
    ("switch", "gone"),
    [
        ("include_trajectory", {"actual_trajectory"}),
        ("include_tool_call_details", {"actual_tool_calls"}),
        ("include_node_responses", {"node_responses", "node_details"}),
        ("include_actual_response", {"actual_response"}),
    ],
)
def test_a_switch_that_is_off_leaves_its_fields_out(
    report: EvalReport, tmp_path: Path, switch: str, gone: set[str]
) -> None:
    everything = set(written(report, tmp_path)["results"][0])
    left = set(written(report, tmp_path, **{switch: False})["results"][0])
    assert everything - left == gone


def test_details_of_criteria_are_left_out(report: EvalReport, tmp_path: Path) -> None:
    result = written(report, tmp_path, include_details=False)["results"][0]
    assert all("details" not in criterion for criterion in result["criterion_results"])


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(float("nan"), id="no number"),
        pytest.param(float("inf"), id="infinity"),
        pytest.param("\ud83d", id="half a surrogate pair"),
        pytest.param({"\ud83d": 1}, id="half a pair in a key"),
        pytest.param(b"\xff", id="bytes"),
        pytest.param({1, 2}, id="a set"),
        pytest.param(object(), id="an object"),
        pytest.param({1: {"a": (1, 2)}}, id="a key that is no text"),
        pytest.param("NUL \x00 ESC \x1b U+FFFF \uffff \u2028 🚀 中文", id="any text"),
    ],
)
def test_any_value_gives_strict_json(value: Any, tmp_path: Path) -> None:
    result = passing()
    result.metadata = {"value": value}
    result.criterion_results[0].details = {"value": value}
    read = written(EvalReport.create("s", [result]), tmp_path)["results"][0]["metadata"]["value"]
    if isinstance(value, str):
        assert read == value


def test_other_scripts_stay_readable(tmp_path: Path) -> None:
    path = JSONReporter().generate(EvalReport.create("s", [failing("日本")]), str(tmp_path))
    assert "日本".encode() in Path(path).read_bytes()


def test_two_reports_of_the_same_second_are_two_files(report: EvalReport, tmp_path: Path) -> None:
    first, second = (JSONReporter().generate(report, str(tmp_path)) for _ in range(2))
    assert second == first.replace(".json", "-2.json")
    assert len(list(tmp_path.iterdir())) == 2


def test_without_a_time_stamp_the_file_is_replaced(report: EvalReport, tmp_path: Path) -> None:
    reporter = JSONReporter(timestamp_files=False)
    assert {reporter.generate(report, str(tmp_path)) for _ in range(2)} == {
        str(tmp_path / "weather.json")
    }


class Endless:
    """A run of any size: its results exist one at a time."""

    eval_set_id = eval_set_name = "large"
    config_used: dict[str, Any] = {}  # noqa: RUF012 - read only
    metadata: dict[str, Any] = {}  # noqa: RUF012 - read only
    timestamp = 0.0
    summary = EvalSummary()

    def __init__(self, path: Path, *, fail_at: int = -1) -> None:
        self.folder, self.fail_at = path, fail_at
        self.sizes: list[int] = []

    def iter_results(self, *, noteworthy: bool = False) -> Iterator[EvalCaseResult]:
        for number in range(300):
            if number == self.fail_at:
                raise OSError("the store is gone")
            self.sizes.append(sum(file.stat().st_size for file in self.folder.iterdir()))
            yield passing(f"case_{number}")


def test_results_are_written_as_they_are_read(tmp_path: Path) -> None:
    source = Endless(tmp_path)
    JSONReporter().generate(source, str(tmp_path))
    assert source.sizes[-1] > source.sizes[100] > 0


@pytest.mark.parametrize("timestamp_files", [True, False])
def test_a_report_that_fails_leaves_nothing_behind(
    tmp_path: Path,
    timestamp_files: bool,
) -> None:
    reporter = JSONReporter(timestamp_files=timestamp_files)
    with pytest.raises(OSError, match="the store is gone"):
        reporter.generate(Endless(tmp_path, fail_at=7), str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_quick_save(report: EvalReport, tmp_path: Path) -> None:
    path = tmp_path / "exactly.json"
    JSONReporter.quick_save(report, str(path))
    assert EvalReport.from_file(str(path)) == report
