"""A run: concurrency, timeouts, blockers, cancellation, and who is told when."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.adapters.port import CURRENT, observer_of
from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.evaluation.dataset import EvalCase, MessageContent, ToolCall
from tenxgraph_tui.evaluation.events import (
    CaseFinished,
    CaseRestarted,
    CaseStatus,
    Log,
    RunEvent,
    RunFinished,
    TurnStarted,
)
from tenxgraph_tui.evaluation.memory import MemorySink
from tenxgraph_tui.evaluation.progress import RunState
from tenxgraph_tui.evaluation.recorder import Recorder
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult


class Unspeakable(BaseException):
    def __str__(self) -> str:
        raise LookupError("no text")

    __repr__ = __str__


async def good(case: EvalCase, recorder: Recorder) -> None:
    await asyncio.sleep(0.01)
    recorder.outcome(None, case.eval_id, {}, result="ok")


def test_every_case_gets_exactly_its_own_calls_through_a_shared_task_and_a_pool(
    run_cases: Any,
) -> None:
    rng = random.Random(7)
    delays = {f"tool_{i}": rng.uniform(0, 0.05) for i in range(20)}
    shared: list[asyncio.Queue[tuple[Recorder, asyncio.Future[None]]]] = []

    async def serve(queue: asyncio.Queue[tuple[Recorder, asyncio.Future[None]]]) -> None:
        while True:
            asked, done = await queue.get()
            found = observer_of(asked.run_id)
            assert found is asked
            found.outcome("call_1", asked.key.eval_id, {}, result="from the task")
            done.set_result(None)

    def in_pool(run_id: str, name: str) -> None:
        found = observer_of(run_id)
        assert found is not None
        found.outcome("call_2", f"{name}_pool", {}, result="from the pool")

    async def behave(case: EvalCase, recorder: Recorder) -> None:
        if not shared:
            shared.append(asyncio.Queue())
            behave.task = asyncio.create_task(serve(shared[0]))  # type: ignore[attr-defined]  # kept alive
        await asyncio.sleep(delays[case.eval_id])
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        await shared[0].put((recorder, done))
        await done
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, in_pool, recorder.run_id, case.eval_id)

    ran = run_cases(list(delays), behave)
    assert {key: [c.name for c in r.actual_tool_calls] for key, r in ran.results.items()} == {
        name: [name, f"{name}_pool"] for name in delays
    }


def test_a_blocker_and_one_that_swallows_cancellation_harm_nobody_else(run_cases: Any) -> None:
    async def behave(case: EvalCase, recorder: Recorder) -> None:
        if case.eval_id == "blocks":
            time.sleep(6)  # noqa: ASYNC251 - the point
        if case.eval_id == "swallows":
            while True:
                try:
                    await asyncio.sleep(60)
                except asyncio.CancelledError:
                    continue
        await good(case, recorder)

    began = time.monotonic()
    ran = run_cases(["a", "b", "c", "blocks", "swallows", "d", "e", "f"], behave, timeout=0.5)
    assert time.monotonic() - began < 5
    assert ran.passed == set("abcdef")
    assert "did not stop when it was cancelled" in ran.errors["swallows"]
    assert "blocked the event loop at" in ran.errors["blocks"]
    assert "test_runner.py" in ran.errors["blocks"]
    assert ran.run.abandoned


def test_time_that_others_hold_the_loop_does_not_count(run_cases: Any) -> None:
    async def behave(case: EvalCase, recorder: Recorder) -> None:
        for _ in range(3):
            time.sleep(0.1)  # noqa: ASYNC251 - the point
            await asyncio.sleep(0)
        await good(case, recorder)

    ran = run_cases([f"case_{i}" for i in range(10)], behave, timeout=1.0)
    assert ran.errors == {}
    assert not any(isinstance(event, CaseRestarted) for event in ran.events)


def test_time_that_a_viewer_keeps_everybody_waiting_counts_against_nobody(run_cases: Any) -> None:
    def read_slowly(event: RunEvent) -> None:
        if isinstance(event, TurnStarted):
            time.sleep(1.2)

    async def behave(case: EvalCase, recorder: Recorder) -> None:
        await asyncio.sleep(0.05)
        await good(case, recorder)

    ran = run_cases(["a", "b"], behave, timeout=0.4, observers=[read_slowly])
    assert ran.errors == {}
    assert not any(isinstance(event, Log | CaseRestarted) for event in ran.events)


def test_an_agent_that_removed_its_folder_can_still_be_blamed(
    run_cases: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")

    async def behave(case: EvalCase, recorder: Recorder) -> None:
        (tmp_path / "gone").rmdir()
        raise ValueError("lost")

    assert run_cases(["a"], behave).errors == {"a": "ValueError: lost"}


def test_who_holds_the_loop_for_long_is_told_with_the_cure(run_cases: Any) -> None:
    async def behave(case: EvalCase, recorder: Recorder) -> None:
        if case.eval_id == "holds":
            time.sleep(0.9)  # noqa: ASYNC251 - the point
        await good(case, recorder)

    ran = run_cases(["holds", "waits"], behave, timeout=30.0)
    told = [event for event in ran.events if isinstance(event, Log)]
    assert [event.case.eval_id for event in told if event.case] == ["holds"]
    assert "test_runner.py" in told[0].text
    assert "asyncio.to_thread" in told[0].text


def test_neighbours_of_a_blocker_start_again_on_a_target_loaded_afresh(run_cases: Any) -> None:
    async def behave(case: EvalCase, recorder: Recorder) -> None:
        if case.eval_id == "blocks":
            await asyncio.sleep(0.05)
            time.sleep(3)  # noqa: ASYNC251 - the point
        await asyncio.sleep(0.2)
        await good(case, recorder)

    ran = run_cases(["near", "blocks", "far"], behave, timeout=0.6, max_concurrency=2)
    assert ran.passed == {"near", "far"}
    assert ran.source.loads == [False, True]
    assert "case_restarted" in ran.kinds("near")
    assert "case_restarted" not in ran.kinds("far")
    assert [c.name for c in ran.results["near"].actual_tool_calls] == ["near"]


def test_an_agent_with_a_module_level_queue_and_worker_survives_one_blocker(run_cases: Any) -> None:
    state: dict[str, Any] = {}

    async def serve(queue: asyncio.Queue[Any]) -> None:
        while True:
            name, recorder, done = await queue.get()
            await asyncio.sleep(0.01)
            recorder.outcome(None, name, {}, result="ok")
            done.set_result(None)

    async def behave(case: EvalCase, recorder: Recorder) -> None:
        if "queue" not in state:
            state["queue"] = asyncio.Queue()
            state["task"] = asyncio.create_task(serve(state["queue"]))
        if case.eval_id == "blocks":
            await asyncio.sleep(0.02)
            time.sleep(3)  # noqa: ASYNC251 - the point
        await asyncio.sleep(0.1)
        done = asyncio.get_running_loop().create_future()
        await state["queue"].put((case.eval_id, recorder, done))
        await done

    class Fresh:
        """What loading the module again does to its globals."""

        reloads = True

        def load(self, *, afresh: bool = False) -> None:
            if afresh:
                state.clear()

        async def open(self) -> Any:
            return self

        async def run(self, case: EvalCase, recorder: Recorder) -> Any:
            recorder.begin_turn(1, MessageContent.user("hi"))
            await behave(case, recorder)
            return recorder.snapshot()

    names = ["blocks", *(f"tool_{i}" for i in range(12))]
    ran = run_cases(names, behave, source=Fresh(), timeout=0.5, max_concurrency=6)
    assert ran.passed == set(names) - {"blocks"}
    assert all(
        [c.name for c in result.actual_tool_calls] == [name]
        for name, result in ran.results.items()
        if name != "blocks"
    )


@pytest.mark.parametrize(
    ("raises", "told"),
    [
        pytest.param(ValueError("no such city"), "ValueError: no such city", id="an exception"),
        pytest.param(SystemExit(3), "SystemExit: 3", id="a request to leave"),
        pytest.param(asyncio.CancelledError(), "CancelledError", id="a cancellation of its own"),
        pytest.param(KeyboardInterrupt(), "KeyboardInterrupt", id="an interrupt of its own"),
        pytest.param(
            Unspeakable(),
            "Unspeakable (its text cannot be had: __str__ raised LookupError)",
            id="an exception that cannot be printed",
        ),
    ],
)
def test_what_an_agent_raises_is_the_error_of_its_case(
    run_cases: Any, raises: BaseException, told: str
) -> None:
    async def behave(case: EvalCase, recorder: Recorder) -> None:
        recorder.outcome(None, "before", {}, result=1)
        if case.eval_id == "bad":
            raise raises
        await good(case, recorder)

    ran = run_cases(["bad", "fine"], behave)
    assert ran.errors == {"bad": told}
    assert [c.name for c in ran.results["bad"].actual_tool_calls] == ["before"]
    assert "test_runner.py" in ran.results["bad"].metadata["location"]
    assert ran.passed == {"fine"}


def test_a_tool_that_outlives_its_timeout_cannot_change_the_result(run_cases: Any) -> None:
    late = threading.Event()

    async def behave(case: EvalCase, recorder: Recorder) -> None:
        if case.eval_id == "slow":
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                recorder.outcome(None, "slow", {}, result="too late")
                late.set()
                raise
        await asyncio.sleep(0.3)
        await good(case, recorder)

    ran = run_cases(["slow", "fine"], behave, timeout=0.5)
    assert late.is_set()
    assert ran.results["slow"].actual_tool_calls == []
    assert ran.errors == {"slow": "timed out after 0.5 s"}


def test_results_are_stored_before_anyone_is_told(run_cases: Any) -> None:
    sink = MemorySink()
    missing: list[CaseKey] = []

    def check(event: RunEvent) -> None:
        if isinstance(event, CaseFinished) and event.case not in sink.results:
            missing.append(event.case)

    run_cases(["a", "b", "c"], good, observers=[check], sink=sink)
    assert missing == []
    assert len(sink.results) == 3


def test_a_sink_that_fails_stops_the_run(run_cases: Any) -> None:
    class Full(MemorySink):
        def save(self, key: CaseKey, result: EvalCaseResult) -> None:
            raise StoreError("disk full")

    with pytest.raises(StoreError, match="disk full"):
        run_cases(["a", "b"], good, sink=Full())


def test_a_sink_that_fails_at_the_end_is_the_end_of_the_run_for_viewers_too(
    run_cases: Any,
) -> None:
    class Late(MemorySink):
        def finished(self, event: RunFinished) -> None:
            raise StoreError("the disk is full")

    seen: list[RunEvent] = []
    with pytest.raises(StoreError, match="disk is full"):
        run_cases(["a"], good, sink=Late(), observers=[seen.append])
    assert isinstance(seen[-1], RunFinished)
    assert seen[-1].error == "the disk is full"


def test_cancelling_keeps_what_is_done_and_names_the_rest(run_cases: Any) -> None:
    async def behave(case: EvalCase, recorder: Recorder) -> None:
        if case.eval_id != "quick":
            await asyncio.sleep(60)
        await good(case, recorder)

    def prepare(run: Any) -> None:
        threading.Timer(0.3, run.cancel).start()

    ran = run_cases(["quick", "slow", "never"], behave, prepare=prepare, max_concurrency=2)
    assert ran.finished.was_cancelled
    assert (ran.finished.passed, ran.finished.cancelled) == (1, 2)
    assert list(ran.results) == ["quick"]
    state = RunState()
    for event in ran.events:
        state.apply(event)
    assert state.counts[CaseStatus.CANCELLED] == 2


def test_one_case_can_be_cancelled_alone(run_cases: Any) -> None:
    async def behave(case: EvalCase, recorder: Recorder) -> None:
        if case.eval_id == "slow":
            await asyncio.sleep(60)
        await good(case, recorder)

    def prepare(run: Any) -> None:
        threading.Timer(0.2, run.cancel, [CaseKey(0, "slow")]).start()

    ran = run_cases(["slow", "fine"], behave, prepare=prepare)
    assert ran.passed == {"fine"}
    assert ran.finished.cancelled == 1
    assert not ran.finished.was_cancelled


def test_fail_fast_stops_at_the_first_that_does_not_pass(run_cases: Any) -> None:
    async def behave(case: EvalCase, recorder: Recorder) -> None:
        if case.eval_id == "bad":
            raise ValueError
        await good(case, recorder)

    ran = run_cases(["a", "bad", "b", "c"], behave, max_concurrency=1, fail_fast=True)
    assert list(ran.results) == ["a", "bad"]
    assert ran.finished.cancelled == 2


def test_a_skipped_case_is_told_with_its_reason_and_never_run(run_cases: Any) -> None:
    skipped = EvalCase.single_turn("later", "q", "a")
    skipped.metadata["skip"] = "the tool is not built yet"
    ran = run_cases(["a", skipped], good)
    assert ran.kinds("later") == ["case_finished"]
    assert list(ran.results) == ["a"]
    assert ran.finished.skipped == 1


@pytest.mark.parametrize(
    ("calls", "key"),
    [
        pytest.param(False, "xfailed", id="a known failure"),
        pytest.param(True, "unexpected_pass", id="an unexpected pass"),
    ],
)
def test_an_xfail_case_counts_as_passed_and_says_which(
    run_cases: Any, calls: bool, key: str
) -> None:
    tools = [ToolCall(name="known")]
    case = EvalCase.single_turn("known", "q", expected_tools=tools)
    case.metadata["xfail"] = "bug 12"

    async def behave(case: EvalCase, recorder: Recorder) -> None:
        if calls:
            recorder.outcome(None, case.eval_id, {}, result=1)

    ran = run_cases([case], behave)
    assert ran.results["known"].passed
    assert ran.results["known"].metadata[key] == "bug 12"


def test_a_case_without_turns_is_nothing_to_check(run_cases: Any) -> None:
    ran = run_cases([EvalCase(eval_id="empty")], good)
    assert ran.errors == {"empty": "nothing to check: the case has no turns"}


def test_some_cases_can_begin_first_and_stay_in_their_place(run_cases: Any) -> None:
    begun: list[str] = []

    async def behave(case: EvalCase, recorder: Recorder) -> None:
        begun.append(case.eval_id)
        await good(case, recorder)

    first = frozenset({(0, "d"), (0, "b"), (0, "unknown"), (1, "a")})
    ran = run_cases(["a", "b", "c", "d"], behave, max_concurrency=1, first=first)
    assert begun == ["b", "d", "a", "c"]
    assert [info.eval_id for info in ran.events[0].sets[0].cases] == ["a", "b", "c", "d"]


def test_without_the_watchdog_everything_runs_here_one_at_a_time(run_cases: Any) -> None:
    threads: set[str] = set()

    async def behave(case: EvalCase, recorder: Recorder) -> None:
        threads.add(threading.current_thread().name)
        await good(case, recorder)

    ran = run_cases(["a", "b"], behave, watchdog=False)
    assert ran.passed == {"a", "b"}
    assert threads == {threading.current_thread().name}


def test_a_system_exit_in_a_task_of_the_agent_does_not_end_the_loop(run_cases: Any) -> None:
    async def leaves() -> None:
        raise SystemExit(3)

    async def behave(case: EvalCase, recorder: Recorder) -> None:
        if case.eval_id == "bad":
            task = asyncio.create_task(leaves())
            await asyncio.wait({task})
            task.exception()
        await good(case, recorder)

    ran = run_cases(["bad", "fine"], behave)
    assert ran.passed == {"bad", "fine"}


def test_an_agent_that_stops_the_loop_stops_nobody(run_cases: Any) -> None:
    async def behave(case: EvalCase, recorder: Recorder) -> None:
        if case.eval_id == "bad":
            asyncio.get_running_loop().stop()
        await asyncio.sleep(0.01)
        await good(case, recorder)

    assert run_cases(["bad", "fine"], behave, timeout=30).passed == {"bad", "fine"}


def test_a_case_that_another_agent_cancels_is_an_error_not_a_wish_of_the_user(
    run_cases: Any,
) -> None:
    async def behave(case: EvalCase, recorder: Recorder) -> None:
        if case.eval_id == "bad":
            for task in asyncio.all_tasks():
                if task is not asyncio.current_task():
                    task.cancel()
            return
        await asyncio.sleep(30)
        await good(case, recorder)

    ran = run_cases(["bad", "fine"], behave, timeout=60)
    assert set(ran.errors) == {"bad", "fine"}
    assert "cancelled by code of an agent" in ran.errors["fine"]


def test_an_error_of_ours_is_the_cases_error_even_if_its_evidence_is_lost(
    run_cases: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(self: Recorder) -> None:
        raise LookupError("a bug")

    monkeypatch.setattr(Recorder, "snapshot", breaks)
    ran = run_cases(["a", "b"], good)
    assert ran.errors == dict.fromkeys("ab", "internal error: LookupError('a bug')")
    assert (ran.finished.errors, ran.finished.cancelled) == (2, 0)


def test_no_case_is_current_outside_of_a_run(run_cases: Any) -> None:
    run_cases(["a"], good)
    assert CURRENT.get() is None
