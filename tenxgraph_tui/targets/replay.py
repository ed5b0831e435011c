"""The target `replay:FILE`: plays what an agent did, so that scoring needs no agent."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any
from uuid import uuid4

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from tenxgraph_tui.errors import TargetError
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import ExecutionResult, Target, TokenUsage, Usage
from tenxgraph_tui.evaluation.models import Handwritten
from tenxgraph_tui.evaluation.recorder import Recorder

TOOL_NODE = "TOOL"


class RecordedCall(Handwritten):
    """One tool call; `error` or `unregistered` say that it went wrong, `delay` is in seconds."""

    name: str
    args: dict[str, Any] = Field(default_factory=dict)
    result: Any = None
    error: str | None = None
    delay: float = Field(default=0.0, ge=0)
    unregistered: bool = False


class RecordedStep(Handwritten):
    """One model call of a node: what it said, and the tools it asked for."""

    model_config = ConfigDict(validate_by_alias=True, validate_by_name=True)

    node: str = "MAIN"
    text: str = ""
    tool_calls: list[RecordedCall] = Field(default_factory=list)
    usage: Usage = Field(default_factory=TokenUsage)
    delay: float = Field(default=0.0, ge=0)
    raises: str | None = Field(default=None, alias="raise")


class RecordedTurn(Handwritten):
    """One turn: its steps, then the answer."""

    model_config = ConfigDict(validate_by_alias=True, validate_by_name=True)

    steps: list[RecordedStep] = Field(default_factory=list)
    response: str = ""
    usage: Usage = Field(default_factory=TokenUsage)
    delay: float = Field(default=0.0, ge=0)
    raises: str | None = Field(default=None, alias="raise")


class RecordedCase(Handwritten):
    """The turns of one case."""

    turns: list[RecordedTurn] = Field(default_factory=list)


RECORDING: TypeAdapter[dict[str, RecordedCase]] = TypeAdapter(
    dict[str, RecordedCase], config=ConfigDict(defer_build=True)
)


class ReplaySource:
    """A `TargetSource` for a recording. `waits` keeps the recorded delays."""

    reloads = True

    def __init__(self, path: Path, *, waits: bool = True) -> None:
        self._path, self._waits = path, waits
        self._recording: dict[str, RecordedCase] = {}

    def load(self, *, afresh: bool = False) -> None:  # noqa: ARG002 - always read from the file
        """See `TargetSource`."""
        try:
            self._recording = RECORDING.validate_python(json.loads(self._path.read_bytes()))
        except OSError as error:
            raise TargetError(f"recording {self._path}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise TargetError(f"recording {self._path}: not UTF-8") from error
        except json.JSONDecodeError as error:
            raise TargetError(
                f"recording {self._path}:{error.lineno}:{error.colno}: {error.msg}"
            ) from error
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise TargetError(f"recording {self._path}: {where}: {first['msg']}") from error

    async def open(self) -> Target:
        """See `TargetSource`."""
        return Replay(self._recording, str(self._path), waits=self._waits)


class Replay:
    """A `Target` that tells the recorder what the recording says."""

    def __init__(self, recording: dict[str, RecordedCase], name: str, *, waits: bool) -> None:
        self._recording, self._name, self._waits = recording, name, waits

    async def run(self, case: EvalCase, recorder: Recorder) -> ExecutionResult:
        """See `Target`.

        Raises:
            TargetError: the recording lacks the case or a turn of it.
            RuntimeError: the recording says that the agent raised here.
        """
        recorded = self._recording.get(case.eval_id)
        if recorded is None:
            raise TargetError(f"{self._name} has no recording of {case.eval_id!r}")
        for index, turn in enumerate(case.conversation):
            if index >= len(recorded.turns):
                raise TargetError(
                    f"{self._name} has {len(recorded.turns)} turns of {case.eval_id!r}, "
                    f"the case has {len(case.conversation)}"
                )
            recorder.begin_turn(len(case.conversation), turn.user_content)
            await self._turn(recorded.turns[index], recorder)
            recorder.end_turn()
        return recorder.snapshot()

    async def _turn(self, turn: RecordedTurn, recorder: Recorder) -> None:
        for step in turn.steps:
            recorder.visit(step.node)
            recorder.step_started(step.node)
            await self._wait(step.delay)
            if step.raises is not None:
                raise RuntimeError(step.raises)
            await self._step(step, recorder)
        node = turn.steps[-1].node if turn.steps else "MAIN"
        if turn.response or turn.raises is not None or not turn.steps:
            recorder.visit(node)
            recorder.step_started(node)
        await self._wait(turn.delay)
        if turn.raises is not None:
            raise RuntimeError(turn.raises)
        if turn.response:
            answer = {"role": "assistant", "content": turn.response}
            recorder.message(node, answer, usage=turn.usage.to_dict())

    async def _step(self, step: RecordedStep, recorder: Recorder) -> None:
        asked = [(f"call_{uuid4().hex[:8]}", call) for call in step.tool_calls]
        message: dict[str, Any] = {"role": "assistant", "content": step.text}
        if asked:
            message["tool_calls"] = [
                {"id": call_id, "function": {"name": call.name, "arguments": call.args}}
                for call_id, call in asked
            ]
        recorder.message(step.node, message, usage=step.usage.to_dict())
        if asked:
            recorder.visit(TOOL_NODE)
            await asyncio.gather(*(self._call(*each, recorder) for each in asked))

    async def _call(self, call_id: str, call: RecordedCall, recorder: Recorder) -> None:
        recorder.step_started(TOOL_NODE, tool=call.name, args=call.args, call_id=call_id)
        await self._wait(call.delay)
        error = f"no tool is called {call.name!r}" if call.unregistered else call.error
        recorder.outcome(
            call_id, call.name, call.args, result=call.result, error=error, node=TOOL_NODE
        )

    async def _wait(self, seconds: float) -> None:
        if self._waits and seconds:
            await asyncio.sleep(seconds)
