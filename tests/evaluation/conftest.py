"""Running small sets on targets that are functions of a case and a recorder."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import pytest

from tenxgraph_tui.evaluation.config import CriteriaConfig, CriterionConfig, EvalConfig
from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet, ToolCall
from tenxgraph_tui.evaluation.events import RunEvent, RunFinished
from tenxgraph_tui.evaluation.execution import ExecutionResult, Target
from tenxgraph_tui.evaluation.memory import MemorySink
from tenxgraph_tui.evaluation.plan import RunOptions, SetPlan
from tenxgraph_tui.evaluation.recorder import Recorder
from tenxgraph_tui.evaluation.results import EvalCaseResult
from tenxgraph_tui.evaluation.runner import Run
from tenxgraph_tui.evaluation.stream import EventStream

Behaviour = Callable[[EvalCase, Recorder], Awaitable[None]]


@dataclass
class FunctionSource:
    """A target source whose target runs `behave` in the first turn of every case."""

    behave: Behaviour
    reloads: bool = False
    loads: list[bool] = field(default_factory=list)

    def load(self, *, afresh: bool = False) -> None:
        self.loads.append(afresh)

    async def open(self) -> Target:
        return self

    async def run(self, case: EvalCase, recorder: Recorder) -> ExecutionResult:
        recorder.begin_turn(len(case.conversation), case.conversation[0].user_content)
        await self.behave(case, recorder)
        return recorder.snapshot()


@dataclass
class Ran:
    """What came of a run."""

    finished: RunFinished
    events: list[RunEvent]
    results: dict[str, EvalCaseResult]
    source: FunctionSource
    run: Run

    @property
    def errors(self) -> dict[str, str]:
        return {key: result.error for key, result in self.results.items() if result.error}

    def kinds(self, eval_id: str) -> list[str]:
        told = ((event.kind, getattr(event, "case", None)) for event in self.events)
        return [kind for kind, key in told if key is not None and key.eval_id == eval_id]

    @property
    def passed(self) -> set[str]:
        return {key for key, result in self.results.items() if result.passed}


RunCases = Callable[..., Ran]


def calls_tool(eval_id: str) -> EvalCase:
    """A case that expects one call, of a tool named like the case."""
    return EvalCase.single_turn(eval_id, f"do {eval_id}", expected_tools=[ToolCall(name=eval_id)])


@pytest.fixture
def run_cases() -> RunCases:
    """Run cases (ids, or cases) on a behaviour; checks that the tools were called by name."""

    def run(
        cases: Sequence[str | EvalCase],
        behave: Behaviour,
        *,
        observers: Sequence[Callable[[RunEvent], None]] = (),
        sink: MemorySink | None = None,
        source: FunctionSource | None = None,
        prepare: Callable[[Run], None] = lambda _: None,
        **options: object,
    ) -> Ran:
        kept = sink or MemorySink()
        source = source or FunctionSource(behave)
        eval_set = EvalSet(
            eval_set_id="set",
            eval_cases=[calls_tool(case) if isinstance(case, str) else case for case in cases],
        )
        config = EvalConfig(
            criteria=CriteriaConfig(tool_name_match=CriterionConfig.tool_name_match())
        )
        events: list[RunEvent] = []
        settings = RunOptions(**{"max_concurrency": 10, **options})  # type: ignore[arg-type]  # by name
        stream = EventStream(events.append, *observers, run_id=settings.run_id)
        run = Run([SetPlan(eval_set, source, config)], settings, stream, kept)
        prepare(run)
        finished = run.execute()
        results = {key.eval_id: result for key, result in kept.results.items()}
        return Ran(finished, events, results, source, run)

    return run
