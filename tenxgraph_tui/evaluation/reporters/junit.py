"""The report for CI servers: JUnit XML that strict parsers read, whatever the agent said."""

from __future__ import annotations

import html
import json
import math
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tenxgraph_tui.evaluation.reporters import cuts, rows
from tenxgraph_tui.evaluation.reporters.file import FileReporter
from tenxgraph_tui.evaluation.reporters.included import EVERYTHING, Included
from tenxgraph_tui.evaluation.reporters.transcript import transcript, verdict_line
from tenxgraph_tui.evaluation.results import EvalCaseResult, ReportSource, Verdict
from tenxgraph_tui.evaluation.visible import visible

MESSAGE = 1000
"""Bytes of a `message` attribute: CI servers refuse or cut longer ones."""
BODY = 8 * 1024
OUTPUT = 16 * 1024
"""Bytes of a case's `system-out`; the whole text is in the JSON report."""
PROPERTY = 4 * 1024
IN_MEMORY = 1 << 20
RAISED = re.compile(r"(?:turn \d+: )?([A-Za-z_]\w*)(?::|$)")


class JUnitXMLReporter(FileReporter):
    """Writes a `testsuites` root with one suite; every case has one `failure` or `error` at most.

    Skipped and cancelled cases are `skipped`, a known failure (`xfail`) has passed and carries the
    property `xfail`. The counts are those of the elements that were written.
    """

    ending = "_junit.xml"

    def __init__(
        self,
        suite_name: str = "agent-evaluation",
        *,
        included: Included = EVERYTHING,
        timestamp_files: bool = True,
    ) -> None:
        super().__init__(timestamp_files=timestamp_files)
        self._suite_name = suite_name
        self._included = included

    def to_xml(self, report: ReportSource) -> str:
        """The whole report as one text."""
        return "".join(self.chunks(report))

    def chunks(self, report: ReportSource) -> Iterator[str]:
        """The text of the file; the cases are set aside until they are counted."""
        counts = _Counts()
        with tempfile.SpooledTemporaryFile(
            IN_MEMORY, "w+", encoding="utf-8", errors="backslashreplace", newline=""
        ) as cases:
            for result in report.iter_results():
                counts.add(result)
                cases.write(_case(self._included.of(result), report.eval_set_id))
            for name, message in _left_out(report.metadata):
                counts.tests += 1
                counts.skipped += 1
                cases.write(_skipped(name, message, report.eval_set_id))
            cases.seek(0)
            yield from self._head(report, counts)
            yield from iter(lambda: cases.read(IN_MEMORY), "")
        yield "  </testsuite>\n</testsuites>\n"

    def _head(self, report: ReportSource, counts: _Counts) -> Iterator[str]:
        at = datetime.fromtimestamp(report.timestamp, tz=UTC).isoformat(timespec="seconds")
        facts = {"name": self._suite_name, **counts.attributes()}
        yield "<?xml version='1.0' encoding='utf-8'?>\n"
        yield f"<testsuites{_attributes(facts)}>\n"
        yield f"  <testsuite{_attributes({**facts, 'timestamp': at})}>\n"
        yield _properties(_suite_facts(report), margin="    ")


@dataclass(slots=True)
class _Counts:
    tests: int = 0
    failures: int = 0
    errors: int = 0
    skipped: int = 0
    seconds: float = 0.0

    def add(self, result: EvalCaseResult) -> None:
        self.tests += 1
        if result.is_error:
            self.errors += 1
        elif not result.passed:
            self.failures += 1
        self.seconds += _finite(result.duration_seconds)

    def attributes(self) -> dict[str, str]:
        return {
            "tests": str(self.tests),
            "failures": str(self.failures),
            "errors": str(self.errors),
            "skipped": str(self.skipped),
            "time": f"{self.seconds:.3f}",
        }


def _case(result: EvalCaseResult, eval_set_id: str) -> str:
    facts = {
        "name": result.name or result.eval_id,
        "classname": eval_set_id,
        "time": f"{_finite(result.duration_seconds):.3f}",
    }
    output = _text("\n".join(transcript(result)).rstrip(), OUTPUT)
    inside = _properties(_case_facts(result), margin="      ") + _verdict(result)
    if output:
        inside += f"      <system-out>{output}</system-out>\n"
    return f"    <testcase{_attributes(facts)}>\n{inside}    </testcase>\n"


