"""The calls of a case: what happened in which order, and everything about the selected one."""

from __future__ import annotations

from typing import Any

import pytest

from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.events import CaseInfo, CaseStatus, StepRecorded, StepStarted
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.tui.panes import nodes
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.node_calls import decisive_call, node_calls
from tenxgraph_tui.tui.panes.node_picked import picked_of
from tests.tui.story import START, Story, call, kyoto, looked_at, trajectory

WIDE, NARROW = (160, 30), (80, 24)


def shown(model: DetailModel, size: tuple[int, int] = WIDE, selected: int | None = None) -> str:
    return "\n".join(line.plain.rstrip() for line in nodes.lines(model, *size, selected))


def listed(model: DetailModel, size: tuple[int, int] = WIDE) -> list[str]:
    """The list alone, without its head."""
    lines = [line.plain.partition("│")[0].rstrip() for line in nodes.lines(model, *size)]
    return [" ".join(line.split()) for line in lines[1:] if line.strip()]


def details(model: DetailModel, selected: int | None = None) -> list[str]:
    """What stands at the right of the list."""
    lines = [
        line.plain.partition(" │ ")[2].rstrip() for line in nodes.lines(model, 160, 60, selected)
    ]
    return [line for line in lines if line]


def case(*expected: str) -> EvalCase:
    return EvalCase.single_turn("case", "What now?", None, [call(name) for name in expected])


def test_every_call_stands_in_the_order_in_which_it_happened() -> None:
    assert listed(kyoto()) == [
        "MAIN 1 500ms 100 20 → get_weather",
        "TOOL 1 200ms – – get_weather",
        "MAIN 2 500ms 128 27 → get_forecast ≠ city",
        "TOOL 2 200ms – – get_forecast",
        "MAIN 3 500ms 168 44 answers",
        "total 1.9s 396 91",
    ]


def test_it_opens_on_the_call_where_it_went_wrong() -> None:
    assert decisive_call(kyoto()) == 2


def test_a_model_call_shows_what_went_in_what_was_said_and_what_it_asked_for() -> None:
    lines = details(kyoto())
    assert lines[0].split("  ")[0] == "Messages in"
    assert lines[0].endswith("3 messages, 128 tok, 96 cached")
    assert lines[1] == "user       Will I need an umbrella in Tokyo tomorrow?"
    assert lines[2] == 'assistant  get_weather(city="Tokyo")'
    assert lines[3].startswith("tool       {'sky': 'overcast'")
    at = lines.index("Said while calling")
    assert lines[at + 1] == "assistant  Let me check the Kansai region."
    assert lines[at + 2].split() == [
        "Asked",
        "for",
        "1",
        "call,",
        "27",
        "tok,",
        "gpt-4o",
        "≠",
        "city",
    ]
    assert lines[at + 3] == 'call       get_forecast(city="Kyoto", days=1)'
    assert lines[at + 4] == 'expected   get_forecast(city="Tokyo", days=1)'


def test_what_differs_is_underlined_on_both_sides() -> None:
    lines = nodes.lines(kyoto(), 160, 60)
    styles = {
        (line.plain[span.start : span.end], str(span.style))
        for line in lines
        for span in line.spans
        if "underline" in str(span.style)
    }
    assert styles == {
        ('"Kyoto"', "bold underline $text-error"),
        ('"Tokyo"', "bold underline $text-success"),
    }


def test_the_same_call_in_the_baseline_stands_below() -> None:
    lines = details(kyoto())
    at = next(i for i, line in enumerate(lines) if line.startswith("Same call in #17"))
    assert lines[at + 1 :] == [
        "assistant  I will look at Tokyo.",
        'call       get_forecast(city="Tokyo", days=1)',
    ]


def test_a_call_that_was_the_same_before_says_so() -> None:
    assert details(kyoto(), 0)[-1] == "It said and asked for the same."
    assert "same arguments" in shown(kyoto(), selected=1)


