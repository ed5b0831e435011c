"""The closed union of what happens in a run. Everyone who shows or keeps a run reads these.

Texts in events are previews of at most `PREVIEW` characters; the full values are in the store.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from tenxgraph_tui.evaluation.execution import TokenUsage, Usage
from tenxgraph_tui.evaluation.infos import (
    CaseInfo,
    CaseStatus,
    CriterionInfo,
    Frozen,
    RunRef,
    SetInfo,
    VerdictPreview,
)
from tenxgraph_tui.evaluation.results import CaseKey

__all__ = [
    "EVENT_ADAPTER",
    "PREVIEW",
    "CaseFinished",
    "CaseInfo",
    "CaseRestarted",
    "CaseStarted",
    "CaseStatus",
    "CriterionInfo",
    "CriterionScored",
    "Files",
    "JudgeStarted",
    "Log",
    "Reply",
    "RunEvent",
    "RunFinished",
    "RunRef",
    "RunStarted",
    "SetInfo",
    "StepRecorded",
    "StepStarted",
    "TurnStarted",
    "VerdictPreview",
]

PREVIEW = 500


class _Event(Frozen):
    """`at` is in Unix seconds, from the stream's clock; `seq` counts from 0 without gaps."""

    seq: int
    at: float
    run_id: str


class RunStarted(_Event):
    """What is about to run. `number` is the one that people type, where the run is stored.

    `judged_from` is the run whose executions are judged again, where no agent is run.
    """

    kind: Literal["run_started"] = "run_started"
    sets: tuple[SetInfo, ...]
    attempts: int = 1
    number: int | None = None
    judged_from: RunRef | None = None

    def planned(self) -> list[CaseKey]:
        """The key of every planned attempt, in file order."""
        return [
            CaseKey(index, case.eval_id, attempt)
            for index, info in enumerate(self.sets)
            for case in info.cases
            for attempt in range(self.attempts)
        ]

    def skipped(self) -> Iterator[tuple[CaseKey, str]]:
        """The planned attempts that the files skip, each with the reason."""
        for index, info in enumerate(self.sets):
            for case in info.cases:
                if case.skip is not None:
                    for attempt in range(self.attempts):
                        yield CaseKey(index, case.eval_id, attempt), case.skip


class CaseStarted(_Event):
    """An attempt got its slot."""

    kind: Literal["case_started"] = "case_started"
    case: CaseKey


class CaseRestarted(_Event):
    """An attempt begins again, because the loop it ran on was blocked by another."""

    kind: Literal["case_restarted"] = "case_restarted"
    case: CaseKey
    reason: str


class TurnStarted(_Event):
    """A turn begins; `turn` counts from 0, `of` is how many there are."""

    kind: Literal["turn_started"] = "turn_started"
    case: CaseKey
    turn: int
    of: int
    text: str = ""


class StepStarted(_Event):
    """A node, or a tool in it, begins to work. `args` is a short text like `city="Paris"`."""

    kind: Literal["step_started"] = "step_started"
    case: CaseKey
    node: str
    tool: str | None = None
    args: str = ""


class StepRecorded(_Event):
    """A node or a tool call ended; `seconds` is how long it took, if that is known."""

    kind: Literal["step_recorded"] = "step_recorded"
    case: CaseKey
    node: str
    tool: str | None = None
    args: str = ""
    seconds: float | None = None
    tokens: int = 0
    error: str | None = None


class JudgeStarted(_Event):
    """A judge is asked; samples count from 1."""

    kind: Literal["judge_started"] = "judge_started"
    case: CaseKey
    criterion: str
    sample: int
    of: int


class CriterionScored(_Event):
    """A criterion reached its verdict."""

    kind: Literal["criterion_scored"] = "criterion_scored"
    case: CaseKey
    verdict: VerdictPreview


class CaseFinished(_Event):
    """An attempt is over and stored. A skipped case has only this event.

    `known` marks a failure that `metadata.xfail` announced (the status is passed), `unexpected` a
    pass that it did not expect. `cost` is what its judges took, in US dollars; None where their
    prices are unknown.
    """

    kind: Literal["case_finished"] = "case_finished"
    case: CaseKey
    status: CaseStatus
    verdicts: tuple[VerdictPreview, ...] = ()
    usage: Usage = Field(default_factory=TokenUsage)
    cost: float | None = None
    duration_seconds: float = 0.0
    error: str | None = None
    response: str = ""
    reason: str = ""
    known: bool = False
    unexpected: bool = False


class Log(_Event):
    """A line that the agent printed or logged, or a notice of ours (`source` "tenxgraph").

    `case` is None where it is not known. `dropped` counts lines left out before this one.
    """

    kind: Literal["log"] = "log"
    case: CaseKey | None = None
    source: str = "stdout"
    level: str = "info"
    text: str
    dropped: int = 0


class RunFinished(_Event):
    """The run is over. `error` says why it had to stop before its end, if it had to."""

    kind: Literal["run_finished"] = "run_finished"
    passed: int = 0
    failed: int = 0
    errors: int = 0
    cancelled: int = 0
    skipped: int = 0
    was_cancelled: bool = False
    usage: Usage = Field(default_factory=TokenUsage)
    error: str | None = None


class Reply(_Event):
    """A worker's answer to a request that is no run (`list`, `load`, `export`), or a refusal."""

    kind: Literal["reply"] = "reply"
    request: str
    error: str | None = None
    exit_code: int = 0
    data: dict[str, Any] = Field(default_factory=dict)


class Files(_Event):
    """Files of the project that the run imported or read, by their real paths: for watch mode.

    Each is told once, as soon as it is known. `written` are those that the run writes itself.
    """

    kind: Literal["files"] = "files"
    paths: tuple[str, ...]
    written: tuple[str, ...] = ()


RunEvent = (
    RunStarted
    | CaseStarted
    | CaseRestarted
    | TurnStarted
    | StepStarted
    | StepRecorded
    | JudgeStarted
    | CriterionScored
    | CaseFinished
    | Log
    | RunFinished
    | Reply
    | Files
)

EVENT_ADAPTER: TypeAdapter[RunEvent] = TypeAdapter(
    Annotated[RunEvent, Field(discriminator="kind")], config=ConfigDict(defer_build=True)
)
