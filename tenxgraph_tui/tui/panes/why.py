"""*Why*: what a case was asked, and for each criterion what it found wrong."""

from __future__ import annotations

from collections.abc import Collection

from textual.content import Content

from tenxgraph_tui.evaluation import opinions
from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult, Verdict
from tenxgraph_tui.tui.glyphs import MUTED, WARN
from tenxgraph_tui.tui.kit import clip, text
from tenxgraph_tui.tui.panes import findings, parts, printed, states
from tenxgraph_tui.tui.panes.before import before
from tenxgraph_tui.tui.panes.blocks import QUIET, head, labelled, name_cells, paragraph, room_beside
from tenxgraph_tui.tui.panes.items import Block, Item, block, lines_of, spaced
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.picked import Picked
from tenxgraph_tui.tui.panes.space import Space
from tenxgraph_tui.tui.words import clean, shorten

IN_ORDER = (Verdict.ERROR, Verdict.FAILED, Verdict.NOT_EVALUATED, Verdict.PASSED)
Unfolded = Collection[str]
"""The criteria that explain themselves though nothing is wrong with them."""


def lines(
    model: DetailModel, width: int, height: int, unfolded: Unfolded = frozenset()
) -> list[Content]:
    """Every line is at most `width` cells; there may be more lines than `height`."""
    return lines_of(draw(model, width, height, unfolded))


def draw(
    model: DetailModel, width: int, height: int, unfolded: Unfolded = frozenset()
) -> list[Item]:
    """The same lines as the items that the cursor goes over."""
    space = Space(width, height)
    said = [block(printed.notes(model.log, space)), block(printed.printed(model.log, space))]
    found = spaced([*_blocks(model, space, unfolded), *said], is_roomy=space.is_roomy)
    earlier = before(model, space)
    gap = int(space.is_roomy)
    if space.is_tall or len(lines_of(found)) + gap + len(lines_of(earlier)) <= height:
        found = spaced([found, earlier], is_roomy=space.is_roomy)
    return [
        Item(tuple(clip(line, width) for line in one.lines), one.picked, one.fold) for one in found
    ]


def _blocks(model: DetailModel, space: Space, unfolded: Unfolded) -> list[Block]:
    blocks = [_asked(model, space), block(_known(model, space))]
    if model.result is not None and model.status not in {CaseStatus.WAITING, CaseStatus.RUNNING}:
        return [*blocks, *_explained(model, model.result, space, unfolded)]
    return [*blocks, *(block(some) for some in states.without_result(model, space.width))]


def _asked(model: DetailModel, space: Space) -> Block:
    """The turn that decided; in a roomy pane the others too, each on one line."""
    count = model.turn_count
    if not count:
        return block(states.unreadable(space.width)) if model.case is None else []
    turn = findings.decisive_turn(model)
    asked = model.asked(turn)
    if not asked:
        return []
    label = "asked" if count == 1 else f"turn {turn + 1}/{count}"
    shown = block(
        paragraph(label, asked, space.width, at_most=space.few),
        Picked("the question", lambda model: model.asked(turn)),
    )
    if count == 1 or not space.is_roomy:
        return shown
    room = room_beside(space.width)
    earlier = [text(shorten(clean(model.asked(other)), room), MUTED) for other in range(turn)]
    return block(labelled("before", earlier[-space.few :], space.width)) + shown


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


def _explained(
    model: DetailModel, result: EvalCaseResult, space: Space, unfolded: Unfolded
) -> list[Block]:
    blocks: list[Block] = []
    broken = any(r.verdict is Verdict.ERROR for r in result.criterion_results)
    if result.is_error and not broken:
        error = Picked("the error", lambda model: error_of(model.result))
        blocks.append(block(states.error_lines(result, space.width, space.few), error))
        blocks.append(findings.done_before_error(result, space))
    ordered = sorted(result.criterion_results, key=lambda r: IN_ORDER.index(r.verdict))
    names = name_cells(ordered, space.width)
    drawn: set[str] = set()
    loud = [r for r in ordered if r.verdict not in QUIET]
    blocks += [_loud(model, criterion, names, space, drawn) for criterion in loud]
    quiet = [_quiet(model, r, names, space, unfolded) for r in ordered if r.verdict in QUIET]
    blocks.append([one for some in quiet for one in some])
    if not result.is_error and not drawn & findings.WITH_ANSWER:
        # below what failed, but above all else where nothing did
        blocks.insert(len(blocks) if loud else -1, findings.answer(model, space))
    return blocks


def error_of(result: EvalCaseResult | None) -> str:
    """All that is known of an error: the traceback where there is one."""
    if result is None:
        return ""
    return str(result.metadata.get("traceback") or result.error or "")


def _loud(
    model: DetailModel, criterion: CriterionResult, names: int, space: Space, drawn: set[str]
) -> Block:
    first, reason_is_left = head(criterion, names, space.width)
    found = [first]
    if reason_is_left:
        found += paragraph("reason", criterion.reason or "", space.width, at_most=space.few)
    shown = block(found, _verdict(criterion.criterion))
    if criterion.verdict is Verdict.FAILED:
        shown += findings.evidence(model, criterion, space, drawn)
    if criterion.verdict is Verdict.FAILED or opinions.SAMPLES in criterion.details:
        shown += parts.of(criterion, space)
    return shown


def _quiet(
    model: DetailModel, criterion: CriterionResult, names: int, space: Space, unfolded: Unfolded
) -> Block:
    """One line; unfolded it says what it saw, like one that failed."""
    name = criterion.criterion
    shown = block([head(criterion, names, space.width)[0]], _verdict(name), name)
    if name not in unfolded:
        return shown
    reason = paragraph(
        "reason", criterion.reason or "", space.width, style=MUTED, at_most=space.few
    )
    shown += block(reason if criterion.reason else [])
    if criterion.verdict is Verdict.PASSED:
        shown += findings.evidence(model, criterion, space, set())
        shown += parts.of(criterion, space)
    return shown


def _verdict(name: str) -> Picked:
    """A criterion's whole verdict with its details, by the name that results know."""

    def find(model: DetailModel) -> object:
        found = model.result.get_criterion_result(name) if model.result is not None else None
        return found.model_dump(mode="json") if found is not None else None

    return Picked(f"the verdict of {name}", find)
