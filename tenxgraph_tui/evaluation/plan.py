"""What is to be run: eval sets with their targets and configs, and how."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import uuid4

from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.dataset import EvalSet
from tenxgraph_tui.evaluation.execution import TargetSource
from tenxgraph_tui.evaluation.hooks import Hooks
from tenxgraph_tui.evaluation.infos import CaseStatus, RunRef
from tenxgraph_tui.evaluation.judging.answers import KeptAnswers
from tenxgraph_tui.evaluation.judging.port import JudgeOptions


@dataclass(frozen=True, slots=True)
class SetPlan:
    """One eval set of a run, already reduced to the cases that were selected.

    `file`, `target_name` and `config_name` are what people read: how the thing was named, and for
    the config also where it came from. `hooks` are what the project does around it.
    """

    eval_set: EvalSet
    target: TargetSource
    config: EvalConfig
    file: str = ""
    target_name: str = ""
    config_name: str = ""
    hooks: Hooks = field(default_factory=Hooks)


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a run is run. `timeout` (seconds a case) overrides that of every config.

    `number` is what people call the run by, where it is stored. `watchdog=False` runs everything
    on one plain loop, as `breakpoint()` needs it. `first` has the place of a set and the id of a
    case for each that begins before the others. `answers` are what judges said in earlier runs.
    `judged_from` is the run whose executions the targets tell, where no agent is run.
    `max_errors` (at least 1) stops the run when that many cases errored; `retries` is how often an
    attempt is made again that failed because a server or a network did.
    """

    run_id: str = field(default_factory=lambda: str(uuid4()))
    number: int | None = None
    attempts: int = 1
    max_concurrency: int = 4
    timeout: float | None = None
    fail_fast: bool = False
    max_errors: int | None = None
    retries: int = 0
    watchdog: bool = True
    judge: JudgeOptions | None = None
    answers: KeptAnswers | None = None
    judged_from: RunRef | None = None
    first: frozenset[tuple[int, str]] = frozenset()

    def ends_after(self, status: CaseStatus, errors: int) -> bool:
        """Whether the run is over when a case ended so, and that many have errored."""
        if self.fail_fast and status is not CaseStatus.PASSED:
            return True
        return self.max_errors is not None and errors >= self.max_errors
