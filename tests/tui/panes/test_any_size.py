"""No pane is ever wider than it may be, whatever stands in it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.cells import cell_len

from tenxgraph_tui.evaluation.dataset import EvalCase, Invocation, MessageContent, ToolCall
from tenxgraph_tui.evaluation.dataset import TrajectoryStep as Step
from tenxgraph_tui.evaluation.events import CaseStatus, Log
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult, EvalCaseResult, Score
from tenxgraph_tui.tui.panes import chat, frame, log, nodes, tokens, trajectory, why
from tenxgraph_tui.tui.panes.journal import of_case, of_run
from tenxgraph_tui.tui.panes.log import Looking
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.widgets.views import TABS

Progress = Callable[..., DetailModel]
WIDTHS = [*range(1, 201)]
HEIGHTS = (1, 3, 9, 13, 21, 45)
NASTY = [
    pytest.param("[/INST] [link=x]y[/link] [/", id="what looks like markup"),
    pytest.param("A\x1b[2J\x1b]0;owned\x07\x9b31m\x08\rZ\x00", id="escape sequences"),
    pytest.param("❤️ heart 👨‍👩‍👧 🇩🇪 中文测试 e\u0301 a\tb \u200b שלום", id="wide and joined"),
    pytest.param("x" * 300, id="a long word"),
    pytest.param("line one\r\nline two\n\nline four", id="several lines"),
    pytest.param("", id="nothing"),
]


def assert_fits(model: DetailModel, widths: list[int] = WIDTHS) -> None:
    for width in widths:
        for height in HEIGHTS[width % 3 :: 3]:
            steps = trajectory.lines(model, width, height, selected=2)
            calls = nodes.lines(model, width, height)
            assert len(steps) <= height
            assert len(calls) <= height
            heads = [
                frame.case_line(model, width),
                frame.tabs(TABS, "Why", width, model.key.eval_id, focused=True),
            ]
            said = log.draw(of_case(model), model, width, height, Looking(selected=2)).lines
            assert len(said) <= height
            told = chat.lines(model, width, height, {"before", "answer 0"})
            told += tokens.lines(model, width, height, in_money=width % 2 == 0)
            for line in [*why.lines(model, width, height), *steps, *calls, *heads, *said, *told]:
                assert cell_len(line.plain) <= width, (width, height, line.plain)
                assert "\n" not in line.plain


def nasty_case(text: str) -> DetailModel:
    name = text or "tool"
    call = ToolCall(name=name, args={name: text, "b": {"c": [text]}})
    other = ToolCall(name=name, args={name: f"{text}!"}, result=text, error=text or None)
    turn = Invocation(
        user_content=MessageContent.user(text),
        expected_final_response=MessageContent.assistant(f"{text} expected"),
        expected_tool_trajectory=[call, call],
        expected_node_order=[name],
    )
    case = EvalCase(eval_id=text, conversation=[turn, turn])
    names = ("tool_trajectory_avg_score", "rouge_match", "node_order_score", name)
    verdicts = [CriterionResult.judged(slot, Score(0.0, text), 1.0) for slot in names]
    steps = [Step.node(name, 1.0, seconds=1), Step.tool(name, other.args, 2.0, seconds=2)]
    result = EvalCaseResult.success(
        text, verdicts, steps, [other], text, node_visits=[name], metadata={"xfailed": text}
    )
    result.messages = [{"role": text, "content": text}, {"role": text, "tool_calls": [text]}]
    result.node_responses = [
        {"node_name": name, "response_text": text, "input_messages": result.messages},
        {"node_name": text, "tool_call_names": [name, text], "input_messages": text, "model": text},
        {"node_name": name, "token_usage": {"input_tokens": 9, "cache_read_tokens": 99}},
        {"node_name": name, "token_usage": {"input_tokens": text}, "timestamp": text},
    ]
    result.metadata["traceback"] = f"Traceback: {text}\n{text}"
    case.session_input.state = {"messages": [{"role": text, "content": text}]}
    return DetailModel(CaseKey(0, text), case, result, log=nasty_log(text))


def nasty_log(text: str) -> tuple[Log, ...]:
    """The text from everywhere, and as where it came from."""
    sources = ("stdout", "stderr", "logging", "warnings", "tenxgraph", text)
    key = CaseKey(0, text)
    return tuple(
        Log(
            seq=n,
            at=1.0 + n,
            run_id="r",
            case=key,
            source=source,
            level=text,
            text=f"{text}: {text}",
        )
        for n, source in enumerate(sources)
    )


def test_a_failed_case_fits(tokyo: DetailModel) -> None:
    assert_fits(tokyo)


def test_several_turns_fit(moved: DetailModel) -> None:
    assert_fits(moved, WIDTHS[::3])


@pytest.mark.parametrize("status", list(CaseStatus))
def test_a_case_without_a_result_fits(unfinished: Progress, status: CaseStatus) -> None:
    model = unfinished(status, node="TOOL", step="x" * 90, error="it broke " * 20)
    assert_fits(model, WIDTHS[::7])


@pytest.mark.parametrize("text", NASTY)
def test_whatever_an_agent_says_fits(text: str) -> None:
    assert_fits(nasty_case(text), [1, 2, 3, 5, 8, 13, 21, 34, 55, 80, 97, 121, 160])


@pytest.mark.parametrize("text", NASTY)
def test_no_control_character_gets_through(text: str) -> None:
    model = nasty_case(text)
    lines = [*why.lines(model, 100, 40), *trajectory.lines(model, 100, 40, 1)]
    lines += [line for at in range(3) for line in nodes.lines(model, 100, 40, at)]
    lines += chat.lines(model, 100, 40, {"before"})
    lines += tokens.lines(model, 100, 40)
    run = replace(model, run_log=model.log)
    for at in range(6):
        lines += log.draw(of_case(model), model, 100, 40, Looking(selected=at)).lines
        lines += log.draw(of_run(model.log), run, 100, 40, Looking(at, is_run=True)).lines
    shown = "".join(line.plain for line in lines)
    assert not [character for character in shown if unicodedata.category(character) == "Cc"]


def test_an_error_with_a_long_traceback_fits(tokyo: DetailModel) -> None:
    result = EvalCaseResult.failure("a", "ValueError: " + "no good " * 40)
    result.metadata = {"traceback": 'File "/a/' + "deep/" * 40 + 'x.py", line 3, in y\n    z()\n'}
    assert_fits(replace(tokyo, result=result, progress=None), WIDTHS[::5])


def test_the_tabs_stay_when_the_title_has_no_room() -> None:
    title = "a_case_with_a_long_name"
    line = frame.tabs(TABS, "Why", 30, title).plain
    assert "1 Why  2 Trajectory" in line
    assert frame.tab_at(TABS, "Why", 30, title, line.index("2 T") + 3) == TABS[1]
    assert frame.tab_at(TABS, "Why", 30, title, 29) is None
