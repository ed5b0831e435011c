from __future__ import annotations

from typing import Any

import pytest

from tenxgraph_tui.evaluation.dataset import EvalCase, ToolCall
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult, Score
from tenxgraph_tui.session.evidence import Evidence
from tenxgraph_tui.tui.causes.finding import Finding, listed
from tenxgraph_tui.tui.causes.steps import NODES, TOOL_NAMES, TRAJECTORY, divergences


def call(name: str, **args: Any) -> ToolCall:
    return ToolCall(name=name, args=args)


def found(
    expected: list[ToolCall],
    calls: list[ToolCall],
    *,
    by: str = TRAJECTORY,
    expected_nodes: list[str] | None = None,
    nodes: tuple[str, ...] = (),
    **details: Any,
) -> Finding | None:
    case = EvalCase.single_turn("one", "?", "!", expected, expected_nodes or [])
    verdict = CriterionResult.judged(by, Score(0.5, "", details), 1.0)
    told = Evidence(CaseKey(0, "one"), (verdict,), tuple(calls), nodes)
    return dict(divergences(case, told)).get(by)


WEATHER, TOKYO, KYOTO = (
    call("get_weather"),
    call("get_forecast", city="Tokyo", days=1),
    call("get_forecast", city="Kyoto", days=1),
)


@pytest.mark.parametrize(
    ("expected", "calls", "title"),
    [
        pytest.param([TOKYO], [KYOTO], "get_forecast got another city", id="another argument"),
        pytest.param(
            [TOKYO],
            [call("get_forecast", city="Kyoto", days=2)],
            "get_forecast got another city and days",
            id="two arguments",
        ),
        pytest.param(
            [TOKYO], [call("get_forecast", city="Tokyo")], "get_forecast got no days", id="without"
        ),
        pytest.param(
            [call("get_forecast", city="Tokyo")],
            [TOKYO],
            "get_forecast got days, which nobody expected",
            id="one too many",
        ),
        pytest.param([WEATHER, TOKYO], [WEATHER], "get_forecast was not called", id="missing"),
        pytest.param([WEATHER, TOKYO], [], "no tool was called", id="nothing called"),
        pytest.param(
            [WEATHER],
            [WEATHER, call("search_web")],
            "search_web was called, nobody expected it",
            id="extra",
        ),
        pytest.param(
            [WEATHER],
            [WEATHER, WEATHER],
            "get_weather was called more often than expected",
            id="too often",
        ),
        pytest.param(
            [WEATHER, WEATHER, TOKYO],
            [WEATHER, TOKYO],
            "get_weather was called less often than expected",
            id="not often enough",
        ),
        pytest.param(
            [TOKYO, WEATHER], [WEATHER, TOKYO], "get_forecast was called out of order", id="order"
        ),
    ],
)
def test_titles_are_sentences_about_the_first_difference(
    expected: list[ToolCall], calls: list[ToolCall], title: str
) -> None:
    finding = found(expected, calls)
    assert finding is not None
    assert finding.title == title


def test_what_differs_stands_side_by_side_and_nothing_else() -> None:
    finding = found([WEATHER, TOKYO], [WEATHER, KYOTO])
    assert finding is not None
    assert (finding.unit, finding.at) == ("call", 2)
    assert finding.expected == (("city", '"Tokyo"'),)
    assert finding.actual == (("city", '"Kyoto"'),)


def test_the_same_difference_has_the_same_key_whatever_the_values_are() -> None:
    keys = [
        finding.key
        for finding in (
            found([call("get_forecast", city="Osaka")], [call("get_forecast", city="Kyoto")]),
            found([WEATHER, TOKYO], [WEATHER, KYOTO]),
            found([TOKYO], [call("get_forecast", city="Tokyo", days=2)]),
        )
        if finding is not None
    ]
    assert keys[0] == keys[1]
    assert keys[0] != keys[2]


def test_extra_calls_are_no_difference_where_they_are_allowed() -> None:
    extra = [WEATHER, call("search_web")]
    assert found([WEATHER], extra, match_type="IN_ORDER") is None
    assert found([WEATHER], extra, by=TOOL_NAMES) is None


def test_arguments_are_no_difference_where_they_are_not_compared() -> None:
    assert found([TOKYO], [KYOTO], check_args=False) is None
    assert found([TOKYO], [KYOTO], by=TOOL_NAMES) is None


def test_a_tool_where_none_was_expected_is_one() -> None:
    finding = found([], [WEATHER], by=TOOL_NAMES)
    assert finding is not None
    assert finding.title == "get_weather was called, nobody expected it"


def test_nodes_are_visited_not_called() -> None:
    wanted = ["MAIN", "REVIEW"]
    visited = ("__start__", "MAIN", "__end__")
    missing = found([], [], by=NODES, expected_nodes=wanted, nodes=visited)
    assert missing is not None
    assert missing.title == "REVIEW was not visited"
    extra = found([], [], nodes=("MAIN", "REVIEW", "TOOL"), by=NODES, expected_nodes=wanted)
    assert extra is not None
    assert extra.title == "TOOL was visited, nobody expected it"


def test_a_case_whose_file_is_gone_has_no_difference() -> None:
    assert not [*divergences(None, Evidence(CaseKey(0, "one")))]


def test_of_many_arguments_the_first_are_named() -> None:
    assert listed(["a"]) == "a"
    assert listed(["a", "b"]) == "a and b"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(["a", "b", "c", "d", "e"]) == "a, b, c and 2 more"


def test_names_and_values_of_agents_stay_on_one_line_and_short() -> None:
    name = "x\n" * 5000 + "\x1b[2J"
    finding = found([call(name, **{name: "a"})], [call(name, **{name: "b" * 100_000})])
    assert finding is not None
    shown = [finding.title, *(part for pair in finding.actual for part in pair)]
    assert all(len(text) < 400 for text in shown)
    assert not set("".join(shown)) & set("\n\x1b")
