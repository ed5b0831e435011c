"""The console's table: which columns fit, and what stands in each line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.preview import status_of
from tenxgraph_tui.evaluation.reporters import rows
from tenxgraph_tui.evaluation.reporters.look import STYLES, Line, Look
from tenxgraph_tui.evaluation.results import EvalCaseResult, ReportSource
from tenxgraph_tui.evaluation.visible import visible

LISTED = 100
"""A set with more cases lists only those that did not pass."""

CASE_LEAST, CASE_MOST = 16, 60
STATUS, SCORE, WORST, NUMBER = 12, 8, 18, 8


class CaseTable:
    """One line a case; where the criteria do not fit, the worst one stands for all.

    `cells` tells how many columns of the terminal a text takes. `is_plain` says afterwards whether
    every case just passed, so that nothing needs to be said about any of them.
    """

    def __init__(self, report: ReportSource, look: Look, cells: Callable[[str], int]) -> None:
        self._report, self._look, self._cells = report, look, cells
        self.is_plain = True
        summary = report.summary
        self._criteria = rows.columns(summary.criterion_stats)
        if self._room() < CASE_LEAST:
            self._criteria = []
        longest = max((cells(visible(name)) for name in summary.per_case_token_usage), default=0)
        self._case = max(CASE_LEAST, min(longest, CASE_MOST, self._room()))

    def lines(self) -> Iterator[Line]:
        """The head, the cases in file order, and how many are not listed."""
        heads = [rows.label(name) for name in self._criteria] or ["worst"]
        yield self._line(
            ("status", "dim"), "case", [(head, "dim") for head in heads], "tok", "time"
        )
        total = self._report.summary.total_cases
        listed = 0
        for result in self._report.iter_results(noteworthy=total > LISTED):
            self.is_plain = self.is_plain and not result.is_noteworthy
            listed += 1
            yield self._row(result)
        if unlisted := total - listed:
            yield [(f"and {numbers.plural(unlisted, 'case')} that passed", "dim")]

    def _room(self) -> int:
        scores = SCORE * len(self._criteria) if self._criteria else WORST
        return self._look.width - STATUS - scores - 2 * NUMBER

    def _row(self, result: EvalCaseResult) -> Line:
        status = status_of(result)
        line = self._line(
            (self._look.status(status), STYLES[status]),
            visible(result.eval_id),
            [self._score(result, name) for name in self._criteria] or [self._worst(result)],
            numbers.tokens(result.token_usage.total_tokens),
            numbers.seconds(result.duration_seconds),
        )
        return [*line, (f"  {rows.note(result)}", "bold")] if rows.note(result) else line

    def _score(self, result: EvalCaseResult, name: str) -> tuple[str, str]:
        criterion = result.get_criterion_result(name)
        bad = criterion is not None and criterion.verdict in rows.BAD
        return rows.score_cell(criterion, self._look), "bold red" if bad else "dim"

    def _worst(self, result: EvalCaseResult) -> tuple[str, str]:
        criterion = rows.worst(result.criterion_results)
        if criterion is None:
            return self._look.nothing, "dim"
        score = rows.score_cell(criterion, self._look)
        return f"{rows.label(criterion.criterion)} {score}", "bold red"

    def _line(
        self,
        status: tuple[str, str],
        case: str,
        scores: list[tuple[str, str]],
        tokens: str,
        time: str,
    ) -> Line:
        word, style = status
        width = SCORE if self._criteria else WORST
        line = [(word + " " * (STATUS - self._cells(word)), style), (self._fitted(case), "")]
        for text, score_style in scores:
            line.append((" " * max(1, width - self._cells(text)), ""))
            line.append((text, score_style))
        line.append((f"{tokens:>{NUMBER}}{time:>{NUMBER}}", "dim"))
        return line

    def _fitted(self, text: str) -> str:
        """Exactly as wide as the column; what is too long loses its middle."""
        width, ellipsis = self._case, self._look.ellipsis
        if self._cells(text) > width:
            half = (width - len(ellipsis)) // 2
            text = self._cut(text, half) + ellipsis + self._cut(text[::-1], half)[::-1]
        return text + " " * (width - self._cells(text))

    def _cut(self, text: str, width: int) -> str:
        kept = text[:width]
        while self._cells(kept) > width:
            kept = kept[:-1]
        return kept
