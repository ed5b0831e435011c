"""The timeline keeps expected and actual in step, and says where they part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tenxgraph_tui.evaluation.dataset import EvalCase, ToolCall, TrajectoryStep
from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult, EvalCaseResult, Score
from tenxgraph_tui.tui.changes import Against, Change
from tenxgraph_tui.tui.panes import trajectory
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.step_picked import picked_of
from tenxgraph_tui.tui.panes.steps import timeline
from tenxgraph_tui.tui.panes.trajectory import draw
from tests.tui.panes.conftest import ANSWER, START


def shown(model: DetailModel, width: int, height: int, selected: int = 0) -> list[str]:
    return [line.plain.rstrip() for line in trajectory.lines(model, width, height, selected)]


def columns(line: str) -> list[str]:
    return re.split(r"  +", line.strip())


def long_case(calls: int = 60, wrong_at: int = 40) -> DetailModel:
    expected = [ToolCall(name="look", args={"page": page}) for page in range(calls)]
    actual = [
        ToolCall(name="look", args={"page": page if page != wrong_at else -1})
        for page in range(calls)
    ]
    case = EvalCase.single_turn("long", "Look at all pages", expected_tools=expected)
    verdict = CriterionResult.judged("tool_trajectory_avg_score", Score(0.98), 1.0)
    steps = [TrajectoryStep.tool(call.name, call.args) for call in actual]
    result = EvalCaseResult.success("long", [verdict], steps, actual)
    return DetailModel(CaseKey(0, "long"), case, result)


def test_steps_stand_in_the_order_in_which_they_happened(tokyo: DetailModel) -> None:
    lines = shown(tokyo, 100, 30)
    assert [columns(line) for line in lines[1:10]] == [
        ["1", "MAIN", "MAIN", "= same", "0ms", "620ms"],
        ["2", *['get_weather(city="Tokyo")'] * 2, "= same", "620ms", "210ms"],
        ["3", "MAIN", "MAIN", "= same", "830ms", "480ms"],
        ["▸ first divergence " + "─" * 79],
        [
            "4",
            'get_forecast(city="Tokyo" …)',
            'get_forecast(city="Kyoto" …)',
            "≠ city",
            "1.3s",
            "180ms",
        ],
        ["5", "MAIN", "MAIN", "= same", "1.5s", "210ms"],
        ["6", 'get_alerts(city="Tokyo")', "–", "- missing"],
        ["7", "–", 'search_web(query="kyoto umbr…") + extra', "1.7s", "120ms"],
        ["8", "MAIN", "MAIN", "= same", "1.8s", "90ms"],
    ]


def test_the_first_divergence_is_the_first_step_that_costs_score(tokyo: DetailModel) -> None:
    assert timeline(tokyo).divergence == 3


def test_the_selected_step_shows_each_argument_and_the_result(tokyo: DetailModel) -> None:
    lines = shown(tokyo, 100, 30, selected=3)
    at = next(i for i, line in enumerate(lines) if line.startswith("─ Step 4  get_forecast"))
    assert lines[at].endswith(" requested by MAIN, call 2 ─")
    assert [columns(line) for line in lines[at + 1 : at + 4]] == [
        ["argument", "expected", "actual"],
        ["city", '"Tokyo"', '"Kyoto"', "≠ differs"],
        ["days", "1", "1", "= same"],
    ]
    assert '"summary": "dry, light wind from the west"' in lines[at + 7]


def test_a_call_that_raised_shows_its_error(tokyo: DetailModel) -> None:
    assert "error       TimeoutError: no answer after 3 s" in shown(tokyo, 100, 30, selected=6)


def test_a_node_shows_what_it_said(tokyo: DetailModel) -> None:
    lines = shown(tokyo, 160, 30, selected=7)
    assert any(line.startswith("said        No, rain is unlikely in Kyoto") for line in lines)
    assert "tokens      168 in, 44 out" in lines


def test_nodes_that_nobody_expects_are_context(tokyo: DetailModel) -> None:
    assert tokyo.case is not None
    tokyo.case.conversation[0].expected_node_order = []
    lines = shown(tokyo, 80, 24)
    assert columns(lines[1]) == ["1", "MAIN"]
    assert "+ extra" not in lines[1]


def test_nodes_that_no_criterion_checks_never_diverge(tokyo: DetailModel) -> None:
    assert tokyo.case is not None
    assert tokyo.result is not None
    tokyo.case.conversation[0].expected_node_order = ["ROUTER", "MAIN"]
    del tokyo.result.criterion_results[2]
    assert timeline(tokyo).divergence == 4
    assert timeline(tokyo).steps[4].name == "get_forecast"


def test_calls_that_nothing_was_expected_of_are_context(tokyo: DetailModel) -> None:
    assert tokyo.case is not None
    assert tokyo.result is not None
    tokyo.case.conversation[0].expected_tool_trajectory = []
    tokyo.result.criterion_results = []
    assert timeline(tokyo).divergence is None
    assert all(step.is_context for step in timeline(tokyo).steps if step.is_tool)


def test_each_turn_has_a_line_with_its_question(moved: DetailModel) -> None:
    lines = shown(moved, 100, 30)
    assert lines[3].strip() == "turn 2  Seestrasse 12, 8004 Zürich."
    assert lines[5].startswith("  ▸ first divergence ")
    assert "≠ street" in lines[6]


def test_a_value_is_cut_around_the_place_where_it_differs(moved: DetailModel) -> None:
    row = shown(moved, 80, 30)[6]
    assert '12"' in row
    assert '21"' in row


def test_calls_that_ran_in_another_order_than_requested_keep_their_arguments() -> None:
    first, second = (ToolCall(name="look", args={"page": page}) for page in (1, 2))
    case = EvalCase.single_turn("a", "Look", expected_tools=[first, second])
    steps = [TrajectoryStep.tool("look", {"page": page}, page * 1.0) for page in (2, 1)]
    result = EvalCaseResult.success("a", [], steps, [first, second])
    found = timeline(DetailModel(CaseKey(0, "a"), case, result)).steps
    pages = [
        step.row.actual.args["page"] for step in found if isinstance(step.row.actual, ToolCall)
    ]
    assert pages == [2, 1]


def test_before_there_is_a_result_the_expected_steps_are_shown(tokyo: DetailModel) -> None:
    lines = shown(replace(tokyo, result=None), 80, 24)
    assert columns(lines[5]) == ["5", 'get_weather(city="Tokyo")']
    assert "Not visited yet." in lines


def test_a_case_without_steps_says_so() -> None:
    case = EvalCase.single_turn("a", "Hello?", "Hello!")
    model = DetailModel(CaseKey(0, "a"), case, EvalCaseResult.success("a", []))
    assert shown(model, 80, 24) == ["No steps were expected and none were recorded."]


@pytest.mark.parametrize("selected", [0, 1, 30, 59, 1000])
def test_a_long_trajectory_keeps_the_cursor_in_sight(selected: int) -> None:
    model = long_case()
    drawn = draw(timeline(model), model, 80, 20, selected)
    assert min(selected, 59) in drawn.steps
    assert len(drawn.lines) <= 20


def test_every_line_knows_the_step_that_a_click_selects(tokyo: DetailModel) -> None:
    drawn = draw(timeline(tokyo), tokyo, 100, 30, 0)
    for line, step in zip(drawn.lines, drawn.steps, strict=True):
        if step is not None:
            assert columns(line.plain)[0] == str(step + 1)
    assert [step for step in drawn.steps if step is not None] == list(range(8))


def test_what_does_not_fit_of_a_step_is_scrolled(tokyo: DetailModel) -> None:
    assert tokyo.result is not None
    tokyo.result.actual_tool_calls[1].args |= {f"key {n}": n for n in range(40)}
    found = timeline(tokyo)
    top = draw(found, tokyo, 80, 24, 3).lines
    scrolled = draw(found, tokyo, 80, 24, 3, offset=30).lines
    assert not any(line.plain.startswith("key 30 ") for line in top)
    assert any(line.plain.startswith("key 30 ") for line in scrolled)
    assert len(top) == len(scrolled) == 24


def test_a_result_is_one_line_where_there_is_little_room_and_folded_where_it_is_long(
    tokyo: DetailModel,
) -> None:
    assert tokyo.result is not None
    tokyo.result.actual_tool_calls[1].result = {f"key {n}": n for n in range(400)}
    (line,) = [line for line in shown(tokyo, 80, 20, 3) if line.startswith("result")]
    assert line.startswith('result      {"key 0": 0, "key 1": 1,')
    assert line.endswith("…")
    lines = shown(tokyo, 100, 60, 3)
    assert '              "key 0": 0,' in lines
    assert "            … enter shows all of it" in lines
    assert not any('"key 30"' in line for line in lines)


def test_a_long_result_is_folded_to_the_room_that_all_else_leaves(tokyo: DetailModel) -> None:
    assert tokyo.result is not None
    tokyo.result.actual_tool_calls[1].result = {f"key {n}": n for n in range(40)}
    for height in range(30, 50):
        lines = shown(tokyo, 100, height, 3)
        told = [line for line in lines if '"key ' in line]
        assert 2 <= len(told) <= 22
        assert len(lines) <= height
        assert lines[-1] == "            … enter shows all of it"


def test_a_long_list_is_not_written_out_to_show_its_beginning(tokyo: DetailModel) -> None:
    class Counted(list[int]):
        looked_at = 0

        def __iter__(self) -> Iterator[int]:
            for item in super().__iter__():
                self.looked_at += 1
                yield item

    assert tokyo.result is not None
    numbers = Counted(range(1_000_000))
    tokyo.result.actual_tool_calls[1].result = numbers
    shown(tokyo, 100, 60, 3)
    assert 0 < numbers.looked_at < 50_000


def test_what_was_said_before_a_call_stands_below_it(tokyo: DetailModel) -> None:
    assert tokyo.result is not None
    tokyo.result.node_responses.insert(
        0,
        {
            "node_name": "MAIN",
            "response_text": "Let me look at the Kansai region.",
            "tool_call_names": ["get_weather", "get_forecast"],
            "timestamp": START + 0.6,
        },
    )
    lines = shown(tokyo, 100, 40, 3)
    assert "before it   MAIN said: “Let me look at the Kansai region.”" in lines
    assert not any("before it" in line for line in shown(tokyo, 100, 40, 6))


def with_before(model: DetailModel, *calls: ToolCall) -> DetailModel:
    """The same case as it was in run #17, with those calls."""
    earlier = EvalCaseResult.success(model.key.eval_id, [], actual_tool_calls=list(calls))
    against = Against(Change.REGRESSED, CaseStatus.PASSED, 17)
    return replace(model, before=earlier, against=against)


