"""Judges that answer from a file: `scripted:FILE` in the place of a model's name.

`{"answers": {eval_id: {slot: answer}}, "usage": {"input_tokens": 300, "output_tokens": 40}}`, where
`*` stands for every other case, or criterion. An answer is a verdict, a text that is said as it is
written, `{"error": why}`, a list with one of these for each sample (the last for all others), or
`{"turns": [...]}` with any of these for each turn.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import NonNegativeInt, TypeAdapter, ValidationError

from tenxgraph_tui.errors import ConfigError, JudgeError
from tenxgraph_tui.evaluation.criterion_config import REPORTED_NAMES, SLOTS, unknown_slot
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.judging.port import Judge, JudgeReply, JudgeRequest
from tenxgraph_tui.evaluation.judging.providers import script_of
from tenxgraph_tui.evaluation.judging.scripted import Answer, ScriptedJudge

ANY = "*"
KEYS = {"answers", "usage"}
COUNTS = TypeAdapter(dict[str, NonNegativeInt])
SHAPE = '{"answers": {"eval_id": {"llm_judge": {"score": 0.9, "reasoning": "why"}}}}'


@dataclass(frozen=True, slots=True)
class ScriptFile:
    """What a file has judges say; `usage` is what each answer takes. It costs nothing."""

    path: Path
    answers: Mapping[str, Mapping[str, Any]]
    usage: TokenUsage

    def answer(self, request: JudgeRequest) -> Answer:
        """What is said to a request; an error where the file has nothing for it."""
        slot = SLOTS.get(request.criterion, request.criterion)
        for eval_id in (request.eval_id, ANY):
            said = self.answers.get(eval_id, {})
            for name in (slot, ANY):
                if name in said:
                    return _answer(_part(said[name], request))
        told = f"{self.path} has no answer for {slot} of case {request.eval_id!r}"
        return JudgeError(told)


def read_script(path: Path) -> ScriptFile:
    """The script in a file.

    Raises:
        ConfigError: it cannot be read or is none; the message says where and what to write.
    """
    called = f"judge script {path}"
    try:
        found = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{called} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{called} is not UTF-8: {error.reason}") from error
    except json.JSONDecodeError as error:
        raise ConfigError(f"judge script {path}:{error.lineno}: {error.msg}") from error
    if not isinstance(found, dict) or not isinstance(found.get("answers"), dict):
        raise ConfigError(f"{called} must be an object like {SHAPE}")
    if unknown := sorted(found.keys() - KEYS):
        raise ConfigError(f"{called}: {unknown[0]!r} is none of {', '.join(sorted(KEYS))}")
    for eval_id, said in found["answers"].items():
        _check(called, eval_id, said)
    usage = found.get("usage", {})
    try:
        counts = COUNTS.validate_python(usage, strict=True)
    except ValidationError:
        raise ConfigError(f"{called}: usage must hold numbers, not {usage!r:.60}") from None
    return ScriptFile(path, found["answers"], TokenUsage.from_mapping(counts))


class ModelsAndScripts:
    """Asks the script that a model's name stands for, and `models` in all other cases.

    A script is read once, when it is asked first; its path goes from the current folder, wherever
    an agent may go.
    """

    def __init__(self, models: Judge) -> None:
        self.models, self._folder = models, Path.cwd()
        self._scripts: dict[Path, ScriptedJudge] = {}

    async def ask(self, request: JudgeRequest) -> JudgeReply:
        """See `Judge`."""
        path = script_of(request.model)
        if path is None:
            return await self.models.ask(request)
        return await self._script(path).ask(request)

    def _script(self, path: Path) -> ScriptedJudge:
        if path not in self._scripts:
            try:
                script = read_script(self._folder / path)
            except ConfigError as error:
                raise JudgeError(str(error)) from error
            self._scripts[path] = ScriptedJudge(script.answer, script.usage, cost=0.0)
        return self._scripts[path]


def _check(called: str, eval_id: str, said: Any) -> None:
    if not isinstance(said, dict):
        raise ConfigError(f"{called}: answers.{eval_id} must be an object of criteria")
    for slot in said:
        if slot not in REPORTED_NAMES and slot != ANY:
            raise ConfigError(f"{called}: answers.{eval_id}: {unknown_slot(slot)}")
        _check_answer(f"{called}: answers.{eval_id}.{slot}", said[slot])


def _check_answer(where: str, said: Any) -> None:
    if isinstance(said, dict) and "turns" in said:
        said = said["turns"]
    if isinstance(said, list):
        if not said:
            raise ConfigError(f"{where} is an empty list")
        for each in said:
            _check_answer(where, each)
    elif not isinstance(said, dict | str):
        raise ConfigError(f"{where} must be a verdict, a text or a list of them, not {said!r:.60}")


def _part(said: Any, request: JudgeRequest) -> Any:
    """The answer for the turn and the sample that are asked for."""
    if isinstance(said, Mapping) and "turns" in said:
        said = _at(said["turns"], request.turn)
    return _at(said, request.sample - 1) if isinstance(said, list) else said


def _at(items: Sequence[Any], index: int) -> Any:
    return items[min(index, len(items) - 1)]


def _answer(said: Any) -> Answer:
    if isinstance(said, Mapping) and set(said) == {"error"}:
        return JudgeError(str(said["error"]))
    verdict: Answer = said
    return verdict
