"""*Why*: what a case was asked, and for each criterion what it found wrong."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult, Verdict
from tenxgraph_tui.tui.glyphs import MUTED, WARN
from tenxgraph_tui.tui.kit import BLANK, clip, text
from tenxgraph_tui.tui.panes import findings, printed, states
from tenxgraph_tui.tui.panes.blocks import QUIET, head, labelled, name_cells, paragraph, room_beside
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.space import Space
from tenxgraph_tui.tui.words import clean, shorten

IN_ORDER = (Verdict.ERROR, Verdict.FAILED, Verdict.NOT_EVALUATED, Verdict.PASSED)


def lines(model: DetailModel, width: int, height: int) -> list[Content]:
    """Every line is at most `width` cells; there may be more lines than `height`."""
    space = Space(width, height)
    said = [printed.notes(model.log, space), printed.printed(model.log, space)]
    blocks = [block for block in (*_blocks(model, space), *said) if block]
    found: list[Content] = []
    for index, block in enumerate(blocks):
        if index and space.is_roomy:
            found.append(BLANK)
        found += block
    return [clip(line, width) for line in found]


def _blocks(model: DetailModel, space: Space) -> list[list[Content]]:
    blocks = [_asked(model, space), _known(model, space)]
    if model.result is not None and model.status not in {CaseStatus.WAITING, CaseStatus.RUNNING}:
        return [*blocks, *_explained(model, model.result, space)]
    return [*blocks, *states.without_result(model, space.width)]


def _asked(model: DetailModel, space: Space) -> list[Content]:
    """The turn that decided; in a roomy pane the others too, each on one line."""
    count = model.turn_count
    if not count:
        return states.unreadable(space.width) if model.case is None else []
    turn = findings.decisive_turn(model)
    asked = model.asked(turn)
    if not asked:
        return []
    if count == 1:
        return paragraph("asked", asked, space.width, at_most=space.few)
    shown = paragraph(f"turn {turn + 1}/{count}", asked, space.width, at_most=space.few)
    if not space.is_roomy:
        return shown
    room = room_beside(space.width)
    before = [text(shorten(clean(model.asked(other)), room), MUTED) for other in range(turn)][
        -space.few :
    ]
    return labelled("before", before, space.width) + shown


def _known(model: DetailModel, space: Space) -> list[Content]:
    """What the file says about a failure that is known, or was."""
    metadata = model.result.metadata if model.result is not None else {}
    if "xfailed" in metadata:
        return paragraph("known", metadata["xfailed"], space.width, at_most=space.few)
    if "unexpected_pass" in metadata:
        told = f"passed, though the file expects it to fail: {metadata['unexpected_pass']}. "
        told += "Take xfail out of the file if it is fixed."
        return paragraph("notice", told, space.width, style=WARN, at_most=space.few)
    return []


def _explained(model: DetailModel, result: EvalCaseResult, space: Space) -> list[list[Content]]:
    blocks: list[list[Content]] = []
    broken = any(r.verdict is Verdict.ERROR for r in result.criterion_results)
    if result.is_error and not broken:
        blocks.append(states.error_lines(result, space.width, space.few))
        blocks.append(findings.done_before_error(result, space))
    ordered = sorted(result.criterion_results, key=lambda r: IN_ORDER.index(r.verdict))
    names = name_cells(ordered, space.width)
    drawn: set[str] = set()
    loud = [r for r in ordered if r.verdict not in QUIET]
    quiet = [r for r in ordered if r.verdict in QUIET]
    blocks += [_criterion(model, criterion, names, space, drawn) for criterion in loud]
    blocks.append(_folded(quiet, names, space.width))
    if not result.is_error and not drawn & findings.WITH_ANSWER:
        # below what failed, but above all else where nothing did
        blocks.insert(len(blocks) if loud else -1, findings.answer(model, space))
    return blocks


def _criterion(
    model: DetailModel, criterion: CriterionResult, names: int, space: Space, drawn: set[str]
) -> list[Content]:
    first, reason_is_left = head(criterion, names, space.width)
    found = [first]
    if reason_is_left:
        found += paragraph("reason", criterion.reason or "", space.width, at_most=space.few)
    return found + findings.evidence(model, criterion, space, drawn)


def _folded(results: Sequence[CriterionResult], names: int, width: int) -> list[Content]:
    """Criteria that need no explanation, one line each."""
    return [head(criterion, names, width)[0] for criterion in results]