def test_the_same_call_of_the_baseline_stands_below_it(tokyo: DetailModel) -> None:
    city, days = {"city": "Tokyo"}, {"days": 1}
    forecast = ToolCall(name="get_forecast", args=city | days)
    model = with_before(tokyo, ToolCall(name="get_weather", args=city), forecast)
    assert 'in #17      get_weather(city="Tokyo")   = as now' in shown(model, 100, 40, 1)
    assert 'in #17      get_forecast(city="Tokyo", days=1)   = expected' in shown(model, 100, 40, 3)
    assert "in #17      there was no search_web" in shown(model, 100, 40, 6)
    missing = shown(model, 100, 40, 5)
    assert "in #17      there was no get_alerts" in missing, "of what was not called either"


def test_a_step_is_had_whole(tokyo: DetailModel) -> None:
    steps = timeline(tokyo).steps
    call = picked_of(steps[3], 3)
    assert call.name == "the call of get_forecast"
    assert call.find(tokyo) == {
        "expected": {"name": "get_forecast", "args": {"city": "Tokyo", "days": 1}},
        "actual": {
            "name": "get_forecast",
            "args": {"city": "Kyoto", "days": 1},
            "result": {"city": "Kyoto", "summary": "dry, light wind from the west"},
        },
        "at": pytest.approx(1.31),
        "took": 0.18,
    }
    assert picked_of(steps[5], 5).find(tokyo) == {"name": "get_alerts", "args": {"city": "Tokyo"}}
    node = picked_of(steps[7], 7).find(tokyo)
    assert node["node"] == "MAIN"
    assert [reply["response_text"] for reply in node["replies"]] == [ANSWER]
