"""Judges within a run: on a loop of their own, cancelled with it, told to whoever watches."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Any

import pytest

from tenxgraph_tui.evaluation.config import CriteriaConfig, CriterionConfig, EvalConfig
from tenxgraph_tui.evaluation.criteria import CRITERIA_REGISTRY
from tenxgraph_tui.evaluation.criteria.base import BaseCriterion
from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet
from tenxgraph_tui.evaluation.events import CaseFinished, CaseStatus, JudgeStarted, RunEvent
from tenxgraph_tui.evaluation.execution import ExecutionResult
from tenxgraph_tui.evaluation.judging.port import JudgeOptions
from tenxgraph_tui.evaluation.judging.sampling import opinion
from tenxgraph_tui.evaluation.memory import MemorySink
from tenxgraph_tui.evaluation.plan import RunOptions, SetPlan
from tenxgraph_tui.evaluation.recorder import Recorder
from tenxgraph_tui.evaluation.runner import Run
from tenxgraph_tui.evaluation.stream import EventStream
from tenxgraph_tui.evaluation.verdicts import Score
from tests.evaluation.conftest import Behaviour, FunctionSource
from tests.evaluation.judging.conftest import until, until_now
from tests.evaluation.judging.server import ModelServer

WHAT_A_BUSY_MACHINE_TAKES = 20


class Asks(BaseCriterion):
    """Asks the model of its config for as many samples as that says."""

    name = "asks"

    async def score(self, actual: ExecutionResult, expected: EvalCase) -> Score:
        found = await opinion(
            f"Judge {expected.eval_id}: {actual.actual_response}",
            model=self.config.judge_model,
            criterion=self.name,
            samples=self.config.num_samples,
        )
        return Score(found.score, found.reason, found.details())


@dataclass
class Judged:
    """A run of cases that are checked by `Asks` alone."""

    run: Run
    events: list[RunEvent]
    sink: MemorySink

    def statuses(self) -> dict[str, CaseStatus]:
        ended = [event for event in self.events if isinstance(event, CaseFinished)]
        return {event.case.eval_id: event.status for event in ended}


async def _silent(case: EvalCase, recorder: Recorder) -> None:
    recorder.message("MAIN", {"role": "assistant", "content": case.eval_id})


@pytest.fixture
def judged(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setitem(CRITERIA_REGISTRY, "contains_keywords", Asks)

    def build(
        script: str, *ids: str, samples: int = 2, behave: Behaviour = _silent, **options: Any
    ) -> Judged:
        asks = CriterionConfig(judge_model=script, num_samples=samples, keywords=["x"])
        config = EvalConfig(criteria=CriteriaConfig(contains_keywords=asks))
        cases = [EvalCase.single_turn(eval_id, eval_id, eval_id) for eval_id in ids]
        plan = SetPlan(EvalSet(eval_cases=cases), FunctionSource(behave), config)
        events: list[RunEvent] = []
        judge = JudgeOptions(base_url=server.url, timeout=60, total=120)
        stream, sink = EventStream(events.append, run_id="r"), MemorySink()
        how = RunOptions(run_id="r", judge=judge, **options)
        return Judged(Run([plan], how, stream, sink), events, sink)

    return build


def test_every_sample_is_told_with_its_case(judged: Any, server: ModelServer) -> None:
    one = judged("good|run", "paris", "oslo")
    one.run.execute()
    told = [event for event in one.events if isinstance(event, JudgeStarted)]
    assert {(event.case.eval_id, event.criterion, event.sample, event.of) for event in told} == {
        (eval_id, "asks", sample, 2) for eval_id in ("paris", "oslo") for sample in (1, 2)
    }
    assert set(one.statuses().values()) == {CaseStatus.PASSED}


@pytest.mark.parametrize("watchdog", [True, False])
def test_a_run_that_waits_for_judges_is_cancelled_at_once(
    judged: Any, server: ModelServer, watchdog: bool
) -> None:
    asked = f"slow@{100 + watchdog}"
    one = judged(asked, "paris", "oslo", watchdog=watchdog)
    thread = threading.Thread(target=one.run.execute)
    thread.start()
    until_now(lambda: len(server.asked(asked)) >= 2)
    began = time.monotonic()
    one.run.cancel()
    thread.join(WHAT_A_BUSY_MACHINE_TAKES)
    assert not thread.is_alive()
    assert time.monotonic() - began < WHAT_A_BUSY_MACHINE_TAKES
    assert set(one.statuses().values()) == {CaseStatus.CANCELLED}
    until_now(lambda: all(request.abandoned for request in server.asked(asked)))


def test_an_agent_that_holds_its_loop_does_not_hold_up_a_judge(
    judged: Any, server: ModelServer
) -> None:
    """It holds it until the judge of another case was asked twice: that needs a loop that runs."""

    async def behave(case: EvalCase, recorder: Recorder) -> None:
        await _silent(case, recorder)
        if case.eval_id == "blocks":
            await until(lambda: len(server.asked("500|good|held")) >= 1)
            until_now(lambda: len(server.asked("500|good|held")) >= 2)

    one = judged("500|good|held", "quick", "blocks", samples=1, behave=behave, max_concurrency=2)
    one.run.execute()
    assert one.statuses() == {"quick": CaseStatus.PASSED, "blocks": CaseStatus.PASSED}


def test_all_cases_together_never_ask_for_more_than_the_limit(
    judged: Any, server: ModelServer
) -> None:
    server.peak = 0
    one = judged(
        "slow@0.2|slow@0.1", *(f"case-{n}" for n in range(12)), samples=3, max_concurrency=12
    )
    one.run.execute()
    assert len(server.asked("slow@0.2|slow@0.1")) == 36
    assert server.peak <= JudgeOptions().max_concurrency
