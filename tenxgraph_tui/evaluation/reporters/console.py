"""The report for people: a table a set, and below it the reason of everything that did not pass.

The only module of the library that imports rich.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.dataset import StepType
from tenxgraph_tui.evaluation.preview import args_preview, status_of
from tenxgraph_tui.evaluation.reporters import rows
from tenxgraph_tui.evaluation.reporters.base import BaseReporter
from tenxgraph_tui.evaluation.reporters.included import EVERYTHING, Included
from tenxgraph_tui.evaluation.reporters.look import STYLES, Line, Look, encodable, look_of
from tenxgraph_tui.evaluation.reporters.table import CaseTable
from tenxgraph_tui.evaluation.results import EvalCaseResult, ReportSource, Verdict
from tenxgraph_tui.evaluation.visible import visible

if TYPE_CHECKING:
    from rich.text import Text

INDENT = 4
LEAST_WIDTH = 20
REASON_LINES = 6
ANSWER = rows.LONGEST_TEXT


class ConsoleReporter(BaseReporter):
    """Prints a report; colour and glyphs only where `output` is a terminal that has them.

    `verbose` gives the reasons of passed criteria too. Texts of agents are made safe to print; what
    `included` switches off is not printed of any case.
    """

    def __init__(
        self,
        use_color: bool = True,
        verbose: bool = False,
        output: TextIO | None = None,
        include_trajectory: bool = False,
        include_actual_response: bool = False,
        *,
        look: Look | None = None,
        included: Included = EVERYTHING,
    ) -> None:
        import rich.console  # noqa: F401 - now: a project's rich.py may come first on the path later

        self._use_color = use_color
        self._verbose = verbose
        self._output = output
        self._include_trajectory = include_trajectory
        self._include_actual_response = include_actual_response
        self._look = look
        self._included = included

    def generate(self, report: ReportSource, output_dir: str | None = None) -> str | None:  # noqa: ARG002 - the documented signature
        """Print the report; there is no file, so the answer is None."""
        self.report(report)
        return None

    def report(self, report: ReportSource) -> None:
        """Print the report to the `output` given, else to the standard output of the moment."""
        from rich.cells import cell_len

        output = self._output or sys.stdout
        paper = _Paper(output, self._look or look_of(output, use_colour=self._use_color))
        _heading(paper, report)
        if report.summary.total_cases:
            self._cases(paper, report, CaseTable(report, paper.look, cell_len))
        _left_out(paper, report)
        totals = rows.Totals.of(report.summary, report.metadata)
        paper.print([])
        paper.print([(totals.sentence(paper.look), "bold")])
        paper.print([])

    def _cases(self, paper: _Paper, report: ReportSource, table: CaseTable) -> None:
        paper.print([])
        for line in table.lines():
            paper.print(line)
        everything = self._verbose or self._include_trajectory or self._include_actual_response
        if table.is_plain and not everything:
            return
        for result in report.iter_results(noteworthy=not everything):
            self._case(paper, report, self._included.of(result))

    def _case(self, paper: _Paper, report: ReportSource, result: EvalCaseResult) -> None:
        status = status_of(result)
        head = [(f"{paper.look.status(status)}  ", STYLES[status])]
        head.append((visible(result.eval_id), "bold"))
        if result.name and result.name != result.eval_id:
            head.append((f"  {visible(result.name)}", "dim"))
        paper.print([])
        paper.print(head)
        for line in self._facts(result):
            paper.paragraph(line)
        if self._include_trajectory:
            for step in _steps(result):
                paper.paragraph([(step, "dim")])
        if not result.passed:
            file = report.metadata.get("file")
            address = f"{file}::{result.eval_id}" if file else result.eval_id
            paper.print([(" " * INDENT + visible(f"see {address}"), "dim")])

    def _facts(self, result: EvalCaseResult) -> Iterator[Line]:
        broken = any(r.verdict is Verdict.ERROR for r in result.criterion_results)
        if result.error is not None and not broken:
            yield [(result.error.strip(), "")]
        for finding in rows.findings(result):
            head = f"{finding.slot} {finding.score}"
            yield [(head, "bold"), (f": {finding.reason}" if finding.reason else "", "")]
            yield from ([(one, "dim")] for one in finding.said)
        if note := rows.note(result):
            yield [(f"{note}: {result.metadata.get(rows.KNOWN, rows.HOW_TO_CALM)}", "")]
        if self._verbose:
            for passed in result.passed_criteria:
                score = numbers.score(passed.score, passed=True)
                yield [(f"{passed.criterion} {score}: {passed.reason or ''}", "dim")]
                yield from ([(one, "dim")] for one in rows.said_of(passed))
        if not result.passed:
            for word, text in rows.evidence(result):
                yield [(f"{word}: ", "dim"), (text, "")]
        if result.actual_response and (self._include_actual_response or not result.passed):
            yield [("answer: ", "dim"), (result.actual_response[:ANSWER], "")]


def print_report(report: ReportSource, verbose: bool = False, use_color: bool = True) -> None:
    """Print a report to the standard output; `verbose` gives the reasons of what passed too."""
    ConsoleReporter(use_color=use_color, verbose=verbose).report(report)


class _Paper:
    """Prints to any stream: rich draws into memory, so that the stream's encoding cannot fail."""

    def __init__(self, output: TextIO, look: Look) -> None:
        from rich.console import Console
        from rich.text import Text

        self.look = look
        self._output, self._text = output, Text
        self._drawn = io.StringIO()
        self._console = Console(
            file=self._drawn,
            width=look.width,
            force_terminal=look.colour,
            color_system="auto" if look.colour else None,
            no_color=not look.colour,
            markup=False,
            emoji=False,
            highlight=False,
            legacy_windows=False,
        )

    def print(self, line: Line) -> None:
        """One line, however long it is; its texts are safe already."""
        self._console.print(self._text.assemble(*line), soft_wrap=True)
        text = self._drawn.getvalue()
        if not self.look.colour:
            text = f"{text.rstrip()}\n"
        self._drawn.seek(0)
        self._drawn.truncate()
        self._output.write(encodable(text, self._output))

    def paragraph(self, line: Line, indent: int = INDENT) -> None:
        """Any text, made safe and wrapped; what is very long is cut."""
        safe = self._text.assemble(
            *((visible(text, multiline=True), style) for text, style in line)
        )
        wrapped = safe.wrap(self._console, max(LEAST_WIDTH, self.look.width - indent))
        margin = " " * indent
        for text in wrapped[:REASON_LINES]:
            text.rstrip()
            self.print([(margin, ""), *_spans(text)])
        if len(wrapped) > REASON_LINES:
            self.print([(margin + self.look.ellipsis, "dim")])


