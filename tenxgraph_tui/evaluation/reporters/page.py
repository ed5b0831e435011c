"""What the HTML page says above its cases: counts, bars and facts, ready to be drawn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.config import SLOTS
from tenxgraph_tui.evaluation.reporters import rows
from tenxgraph_tui.evaluation.reporters.look import Look
from tenxgraph_tui.evaluation.results import ReportSource

LOOK = Look(unicode=True)


@dataclass(frozen=True, slots=True)
class Segment:
    """One piece of a bar; `start` and `width` are in percent of it."""

    word: str
    count: int
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class CriterionBar:
    """How one criterion went over all cases; `average` is in percent, None where none scored."""

    slot: str
    name: str
    average: float | None
    score: str
    counts: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A case without a result, and why."""

    eval_id: str
    word: str
    reason: str


@dataclass(frozen=True, slots=True)
class Page:
    """Everything above the cases, and the names of their score columns."""

    title: str
    sentence: str
    rate: str
    done: int
    facts: tuple[tuple[str, str], ...]
    figures: tuple[tuple[str, str], ...]
    segments: tuple[Segment, ...]
    criteria: tuple[str, ...]
    labels: tuple[str, ...]
    bars: tuple[CriterionBar, ...]
    left_out: tuple[LeftOut, ...]
    config: str

    @classmethod
    def of(cls, report: ReportSource) -> Page:
        totals = rows.Totals.of(report.summary, report.metadata)
        criteria = tuple(rows.columns(report.summary.criterion_stats))
        stats = report.summary.criterion_stats
        return cls(
            title=report.eval_set_name or report.eval_set_id,
            sentence=totals.sentence(LOOK),
            rate=numbers.percent(totals.passed / totals.done) if totals.done else LOOK.nothing,
            done=totals.done,
            facts=tuple(_facts(report)),
            figures=tuple(_figures(totals, report)),
            segments=_segments(
                {
                    "passed": totals.passed,
                    "failed": totals.failed,
                    "error": totals.errors,
                    "skipped": totals.skipped,
                    "cancelled": totals.cancelled,
                    "unfinished": totals.unfinished,
                }
            ),
            criteria=criteria,
            labels=tuple(map(rows.label, criteria)),
            bars=tuple(_bar(name, stats[name]) for name in criteria),
            left_out=tuple(_left_out(report.metadata)),
            config=_indented(report.config_used),
        )


def _facts(report: ReportSource) -> Iterator[tuple[str, str]]:
    if report.eval_set_name:
        yield "eval set", report.eval_set_id
    for word in ("file", "target", "config"):
        if report.metadata.get(word):
            yield word, str(report.metadata[word])
    if report.metadata.get("run_number"):
        yield "run", f"#{report.metadata['run_number']}"
    if report.metadata.get("judged_from"):
        yield "judged from", f"#{report.metadata['judged_from']}"
    at = datetime.fromtimestamp(report.timestamp, tz=UTC)
    yield "finished", f"{at:%Y-%m-%d %H:%M:%S} UTC"


def _figures(totals: rows.Totals, report: ReportSource) -> Iterator[tuple[str, str]]:
    if not totals.done:
        return
    yield "in the agent", numbers.seconds(totals.agent_seconds)
    yield "a case", numbers.seconds(report.summary.avg_duration_seconds)
    if totals.tokens:
        yield "tokens", numbers.tokens(totals.tokens)
        yield "tokens a case", numbers.tokens(round(report.summary.avg_tokens_per_case))


def _segments(counts: Mapping[str, int]) -> tuple[Segment, ...]:
    total = sum(counts.values())
    segments: list[Segment] = []
    start = 0.0
    for word, count in counts.items():
        if count:
            width = 100 * count / total
            segments.append(Segment(word, count, round(start, 3), round(width, 3)))
            start += width
    return tuple(segments)


def _bar(name: str, stats: Mapping[str, Any]) -> CriterionBar:
    total, passed = int(stats.get("total", 0)), int(stats.get("passed", 0))
    counts = {
        "passed": passed,
        "failed": total - passed,
        "error": int(stats.get("errors", 0)),
        "not evaluated": int(stats.get("not_evaluated", 0)),
    }
    average = float(stats.get("avg_score", 0.0))
    told = [f"{passed}/{total} passed" if total else "nothing scored"]
    if counts["error"]:
        told.append(numbers.plural(counts["error"], "error"))
    if counts["not evaluated"]:
        told.append(f"{counts['not evaluated']} not evaluated")
    return CriterionBar(
        slot=SLOTS.get(name, name),
        name=name,
        average=round(100 * average, 2) if total else None,
        score=numbers.score(average, passed=False) if total else LOOK.nothing,
        counts=LOOK.dot.join(told),
        segments=_segments(counts),
    )


def _left_out(metadata: Mapping[str, Any]) -> Iterator[LeftOut]:
    for word in rows.LEFT_OUT:
        for eval_id, reason in rows.entries(metadata.get(word)):
            yield LeftOut(eval_id, word, reason)


def _indented(config: Mapping[str, Any]) -> str:
    return json.dumps(config, indent=2, ensure_ascii=False, default=repr) if config else ""
