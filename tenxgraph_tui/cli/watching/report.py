"""What is said of a rerun, as lines: what flipped first, then why the rest still fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.progress import DONE, NOT_PASSED, CaseProgress
from tenxgraph_tui.evaluation.reporters.look import Line, Look
from tenxgraph_tui.evaluation.results import TOLERANCE
from tenxgraph_tui.evaluation.visible import visible
from tenxgraph_tui.session.history import Name
from tenxgraph_tui.session.told import SourceLine, Told
from tenxgraph_tui.session.watching.flips import Flip, Flips, Kind

LISTED = (Kind.BROKE, Kind.ERRORED, Kind.FIXED, Kind.NEW, Kind.STILL_FAILING)
SIGNS = {
    Kind.BROKE: ("▼", "v", "broke", "bold red"),
    Kind.ERRORED: ("!", "!", "errored", "bold yellow"),
    Kind.FIXED: ("▲", "^", "fixed", "bold green"),
    Kind.NEW: ("✗", "x", "fails", "red"),
    Kind.STILL_FAILING: ("✗", "x", "still fails", "red"),
}
KINDS_WIDTH = max(len(word) for _, _, word, _ in SIGNS.values())
SHARE = 0.5
"""How much of a line the names may take."""
NameOf = Callable[[Name], str]
PlaceOf = Callable[[Flip], str]


@dataclass(frozen=True, slots=True)
class Ran:
    """A run whose results count. `standing` has the last result of every case there is."""

    flips: Flips
    standing: Mapping[Name, CaseProgress]
    number: int | None
    seconds: float
    reason: str
    cost: float | None = None
    was_cancelled: bool = False
    threshold: float = 1.0


def results(
    ran: Ran, look: Look, *, name_of: NameOf, place_of: PlaceOf = lambda _: "", rows: int = 1000
) -> list[Line]:
    """What flipped, each case with its reason, and the counts; at most `rows` cases are listed.

    `place_of` gives the `file:line` where an exception came from, "" where that is not known.
    """
    flips = [flip for flip in ran.flips.of(*LISTED) if flip.kind is Kind.FIXED or _is_bad(flip)]
    flips.sort(key=lambda flip: LISTED.index(flip.kind))
    shown = flips[:rows] if len(flips) <= rows else flips[: rows - 1]
    names = [visible(name_of(flip.name)) for flip in shown]
    width = min(max(map(len, names), default=0), int(look.width * SHARE))
    lines = [
        _flip(flip, name.ljust(width), look, place_of)
        for flip, name in zip(shown, names, strict=True)
    ]
    if len(flips) > len(shown):
        lines.append([(f"  and {len(flips) - len(shown)} more", "dim")])
    if lines:
        lines.append([])
    return [*lines, _headline(ran, look), _facts(ran, look)]


def counts(standing: Mapping[Name, CaseProgress]) -> Counter[CaseStatus]:
    """How many cases have which verdict."""
    return Counter(case.status for case in standing.values() if case.status in DONE)


def problems(texts: Sequence[str]) -> list[Line]:
    """Files that cannot be read."""
    lines: list[Line] = []
    for text in texts:
        first, *rest = visible(text, multiline=True).split("\n")
        lines.append([("! ", "bold yellow"), (first, "")])
        lines += [[(f"  {line}", "")] for line in rest]
    return [*lines, [("read again when saved", "dim")]]


def trouble(
    told: Told, python: str, standing: Mapping[Name, CaseProgress], look: Look
) -> list[Line]:
    """Why nothing could be run, with the lines of the file that it comes from."""
    kind = f"{told.kind}: " if told.kind else ""
    lines: list[Line] = []
    if told.headline:
        lines.append([(visible(told.headline), "bold yellow")])
    message = visible(f"{kind}{told.message}", multiline=True).split("\n")
    lines += [[(line, "bold" if told.place else "")] for line in message]
    if told.place:
        lines.append([(visible(told.place), "cyan")])
    lines += [line for each in told.excerpt for line in _source(each, look)]
    lines += [[(visible(each), "")] for each in told.more]
    if told.remedy:
        lines.append([(visible(told.remedy), "")])
    if python and not told.place:
        lines.append([(f"python: {visible(python)}", "dim")])
    return [*lines, [], last_results(standing, look)]


def last_results(standing: Mapping[Name, CaseProgress], look: Look) -> Line:
    """What counts as long as nothing new could be found out."""
    if not standing:
        return [("nothing has run yet; runs when a file is saved", "dim")]
    return [*_counted(counts(standing), look), ("  (before; runs again after a save)", "dim")]


def _flip(flip: Flip, name: str, look: Look, place_of: PlaceOf) -> Line:
    glyph, ascii_sign, word, style = SIGNS[flip.kind]
    if flip.kind is not Kind.FIXED and flip.now.status is CaseStatus.ERROR:
        glyph, ascii_sign = "!", "!"
    sign = glyph if look.unicode else ascii_sign
    line: Line = [(f"{sign} {word.ljust(KINDS_WIDTH)}  ", style), (name, "")]
    if flip.kind is Kind.FIXED:
        return line
    place = place_of(flip) if flip.now.status is CaseStatus.ERROR else ""
    reason = visible(flip.now.reason or flip.now.error or "")
    line.append((f"  {reason}", "dim"))
    if place and place not in reason:
        line.insert(2, (f"  {visible(place)}", "cyan"))
    return line


def _headline(ran: Ran, look: Look) -> Line:
    """`2 broke, 1 fixed, 10 unchanged`; of a first run how many passed is enough."""
    line: Line = []
    for kind in (Kind.BROKE, Kind.ERRORED, Kind.FIXED):
        if count := len(ran.flips.of(kind)):
            line += [
                (look.dot if line else "", "dim"),
                (f"{count} {SIGNS[kind][2]}", SIGNS[kind][3]),
            ]
    unchanged = len(ran.flips.of(Kind.UNCHANGED, Kind.STILL_FAILING))
    if unchanged:
        line += [(look.dot if line else "", "dim"), (f"{unchanged} unchanged", "dim")]
    total = _counted(counts(ran.standing), look)
    return [*line, ("   " if line else "", ""), *total]


def _counted(found: Counter[CaseStatus], look: Look) -> Line:
    total = sum(found.values())
    passed = found[CaseStatus.PASSED]
    line: Line = [(f"{passed}/{total} passed", "green" if passed == total else "bold")]
    for status, style in ((CaseStatus.FAILED, "red"), (CaseStatus.ERROR, "yellow")):
        if count := found[status]:
            word = (
                numbers.plural(count, "error") if status is CaseStatus.ERROR else f"{count} failed"
            )
            line += [(look.dot, "dim"), (word, style)]
    return line


def _facts(ran: Ran, look: Look) -> Line:
    ran_now = numbers.plural(len(ran.flips.cases), "case")
    facts = [f"{ran_now} in {numbers.seconds(ran.seconds)}"]
    if ran.number is not None:
        facts.append(f"run #{ran.number}")
    if ran.cost:
        facts.append(numbers.money(ran.cost))
    if ran.was_cancelled:
        facts.append("stopped")
    if ran.threshold < 1 and (done := counts(ran.standing)):
        rate = done[CaseStatus.PASSED] / sum(done.values())
        is_met = rate >= ran.threshold - TOLERANCE
        word = "meets" if is_met else "is below"
        facts.append(f"{numbers.percent(rate)} {word} {numbers.percent(ran.threshold)}")
    if ran.reason:
        facts.append(visible(ran.reason))
    return [(look.dot.join(facts), "dim")]


def _source(line: SourceLine, look: Look) -> list[Line]:
    bar = "│" if look.unicode else "|"
    mark = ">" if line.hot else " "
    text = visible(line.text)
    lines: list[Line] = [
        [(f"{mark} {line.number:>4} {bar} ", "dim"), (text, "bold" if line.hot else "dim")]
    ]
    if line.marks is not None and text == line.text:
        begin, end = line.marks
        under = "^" * max(1, min(end, len(text) + 1) - begin)
        lines.append([(f"       {bar} ", "dim"), (" " * begin, ""), (under, "bold red")])
    return lines


def _is_bad(flip: Flip) -> bool:
    return flip.now.status in NOT_PASSED
