"""The rules of scoring what an agent did, each on an agent that is really run.

The title of a test says the row of DESIGN section 4, the id of a case what is tried.
"""

from __future__ import annotations

from typing import Any

import pytest

from tenxgraph_tui.evaluation import CriterionConfig, EvalCase, Invocation, MatchType, ToolCall
from tests.parity.acting import (
    ANY_ORDER,
    EXACT,
    IN_ORDER,
    NAMES,
    ROUGE,
    Play,
    ask,
    ask_with,
    checks,
    conversation,
    makes,
    one,
    scores,
    trajectory,
    turn,
    wants,
)


@pytest.mark.parametrize(
    ("match_type", "wanted", "made", "score"),
    [
        pytest.param(EXACT, "ab", "ab", 1, id="EXACT: the same"),
        pytest.param(EXACT, "ab", "abc", 2 / 3, id="EXACT: a third call costs"),
        pytest.param(EXACT, "ab", "cab", 0, id="EXACT: by position"),
        pytest.param(EXACT, "sz", "ssz", 1 / 3, id="EXACT: the seed's example"),
        pytest.param(EXACT, "abc", "a", 1 / 3, id="EXACT: missing calls"),
        pytest.param(IN_ORDER, "sz", "ssz", 1, id="IN_ORDER: the seed's example"),
        pytest.param(IN_ORDER, "abc", "bc", 2 / 3, id="IN_ORDER: the first call is missing"),
        pytest.param(IN_ORDER, "abc", "axbc", 1, id="IN_ORDER: an extra call between"),
        pytest.param(IN_ORDER, "aba", "aab", 2 / 3, id="IN_ORDER: the longest subsequence"),
        pytest.param(ANY_ORDER, "ab", "xba", 1, id="ANY_ORDER: another order and an extra"),
        pytest.param(ANY_ORDER, "aa", "a", 1 / 2, id="ANY_ORDER: a call is used once"),
        pytest.param(EXACT, "", "", 1, id="nothing expected, nothing called: EXACT"),
        pytest.param(EXACT, "", "a", 0, id="nothing expected, something called: EXACT"),
        pytest.param(IN_ORDER, "", "a", 1, id="nothing expected, something called: IN_ORDER"),
        pytest.param(ANY_ORDER, "", "a", 1, id="nothing expected, something called: ANY_ORDER"),
    ],
)
async def test_matchtype_and_partial_credit(
    play: Play, match_type: MatchType, wanted: str, made: str, score: float
) -> None:
    result = await play(makes(made), wants(wanted), trajectory(match_type))

    assert scores(result) == [score]
    assert result.passed is (score == 1)


async def test_any_order_does_not_depend_on_how_the_expectations_are_listed(play: Play) -> None:
    loose, strict = ToolCall(name="a"), ToolCall(name="a", args={"x": 1})
    made = [turn(ask_with("a", {"x": 1}), ask_with("a", {"x": 2}))]

    for tools in ([loose, strict], [strict, loose]):
        case = EvalCase.single_turn("c", "go", None, tools)
        assert scores(await play(made, case, trajectory(ANY_ORDER))) == [1.0]


@pytest.mark.parametrize(
    ("wanted", "made", "score"),
    [
        pytest.param("ab", "ba", 1, id="order does not matter"),
        pytest.param("ab", "abbx", 1, id="extras cost nothing"),
        pytest.param("aab", "ab", 2 / 3, id="repeats count"),
        pytest.param("", "", 1, id="nothing expected, nothing called"),
        pytest.param("", "a", 0.5, id="nothing expected, something called"),
    ],
)
async def test_tool_name_match(play: Play, wanted: str, made: str, score: float) -> None:
    assert scores(await play(makes(made), wants(wanted), NAMES)) == [score]


@pytest.mark.parametrize(
    ("wanted", "made", "same"),
    [
        pytest.param(
            {"a": 1, "b": {"x": 1, "y": 2}}, {"b": {"y": 2, "x": 1}, "a": 1}, True, id="key order"
        ),
        pytest.param({"ids": [1, 2]}, {"ids": [2, 1]}, False, id="list order"),
        pytest.param({"x": 0.3}, {"x": 0.30000000000000004}, True, id="float noise"),
        pytest.param({"x": 1}, {"x": 1.0}, True, id="an int and an equal float"),
        pytest.param({"x": 10**17}, {"x": 10**17 + 1}, False, id="two ints, exactly"),
        pytest.param({"x": 1}, {"x": True}, False, id="1 and true"),
        pytest.param({"x": "1"}, {"x": 1}, False, id="a text and a number"),
        pytest.param({"x": None}, {}, False, id="null is not missing"),
        pytest.param({}, {"x": 1}, True, id="empty expected arguments accept any"),
        pytest.param({"port": 80}, {"port": 8080}, False, id="B25: no part of a number"),
        pytest.param({"state": "TX"}, {"state": "TX"}, True, id="B22: one called state"),
        pytest.param(
            {"config": "a", "tool_call_id": "b"},
            {"config": "a", "tool_call_id": "b"},
            True,
            id="B22: called config and tool_call_id",
        ),
    ],
)
async def test_arguments(
    play: Play, wanted: dict[str, Any], made: dict[str, Any], same: bool
) -> None:
    result = await play([turn(ask_with("a", made))], one("a", wanted), trajectory())

    assert result.passed is same
    assert result.actual_tool_calls[0].args == made


