"""Chat: turn by turn, with the calls between, what was expected beside what came."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tenxgraph_tui.evaluation.dataset import EvalCase, SessionInput, ToolCall
from tenxgraph_tui.evaluation.events import CaseInfo, CaseStatus, StepRecorded, StepStarted
from tenxgraph_tui.evaluation.live import LiveSteps
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.tui.panes import chat
from tenxgraph_tui.tui.panes.items import Item
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.talk import Stage, talk_of
from tests.tui.panes.conftest import START, verdict

Progress = Callable[..., DetailModel]
LONG = "word " * 400


def shown(model: DetailModel, width: int = 120, height: int = 45, *unfolded: str) -> list[str]:
    return [line.plain.rstrip() for line in chat.lines(model, width, height, unfolded)]


def items(model: DetailModel, width: int = 120, height: int = 45) -> list[Item]:
    return [one for one in chat.draw(talk_of(model), model, width, height) if one.takes_cursor]


def had(model: DetailModel, name: str) -> Any:
    """What is had whole of what people call `name`."""
    picked = [one.picked for one in items(model) if one.picked is not None]
    return next(one.find(model) for one in picked if one.name == name)


def answered(case: EvalCase, *answers: str, **fields: Any) -> DetailModel:
    """A case with these answers in its turns."""
    turns = [{"turn": n, "actual_response": answer} for n, answer in enumerate(answers)]
    result = EvalCaseResult.success(case.eval_id, [], turn_results=turns, **fields)
    return DetailModel(CaseKey(0, case.eval_id), case, result)


def words(line: str) -> list[str]:
    return line.split()


def test_expected_and_actual_stand_beside_each_other_with_the_calls_between(
    tokyo: DetailModel,
) -> None:
    head, asked, same, differs, *rest = shown(tokyo, 140)
    assert words(head) == ["expected", "actual", "rouge_match"]
    assert words(asked)[:3] == ["user", "Will", "I"]
    column = head.index("actual")
    assert same[10:].startswith('get_weather(city="Tokyo")')
    assert same[column:].startswith('get_weather(city="Tokyo")')
    assert same.endswith("= same")
    assert differs[10:].startswith('get_forecast(city="Tokyo"')
    assert differs[column:].startswith('get_forecast(city="Kyoto"')
    assert differs.endswith("≠ city")
    missing, extra, answer, *_ = rest
    assert missing[10:].startswith('get_alerts(city="Tokyo")')
    assert (missing[column], words(missing)[-2:]) == ("–", ["-", "missing"])
    assert (extra[10], words(extra)[-2:]) == ("–", ["+", "extra"])
    assert words(answer)[:2] == ["answer", "Yes,"]
    assert answer[column:].startswith("No, rain is unlikely in Kyoto")
    assert answer.endswith("✗ 0.59 < 0.60")


def test_in_a_narrow_pane_they_stand_below_each_other_and_the_score_beside_the_question(
    tokyo: DetailModel,
) -> None:
    lines = shown(tokyo, 80, 18)
    assert words(lines[0])[0] == "user"
    assert lines[0].endswith("✗ 0.59 < 0.60")
    assert [words(line)[0] for line in lines[1:7]] == [
        "tool",
        'get_forecast(city="Tokyo",',  # as it was expected
        'get_forecast(city="Kyoto",',
        'get_alerts(city="Tokyo")',
        'search_web(query="kyoto',
        "expected",
    ]
    assert [words(line)[0] for line in lines if line[0] != " "][-2:] == ["expected", "actual"]
    assert [line[68:].strip() for line in lines[1:6]] == [
        "= same",
        "",
        "≠ city",
        "- missing",
        "+ extra",
    ]


def test_words_that_differ_are_marked_as_the_criterion_compares_them(tokyo: DetailModel) -> None:
    lines = chat.lines(tokyo, 80, 45)
    marked = {
        line.plain[span.start : span.end].strip(" .,")
        for line in lines
        for span in line.spans
        if "underline" in str(span.style) and "city" not in line.plain
    }
    assert {"Yes", "Tokyo", "take", "No", "Kyoto", "leave"} <= marked
    assert not {"rain", "umbrella"} & marked


def test_the_score_of_a_turn_has_a_verdict_only_where_it_decided(moved: DetailModel) -> None:
    result = moved.result
    assert result is not None
    turns = [{"turn": n, "score": score} for n, score in enumerate((1.0, 0.54, 0.9))]
    result.criterion_results[1] = verdict("rouge_match", 0.54, 0.6, worst_turn=1, turns=turns)
    heads = [line for line in shown(moved, 80) if line.startswith("turn ")]
    assert [line[-14:].strip() for line in heads] == ["1.00", "✗ 0.54 < 0.60", "0.90"]

    result.criterion_results[1] = verdict("rouge_match", 0.7, 0.6, worst_turn=1, turns=turns)
    heads = [line for line in shown(moved, 80) if line.startswith("turn ")]
    assert [line[-8:].strip() for line in heads] == ["✓ 1.00", "✓ 0.54", "✓ 0.90"]


def test_answers_of_the_same_words_are_shown_once(moved: DetailModel) -> None:
    lines = shown(moved, 80)
    assert "both      Of course. What is the new one?" in lines
    assert not any(line.startswith("expected  Of course") for line in lines)
    assert "actual    I will change it to Bahnhofstrasse 3." in lines


def test_a_call_stands_in_the_turn_in_which_it_was_made(moved: DetailModel) -> None:
    turns = talk_of(moved).turns
    assert [[step.name for step in turn.calls] for turn in turns] == [[], ["update_address"], []]
    second = next(at for at, line in enumerate(shown(moved, 80)) if line.startswith("turn 2"))
    assert words(shown(moved, 80)[second + 1])[0] == "tool"


def test_a_missing_call_stands_where_the_file_expects_it() -> None:
    case = EvalCase.multi_turn("a", [("one", "1"), ("two", "2"), ("three", "3")])
    case.conversation[0].expected_tool_trajectory = [ToolCall(name="first")]
    case.conversation[2].expected_tool_trajectory = [ToolCall(name="last")]
    turns = talk_of(answered(case, "1", "2", "3")).turns
    assert [[step.name for step in turn.calls] for turn in turns] == [["first"], [], ["last"]]


def test_what_failed_stands_last_with_the_turn_that_decided(moved: DetailModel) -> None:
    *_, score, calls, texts = shown(moved)
    assert score.startswith("─ Score ──")
    assert score.endswith("the worst turn counts ─")
    assert words(calls)[:3] == ["✗", "trajectory", "0.00"]
    assert "turn 2: 4 of 9 words differ" in texts


def test_of_one_turn_the_score_stands_in_why(tokyo: DetailModel) -> None:
    assert not any("Score" in line for line in shown(tokyo))


@pytest.mark.parametrize("width", [80, 140])
def test_where_no_answer_is_expected_it_says_so(width: int) -> None:
    case = EvalCase.multi_turn("a", [("one", "1"), ("two", "")])
    lines = shown(answered(case, "1", "a free answer"), width)
    assert any("No expected answer in the file." in line for line in lines)
    assert any("a free answer" in line for line in lines)
    alone = EvalCase.single_turn("a", "one")
    assert words(shown(answered(alone, "free"), width)[1]) == ["answer", "free"]


def test_no_answer_is_told_and_so_is_a_turn_that_was_never_reached() -> None:
    case = EvalCase.multi_turn("a", [("one", "1"), ("two", "2")])
    model = answered(case, "")
    assert [turn.stage for turn in talk_of(model).turns] == [Stage.ANSWERED, Stage.NEVER]
    lines = shown(model, 80)
    assert "actual    no answer" in lines
    assert "actual    The conversation ended before." in lines


def test_what_broke_a_conversation_off_stands_below_it() -> None:
    case = EvalCase.multi_turn("a", [("one", "1"), ("two", "2")])
    model = answered(case, "1")
    assert model.result is not None
    model.result.error = "RuntimeError: the tool is down"
    assert "error     RuntimeError: the tool is down" in shown(model, 80)
    assert had(model, "the error") == "RuntimeError: the tool is down"


def test_answers_that_are_mostly_different_are_not_marked() -> None:
    case = EvalCase.single_turn("a", "?", "nothing like it at all")
    lines = chat.lines(answered(case, "something else entirely"), 80, 20)
    assert any("mostly different" in line.plain for line in lines)
    assert not any("underline" in str(span.style) for line in lines for span in line.spans)


@pytest.mark.parametrize("width", [80, 140])
def test_long_texts_are_folded_and_opened_one_by_one(width: int) -> None:
    case = EvalCase.multi_turn("a", [(LONG, f"{LONG} yes"), ("short", "short")])
    model = answered(case, f"{LONG} no", "short")
    folded = len(shown(model, width))
    names = [one.fold for one in items(model, width) if one.fold]
    assert names == ["question 0", "answer 0"]
    assert folded < 40
    for name in names:
        opened = shown(model, width, 45, name)
        assert len(opened) > folded
        assert sum("…" in line for line in opened) < sum(
            "…" in line for line in shown(model, width)
        )
    assert shown(model, width, 45, *names).count("…") == 0
    assert had(model, "both answers") == {"expected": f"{LONG} yes", "actual": f"{LONG} no"}


def test_of_many_calls_the_first_are_shown() -> None:
    case = EvalCase.single_turn("a", "?", "!", [ToolCall(name=f"t{n}") for n in range(30)])
    model = answered(case, "!")
    lines = shown(model, 80)
    assert "          … 18 more calls" in lines
    opened = shown(model, 80, 45, "calls 0")
    assert len(opened) == len(lines) + 18
    assert "          all 30 calls" in opened


def test_messages_before_the_case_are_folded() -> None:
    messages = [{"role": "user", "content": "I am Ann."}, {"type": "ai", "content": "Hello Ann."}]
    case = EvalCase.single_turn("a", "?", "!")
    case.session_input = SessionInput(state={"messages": messages})
    model = answered(case, "!")
    assert shown(model, 80)[0] == "before    ▸ 2 messages"
    assert [words(line) for line in shown(model, 80, 45, "before")[:3]] == [
        ["before", "▾", "2", "messages"],
        ["user", "I", "am", "Ann."],
        ["ai", "Hello", "Ann."],
    ]
    assert [one["content"] for one in had(model, "the messages before")] == [
        "I am Ann.",
        "Hello Ann.",
    ]
    case.session_input = SessionInput(state={"messages": ["no message"]})
    case.metadata = {"history": messages[:1]}
    assert shown(answered(case, "!"), 80)[0] == "before    ▸ 1 message"


def test_a_turn_and_a_call_can_be_had_whole(tokyo: DetailModel) -> None:
    call = had(tokyo, "the call of get_forecast")
    assert (call["expected"]["args"]["city"], call["actual"]["args"]["city"]) == ("Tokyo", "Kyoto")
    turn = had(tokyo, "turn 1")
    assert turn["asked"].startswith("Will I need")
    assert [len(turn["calls"]), turn["actual"][:3]] == [4, "No,"]


def running(unfinished: Progress, case: EvalCase, turn: int) -> DetailModel:
    """In the middle of a turn, with a call in it that goes on."""
    live, key = LiveSteps(), CaseKey(0, "tokyo_forecast")
    started = StepStarted(
        seq=0, at=START, run_id="r", case=key, node="TOOL", tool="look_up", args='{"city": "Rome"}'
    )
    live.started(started, turn)
    info = CaseInfo(eval_id="tokyo_forecast", turns=3)
    model = unfinished(CaseStatus.RUNNING, info=info, turn=turn, live=live, started_at=START)
    return replace(model, case=case)


def test_a_case_that_runs_shows_where_it_is(unfinished: Progress) -> None:
    case = EvalCase.multi_turn("a", [("one", "1"), ("two", "2"), ("three", "3")])
    model = running(unfinished, case, 1)
    stages = [turn.stage for turn in talk_of(model).turns]
    assert stages == [Stage.ASKED, Stage.NOW, Stage.AHEAD]
    lines = shown(model, 80)
    assert "actual    The answer comes with the result." in lines
    assert "actual    ▸ now" in lines
    assert "expected  3" in lines
    call = next(line for line in lines if "look_up" in line)
    assert words(call)[0] == "tool"
    assert call.endswith("▸ now")


def test_a_call_that_is_over_is_not_compared_before_the_result_is_there(
    unfinished: Progress,
) -> None:
    model = running(unfinished, EvalCase.multi_turn("a", [("one", "1")]), 0)
    assert model.progress is not None
    assert model.progress.live is not None
    recorded = StepRecorded(
        seq=1, at=START + 1, run_id="r", case=model.key, node="TOOL", tool="look_up", seconds=1.0
    )
    model.progress.live.recorded(recorded, 0)
    call = next(line for line in shown(model, 80) if "look_up" in line)
    assert not call.endswith(("now", "extra", "same"))


@pytest.mark.parametrize("status", [CaseStatus.WAITING, CaseStatus.SKIPPED])
def test_a_case_that_did_not_run_shows_what_it_would_be_asked(
    unfinished: Progress, status: CaseStatus
) -> None:
    lines = shown(unfinished(status))
    assert any("Will I need an umbrella" in line for line in lines)
    assert any("Yes, rain is likely" in line for line in lines)


def test_a_case_that_nobody_knows_says_so() -> None:
    lines = shown(DetailModel(CaseKey(0, "gone")))
    assert any("not in its file any more" in line for line in lines)
