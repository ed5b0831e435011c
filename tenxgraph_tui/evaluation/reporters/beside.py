"""Expected beside actual, as the HTML page shows it: words of answers, and calls of tools."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from tenxgraph_tui.evaluation.alignment import align_calls, word_diff
from tenxgraph_tui.evaluation.config import MatchType
from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.evaluation.preview import args_preview
from tenxgraph_tui.evaluation.reporters import cuts
from tenxgraph_tui.evaluation.reporters.transcript import as_json
from tenxgraph_tui.evaluation.results import EvalCaseResult

COMPARED = 5_000
"""Characters up to which texts are compared word by word."""
MOSTLY = 0.6
"""Where a larger share of the words differs, marking them says nothing."""
VALUE = 2_000
CALLS = 200


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text, and whether the other text lacks it."""

    text: str
    differs: bool


@dataclass(frozen=True, slots=True)
class CallRow:
    """A call that was expected, made, or both; `mark` is same, differs, missing, extra or made."""

    mark: str
    expected: str
    actual: str
    keys: str
    result: str
    error: str


def beside(expected: str, actual: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Both texts with the words that the other lacks marked, unless most of them are."""
    if not expected or not actual or max(len(expected), len(actual)) > COMPARED:
        return _plain(expected), _plain(actual)
    left, right = word_diff(expected, actual)
    pieces = [*left, *right]
    if sum(not same for _, same in pieces) > MOSTLY * len(pieces):
        return _plain(expected), _plain(actual)
    return tuple(_joined(left)), tuple(_joined(right))


def call_rows(result: EvalCaseResult) -> tuple[list[CallRow], bool]:
    """The calls, beside the expected ones where the result knows them, and whether it does."""
    wanted = [
        call if isinstance(call, ToolCall) else ToolCall.model_validate(call)
        for turn in result.turn_results
        for call in turn.get("expected_tool_calls") or ()
    ]
    calls = result.actual_tool_calls
    if not wanted:
        return [_row("made", None, call, ()) for call in calls[:CALLS]], False
    compared = result.get_criterion_result("tool_trajectory_avg_score")
    how = compared.details if compared is not None else {}
    match_type = how.get("match_type")
    rows = align_calls(
        wanted,
        calls,
        MatchType(match_type) if match_type in list(MatchType) else MatchType.IN_ORDER,
        bool(how.get("check_args", False)),
    )
    return [_row(str(row.mark), row.expected, row.actual, row.keys) for row in rows[:CALLS]], True


def _row(
    mark: str, expected: ToolCall | None, actual: ToolCall | None, keys: tuple[str, ...]
) -> CallRow:
    result = actual.result if actual is not None else None
    return CallRow(
        mark=mark,
        expected=_call(expected),
        actual=_call(actual),
        keys=", ".join(keys),
        result=cuts.at_characters(as_json(result), VALUE) if result is not None else "",
        error=cuts.at_characters((actual.error if actual is not None else None) or "", VALUE),
    )


def _call(call: ToolCall | None) -> str:
    return f"{call.name}({args_preview(call.args, VALUE)})" if call is not None else ""


def _plain(text: str) -> tuple[Piece, ...]:
    return (Piece(text, differs=False),) if text else ()


def _joined(words: list[tuple[str, bool]]) -> Iterator[Piece]:
    """Neighbours that are marked alike as one piece; the space after a marked one is not marked."""
    for same, run in groupby(words, key=itemgetter(1)):
        text = "".join(word for word, _ in run)
        if same:
            yield Piece(text, differs=False)
            continue
        marked = text.rstrip()
        yield Piece(marked, differs=True)
        if space := text[len(marked) :]:
            yield Piece(space, differs=False)