def test_a_call_that_the_baseline_has_not_says_so() -> None:
    now = Story().user("?").ask(call("a")).ask(call("b")).model("done")
    then = Story().user("?").ask(call("a")).model("done")
    model = looked_at(case("a"), now.result(trajectory(1.0)), then.result(trajectory(1.0)))
    assert details(model, 4)[-1] == "There was no MAIN 3."


def test_a_tool_shows_its_arguments_and_its_result() -> None:
    told = shown(kyoto(), selected=3)
    assert "get_forecast" in told
    assert "asked for by MAIN, took 200ms   ≠ city" in told
    assert '"Tokyo"' in told
    assert '"Kyoto"' in told
    assert "dry" in told


def test_a_tool_that_raised_shows_its_error() -> None:
    broken = call("a")
    story = Story().user("?").model("", broken)
    broken.error = "LookupError: no such thing"
    model = looked_at(case("a"), story.tools(broken).model("Sorry").result(trajectory(1.0)))
    assert listed(model)[1] == "TOOL 1 200ms – – a ! error"
    assert "LookupError: no such thing" in shown(model, selected=1)


def test_a_missing_call_is_laid_to_the_answer_that_did_not_ask_for_it() -> None:
    story = Story().user("?").ask(call("a")).model("I know.")
    model = looked_at(case("a", "b"), story.result(trajectory()))
    assert listed(model)[2] == "MAIN 2 500ms 100 20 answers - missing b"
    lines = details(model)
    assert lines[-2].split() == ["Asked", "for", "no", "call", "-", "missing"]
    assert lines[-1] == "missing    b(…)"


def test_a_missing_call_of_a_turn_is_laid_to_an_answer_of_that_turn() -> None:
    story = Story().user("one").model("First.").user("two").ask(call("b")).model("Second.")
    turns = EvalCase.multi_turn("case", [("one", "First."), ("two", "Second.")])
    turns.conversation[0].expected_tool_trajectory = [call("a")]
    turns.conversation[1].expected_tool_trajectory = [call("b")]
    model = looked_at(turns, story.result(trajectory()))
    assert listed(model)[:4] == [
        "turn 1 one",
        "MAIN 1 500ms 100 20 answers - missing a",
        "turn 2 two",
        "MAIN 2 500ms 100 20 → b",
    ]


def test_calls_that_ran_side_by_side_have_a_row_each() -> None:
    both = [call("a", n=1), call("a", n=2)]
    story = Story().user("?").model("", *both).tools(*both).model("done")
    model = looked_at(case(), story.result())
    assert [(one.name, one.asked and len(one.asked)) for one in node_calls(model)] == [
        ("MAIN 1", 2),
        ("TOOL 1", ()),
        ("TOOL 2", ()),
        ("MAIN 2", ()),
    ]


def test_an_agent_without_nodes_is_told_by_its_answers_and_tools() -> None:
    one, two = call("a"), call("b")
    story = Story(visits=False).user("?").model("", one).tools(one).model("", two).tools(two)
    model = looked_at(case(), story.model("done").result())
    names = [(row.name, row.took is None) for row in node_calls(model)]
    assert [name for name, _ in names] == ["MAIN 1", "tool 1", "MAIN 2", "tool 2", "MAIN 3"]
    assert [unknown for _, unknown in names] == [True, False, True, False, True]


def test_two_answers_in_one_node_share_its_time() -> None:
    story = Story().user("?").model("first", seconds=0.5)
    story.visits = False
    story.model("second", seconds=0.3)
    story.steps[0].metadata["seconds"] = 0.8
    took = [call.took for call in node_calls(looked_at(case(), story.result()))]
    assert took == [pytest.approx(0.5), pytest.approx(0.3)]


def test_a_target_that_tells_no_input_shows_what_was_said_before() -> None:
    story = Story(tells_input=False).user("Who are you?").model("A test.")
    lines = details(looked_at(case(), story.result()))
    assert lines[0].startswith("Said before")
    assert "does not tell what the model was sent" in lines[0]
    assert lines[1] == "user       Who are you?"