def _verdict(result: EvalCaseResult) -> str:
    if result.is_error:
        facts = {"type": _type_of_error(result), "message": result.error or ""}
        return _problem("error", facts, result)
    if result.passed:
        return ""
    failed = [r for r in result.criterion_results if r.verdict is Verdict.FAILED]
    lines = [verdict_line(r).replace(": failed", "", 1) for r in failed]
    facts = {
        "type": failed[0].criterion if failed else "failed",
        "message": "; ".join(lines) or "failed",
    }
    return _problem("failure", facts, result)


def _problem(tag: str, facts: dict[str, str], result: EvalCaseResult) -> str:
    lines = [result.error] if result.error else []
    lines += [verdict_line(r) for r in result.failed_criteria]
    lines += [f"{word}: {text}" for word, text in rows.evidence(result)]
    if result.actual_response:
        lines.append(f"answer: {result.actual_response}")
    body = _text("\n".join(lines), BODY)
    return f"      <{tag}{_attributes(facts)}>{body}</{tag}>\n"


def _type_of_error(result: EvalCaseResult) -> str:
    """The criterion in error, or the exception that the agent raised."""
    for criterion in result.criterion_results:
        if criterion.verdict is Verdict.ERROR:
            return criterion.criterion
    raised = RAISED.match(result.error or "")
    return raised[1] if raised else "error"


def _skipped(name: str, message: str, eval_set_id: str) -> str:
    facts = {"name": name, "classname": eval_set_id, "time": "0.000"}
    inside = f"      <skipped{_attributes({'message': message})}/>\n"
    return f"    <testcase{_attributes(facts)}>\n{inside}    </testcase>\n"


def _left_out(metadata: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, reason in rows.entries(metadata.get("skipped")):
        yield name, reason or "skipped"
    for name, _ in rows.entries(metadata.get("cancelled")):
        yield name, "cancelled"
    for name, _ in rows.entries(metadata.get("unfinished")):
        yield name, "not finished when this was written"


def _case_facts(result: EvalCaseResult) -> Iterator[tuple[str, str]]:
    if result.name and result.name != result.eval_id:
        yield "eval_id", result.eval_id
    if rows.KNOWN in result.metadata:
        yield "xfail", str(result.metadata[rows.KNOWN])
    if rows.UNEXPECTED in result.metadata:
        yield "unexpected_pass", rows.HOW_TO_CALM


def _suite_facts(report: ReportSource) -> Iterator[tuple[str, str]]:
    summary = report.summary
    yield "eval_set_id", report.eval_set_id
    yield "eval_set_name", report.eval_set_name
    yield "pass_rate", f"{summary.pass_rate:.4f}"
    yield "avg_duration", f"{_finite(summary.avg_duration_seconds):.3f}"
    yield "config_used", json.dumps(report.config_used, ensure_ascii=False, default=repr)
    for name in ("file", "target", "config", "run_number", "judged_from"):
        if report.metadata.get(name):
            yield name, str(report.metadata[name])
    for name, stats in summary.criterion_stats.items():
        counts = f"{stats.get('passed', 0)}/{stats.get('total', 0)} passed"
        yield f"criterion.{name}", f"{counts}, average {stats.get('avg_score', 0.0):.4f}"


def _properties(facts: Iterator[tuple[str, str]], margin: str) -> str:
    lines = [
        f"{margin}  <property{_attributes({'name': name, 'value': value}, PROPERTY)}/>\n"
        for name, value in facts
    ]
    return f"{margin}<properties>\n{''.join(lines)}{margin}</properties>\n" if lines else ""


def _attributes(facts: Mapping[str, str], limit: int = MESSAGE) -> str:
    return "".join(
        f' {name}="{html.escape(cuts.one_line(visible(value), limit))}"'
        for name, value in facts.items()
    )


def _text(text: str, limit: int) -> str:
    return html.escape(cuts.at_bytes(visible(text, multiline=True), limit), quote=False)


def _finite(seconds: float) -> float:
    return max(0.0, seconds) if math.isfinite(seconds) else 0.0