async def test_arguments_that_the_model_gave_as_text_are_parsed_once(play: Play) -> None:
    """B21: every agent of this module gives them as text; text within stays text."""
    made = [turn(ask_with("a", {"cmd": "true", "n": 2}))]

    assert (await play(made, one("a", {"cmd": "true", "n": 2}), trajectory())).passed
    assert not (await play(made, one("a", {"cmd": True, "n": 2}), trajectory())).passed


async def test_injected_objects_never_enter_the_arguments(play: Play) -> None:
    result = await play(
        [turn(ask_with("a", {"x": 1}))], one("a", {"x": 1}), trajectory(), tool_params=["config"]
    )

    assert result.passed
    assert result.actual_tool_calls[0].args == {"x": 1}


async def test_call_ids_are_no_part_of_the_comparison(play: Play) -> None:
    """B23: the file has none, every real call has one."""
    result = await play([turn(ask_with("f", {}))], one("f", {}), trajectory())

    assert result.passed
    assert result.actual_tool_calls[0].call_id


async def test_tool_calls_stand_in_the_order_of_asking_whatever_finishes_first(play: Play) -> None:
    step = ask("slow", "quick")
    step["tool_calls"][0]["delay"] = 0.02
    case = EvalCase.single_turn("c", "go", None, [ToolCall(name="slow"), ToolCall(name="quick")])

    result = await play([turn(step)], case, trajectory())

    assert result.passed
    assert [call.name for call in result.actual_tool_calls] == ["slow", "quick"]


@pytest.mark.parametrize(
    ("broken", "error"),
    [
        pytest.param({"error": "no signal"}, "RuntimeError: no signal", id="it raises"),
        pytest.param({"unregistered": True}, "tool 'a'", id="D07: it does not exist"),
    ],
)
async def test_tool_calls_that_fail_are_recorded(
    play: Play, broken: dict[str, Any], error: str
) -> None:
    result = await play([turn(ask_with("a", {}, **broken))], wants(""), trajectory())

    (call,) = result.actual_tool_calls
    assert call.name == "a"
    assert error.lower() in str(call.error).lower()
    assert not result.passed  # nothing was expected, and something was called


@pytest.mark.parametrize("value", [{"k": [1, 2]}, [1, "a"], 3.5, None, "", True])
async def test_tool_calls_keep_their_results_as_json_values(play: Play, value: object) -> None:
    result = await play(
        [turn(ask_with("a", {}) | {"tool_calls": [{"name": "a", "args": {}, "result": value}]})],
        wants("a"),
        trajectory(),
    )

    assert result.actual_tool_calls[0].result == value
    assert type(result.actual_tool_calls[0].result) is type(value)


@pytest.mark.parametrize(
    ("nodes", "match_type", "score"),
    [
        pytest.param(["MAIN", "TOOL", "MAIN"], EXACT, 1, id="the documented example"),
        pytest.param(["__start__", "MAIN", "TOOL", "MAIN", "__end__"], EXACT, 1, id="markers"),
        pytest.param(["MAIN"], EXACT, 1 / 3, id="extra visits cost in EXACT"),
        pytest.param(["TOOL", "MAIN"], IN_ORDER, 1, id="IN_ORDER"),
        pytest.param(["MAIN", "MAIN", "TOOL"], ANY_ORDER, 1, id="ANY_ORDER"),
        pytest.param([], EXACT, 1, id="no order expected, other things are"),
    ],
)
async def test_node_visits(
    play: Play, nodes: list[str], match_type: MatchType, score: float
) -> None:
    config = checks(node_order=CriterionConfig.node_order(1.0, match_type))

    result = await play(makes("a"), wants("a", nodes=nodes), config)

    assert scores(result) == [score]
    assert result.node_visits == ["MAIN", "TOOL", "MAIN"]


async def test_text_beside_tool_calls_is_kept_and_is_no_answer(play: Play) -> None:
    turns = [turn(ask("a", text="Let me look."), response="")]

    result = await play(turns, wants("a", answer="Let me look."), ROUGE)

    assert result.actual_response == ""
    assert [reply["response_text"] for reply in result.node_responses] == ["", ""]
    assert "Let me look." in [message["content"] for message in result.messages]
    assert scores(result) == [0.0]


async def test_messages_are_told_apart_by_identity_and_end_with_the_answer(play: Play) -> None:
    """B62, D17: saying yes three times is three messages."""
    case = conversation(*(Invocation.simple("yes", "ok") for _ in range(3)))

    result = await play([turn(response="ok")] * 3, case, ROUGE)

    said = [(message["role"], message["content"]) for message in result.messages]
    assert said == [("user", "yes"), ("assistant", "ok")] * 3
    assert [each["user_query"] for each in result.turn_results] == ["yes"] * 3