def test_the_node_in_which_the_agent_raised_is_the_one_that_is_shown() -> None:
    story = Story().user("?").ask(call("a")).visit("MAIN")
    raised = {"traceback": 'File "agents.py", line 7, in main\n    ask()\nRuntimeError: no'}
    result = story.result(error="RuntimeError: no", passed=False, metadata=raised)
    model = looked_at(case(), result)
    assert listed(model)[2] == "MAIN 2 100ms – – ! broke off here"
    assert details(model)[1:3] == [
        "error     RuntimeError: no",
        "at        agents.py:7 in main",
    ]


def test_a_node_that_asks_no_model_says_so() -> None:
    model = looked_at(case(), Story().user("?").visit("ROUTER").model("done").result())
    assert listed(model)[0] == "ROUTER 1 100ms – – no model call"
    assert details(model, 0)[1] == "No model call was recorded here."


def test_a_wrong_answer_is_shown_where_it_was_given() -> None:
    story = Story().user("?").ask(call("a")).model("wrong")
    result = story.result(trajectory(1.0)).model_copy(update={"passed": False})
    model = looked_at(case("a"), result)
    assert node_calls(model)[decisive_call(model)].name == "MAIN 2"


def test_of_a_long_conversation_the_middle_is_left_out() -> None:
    story = Story().user("first")
    for number in range(20):
        story.ask(call("look", page=number))
    lines = details(looked_at(case(), story.model("done").result()), 40)
    assert "           … 31 messages between" in lines
    assert lines[1] == "user       first"


def test_a_running_case_shows_the_calls_so_far() -> None:
    progress = CaseProgress(CaseKey(0, "case"), CaseInfo("case"))
    progress.begin(START)
    assert progress.live is not None
    told: dict[str, Any] = {"run_id": "r", "case": progress.key}
    progress.live.started(StepStarted(seq=0, at=START, node="MAIN", **told), 0)
    progress.live.recorded(StepRecorded(seq=1, at=START + 1, node="MAIN", seconds=1, **told), 0)
    progress.live.started(StepStarted(seq=2, at=START + 1, node="TOOL", **told), 0)
    progress.live.started(StepStarted(seq=3, at=START + 1, node="TOOL", tool="a", **told), 0)
    model = DetailModel(progress.key, case("a"), None, progress, now=START + 3)
    assert listed(model) == ["MAIN 1 1.0s – –", "TOOL 1 2.0s – – a ▸ now"]
    assert "Known when the case has finished." in shown(model, selected=0)


@pytest.mark.parametrize("status", [CaseStatus.WAITING, CaseStatus.SKIPPED, CaseStatus.CANCELLED])
def test_a_case_that_did_nothing_says_why(status: CaseStatus) -> None:
    progress = CaseProgress(CaseKey(0, "case"), CaseInfo("case", skip="not today"), status=status)
    assert shown(DetailModel(progress.key, case(), None, progress)).strip()


def test_a_result_without_calls_says_so_and_why() -> None:
    result = EvalCaseResult.failure("case", "TargetError: it cannot be loaded")
    told = shown(looked_at(case(), result))
    assert "No call of a model or a tool was recorded." in told
    assert "TargetError: it cannot be loaded" in told


def test_a_narrow_pane_has_the_call_below_the_list() -> None:
    lines = shown(kyoto(), NARROW).splitlines()
    assert lines[3] == "MAIN 2    500ms  128  27  → get_forecast  ≠ city"
    assert lines[6] == "─" * 80
    assert lines[7].startswith("Messages in")
    assert any("expected   get_forecast(city=" in line for line in lines)


def test_a_low_pane_has_the_list_alone() -> None:
    lines = shown(kyoto(), (80, 6)).splitlines()
    assert lines[3].startswith("MAIN 2")
    assert not any("Messages in" in line for line in lines)


def test_what_is_picked_is_everything_that_was_recorded() -> None:
    model = kyoto()
    calls = node_calls(model)
    sent = picked_of(calls[2])
    assert sent.name == "MAIN 2"
    found = sent.find(model)
    assert found["message"]["content"] == "Let me check the Kansai region."
    assert len(found["input_messages"]) == 3
    tool = picked_of(calls[3])
    assert (tool.name, tool.find(model)["result"]) == ("TOOL 2, get_forecast", ["dry"])
