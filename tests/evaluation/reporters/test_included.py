"""What a switch leaves out is nowhere in the file, whatever its format (D43)."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from tenxgraph_tui.evaluation.config import ReporterConfig
from tenxgraph_tui.evaluation.reporters.console import ConsoleReporter
from tenxgraph_tui.evaluation.reporters.html import HTMLReporter
from tenxgraph_tui.evaluation.reporters.included import EVERYTHING, LEFT_OUT, Included
from tenxgraph_tui.evaluation.reporters.json import JSONReporter
from tenxgraph_tui.evaluation.reporters.junit import JUnitXMLReporter
from tenxgraph_tui.evaluation.reporters.markdown import MarkdownReporter
from tenxgraph_tui.evaluation.results import EvalReport
from tests.evaluation.reporters.samples import passing, secretive

Render = Callable[..., str]


def as_json(report: EvalReport, **switches: bool) -> str:
    return JSONReporter(**switches).to_json(report)


def as_html(report: EvalReport, **switches: bool) -> str:
    return HTMLReporter(**switches).to_html(report)


def as_junit(report: EvalReport, **switches: bool) -> str:
    return JUnitXMLReporter(included=included(switches)).to_xml(report)


def as_markdown(report: EvalReport, **switches: bool) -> str:
    return MarkdownReporter(included=included(switches)).to_markdown(report)


def as_text(report: EvalReport, **switches: bool) -> str:
    out = io.StringIO()
    ConsoleReporter(output=out, verbose=True, included=included(switches)).report(report)
    return out.getvalue()


def included(switches: dict[str, bool]) -> Included:
    return Included.by(ReporterConfig.model_validate(switches))


FORMATS = [as_json, as_html, as_junit, as_markdown, as_text]
SWITCHES = {
    "include_actual_response": ["SECRET-ANS"],
    "include_tool_call_details": ["SECRET-ARG", "SECRET-RESULT"],
    "include_trajectory": ["SECRET-STEP"],
    "include_node_responses": ["SECRET-NODE"],
    "include_details": ["SECRET-DETAIL"],
}
SHORT = {as_markdown, as_text}
"""Formats that never list the steps and nodes, or the results of calls."""


def everything(switch: str) -> dict[str, bool]:
    return {name: name != switch for name in SWITCHES}


@pytest.fixture
def secrets() -> EvalReport:
    return EvalReport.create("s", [secretive(), passing()])


@pytest.mark.parametrize("render", FORMATS)
@pytest.mark.parametrize("switch", SWITCHES)
def test_a_switch_that_is_off_leaves_nothing(
    render: Render, switch: str, secrets: EvalReport
) -> None:
    text = "".join(render(secrets, **everything(switch)).split())
    assert [secret for secret in SWITCHES[switch] if secret in text] == []


@pytest.mark.parametrize("render", FORMATS)
@pytest.mark.parametrize("switch", SWITCHES)
def test_the_others_leave_it_there(render: Render, switch: str, secrets: EvalReport) -> None:
    left_out = {"SECRET-STEP", "SECRET-NODE"} if render in SHORT else set()
    wanted = set(SWITCHES[switch]) - left_out
    text = "".join(render(secrets).split())
    assert {secret for secret in SWITCHES[switch] if secret in text} >= wanted


@pytest.mark.parametrize("render", FORMATS)
def test_all_off(render: Render, secrets: EvalReport) -> None:
    text = render(secrets, **dict.fromkeys(SWITCHES, False))
    assert "SECRET" not in text
    assert "secretive" in text


@pytest.fixture
def left(secrets: EvalReport) -> Callable[..., dict[str, Any]]:
    def read(*off: str) -> dict[str, Any]:
        switches = {name: name not in off for name in SWITCHES}
        result: dict[str, Any] = json.loads(as_json(secrets, **switches))["results"][0]
        return result

    return read


def test_without_answers_the_rest_of_the_conversation_stays(
    left: Callable[..., dict[str, Any]],
) -> None:
    messages = left("include_actual_response")["messages"]
    assert [(each["role"], bool(each["content"])) for each in messages] == [
        ("user", True),
        ("assistant", False),
        ("tool", True),
        ("assistant", False),
        ("narrator", False),
    ]
    assert messages[1]["tool_calls"][0]["function"]["arguments"] == '{"q": "SECRET-ARG"}'


def test_without_tool_details_the_names_stay(left: Callable[..., dict[str, Any]]) -> None:
    result = left("include_tool_call_details")
    assert [step["name"] for step in result["actual_trajectory"]] == ["SECRET-STEP", "search"]
    assert result["actual_trajectory"][1]["metadata"] == {"seconds": 0.5, "node": "MAIN"}
    assert result["messages"][1]["tool_calls"] == [
        {"id": "1", "type": "function", "function": {"name": "search"}}
    ]
    assert result["messages"][3]["content"] == [{"type": "text", "text": "It is SECRET-ANSWER."}]


def test_reasons_stay_where_they_quote_nothing(left: Callable[..., dict[str, Any]]) -> None:
    criteria = {
        each["criterion"]: each["details"]
        for each in left("include_actual_response")["criterion_results"]
    }
    assert criteria["rouge_match"]["reason"] == "2 of 3 words differ"
    assert criteria["rouge_match"]["expected_response"] == "expected"
    assert criteria["exact_match"] == {"reason": LEFT_OUT}
    assert criteria["final_response_match_v2"] == {"reason": LEFT_OUT, "n": 3}


def test_an_exact_match_may_say_why_where_answers_are_included(
    left: Callable[..., dict[str, Any]],
) -> None:
    criteria = left("include_tool_call_details")["criterion_results"]
    assert criteria[2]["details"]["reason"] == "expected 'x' / got 'is SECRET-ANS'"


def test_an_echo_does_not_take_the_question_away() -> None:
    result = secretive()
    result.actual_response = "the question"
    kept = Included(actual_response=False).of(result)
    assert kept.messages[0] == {"role": "user", "content": "the question"}


def test_an_answer_in_the_name_of_the_user_is_one() -> None:
    result = secretive()
    result.messages.append({"role": "user", "content": " It is SECRET-ANSWER."})
    kept = Included(actual_response=False).of(result)
    assert kept.messages[-1]["content"] == ""


def test_the_result_itself_is_never_changed(secrets: EvalReport) -> None:
    before = secrets.results[0].model_dump()
    as_json(secrets, **dict.fromkeys(SWITCHES, False))
    assert secrets.results[0].model_dump() == before
    assert EVERYTHING.of(secrets.results[0]) is secrets.results[0]


def test_files_without_something_can_be_read_again(secrets: EvalReport) -> None:
    text = as_json(secrets, **dict.fromkeys(SWITCHES, False))
    assert EvalReport.model_validate_json(text).summary == secrets.summary
