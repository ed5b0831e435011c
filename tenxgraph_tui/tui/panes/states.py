"""What *Why* says of cases that have no verdict to explain."""

from __future__ import annotations

import re
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.numbers import plural, tokens
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult
from tenxgraph_tui.tui.glyphs import ACCENT, MUTED, RUNNING, WARN
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import between, text
from tenxgraph_tui.tui.panes.blocks import head, labelled, name_cells, paragraph
from tenxgraph_tui.tui.panes.model import DetailModel

_FRAME = re.compile(r'^ *File "(?P<file>[^"]+)", line (?P<line>\d+)(?:, in (?P<name>.+))?$', re.M)
OURS = "/tenxgraph_tui/"
_FOREIGN = ("site-packages", "/lib/python", "<frozen")


@dataclass(frozen=True, slots=True)
class Place:
    """Where an exception came from: file, line, function and the source line itself."""

    file: str
    line: int
    function: str
    source: str


def place_of(traceback: str) -> Place | None:
    """The last line of the project's own code in a traceback; of the library's that raised, if it
    has none.

    Where we raised it is none: what we say of an agent's answer did not happen in our code, nor in
    a library that we were called through.
    """
    frames = list(_FRAME.finditer(traceback))
    own = [f for f in frames if not any(part in f["file"] for part in (OURS, *_FOREIGN))]
    if not own and (not frames or OURS in frames[-1]["file"]):
        return None
    frame = (own or frames)[-1]
    following = traceback[frame.end() :].lstrip("\n").split("\n", 1)[0]
    source = following.strip() if following.startswith("    ") else ""
    return Place(frame["file"], int(frame["line"]), frame["name"] or "", source)


def error_lines(result: EvalCaseResult, cells: int, at_most: int) -> list[Content]:
    """Type and message of what went wrong, then file, line and source of where."""
    lines = paragraph("error", result.error or "", cells, style=WARN, at_most=at_most)
    place = place_of(str(result.metadata.get("traceback") or ""))
    location = str(result.metadata.get("location") or "")
    if place is not None and location in {"", f"{place.file}:{place.line}"}:
        where = f"{place.file}:{place.line}"
        where += f" in {place.function}" if place.function else ""
        lines += paragraph("at", where, cells, at_most=2)
        if place.source:
            lines += paragraph("", place.source, cells, style=MUTED, at_most=1)
    elif location:
        lines += paragraph("at", location, cells, at_most=2)
    return lines


def without_result(model: DetailModel, cells: int) -> list[list[Content]]:
    """What there is to say of a case whose result is not there, or not yet."""
    progress = model.progress
    match model.status:
        case CaseStatus.RUNNING if progress is not None:
            return [running(progress, cells), told(progress, cells)]
        case CaseStatus.SKIPPED:
            return [skipped(model, cells)]
        case CaseStatus.CANCELLED:
            return [cancelled(cells)]
        case _ if progress is not None and progress.verdicts:
            return [told(progress, cells), not_stored(cells) if model.is_read else []]
        case _ if progress is not None and progress.error:
            return [told(progress, cells)]
        case _:
            return [waiting(model, cells)]


def waiting(model: DetailModel, cells: int) -> list[Content]:
    """A case that has not run yet: what it will be asked to do."""
    if model.progress is None:
        told = f"This case has not run yet. {word('run.start')} runs it."
        return paragraph("", told, cells, style=MUTED)
    return paragraph("", "Waiting for its turn.", cells, style=MUTED)


def skipped(model: DetailModel, cells: int) -> list[Content]:
    reason = model.progress.info.skip if model.progress is not None else None
    if not reason and model.case is not None:
        reason = str(model.case.metadata.get("skip") or "")
    return paragraph("skipped", reason or "The file says not to run it.", cells)


def cancelled(cells: int) -> list[Content]:
    return paragraph("", "The run was stopped before this case had finished.", cells, style=MUTED)


def running(progress: CaseProgress, cells: int) -> list[Content]:
    """What a running case does right now, and the verdicts that it has so far."""
    now = between([text(progress.node, ACCENT), text(progress.step, ACCENT)], f" {RUNNING} ")
    if not now:
        now = text("starting", MUTED)
    lines = labelled("now", [now], cells)
    facts = [plural(progress.steps, "step")] if progress.steps else []
    facts += [f"{tokens(progress.tokens)} tok"] if progress.tokens else []
    if progress.restarts:
        facts.append("started again, because another case blocked the loop")
    if facts:
        lines += labelled("so far", [text("   ".join(facts), MUTED)], cells)
    return lines


def told(progress: CaseProgress, cells: int) -> list[Content]:
    """The verdicts as the events told them: for a result that is not (or no longer) stored."""
    results = [
        CriterionResult.model_construct(
            criterion=name,
            verdict=seen.verdict,
            score=seen.score,
            threshold=seen.threshold,
            details={"reason": seen.reason},
        )
        for name, seen in progress.verdicts.items()
    ]
    names = name_cells(results, cells)
    lines: list[Content] = []
    if progress.error and progress.status is CaseStatus.ERROR:
        lines += paragraph("error", progress.error, cells, style=WARN)
    for result in results:
        first, reason_is_left = head(result, names, cells)
        lines.append(first)
        if reason_is_left:
            lines += paragraph("reason", result.reason or "", cells, at_most=3)
    return lines


def not_stored(cells: int) -> list[Content]:
    return paragraph("", "The details of this case are not in the store.", cells, style=MUTED)


def unreadable(cells: int) -> list[Content]:
    """Nobody knows the expectations: the file has changed or cannot be read."""
    told = "The case is not in its file any more, so nothing can be shown beside the answer."
    return paragraph("", told, cells, style=MUTED)
