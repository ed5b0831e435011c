"""The evidence for each criterion: what *Why* shows below its head."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from textual.content import Content

from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult
from tenxgraph_tui.tui.glyphs import FAINT, MUTED
from tenxgraph_tui.tui.kit import text
from tenxgraph_tui.tui.panes import comparison
from tenxgraph_tui.tui.panes.blocks import labelled, paragraph, room_beside, slot_of
from tenxgraph_tui.tui.panes.calls import call_line
from tenxgraph_tui.tui.panes.items import Block, block
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.picked import Picked
from tenxgraph_tui.tui.panes.rows import (
    AnyRow,
    call_rows,
    failed,
    name_of,
    node_rows,
    pair_of,
    places_of,
    turn_of_divergence,
)
from tenxgraph_tui.tui.panes.space import Space

CALLS, NODES, ANSWERS = "calls", "nodes", "answers"
SHOWN_BY = {
    "trajectory": CALLS,
    "tool_name_match": CALLS,
    "node_order": NODES,
    "rouge_match": ANSWERS,
    "exact_match": ANSWERS,
    "response_match": ANSWERS,
    "llm_judge": ANSWERS,
    "factual_accuracy": ANSWERS,
}
"""What each criterion looked at; what two criteria looked at is shown once."""
WITH_ANSWER = {ANSWERS, "contains_keywords"}
"""What is drawn with the answer beside it."""


def evidence(
    model: DetailModel, criterion: CriterionResult, space: Space, drawn: set[str]
) -> Block:
    """What a criterion saw. `drawn` remembers what is on the screen already."""
    slot = slot_of(criterion.criterion)
    what = SHOWN_BY.get(slot)
    if what is None and slot != "contains_keywords":
        return []
    if what in drawn or (slot == "tool_name_match" and failed(model.result, "trajectory")):
        return []
    drawn.add(what or slot)
    match what:
        case "calls":
            return _compared(call_rows(model, slot), space, partial(_call_pair, slot))
        case "nodes":
            return _compared(node_rows(model), space, _node_pair)
        case "answers":
            return _answers(model, criterion, space)
        case _:
            return answer(model, space)


def _compared(rows: Sequence[AnyRow], space: Space, pick: Callable[[AnyRow], Picked]) -> Block:
    if space.has_columns:
        return comparison.table(rows, space.width, pick)
    return comparison.stacked(rows, space.width, pick)


def _call_pair(slot: str, row: AnyRow) -> Picked:
    places = row.expected_index, row.actual_index
    return Picked(
        f"the call of {name_of(row)}",
        lambda model: pair_of(
            next((r for r in call_rows(model, slot) if places_of(r) == places), None)
        ),
    )


def _node_pair(row: AnyRow) -> Picked:
    return Picked("the name of the node", lambda _: name_of(row))


def _answers(model: DetailModel, criterion: CriterionResult, space: Space) -> Block:
    turn = turn_of(criterion, model)
    if turn is None:
        return []
    note, shown = comparison.answers(
        model.expected(turn) or "", model.answer(turn), space.width, space.few
    )
    asked: list[Content] = []
    if model.turn_count > 1 and turn != decisive_turn(model):
        asked = paragraph(f"turn {turn + 1}", model.asked(turn), space.width, at_most=2)
    noted = labelled("", [text(note, MUTED)], space.width) if note else []
    return [
        *block(asked, Picked("the question", lambda model: model.asked(turn))),
        *block(shown.expected, Picked("the expected answer", lambda model: model.wanted(turn))),
        *block(shown.actual, Picked("the answer", lambda model: model.answer(turn))),
        *block(noted),
    ]


def answer(model: DetailModel, space: Space) -> Block:
    """The answer as it was given, where there is nothing to put beside it."""
    if model.result is None:
        return []
    given = last_answer(model)
    if not given.strip():
        return block(labelled("answer", [text("no answer", FAINT)], space.width))
    return block(
        paragraph("answer", given, space.width, at_most=space.few),
        Picked("the answer", last_answer),
    )


def last_answer(model: DetailModel) -> str:
    """What the agent said last."""
    last = model.answer(model.turn_count - 1)
    return last or (model.result.actual_response if model.result is not None else "")


def done_before_error(result: EvalCaseResult, space: Space) -> Block:
    """What the agent had done before it broke off."""
    calls, room = result.actual_tool_calls, room_beside(space.width)
    shown = calls[-space.few :]
    lines = [call_line(call, room) for call in shown]
    if len(calls) > len(shown):
        more = f"… {plural(len(calls) - len(shown), 'call')} before"
        lines = [text(more, MUTED), *lines[1:]]
    if not lines and result.node_visits:
        lines = [text(" → ".join(result.node_visits))]
    return block(
        labelled("so far", lines, space.width), Picked("what was done so far", _done_so_far)
    )


def _done_so_far(model: DetailModel) -> object:
    if model.result is None:
        return None
    calls = [call.model_dump(mode="json") for call in model.result.actual_tool_calls]
    return calls or model.result.node_visits


def turn_of(criterion: CriterionResult, model: DetailModel) -> int | None:
    """The turn that a text criterion's score comes from: it counts the worst."""
    worst = criterion.details.get("worst_turn")
    if isinstance(worst, int) and 0 <= worst < model.turn_count:
        return worst
    expecting = [turn for turn in range(model.turn_count) if model.expected(turn)]
    return expecting[-1] if expecting else None


def decisive_turn(model: DetailModel) -> int:
    """The turn that decided over the case: where the first criterion that failed looked."""
    last = max(0, model.turn_count - 1)
    if model.result is None:
        return min(last, model.progress.turn) if model.progress is not None else 0
    if model.result.is_error and model.result.turn_results:
        return len(model.result.turn_results) - 1
    for criterion in model.result.failed_criteria:
        look = _DECIDED_BY.get(SHOWN_BY.get(slot_of(criterion.criterion), ""))
        turn = look(criterion, model) if look is not None else None
        if turn is not None:
            return min(turn, last)
    return last


_DECIDED_BY: dict[str, Callable[[CriterionResult, DetailModel], int | None]] = {
    CALLS: lambda criterion, model: turn_of_divergence(
        model, call_rows(model, slot_of(criterion.criterion))
    ),
    ANSWERS: turn_of,
}