def _spans(text: Text) -> Line:
    cuts = sorted({edge for span in text.spans for edge in (span.start, span.end)} - {0, len(text)})
    return [
        (piece.plain, str(piece.spans[0].style) if piece.spans else "")
        for piece in text.divide(cuts)
    ]


def _heading(paper: _Paper, report: ReportSource) -> None:
    facts = report.metadata
    title = [(visible(report.eval_set_name or report.eval_set_id), "bold")]
    if facts.get("file"):
        title.append((f"  {visible(str(facts['file']))}", "dim"))
    paper.print(title)
    known = [f"{word} {facts[word]}" for word in ("target", "config") if facts.get(word)]
    if facts.get("run_number"):
        known.append(f"run #{facts['run_number']}")
    if facts.get("judged_from"):
        known.append(f"judged from #{facts['judged_from']}")
    if known:
        paper.print([(visible(paper.look.dot.join(known)), "dim")])


def _left_out(paper: _Paper, report: ReportSource) -> None:
    for word in rows.LEFT_OUT:
        listed = list(rows.entries(report.metadata.get(word)))
        if listed:
            told = (f"{name} ({reason})" if reason else name for name, reason in listed)
            paper.print([])
            paper.paragraph([(f"{word}: {', '.join(told)}", "dim")], indent=0)


def _steps(result: EvalCaseResult) -> Iterator[str]:
    for step in result.actual_trajectory:
        is_call = step.step_type is StepType.TOOL
        yield f"{step.name}({args_preview(step.args)})" if is_call else step.name
