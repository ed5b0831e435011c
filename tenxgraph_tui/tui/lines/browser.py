"""The browser of eval sets: one line for each entry of the tree, and where on it is what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.evaluation.secrets import shown_spec
from tenxgraph_tui.tui import kit
from tenxgraph_tui.tui.catalog import CaseId, SetFile
from tenxgraph_tui.tui.glyphs import ACCENT, ERROR, FAINT, MUTED, RUNNING, WARN
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import BLANK, cell, clip, join, pad, spread, text
from tenxgraph_tui.tui.outline import INDENT, Entry, Kind, Outline, Picked, line_in, told
from tenxgraph_tui.tui.words import clean, shorten, wrap

FOLDED, OPEN = RUNNING, "▾"
SIGN_CELLS, BOX_CELLS = 2, 4
GAP, TAG_GAP = 2, 3
SAID_LINES, ABOUT_LINES = 4, 6
CALM = frozenset({CaseStatus.PASSED, CaseStatus.WAITING, CaseStatus.SKIPPED})


@dataclass(frozen=True, slots=True)
class TreeContext:
    """What a line needs beside its entry. `tally` counts what passed, and of how many."""

    outline: Outline
    unfolded: AbstractSet[str]
    picked: Picked
    status_of: Callable[[CaseId], CaseStatus]
    tally: Callable[[Sequence[SetFile]], tuple[int, int]]


def line(entry: Entry, context: TreeContext, width: int) -> Content:
    """One entry in exactly `width` cells."""
    match entry.kind:
        case Kind.NOTE:
            style = WARN if entry.file else MUTED
            return pad(join(" " * (INDENT * entry.depth), text(entry.name, style)), width)
        case Kind.CASE:
            return _case_line(entry, context, width)
        case Kind.TAGS:
            return _tags_line(entry, context, width)
        case Kind.TAG:
            left = join(_head(entry, context, " "), text(entry.name))
            return spread(left, text(context.picked.below(entry)[1], FAINT), width)
        case Kind.FILE if entry.file and entry.file.problem:
            left = join(_indent(entry), text(f"{ERROR} ", WARN), text(entry.file.label))
            where = line_in(told(entry.file, entry.file.problem))
            return spread(left, text(f"line {where}" if where else "not read", WARN), width)
    left = join(_head(entry, context, _fold_sign(entry, context)), _label(entry, context))
    share = _share(entry, context)
    note = text(_aside(entry, context), MUTED)
    if note and left.cell_length + GAP + note.cell_length + GAP + share.cell_length <= width:
        left = join(left, " " * GAP, note)
    return spread(left, share, width)


def on_fold(entry: Entry, x: int) -> bool:
    """Whether cell `x` of a line is the triangle that folds what is below it."""
    begin = INDENT * entry.depth
    return entry.key is not None and begin <= x < begin + SIGN_CELLS


def on_box(entry: Entry, context: TreeContext, x: int) -> bool:
    """Whether cell `x` of a line is its box. The status of a case stands for the box too."""
    begin = INDENT * entry.depth + (0 if entry.kind is Kind.CASE else SIGN_CELLS)
    end = INDENT * entry.depth + SIGN_CELLS + (BOX_CELLS if _has_box(entry, context) else 0)
    return begin <= x < end


def tag_at(entry: Entry, context: TreeContext, width: int, x: int) -> str | None:
    """The tag that cell `x` of a line names."""
    if entry.kind is not Kind.TAGS:
        return None
    for begin, tag, shown in _placed_tags(entry, context, width):
        if begin <= x < begin + shown.cell_length:
            return tag
    return None


def about(entry: Entry, case: EvalCase | None, width: int) -> list[Content]:
    """What there is to know of what the cursor is on, in at most a few lines."""
    if case is not None:
        turns = plural(max(1, len(case.conversation)), "turn")
        facts = [turns, *case.tags]
        skip = case.metadata.get("skip")
        said = [case.description, f"skipped: {skip}" if skip else ""]
        return _told(case.name if case.name != case.eval_id else "", facts, said, width)
    if entry.kind is Kind.FILE and entry.file and entry.file.eval_set:
        eval_set = entry.file.eval_set
        target = shown_spec(str(eval_set.metadata.get("target") or ""))
        facts = [plural(len(entry.file.cases), "case"), *([target] if target else [])]
        return _told(eval_set.name, facts, [eval_set.description, entry.file.path], width)
    if entry.kind is Kind.TAG:
        opens, selects = word("browser.open"), word("browser.select")
        told_keys = f"{opens} shows these cases, {selects} selects"
        return [clip(text(told_keys, MUTED), width)]
    return []


def in_short(entry: Entry, case: EvalCase | None, width: int, height: int) -> list[Content]:
    """The same in exactly `height` lines: what it is about, else what it is called."""
    whole = about(entry, case, width)
    said = case.description or case.name if case is not None else ""
    if said and case is not None and said != case.eval_id:
        lines = wrap(said, width, height + 1)
        cut = [*lines[: height - 1], shorten(" ".join(lines[height - 1 :]), width)]
        whole = [text(one, MUTED) for one in cut]
    return [pad(one, width) for one in (*whole, *[BLANK] * height)][:height]


def _told(name: str, facts: Sequence[str], said: Sequence[str], width: int) -> list[Content]:
    lines = [text(name)] if name else []
    lines.append(text("  ".join(clean(fact) for fact in facts), MUTED))
    for one in said:
        lines += [text(part, MUTED) for part in wrap(one, width, SAID_LINES)] if one else []
    return [pad(clip(one, width), width) for one in lines[:ABOUT_LINES]]


def _indent(entry: Entry) -> str:
    return " " * (INDENT * entry.depth)


def _fold_sign(entry: Entry, context: TreeContext) -> str:
    return OPEN if entry.key is None or entry.key in context.unfolded else FOLDED


def _has_box(entry: Entry, context: TreeContext) -> bool:
    """Boxes stand only where something is selected."""
    return bool(context.picked) and entry.kind not in {Kind.NOTE, Kind.TAGS}


def _box(entry: Entry, context: TreeContext) -> Content:
    if not _has_box(entry, context):
        return BLANK
    chosen, of = context.picked.below(entry)
    inside = "x" if chosen and chosen == of else "-" if chosen else " "
    return text(f"[{inside}] ", ACCENT)


def _head(entry: Entry, context: TreeContext, sign: str) -> Content:
    return join(_indent(entry), text(f"{sign} ", MUTED), _box(entry, context))


def _label(entry: Entry, context: TreeContext) -> Content:
    if entry.kind is Kind.PROJECT:
        return text(context.outline.catalog.title, "bold")
    if entry.file is None:
        return text(entry.name)
    warned = text(f" {ERROR}", WARN) if entry.file.warnings else BLANK
    return join(text(entry.file.label), warned)


def _aside(entry: Entry, context: TreeContext) -> str:
    """What else a line says where there is room for it."""
    if entry.kind is Kind.FOLDER:
        broken = sum(bool(file.problem) for file in context.outline.files(entry))
        files = plural(len(context.outline.files(entry)), "file")
        return f"{files}, {broken} not read" if broken else files
    return entry.name if entry.kind is Kind.FILE else ""


def _share(entry: Entry, context: TreeContext) -> Content:
    passed, total = context.tally(context.outline.files(entry))
    return join(text(passed), text(f"/{total}", FAINT))


def _case_line(entry: Entry, context: TreeContext, width: int) -> Content:
    case = entry.case
    status = context.status_of(case) if case is not None else CaseStatus.WAITING
    sign = kit.sign_of(status)
    head = join(_indent(entry), text(f"{sign.glyph} ", sign.style), _box(entry, context))
    style = MUTED if status in CALM else ""
    room = max(0, width - head.cell_length)
    return pad(join(head, cell(entry.name, room, style, mode="middle")), width)


def _tags_line(entry: Entry, context: TreeContext, width: int) -> Content:
    shown = join(text(f"{_fold_sign(entry, context)} ", MUTED), text("tags", MUTED))
    for begin, _, tag in _placed_tags(entry, context, width):
        shown = join(pad(shown, begin), tag)
    return pad(shown, width)


def _placed_tags(
    entry: Entry, context: TreeContext, width: int
) -> Iterator[tuple[int, str, Content]]:
    """The tags that fit behind the word, while they are folded: where each begins."""
    at = SIGN_CELLS + len("tags") + GAP
    if entry.key in context.unfolded:
        return
    for tag, cases in context.outline.tags.items():
        shown = join(text(tag), " ", text(len(cases), FAINT))
        if at + shown.cell_length > width:
            return
        yield at, tag, shown
        at += shown.cell_length + TAG_GAP
