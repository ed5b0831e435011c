"""The pieces of *Chat*: both answers of a turn, both sides of a call, and the score of a turn."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.results import Verdict
from tenxgraph_tui.tui.glyphs import ACCENT, BAD, FAINT, GOOD, MUTED, RUNNING, VERDICT
from tenxgraph_tui.tui.kit import BLANK, join, text
from tenxgraph_tui.tui.panes.blocks import QUIET
from tenxgraph_tui.tui.panes.calls import Side
from tenxgraph_tui.tui.panes.comparison import diff_of, item
from tenxgraph_tui.tui.panes.rows import is_quiet, mark
from tenxgraph_tui.tui.panes.step import Step
from tenxgraph_tui.tui.panes.talk import Stage, Turn, TurnScore
from tenxgraph_tui.tui.panes.texts import differing, flow, mostly_different, unmarked
from tenxgraph_tui.tui.words import wrap

NOTHING_EXPECTED = "No expected answer in the file."
WITHOUT_ANSWER = {
    Stage.NOW: (f"{RUNNING} now", ACCENT),
    Stage.ASKED: ("The answer comes with the result.", FAINT),
    Stage.AHEAD: ("", FAINT),
    Stage.NEVER: ("The conversation ended before.", FAINT),
}
"""What stands where an answer would, and how it is drawn."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Both answers of a turn in lines, or one of them where that says it all.

    `label` is that of the actual one, `note` says what is remarkable about both.
    """

    expected: list[Content]
    actual: list[Content]
    label: str = "actual"
    note: str = ""
    is_cut: bool = False


def answers_of(turn: Turn, room: int, at_most: int) -> Answers:
    """The answers of a turn in lines of at most `room` cells."""
    if turn.stage is not Stage.ANSWERED:
        told, style = WITHOUT_ANSWER[turn.stage]
        wanted = wrap(turn.expected, room, at_most) if turn.expected is not None else []
        given = [text(told, style)] if told else []
        return Answers([text(line, MUTED) for line in wanted], given)
    if turn.expected is None:
        shown, is_cut = broken(turn.answer, room, at_most)
        return Answers([], shown, "answer", NOTHING_EXPECTED, is_cut)
    return _compared(turn.expected, turn, room, at_most)


def _compared(expected: str, turn: Turn, room: int, at_most: int) -> Answers:
    """Both with the words marked that differ, as `rouge_match` compares them."""
    wanted, given = diff_of(expected, turn.answer)
    if not turn.answer.strip():
        left = flow(unmarked(wanted), room, GOOD, at_most)
        return Answers(left, [_no_answer()], is_cut=len(left) > at_most)
    is_one = not differing(wanted) and not differing(given)
    is_both = is_one and expected.strip() == turn.answer.strip()
    note = ""
    if mostly_different(wanted, given):
        note, wanted, given = "mostly different", unmarked(wanted), unmarked(given)
    left = [] if is_one else flow(wanted, room, GOOD, at_most)
    right = flow(given, room, BAD, at_most)
    if is_one or (turn.score is not None and turn.score.verdict in QUIET):
        left, right = ([line.stylize_before(MUTED) for line in side] for side in (left, right))
    is_cut = max(len(left), len(right)) > at_most
    return Answers(left, right, "both" if is_both else "actual", note, is_cut)


def broken(value: str, room: int, at_most: int) -> tuple[list[Content], bool]:
    """A text in at most that many lines, then one that says that there is more; and if it does."""
    if not value.strip():
        return [_no_answer()], False
    found = wrap(value, room, at_most + 1)
    is_cut = len(found) > at_most
    shown = [text(line) for line in found[:at_most]]
    return [*shown, text("…", MUTED)] if is_cut else shown, is_cut


def _no_answer() -> Content:
    return text("no answer", MUTED)


def turn_score(score: TurnScore | None) -> Content:
    """`✗ 0.54 < 0.60`, or a number without a verdict where another turn decided."""
    if score is None:
        return BLANK
    shown = numbers.score(score.value, passed=score.verdict is Verdict.PASSED)
    if score.verdict is None:
        return text(shown, MUTED)
    sign = VERDICT[score.verdict]
    if score.verdict in QUIET:
        return join(text(f"{sign.glyph} ", sign.style), text(shown, MUTED))
    needs = text(f" < {numbers.threshold(score.threshold)}", MUTED)
    return join(text(f"{sign.glyph} {shown}", f"bold {sign.style}"), needs)


def call_sides(step: Step, room: int) -> tuple[Content, Content]:
    """The expected and the actual call; a dash where one of them is missing."""
    row = step.row
    quiet = MUTED if step.is_context or is_quiet(row) else ""
    expected = item(row.expected, room, row, Side(quiet, GOOD))
    actual = item(row.actual, room, row, Side(quiet, BAD))
    if step.is_context:  # nothing was expected, or it may come yet
        expected = expected if row.expected is not None else BLANK
        actual = actual if row.actual is not None else BLANK
    return expected, actual


def call_mark(step: Step) -> Content:
    """How both sides compare, where they do."""
    if step.is_open:
        return text(f"{RUNNING} now", ACCENT)
    return BLANK if step.is_context else mark(step.row)
