"""What a worker is asked, and how: one request line, then command lines, all on its standard input.

The answer is events as JSON lines on its standard output. A headless run builds the same request
and carries it out in its own process, so that both ways of running cannot differ.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Literal
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tenxgraph_tui.errors import UsageError, kind_of
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.evaluation.target_options import TargetOptions
from tenxgraph_tui.settings.model import Report

VERSION = 1

Kind = Literal["run", "list", "load", "export", "rescore"]
"""`list` asks what is in the eval modules that `sets` names, `load` for those sets as they are."""

Need = Literal["judge"]
"""What a run needs beyond the library itself: `judge` where a model is asked by us."""

Detail = Literal["details", "trajectory", "node_responses", "actual_response", "tool_call_details"]
"""What a report can leave out: the `include_…` switches of `ReporterConfig`."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True)


class SetRequest(_Part):
    """One eval-set file as it was named, and the cases to take from it; `ids` None takes all."""

    path: str
    ids: tuple[str, ...] | None = None


class RequestOptions(_Part):
    """How the run is run; None leaves a value to the config (`timeout` in seconds a case).

    `judge_model` and `judge_base_url` say which model judges, and where it is asked; with None each
    criterion has its own model, and each model its provider. `prompts_dir` has prompts for judges.
    `targets` says how agents are asked that are no Python objects.
    With `judge_cache` their answers are kept in the store, and taken from there. `capture=False`
    leaves standard input and output to the agent and runs one case at a time on a plain loop, as
    `breakpoint()` needs it.
    `first` are cases, each as the path and the id in `SetRequest`, that begin before the others;
    results stay in file order.
    """

    attempts: int = Field(default=1, ge=1)
    first: tuple[tuple[str, str], ...] = ()
    max_concurrency: int | None = Field(default=None, ge=1)
    timeout: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    fail_fast: bool = False
    max_errors: int | None = Field(default=None, ge=1)
    retries: int = Field(default=0, ge=0)
    judge_model: str | None = None
    judge_base_url: str | None = None
    prompts_dir: str | None = None
    judge_cache: bool = False
    capture: bool = True
    targets: TargetOptions = Field(default_factory=TargetOptions)


class Fallbacks(_Part):
    """What a set gets that names no target, or no config, itself; `…_from` is where that is said.

    A relative path in `target` goes from the root. `config` is a preset's name, or an absolute
    path.
    """

    target: str | None = None
    target_from: str = ""
    config: str | None = None
    config_from: str = ""


class ExportOptions(_Part):
    """Which report files of a stored run are written, and what of it gets into them.

    `folder` is made if need be; `without` names the `include_…` switches that are off.
    `timestamp_files` None leaves that to the config of each set.
    """

    formats: tuple[Report, ...] = Field(min_length=1)
    folder: str
    without: tuple[Detail, ...] = ()
    timestamp_files: bool | None = None


class WorkerRequest(_Part):
    """One request. Relative paths are relative to the working directory, which a worker inherits.

    `target` None and `config` None leave the choice to each eval set, and to `fallbacks` where it
    makes none. A text in `config` is the name of a preset or the path of a config file; a mapping
    is a config, called `config_name`. `env_file` is read before anything of the project is
    imported. `store` None keeps nothing. `run_id` is that of the run to come; for an `export`,
    which is all about a run in the store, the one that is exported, or what people call it.
    `judged_from` is the run whose executions a `rescore` judges again, as people call it: its sets
    and targets are those of that run, and with `config` None so are its configs.
    """

    v: Literal[1] = 1
    kind: Kind = "run"
    root: str
    sets: tuple[SetRequest, ...] = ()
    target: str | None = None
    config: str | dict[str, Any] | None = None
    config_name: str = ""
    fallbacks: Fallbacks = Field(default_factory=Fallbacks)
    env_file: str | None = None
    options: RequestOptions = Field(default_factory=RequestOptions)
    store: str | None = None
    run_id: str = Field(default_factory=lambda: str(uuid4()))
    export: ExportOptions | None = None
    judged_from: str | None = None

    def line(self) -> bytes:
        """The request as the one line that a worker reads.

        It is ASCII: a file whose name is not UTF-8 has half characters in its path.
        """
        return json.dumps(self.model_dump(mode="json")).encode() + b"\n"


@dataclass(frozen=True, slots=True)
class Cancel:
    """Stop one case, or with None everything."""

    case: CaseKey | None = None

    def line(self) -> bytes:
        """The command as a worker reads it; a case is `[set_index, "eval_id", attempt]`."""
        if self.case is None:
            return b"cancel\n"
        return b"cancel " + json.dumps(list(self.case)).encode() + b"\n"


def parse_request(line: bytes | str) -> WorkerRequest:
    """A request line as an object.

    Raises:
        UsageError: it is no request, or one of another version of the protocol.
    """
    try:
        raw = json.loads(line)
    except ValueError as error:
        raise UsageError(f"the request is not JSON: {error}") from None
    if not isinstance(raw, dict):
        raise UsageError(f"the request is {kind_of(raw)}, not an object")
    if raw.get("v") != VERSION:
        raise UsageError(_other_version(raw.get("v")))
    try:
        return WorkerRequest.model_validate(raw)
    except ValidationError as error:
        raise UsageError(f"the request is wrong at {_first_problem(error)}") from None


def parse_command(line: bytes | str) -> Cancel | None:
    """A command line as an object; None for a blank line and for commands of a newer version.

    Raises:
        UsageError: it names a case in a way that cannot be read.
    """
    text = os.fsdecode(line).strip()
    verb, _, rest = text.partition(" ")
    if verb != "cancel":
        return None
    if not rest:
        return Cancel()
    try:
        set_index, eval_id, attempt = json.loads(rest)
        return Cancel(CaseKey(int(set_index), str(eval_id), int(attempt)))
    except (TypeError, ValueError):
        raise UsageError(
            f'cancel: expected [set_index, "eval_id", attempt], not {rest[:100]}'
        ) from None


def _other_version(found: object) -> str:
    return (
        f"the request is of protocol version {found!r}, this worker speaks {VERSION}: "
        "install the same tenxgraph-tui on both sides"
    )


def _first_problem(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(str(part) for part in first['loc']) or 'the top'}: {first['msg']}"
