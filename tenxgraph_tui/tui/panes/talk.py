"""The conversation of a case, turn by turn: what was asked, done, expected and answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.results import CriterionResult, Verdict
from tenxgraph_tui.tui.panes.blocks import slot_of
from tenxgraph_tui.tui.panes.findings import ANSWERS, SHOWN_BY
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.parts import scored
from tenxgraph_tui.tui.panes.rows import bucket
from tenxgraph_tui.tui.panes.step import Step
from tenxgraph_tui.tui.panes.steps import timeline

HISTORY = ("history", "messages")
"""What a state or the metadata of a case may call the messages before it."""
JUDGED = (Verdict.FAILED, Verdict.PASSED)


class Stage(Enum):
    """How far a turn is. `ASKED`: it was answered, but the answer comes with the result."""

    ANSWERED = auto()
    ASKED = auto()
    NOW = auto()
    AHEAD = auto()
    NEVER = auto()


@dataclass(frozen=True, slots=True)
class TurnScore:
    """What a text criterion says of one turn; without a verdict where only the worst turn has."""

    value: float
    threshold: float
    verdict: Verdict | None


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn. `expected` is None where the file expects no answer."""

    number: int
    stage: Stage
    asked: str
    expected: str | None
    answer: str
    calls: tuple[Step, ...]
    score: TurnScore | None


@dataclass(frozen=True, slots=True)
class Talk:
    """All turns, the messages before them, and the criterion whose scores they have."""

    turns: tuple[Turn, ...]
    before: Sequence[Mapping[str, Any]]
    criterion: CriterionResult | None

    @property
    def is_long(self) -> bool:
        """Whether there are several turns."""
        return len(self.turns) > 1

    @property
    def compares(self) -> bool:
        """Whether anything is expected anywhere."""
        return any(
            turn.expected is not None or any(not step.is_context for step in turn.calls)
            for turn in self.turns
        )


def talk_of(model: DetailModel) -> Talk:
    criterion = _text_criterion(model)
    calls = _calls(model)
    turns = tuple(
        Turn(
            number,
            _stage(model, number),
            model.asked(number),
            model.expected(number),
            model.answer(number),
            tuple(calls.get(number, ())),
            _score(criterion, number, model),
        )
        for number in range(model.turn_count)
    )
    return Talk(turns, messages_before(model), criterion)


def _stage(model: DetailModel, turn: int) -> Stage:
    result, progress = model.result, model.progress
    if result is not None:
        reached = len(result.turn_results) or model.turn_count
        return Stage.ANSWERED if turn < reached else Stage.NEVER
    if progress is None or model.status is not CaseStatus.RUNNING:
        return Stage.AHEAD
    if turn == progress.turn:
        return Stage.NOW
    return Stage.ASKED if turn < progress.turn else Stage.AHEAD


def _calls(model: DetailModel) -> dict[int, list[Step]]:
    found: dict[int, list[Step]] = {}
    last = max(0, model.turn_count - 1)
    for step in timeline(model).steps:
        if step.is_tool:
            found.setdefault(min(last, _turn_of(step, model)), []).append(step)
    return found


def _turn_of(step: Step, model: DetailModel) -> int:
    """The turn of a call; a missing one belongs where the file expects it, if it says where."""
    row = step.row
    expecting = [len(turn.expected_tool_trajectory) for turn in model.turns]
    if row.actual is None and (step.turn is None or sum(map(bool, expecting)) > 1):
        return bucket(row.expected_index or 0, expecting) or 0
    if step.turn is not None:
        return step.turn
    turns = model.result.turn_results if model.result is not None else []
    called = [len(turn.get("tool_calls") or ()) for turn in turns]
    return bucket(row.actual_index or 0, called) or 0


def _text_criterion(model: DetailModel) -> CriterionResult | None:
    """The criterion that looked at the answers; of several one that failed."""
    results = model.result.criterion_results if model.result is not None else []
    looked = [one for one in results if SHOWN_BY.get(slot_of(one.criterion)) == ANSWERS]
    return next((one for verdict in JUDGED for one in looked if one.verdict is verdict), None)


def _score(criterion: CriterionResult | None, turn: int, model: DetailModel) -> TurnScore | None:
    """Where all turns passed each of them did; where one failed, it is the worst."""
    if criterion is None:
        return None
    details = criterion.details
    values = dict(scored(details.get("turns"), "turn"))
    only = [n for n in range(model.turn_count) if model.expected(n) is not None]
    if not values and only == [turn]:
        values = {turn: criterion.score or 0.0}
    if turn not in values:
        return None
    decided = criterion.verdict is Verdict.PASSED or details.get("worst_turn", turn) == turn
    verdict = criterion.verdict if decided else None
    return TurnScore(values[turn], criterion.threshold, verdict)


def messages_before(model: DetailModel) -> Sequence[Mapping[str, Any]]:
    """Messages that the agent is given before the first turn, where the file has any."""
    if model.case is None:
        return ()
    for held in (model.case.session_input.state, model.case.metadata):
        for name in HISTORY:
            found = held.get(name)
            if isinstance(found, list) and found and all(isinstance(m, Mapping) for m in found):
                return [_with_role(message) for message in found]
    return ()


def _with_role(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Messages of some libraries call their role a type."""
    return message if "role" in message else {**message, "role": message.get("type") or ""}
