"""How a case that changed did in the baseline, below what it did now."""

from __future__ import annotations

from textual.content import Content

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.results import EvalCaseResult
from tenxgraph_tui.tui.changes import Change
from tenxgraph_tui.tui.glyphs import MUTED, SAME, STATUS, WARN
from tenxgraph_tui.tui.kit import join, rule, text
from tenxgraph_tui.tui.panes.blocks import head, labelled, name_cells, paragraph, room_beside
from tenxgraph_tui.tui.panes.findings import last_answer
from tenxgraph_tui.tui.panes.items import Block, block
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.picked import Picked
from tenxgraph_tui.tui.panes.space import Space
from tenxgraph_tui.tui.words import shorten

ANSWER_LINES = 3


def before(model: DetailModel, space: Space) -> Block:
    """`In #17`: what was said and called then. Of a case that is as it was there is no news."""
    against, earlier = model.against, model.before
    if earlier is None or against is None or against.change not in CHANGED or model.result is None:
        return []
    status = STATUS[against.before or CaseStatus.WAITING]
    title = join(text(f"In #{against.number}", "bold"), "   ", text(status.word, MUTED))
    found = block([rule(title, space.width)])
    found += block(_failed(earlier, space.width))
    found += _answer(model, earlier, space.width)
    calls = _calls(model, earlier, space.width)
    return found + block(
        calls, Picked(f"the calls in #{against.number}", _calls_before, of_before=True)
    )


CHANGED = {Change.REGRESSED, Change.FIXED}


def _failed(earlier: EvalCaseResult, cells: int) -> list[Content]:
    """What kept the case from passing then."""
    if earlier.is_error:
        return paragraph("error", earlier.error, cells, style=WARN, at_most=2)
    failed = earlier.failed_criteria
    names = name_cells(failed, cells)
    return [head(criterion, names, cells)[0] for criterion in failed]


def _answer(model: DetailModel, earlier: EvalCaseResult, cells: int) -> Block:
    said = earlier.actual_response
    if not said.strip():
        return []
    if said == last_answer(model):
        return block(labelled("answer", [text("the same", MUTED)], cells))
    shown = paragraph("answer", said, cells, at_most=ANSWER_LINES)
    name = f"the answer in #{model.before_number}"
    return block(shown, Picked(name, _answer_before, of_before=True))


def _answer_before(model: DetailModel) -> str:
    return model.before.actual_response if model.before is not None else ""


def _calls_before(model: DetailModel) -> object:
    calls = model.before.actual_tool_calls if model.before is not None else []
    return [call.model_dump(mode="json", exclude_none=True) for call in calls]


def _calls(model: DetailModel, earlier: EvalCaseResult, cells: int) -> list[Content]:
    """The names of the tools, and what they were like."""
    calls = earlier.actual_tool_calls
    now = model.result.actual_tool_calls if model.result is not None else []
    if not calls:
        return labelled("calls", [text("none", MUTED)], cells) if now else []
    expected = model.case.expected_calls() if model.case is not None else []
    as_expected = len(expected) == len(calls) and all(
        wanted.matches(call) for wanted, call in zip(expected, calls, strict=True)
    )
    told = "as expected" if as_expected and expected else ""
    if [(call.name, call.args) for call in calls] == [(call.name, call.args) for call in now]:
        told = "as now"
    note = text(f"   {SAME} {told}", MUTED) if told else text("")
    names = ", ".join(call.name for call in calls)
    room = max(1, room_beside(cells) - note.cell_length)
    return labelled("calls", [join(text(shorten(names, room)), note)], cells)
