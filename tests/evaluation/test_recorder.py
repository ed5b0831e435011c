"""What one attempt's recorder keeps, in which order, and what it refuses."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tenxgraph_tui.adapters.port import observer_of
from tenxgraph_tui.evaluation.dataset import MessageContent, StepType
from tenxgraph_tui.evaluation.events import RunEvent, StepRecorded, StepStarted
from tenxgraph_tui.evaluation.recorder import Recorder, recording
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.evaluation.stream import EventStream

KEY = CaseKey(0, "case")


def request(*calls: tuple[str, str, Any]) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": "",
        "tool_calls": [
            {"id": call_id, "function": {"name": name, "arguments": args}}
            for call_id, name, args in calls
        ],
    }


@pytest.fixture
def recorder() -> Recorder:
    made = Recorder(KEY)
    made.begin_turn(1, MessageContent.user("hi"))
    return made


def test_parallel_calls_stand_in_the_order_of_request_not_of_finishing(recorder: Recorder) -> None:
    recorder.visit("MAIN", 1)
    recorder.message("MAIN", request(("1", "slow", {}), ("2", "quick", {})))
    recorder.visit("TOOL", 2)
    recorder.outcome("2", "quick", {}, result=2)
    recorder.outcome("1", "slow", {}, result=1)
    result = recorder.snapshot()
    assert [(c.name, c.result) for c in result.tool_calls] == [("slow", 1), ("quick", 2)]
    assert [s.name for s in result.trajectory] == ["MAIN", "TOOL", "slow", "quick"]


def test_a_call_that_never_ran_keeps_its_place_among_those_of_its_message(
    recorder: Recorder,
) -> None:
    recorder.visit("MAIN", 1)
    recorder.message("MAIN", request(("1", "ran", {}), ("2", "unknown", {})))
    recorder.visit("TOOL", 2)
    recorder.outcome("1", "ran", {}, result=1)
    recorder.visit("MAIN", 3)
    steps = recorder.snapshot().trajectory
    assert [s.name for s in steps] == ["MAIN", "TOOL", "ran", "unknown", "MAIN"]
    assert [s.step_type for s in steps].count(StepType.TOOL) == 2


def test_models_repeat_call_ids_and_each_request_gets_its_own_result(recorder: Recorder) -> None:
    for answer in ("first", "second"):
        recorder.message("MAIN", request(("call_1", "look", {"n": answer})))
        recorder.outcome("call_1", "look", {}, result=answer)
    assert [(c.args["n"], c.result) for c in recorder.snapshot().tool_calls] == [
        ("first", "first"),
        ("second", "second"),
    ]


def test_parallel_calls_with_one_id_are_told_apart_by_their_arguments(recorder: Recorder) -> None:
    recorder.message("MAIN", request(("1", "look", {"n": 1}), ("1", "look", {"n": 2})))
    recorder.outcome("1", "look", {"n": 2}, result="second")
    recorder.outcome("1", "look", {"n": 1}, result="first")
    assert [c.result for c in recorder.snapshot().tool_calls] == ["first", "second"]


def test_what_the_model_asked_for_is_kept_whatever_its_arguments_are_called(
    recorder: Recorder,
) -> None:
    recorder.message("MAIN", request(("1", "tax", '{"state": "TX", "tool_call_id": "x"}')))
    recorder.outcome("1", "tax", {"config": "injected"}, result=1)
    assert recorder.snapshot().tool_calls[0].args == {"state": "TX", "tool_call_id": "x"}


def test_arguments_that_are_no_json_are_recorded_as_such(recorder: Recorder) -> None:
    recorder.message("MAIN", request(("1", "look", '{"q": ')))
    call = recorder.snapshot().tool_calls[0]
    assert (call.args, call.error) == (
        {"arguments": '{"q": '},
        "the arguments are not a JSON object",
    )


def test_a_result_that_nobody_asked_for_opens_a_record_of_its_own(recorder: Recorder) -> None:
    recorder.outcome(None, "direct", {"a": 1}, error="ValueError: no")
    call = recorder.snapshot().tool_calls[0]
    assert (call.name, call.args, call.error) == ("direct", {"a": 1}, "ValueError: no")


def test_a_tool_message_fills_what_no_callback_reported(recorder: Recorder) -> None:
    recorder.message("MAIN", request(("1", "gone", {})))
    recorder.message(
        "TOOL", {"role": "tool", "tool_call_id": "1", "content": "no such tool", "is_error": True}
    )
    assert recorder.snapshot().tool_calls[0].error == "no such tool"


def test_results_stay_json_values(recorder: Recorder) -> None:
    recorder.outcome(None, "a", {}, result={"k": [1, 2.5, None, True]})
    recorder.outcome(None, "b", {}, result={1, 2})
    recorder.outcome(None, "c", {}, result=object)
    results = [c.result for c in recorder.snapshot().tool_calls]
    assert results[0] == {"k": [1, 2.5, None, True]}
    assert results[1] in ([1, 2], [2, 1])
    assert results[2] == repr(object)


def test_changing_the_arguments_later_does_not_change_the_record(recorder: Recorder) -> None:
    args = {"ids": [1]}
    recorder.message("MAIN", request(("1", "look", args)))
    args["ids"].append(2)
    assert recorder.snapshot().tool_calls[0].args == {"ids": [1]}


def test_the_answer_is_the_last_text_that_asks_for_no_tool(recorder: Recorder) -> None:
    recorder.message("MAIN", {"role": "user", "content": "from a plain node"})
    recorder.message("MAIN", {**request(("1", "look", {})), "content": "let me look"})
    recorder.message("TOOL", {"role": "tool", "tool_call_id": "1", "content": "42"})
    result = recorder.snapshot()
    assert result.actual_response == "from a plain node"
    assert [reply.response_text for reply in result.node_responses] == ["from a plain node", ""]
    assert result.messages[2]["content"] == "let me look"


def test_two_equal_messages_are_two_messages() -> None:
    recorder = Recorder(KEY)
    for _ in range(2):
        recorder.begin_turn(2, MessageContent.user("yes"))
        recorder.message("MAIN", {"role": "assistant", "content": "fine"})
        recorder.end_turn()
    result = recorder.snapshot()
    assert [m["content"] for m in result.messages] == ["yes", "fine", "yes", "fine"]
    assert [turn.response for turn in result.turns] == ["fine", "fine"]


def test_a_visit_is_repeated_only_by_another_step_or_turn(recorder: Recorder) -> None:
    for step in (1, 1, 2, 2):
        recorder.visit("MAIN", step)
    recorder.visit("MAIN")
    recorder.visit("MAIN")
    recorder.begin_turn(2, MessageContent.user("again"))
    recorder.visit("MAIN", 2)
    result = recorder.snapshot()
    assert result.node_visits == ["MAIN"] * 5
    assert [turn.node_visits for turn in result.turns] == [["MAIN"] * 4, ["MAIN"]]


def test_calls_belong_to_the_turn_in_which_they_were_made() -> None:
    recorder = Recorder(KEY)
    for name in ("one", "two"):
        recorder.begin_turn(2, MessageContent.user(name))
        recorder.outcome(None, name, {}, result=1)
    turns = recorder.snapshot().turns
    assert [[c.name for c in turn.tool_calls] for turn in turns] == [["one"], ["two"]]


def test_a_sealed_recorder_takes_nothing_more(recorder: Recorder) -> None:
    recorder.outcome(None, "before", {}, result=1)
    recorder.seal()
    recorder.outcome(None, "after", {}, result=1)
    recorder.visit("MAIN")
    recorder.message("MAIN", {"role": "assistant", "content": "late"})
    recorder.begin_turn(2, MessageContent.user("late"))
    result = recorder.snapshot()
    assert [c.name for c in result.tool_calls] == ["before"]
    assert (result.node_visits, len(result.messages), len(result.turns)) == ([], 1, 1)


def test_an_attempt_that_has_ended_is_found_by_nobody() -> None:
    ended, current = Recorder(CaseKey(0, "ended")), Recorder(CaseKey(0, "current"))
    with recording(ended):
        assert observer_of(ended.run_id) is ended
    with recording(current):
        assert observer_of(ended.run_id) is None
        assert observer_of("an id of the agent's own graph") is current
        assert observer_of() is current
    assert observer_of() is None


def test_steps_are_announced_when_they_begin_and_told_with_their_time_when_they_end() -> None:
    events: list[RunEvent] = []
    recorder = Recorder(KEY, stream=EventStream(events.append, run_id="r"))
    recorder.begin_turn(1, MessageContent.user("hi"))
    recorder.visit("MAIN", 1)
    recorder.step_started("MAIN")
    usage = {"input_tokens": 3, "output_tokens": 4}
    recorder.message("MAIN", request(("1", "look", {"q": "x"})), usage=usage)
    recorder.visit("TOOL", 2)
    recorder.step_started("TOOL", tool="look", args={"q": "x"}, call_id="1")
    recorder.outcome("1", "look", {"q": "x"}, error="ValueError: no", node="TOOL")
    recorder.seal()
    told = [
        (type(e).__name__, e.node, e.tool, e.args)
        for e in events
        if isinstance(e, StepStarted | StepRecorded)
    ]
    assert told == [
        ("StepStarted", "MAIN", None, ""),
        ("StepRecorded", "MAIN", None, ""),
        ("StepStarted", "TOOL", "look", 'q="x"'),
        ("StepRecorded", "TOOL", "look", 'q="x"'),
        ("StepRecorded", "TOOL", None, ""),
    ]
    recorded = [e for e in events if isinstance(e, StepRecorded)]
    assert [e.tokens for e in recorded] == [7, 0, 0]
    assert recorded[1].error == "ValueError: no"
    assert all(e.seconds is not None and e.seconds >= 0 for e in recorded)


def test_threads_may_write_at_the_same_time(recorder: Recorder) -> None:
    def write(name: str) -> None:
        for i in range(200):
            recorder.message("MAIN", request((name, name, {"i": i})))
            recorder.outcome(name, name, {}, result=i)

    threads = [threading.Thread(target=write, args=[f"t{n}"]) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    calls = recorder.snapshot().tool_calls
    assert len(calls) == 800
    assert all(call.result == call.args["i"] for call in calls)


def test_what_a_node_is_sent_again_is_kept_once(recorder: Recorder) -> None:
    told = [{"role": "user", "content": f"message {number}"} for number in range(3)]
    changed = [told[0], {"role": "user", "content": "another"}]
    for seen in (told[:2], told, changed):
        recorder.message("MAIN", {"role": "assistant", "content": "ok"}, seen=[*map(dict, seen)])
    first, second, third = (one.input_messages for one in recorder.snapshot().node_responses)
    assert (first, second, third) == (told[:2], told, changed)
    assert all(one is other for one, other in zip(first, second, strict=False))
    assert third[0] is first[0]
