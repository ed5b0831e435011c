"""What events say of sets, cases and criteria: small, as viewers keep all of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from tenxgraph_tui.evaluation.results import Verdict


class CaseStatus(StrEnum):
    """Where a case stands."""

    WAITING = "waiting"
    RUNNING = "running"
    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    CANCELLED = "cancelled"
    SKIPPED = "skipped"


class Frozen(BaseModel):
    """A model that nobody can change."""

    model_config = ConfigDict(frozen=True, defer_build=True)


@dataclass(frozen=True, slots=True)
class CaseInfo:
    """A case as it stands in its file; `skip` is the reason why it will not run, if it will not.

    No model: viewers keep one of every case, and a model takes ten times the memory.
    """

    eval_id: str
    name: str = ""
    tags: tuple[str, ...] = ()
    turns: int = 1
    skip: str | None = None


class RunRef(Frozen):
    """A run that is kept; `number` is what people call it by."""

    run_id: str
    number: int


class CriterionInfo(Frozen):
    """A criterion of a set's config; `name` is the one that results carry."""

    slot: str
    name: str
    threshold: float
    judged: bool = False


class SetInfo(Frozen):
    """One eval set of a run. `file` is as the user named it; `config` says where it came from."""

    eval_set_id: str
    name: str = ""
    file: str = ""
    target: str = ""
    config: str = ""
    criteria: tuple[CriterionInfo, ...] = ()
    cases: tuple[CaseInfo, ...] = ()
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class VerdictPreview:
    """One criterion's verdict. `score` says nothing where it is `error` or `not_evaluated`.

    No model, as `CaseInfo`: viewers keep several of every case.
    """

    criterion: str
    verdict: Verdict
    score: float = 0.0
    threshold: float = 0.0
    reason: str = ""
