"""The fold: what a viewer holds after each event."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenxgraph_tui.evaluation.events import (
    CaseFinished,
    CaseInfo,
    CaseRestarted,
    CaseStarted,
    CaseStatus,
    JudgeStarted,
    RunEvent,
    RunFinished,
    RunStarted,
    SetInfo,
    StepRecorded,
    StepStarted,
    TurnStarted,
)
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.infos import VerdictPreview
from tenxgraph_tui.evaluation.progress import RunState
from tenxgraph_tui.evaluation.results import CaseKey, Verdict

IDS = ("a", "b", "c", "d")


def started(at: float = 0.0) -> RunStarted:
    cases = tuple(CaseInfo(eval_id=eval_id) for eval_id in IDS)
    return RunStarted(
        seq=0, at=at, run_id="r", number=7, sets=(SetInfo(eval_set_id="s", cases=cases),)
    )


def key(eval_id: str) -> CaseKey:
    return CaseKey(0, eval_id)


def begun(eval_id: str, at: float) -> CaseStarted:
    return CaseStarted(seq=0, at=at, run_id="r", case=key(eval_id))


def ended(eval_id: str, at: float, status: CaseStatus = CaseStatus.PASSED) -> CaseFinished:
    usage = TokenUsage(3, 4)
    return CaseFinished(seq=0, at=at, run_id="r", case=key(eval_id), status=status, usage=usage)


def state_after(*events: RunEvent) -> RunState:
    state = RunState()
    for event in events:
        state.apply(event)
    return state


def test_a_started_run_has_all_its_cases_waiting() -> None:
    state = state_after(started())
    assert [case.status for case in state.cases.values()] == [CaseStatus.WAITING] * 4
    assert (state.number, state.is_running, state.done) == (7, True, 0)


def test_the_live_step_of_a_running_case_is_what_it_does_now() -> None:
    state = state_after(
        started(),
        begun("a", 1),
        TurnStarted(seq=0, at=1, run_id="r", case=key("a"), turn=1, of=2),
        StepStarted(seq=0, at=1, run_id="r", case=key("a"), node="TOOL", tool="look", args='q="x"'),
    )
    case = state.cases[key("a")]
    assert (case.turn, case.node, case.step) == (1, "TOOL", 'look(q="x")')
    state.apply(StepRecorded(seq=0, at=2, run_id="r", case=key("a"), node="MAIN", tokens=9))
    assert (case.steps, case.tokens) == (1, 9)
    state.apply(
        JudgeStarted(seq=0, at=2, run_id="r", case=key("a"), criterion="llm_judge", sample=2, of=3)
    )
    assert (case.node, case.step) == ("JUDGE", "llm_judge, sample 2 of 3")


def test_a_restarted_case_begins_from_nothing() -> None:
    state = state_after(
        started(),
        begun("a", 1),
        StepRecorded(seq=0, at=2, run_id="r", case=key("a"), node="MAIN", tokens=9),
        CaseRestarted(seq=0, at=3, run_id="r", case=key("a"), reason="b blocked the event loop"),
    )
    case = state.cases[key("a")]
    assert (case.status, case.started_at, case.tokens, case.restarts) == ("running", 3, 0, 1)
    assert state.counts[CaseStatus.RUNNING] == 1


def test_rate_and_eta_are_told_from_the_third_finished_case_on() -> None:
    events: list[RunEvent] = [started()]
    for second, eval_id in enumerate(IDS[:2], 1):
        events += [begun(eval_id, second), ended(eval_id, second)]
    state = state_after(*events)
    assert (state.rate(), state.eta()) == (None, None)
    state.apply(begun("c", 3))
    state.apply(ended("c", 3))
    assert state.rate() == pytest.approx(1.0)
    assert state.eta() == pytest.approx(1.0)
    assert state.eta(now=6.0) == pytest.approx(2.0)


def test_cases_that_are_open_at_the_end_were_cancelled() -> None:
    state = state_after(
        started(), begun("a", 1), ended("a", 2), begun("b", 2), RunFinished(seq=0, at=3, run_id="r")
    )
    assert state.counts[CaseStatus.CANCELLED] == 3
    assert state.elapsed(now=99) == 3
    assert not state.is_running


def test_verdicts_that_are_alike_are_kept_once() -> None:
    """Ten thousand cases that pass for the same reason hold one verdict, not ten thousand."""

    def passed(eval_id: str, reason: str) -> CaseFinished:
        verdict = VerdictPreview("rouge_match", Verdict.PASSED, 1.0, 0.5, reason)
        done = CaseStatus.PASSED
        return CaseFinished(
            seq=0, at=1, run_id="r", case=key(eval_id), status=done, verdicts=(verdict,)
        )

    state = state_after(started(), *(passed(one, "every word") for one in "ab"), passed("c", "no"))
    first, second, other = (state.cases[key(one)].verdicts["rouge_match"] for one in "abc")
    assert first is second
    assert (first.reason, other.reason) == ("every word", "no")


def test_events_of_cases_that_were_not_planned_change_nothing() -> None:
    state = state_after(started(), begun("nobody", 1), ended("nobody", 2))
    assert state.done == 0
    assert key("nobody") not in state.cases


@given(
    st.lists(
        st.tuples(st.sampled_from(IDS), st.sampled_from(["start", "finish", "restart", "step"]))
    )
)
def test_counts_always_add_up_to_the_planned_cases(script: list[tuple[str, str]]) -> None:
    state = state_after(started())
    for eval_id, what in script:
        events: dict[str, RunEvent] = {
            "start": begun(eval_id, 1),
            "finish": ended(eval_id, 2, CaseStatus.FAILED),
            "restart": CaseRestarted(seq=0, at=1, run_id="r", case=key(eval_id), reason="x"),
            "step": StepStarted(seq=0, at=1, run_id="r", case=key(eval_id), node="MAIN"),
        }
        state.apply(events[what])
    assert sum(state.counts.values()) == len(IDS)
    assert min(state.counts.values()) >= 0
