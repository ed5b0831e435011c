"""The JSON report is strict JSON that both we and 10xGraph read, and never half a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.evaluation.reporters.json import JSONReporter
from tenxgraph_tui.evaluation.results import EvalReport
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


def test_quick_save(report: EvalReport, tmp_path: Path) -> None:
    path = tmp_path / "exactly.json"
    JSONReporter.quick_save(report, str(path))
    assert EvalReport.from_file(str(path)) == report
