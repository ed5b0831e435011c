"""A case that changed shows what it was in the baseline."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult, Score
from tenxgraph_tui.tui.changes import Against, Change
from tenxgraph_tui.tui.panes import why
from tenxgraph_tui.tui.panes.before import before
from tenxgraph_tui.tui.panes.items import lines_of
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.space import Space
from tests.tui.panes.conftest import ANSWER, EXPECTED, call

CALLS = [
    call("get_weather", city="Tokyo"),
    call("get_forecast", city="Tokyo", days=1),
    call("get_alerts", city="Tokyo"),
]


def compared(
    model: DetailModel,
    earlier: EvalCaseResult,
    change: Change = Change.REGRESSED,
    status: CaseStatus = CaseStatus.PASSED,
) -> DetailModel:
    return replace(model, before=earlier, against=Against(change, status, 17))


def passed(answer: str = EXPECTED, calls: list[ToolCall] | None = None) -> EvalCaseResult:
    made = CALLS if calls is None else calls
    right = CriterionResult.judged("rouge_match", Score(1.0), 0.6)
    return EvalCaseResult.success("a", [right], actual_tool_calls=made, actual_response=answer)


def block(model: DetailModel, width: int = 100) -> list[str]:
    return [line.plain.rstrip() for line in lines_of(before(model, Space(width, 40)))]


def test_what_passed_before_shows_its_answer_and_its_calls(tokyo: DetailModel) -> None:
    title, *lines = block(compared(tokyo, passed()))
    assert title.startswith("─ In #17   passed ────")
    assert lines == [
        f"answer    {EXPECTED}",
        "calls     get_weather, get_forecast, get_alerts   = as expected",
    ]


def test_what_is_as_it_is_now_is_not_repeated(tokyo: DetailModel) -> None:
    assert tokyo.result is not None
    model = compared(tokyo, passed(ANSWER, tokyo.result.actual_tool_calls))
    assert block(model)[1:] == [
        "answer    the same",
        "calls     get_weather, get_forecast, search_web   = as now",
    ]


def test_calls_that_are_neither_have_no_mark(tokyo: DetailModel) -> None:
    assert block(compared(tokyo, passed("", [call("get_tides")])))[1:] == ["calls     get_tides"]
    assert block(compared(tokyo, passed("", [])))[1:] == ["calls     none"]


def test_what_failed_before_shows_what_was_wrong(tokyo: DetailModel) -> None:
    wrong = CriterionResult.judged("rouge_match", Score(0.2, "9 of 14 words differ"), 0.6)
    earlier = EvalCaseResult.success("a", [wrong], actual_response="No idea.")
    lines = block(compared(tokyo, earlier, Change.FIXED, CaseStatus.FAILED))
    assert lines[0].startswith("─ In #17   failed ─")
    assert lines[1] == "✗ rouge_match      0.20  needs 0.60   9 of 14 words differ"
    assert lines[2] == "answer    No idea."
    broken = EvalCaseResult.failure("a", "KeyError: 'rain'")
    lines = block(compared(tokyo, broken, Change.FIXED, CaseStatus.ERROR))
    assert lines[1] == "error     KeyError: 'rain'"


def test_what_is_as_it_was_is_no_news(tokyo: DetailModel) -> None:
    assert block(compared(tokyo, passed(), Change.SAME)) == []
    assert block(tokyo) == []


@pytest.mark.parametrize(
    ("height", "is_shown"), [(45, True), (32, True), (21, True), (20, False), (9, False)]
)
def test_it_is_shown_where_there_is_room(tokyo: DetailModel, height: int, is_shown: bool) -> None:
    lines = why.lines(compared(tokyo, passed()), 80, height)
    assert any("In #17" in line.plain for line in lines) is is_shown


def test_it_fits_any_pane(tokyo: DetailModel) -> None:
    model = compared(tokyo, passed("x" * 300, [call("y" * 90)] * 40))
    for width in range(1, 130):
        for one in before(model, Space(width, 40)):
            assert all(line.cell_length <= width for line in one.lines)


def test_its_parts_are_had_whole(tokyo: DetailModel) -> None:
    model = compared(tokyo, passed())
    picked = [one.picked for one in before(model, Space(80, 40)) if one.picked]
    assert [one.name for one in picked] == ["the answer in #17", "the calls in #17"]
    assert all(one.of_before for one in picked)
    whole = replace(model, before=passed("all of it"))
    assert picked[0].find(whole) == "all of it"
    assert [one["name"] for one in picked[1].find(whole)] == [one.name for one in CALLS]
