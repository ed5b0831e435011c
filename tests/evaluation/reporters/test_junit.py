"""The JUnit report: what CI servers count, in XML that a strict parser reads (B63, B65, D42)."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tenxgraph_tui.evaluation.reporters.included import Included
from tenxgraph_tui.evaluation.reporters.junit import JUnitXMLReporter
from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult, EvalReport
from tenxgraph_tui.evaluation.visible import visible
from tests.evaluation.reporters.samples import (
    HOSTILE,
    Endless,
    failing,
    known,
    passing,
    scored,
    surprising,
    telling,
)


def parsed(report: EvalReport) -> ET.Element:
    return ET.fromstring(JUnitXMLReporter().to_xml(report).encode())


def cases(report: EvalReport) -> dict[str, ET.Element]:
    return {case.attrib["name"]: case for case in parsed(report).iter("testcase")}


def properties(element: ET.Element) -> dict[str, str]:
    found = element.iterfind("properties/property")
    return {each.attrib["name"]: each.attrib["value"] for each in found}


def test_the_root_and_its_one_suite(report: EvalReport) -> None:
    root = parsed(report)
    (suite,) = root
    assert (root.tag, suite.tag) == ("testsuites", "testsuite")
    assert root.attrib == {
        "name": "agent-evaluation",
        "tests": "4",
        "failures": "1",
        "errors": "1",
        "skipped": "0",
        "time": "3.230",
    }
    at = suite.attrib.pop("timestamp")
    assert suite.attrib == root.attrib
    assert datetime.fromisoformat(at).timestamp() == 1_800_000_000
    assert datetime.fromisoformat(at).utcoffset() is not None


def test_what_the_suite_says_of_itself(report: EvalReport) -> None:
    (suite,) = parsed(report)
    facts = properties(suite)
    assert facts["eval_set_id"] == "weather"
    assert facts["eval_set_name"] == "Weather"
    assert facts["pass_rate"] == "0.5000"
    assert facts["config_used"] == '{"timeout": 2.0}'
    assert facts["target"] == "agents.py:weather"
    assert facts["criterion.rouge_match"] == "1/2 passed, average 0.7570"


def test_the_name_of_the_suite_is_the_callers(report: EvalReport) -> None:
    root = ET.fromstring(JUnitXMLReporter("nightly").to_xml(report))
    assert [each.attrib["name"] for each in (root, root[0])] == ["nightly", "nightly"]


def test_a_case(report: EvalReport) -> None:
    case = cases(report)["london_now"]
    assert case.attrib == {"name": "london_now", "classname": "weather", "time": "1.230"}
    assert [each.tag for each in case] == ["system-out"]
    assert "answer: Sunny" in (case[0].text or "")


def test_a_failed_case_has_one_failure_that_tells_all(report: EvalReport) -> None:
    case = cases(report)["tokyo"]
    assert [each.tag for each in case] == ["failure", "system-out"]
    assert case[0].attrib == {
        "type": "tool_trajectory_avg_score",
        "message": "trajectory 0.33, needs 1.00: first divergence: call 2, city; "
        "rouge_match 0.59, needs 0.60: 9 of 15 words differ",
    }
    body = case[0].text or ""
    assert 'called: get_weather(city="Kyoto")' in body
    assert "answer: 12 degrees in Kyoto" in body


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        (EvalCaseResult.failure("a", "ValueError: kaboom"), "ValueError"),
        (EvalCaseResult.failure("a", "turn 2: KeyError: 'x'"), "KeyError"),
        (EvalCaseResult.failure("a", "KeyboardInterrupt"), "KeyboardInterrupt"),
        (EvalCaseResult.failure("a", "timed out after 2 s"), "error"),
        (EvalCaseResult.success("a", []), "error"),
        (EvalCaseResult.success("a", [CriterionResult.failure("safety_v1", "x: y")]), "safety_v1"),
    ],
)
def test_an_error_says_of_what_kind_it_is(result: EvalCaseResult, kind: str) -> None:
    case = cases(EvalReport.create("s", [result]))["a"]
    (error,) = case.iterfind("error")
    assert error.attrib == {"type": kind, "message": result.error}
    assert case.find("failure") is None


def test_skipped_and_cancelled_cases_are_skipped(report: EvalReport) -> None:
    report.metadata |= {"skipped": {"later": "needs the new tool", "x": ""}, "cancelled": ["y"]}
    root = parsed(report)
    told = {
        case.attrib["name"]: skipped.attrib["message"]
        for case in root.iter("testcase")
        for skipped in case.iterfind("skipped")
    }
    assert told == {"later": "needs the new tool", "x": "skipped", "y": "cancelled"}
    assert (root.attrib["tests"], root.attrib["skipped"]) == ("7", "3")


def test_a_known_failure_has_passed() -> None:
    report = EvalReport.create("s", [known(), surprising()])
    found = cases(report)
    assert properties(found["wind"]) == {"xfail": "bug 7"}
    assert properties(found["uv"]) == {"unexpected_pass": "take xfail out of its metadata"}
    assert not list(parsed(report).iter("failure"))


def test_a_case_with_a_name_keeps_its_id() -> None:
    result = passing("a")
    result.name = "Alpha"
    assert properties(cases(EvalReport.create("s", [result]))["Alpha"]) == {"eval_id": "a"}


@pytest.mark.parametrize("text", HOSTILE)
def test_what_the_agent_said_is_read_back(text: str) -> None:
    report = EvalReport.create(text, [telling(text)], text, {text: text})
    report.metadata = {"skipped": {text: text}, "cancelled": [text], "file": text}
    case, *others = parsed(report).iter("testcase")
    assert len(others) == 2
    shown = visible(text)
    assert case.attrib["name"] == visible(f"{text} name")
    assert case.attrib["classname"] == shown
    if shown.strip():
        assert visible(text, multiline=True).strip() in (case.findtext("error") or "")
        assert visible(text, multiline=True).strip() in (case.findtext("system-out") or "")


def test_letters_that_xml_has_stay_as_they_are() -> None:
    result = failing(answer="🚀 中文 ]]> \x00 \ud83d")
    failure = cases(EvalReport.create("s", [result]))["tokyo"].findtext("failure") or ""
    assert r"🚀 中文 ]]> \x00 \ud83d" in failure


def test_counts_are_those_of_the_elements_even_if_the_summary_lies() -> None:
    error = passing("b")
    error.error = "broken"  # passed and an error: the error wins
    report = EvalReport(eval_set_id="s", results=[passing("a"), error, failing("c"), known()])
    root = parsed(report)
    elements = {tag: len(list(root.iter(tag))) for tag in ("testcase", "failure", "error")}
    assert elements == {"testcase": 4, "failure": 1, "error": 1}
    for each in (root, root[0]):
        assert [each.attrib[name] for name in ("tests", "failures", "errors")] == ["4", "1", "1"]


@pytest.mark.parametrize("letter", ["x", "日", "&", "\x00"])
def test_long_texts_are_cut_and_it_is_said(letter: str) -> None:
    result = failing(answer=letter * 300_000)
    result.criterion_results.append(scored("my_own", 0.0, 1.0, letter * 100_000))
    case = cases(EvalReport.create("s", [result]))["tokyo"]
    failure, output = case[0], case[1].text or ""
    assert len(failure.attrib["message"].encode()) <= 1000
    assert failure.attrib["message"].endswith("…")
    whole = len(visible(letter).encode()) * 400_000
    for text, limit in ((failure.text or "", 8 * 1024), (output, 16 * 1024)):
        kept, _, told = text.rpartition("\n")
        assert len(kept.encode()) <= limit
        left = int(told.removeprefix("… truncated, ").removesuffix(" bytes, see JSON"))
        assert 0 < whole - left < 2 * limit


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), -1.0])
def test_times_are_numbers(seconds: float) -> None:
    result = passing("a")
    result.duration_seconds = seconds
    root = parsed(EvalReport(eval_set_id="s", results=[result]))
    assert root.attrib["time"] == "0.000"
    assert [case.attrib["time"] for case in root.iter("testcase")] == ["0.000"]


def test_a_report_without_results() -> None:
    assert parsed(EvalReport.create("empty", [])).attrib["tests"] == "0"


def test_a_large_run_goes_through_a_temporary_file(tmp_path: Path) -> None:
    source = Endless(tmp_path, many=6000)
    root = ET.fromstring("".join(JUnitXMLReporter().chunks(source)))
    assert root.attrib["tests"] == "6000"
    assert sum(1 for _ in root.iter("testcase")) == 6000


def test_nothing_of_an_answer_without_answers() -> None:
    reporter = JUnitXMLReporter(included=Included(actual_response=False))
    assert "answer" not in reporter.to_xml(EvalReport.create("s", [failing(), passing()]))
