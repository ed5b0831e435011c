"""What of a conversation can be had whole: a turn, its answers, one of its calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.picked import Picked
from tenxgraph_tui.tui.panes.rows import pair_of, places_of
from tenxgraph_tui.tui.panes.step import Step
from tenxgraph_tui.tui.panes.talk import messages_before, talk_of

BEFORE = Picked("the messages before", lambda model: list(messages_before(model)))
ERROR = Picked("the error", lambda model: model.result.error if model.result is not None else "")


def of_turn(turn: int) -> Picked:
    """Everything about a turn (from 0)."""
    return Picked(name_of(turn), lambda model: _turn(model, turn))


def name_of(turn: int) -> str:
    """What people call a turn."""
    return f"turn {turn + 1}"


def of_answers(turn: int, *, is_compared: bool) -> Picked:
    """What was answered, beside what was expected where that is compared."""
    if is_compared:
        return Picked("both answers", lambda model: _answers(model, turn))
    return Picked("the answer", lambda model: model.answer(turn))


def of_call(step: Step) -> Picked:
    """Both sides of a call."""
    wanted = places_of(step.row), step.name

    def find(model: DetailModel) -> Any:
        found = (s for _, s in _calls(model) if (places_of(s.row), s.name) == wanted)
        return next((pair_of(one.row) for one in found), None)

    return Picked(f"the call of {step.name}", find)


def _turn(model: DetailModel, turn: int) -> dict[str, Any]:
    calls = [pair_of(step.row) for number, step in _calls(model) if number == turn]
    return {"asked": model.asked(turn), "calls": calls, **_answers(model, turn)}


def _answers(model: DetailModel, turn: int) -> dict[str, Any]:
    return {"expected": model.wanted(turn), "actual": model.answer(turn)}


def _calls(model: DetailModel) -> Iterator[tuple[int, Step]]:
    return ((turn.number, step) for turn in talk_of(model).turns for step in turn.calls)
