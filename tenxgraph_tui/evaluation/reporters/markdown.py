"""The report for pull requests and job summaries: GitHub-flavoured Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.preview import status_of
from tenxgraph_tui.evaluation.reporters import cuts, gfm, rows
from tenxgraph_tui.evaluation.reporters.file import FileReporter
from tenxgraph_tui.evaluation.reporters.included import EVERYTHING, Included
from tenxgraph_tui.evaluation.reporters.look import Look
from tenxgraph_tui.evaluation.results import EvalCaseResult, EvalSummary, ReportSource, Verdict

LISTED = 100
"""A set with more cases lists only those that did not pass."""

TOLD = 100
"""How many cases are told at length: GitHub refuses summaries of more than 1 MiB."""

LINES = 300
"""How many cases the table lists at most, for the same reason."""

ANSWER, REASON = 1500, 1000
LOOK = Look(unicode=True)


class MarkdownReporter(FileReporter):
    """Writes a table of the cases and below it why some did not pass.

    Long sets are cut, and what is missing is said: the JSON report has everything.
    """

    ending = ".md"

    def __init__(self, *, included: Included = EVERYTHING, timestamp_files: bool = True) -> None:
        super().__init__(timestamp_files=timestamp_files)
        self._included = included

    def to_markdown(self, report: ReportSource) -> str:
        """The whole report as one text."""
        return "".join(self.chunks(report))

    def chunks(self, report: ReportSource) -> Iterator[str]:
        """The text of the file; each result is read once, or not at all if it is not listed."""
        yield from _head(report)
        criteria = rows.columns(report.summary.criterion_stats)
        told = _Told()
        if report.summary.total_cases:
            yield from _criteria(report.summary, criteria)
            yield from self._table(report, criteria, told)
        yield from told.lines()
        yield from _left_out(report)

    def _table(self, report: ReportSource, criteria: list[str], told: _Told) -> Iterator[str]:
        total = report.summary.total_cases
        yield "\n## Cases\n\n"
        yield _row(["status", "case", *map(_label, criteria), "tokens", "time"])
        yield _row([":--", ":--", *("--:" for _ in criteria), "--:", "--:"])
        read = 0
        for result in report.iter_results(noteworthy=total > LISTED):
            read += 1
            kept = self._included.of(result)
            told.consider(kept)
            if read <= LINES:
                yield _row(_cells(kept, criteria))
        if read > LINES:
            more = numbers.plural(read - LINES, "case")
            yield f"\nand {more} that did not pass, {cuts.ELSEWHERE}\n"
        if total > read:
            yield f"\nand {numbers.plural(total - read, 'case')} that passed\n"


class _Told:
    """The cases that are told at length, as text, so that no list of results grows."""

    def __init__(self) -> None:
        self._sections: list[str] = []
        self._judged: list[str] = []
        self._more = self._more_judged = 0

    def consider(self, result: EvalCaseResult) -> None:
        """Every case that did not pass, that its file marks with `xfail`, or that judges passed."""
        if not (result.is_noteworthy or result.is_error):
            self._consider_judges(result)
            return
        if len(self._sections) < TOLD:
            self._sections.append("".join(_section(result)))
        else:
            self._more += 1

    def _consider_judges(self, result: EvalCaseResult) -> None:
        told = list(rows.judged(result))
        if told and len(self._judged) >= TOLD:
            self._more_judged += 1
        elif told:
            name = f"- {gfm.code(result.eval_id)}\n"
            self._judged.append(name + "".join(_indented(_findings(told))))

    def lines(self) -> Iterator[str]:
        if self._sections:
            yield "\n## What did not pass\n"
        yield from self._sections
        if self._more:
            yield f"\nand {numbers.plural(self._more, 'case')} more, {cuts.ELSEWHERE}\n"
        if self._judged:
            yield "\n## What judges said of those that passed\n\n"
        yield from self._judged
        if self._more_judged:
            yield f"\nand {numbers.plural(self._more_judged, 'case')} more, {cuts.ELSEWHERE}\n"


def _findings(found: Iterable[rows.Finding]) -> Iterator[str]:
    for finding in found:
        reason = f": {_prose(finding.reason)}" if finding.reason else ""
        yield f"- **{gfm.text(finding.slot)}** {finding.score}{reason}\n"
        yield from (f"  - {_prose(one)}\n" for one in finding.said)


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)


def _head(report: ReportSource) -> Iterator[str]:
    totals = rows.Totals.of(report.summary, report.metadata)
    yield f"# {gfm.text(report.eval_set_name or report.eval_set_id)}\n\n"
    yield f"**{totals.sentence(LOOK)}**\n\n"
    at = datetime.fromtimestamp(report.timestamp, tz=UTC)
    facts = [
        f"{word} {gfm.code(str(report.metadata[word]))}"
        for word in ("file", "target", "config")
        if report.metadata.get(word)
    ]
    if report.metadata.get("run_number"):
        facts.append(f"run {report.metadata['run_number']}")
    if report.metadata.get("judged_from"):
        facts.append(f"judged from run {report.metadata['judged_from']}")
    yield LOOK.dot.join([*facts, f"{at:%Y-%m-%d %H:%M:%S} UTC"]) + "\n"


def _criteria(summary: EvalSummary, criteria: list[str]) -> Iterator[str]:
    if not criteria:
        return
    yield "\n## Criteria\n\n"
    yield _row(["criterion", "passed", "average", "errors", "not evaluated"])
    yield _row([":--", "--:", "--:", "--:", "--:"])
    for name in criteria:
        stats = summary.criterion_stats[name]
        total = stats.get("total", 0)
        average = numbers.score(stats.get("avg_score", 0.0), passed=False)
        yield _row(
            [
                gfm.code(name),
                f"{stats.get('passed', 0)}/{total}",
                average if total else LOOK.nothing,
                str(stats.get("errors", 0)),
                str(stats.get("not_evaluated", 0)),
            ]
        )


def _cells(result: EvalCaseResult, criteria: list[str]) -> list[str]:
    note = f" ({rows.note(result)})" if rows.note(result) else ""
    scores = []
    for name in criteria:
        criterion = result.get_criterion_result(name)
        cell = rows.score_cell(criterion, LOOK)
        bad = criterion is not None and criterion.verdict in rows.BAD
        scores.append(f"**{cell}**" if bad else cell)
    return [
        LOOK.status(status_of(result)) + note,
        gfm.code(result.eval_id),
        *scores,
        numbers.tokens(result.token_usage.total_tokens),
        numbers.seconds(result.duration_seconds),
    ]


def _section(result: EvalCaseResult) -> Iterator[str]:
    name = f" {gfm.text(result.name)}" if result.name and result.name != result.eval_id else ""
    yield f"\n### {LOOK.status(status_of(result))}: {gfm.code(result.eval_id)}{name}\n\n"
    if result.error and not any(r.verdict is Verdict.ERROR for r in result.criterion_results):
        yield f"- {_prose(result.error)}\n"
    yield from _findings(rows.findings(result))
    if note := rows.note(result):
        yield f"- {note}: {_prose(str(result.metadata.get(rows.KNOWN, rows.HOW_TO_CALM)))}\n"
    answered = False
    for word, told in rows.evidence(result):
        if "answer" in word:
            answered = True
            yield f"\n{word}:\n\n{gfm.block(told)}\n"
        else:
            yield f"- {word}: {gfm.code(told)}\n"
    if result.actual_response:
        cut = cuts.at_characters(result.actual_response, ANSWER)
        yield f"\n{'actual ' if answered else ''}answer:\n\n{gfm.block(cut)}\n"


def _left_out(report: ReportSource) -> Iterator[str]:
    for word in rows.LEFT_OUT:
        listed = list(rows.entries(report.metadata.get(word)))
        if not listed:
            continue
        yield f"\n## {word.capitalize()}\n\n"
        for name, reason in listed[:LINES]:
            yield f"- {gfm.code(name)}{': ' if reason else ''}{_prose(reason)}\n"
        if len(listed) > LINES:
            yield f"\nand {numbers.plural(len(listed) - LINES, 'case')} more\n"


def _prose(told: str) -> str:
    return gfm.text(told if len(told) <= REASON else f"{told[:REASON]}…")


def _label(criterion: str) -> str:
    return gfm.text(rows.label(criterion))


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |\n"
