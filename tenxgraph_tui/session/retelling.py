"""Telling a stored run again as the events it consisted of, without those in between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tenxgraph_tui.evaluation.events import (
    CaseFinished,
    CaseStatus,
    RunFinished,
    RunStarted,
)
from tenxgraph_tui.evaluation.execution import TokenUsage

INTERRUPTED = "interrupted"


def read_case(text: str, seq: int = 0) -> CaseFinished:
    """A stored `CaseFinished`. It is kept without its number, which is put in front here.

    To copy ten thousand events for the sake of a number takes half as long as to read them.
    """
    return CaseFinished.model_validate_json(f'{{"seq":{seq},{text[1:]}')


class Retelling:
    """Numbers a run's events without gaps, and knows what is to be said of one that died.

    Events are counted only where the run has no end that tells the counts: it takes its time.
    """

    def __init__(self, started: RunStarted, *, end: str | None) -> None:
        self._started, self._end = started, end
        self._next = 1
        self._last_at = started.at
        self._counts: Counter[CaseStatus] = Counter()
        self._usage = TokenUsage()

    def beginning(self) -> Iterator[RunStarted | CaseFinished]:
        """The run's start, and the cases that its files skip."""
        start = self._started
        yield start.model_copy(update={"seq": 0})
        for key, reason in start.skipped():
            self._counts[CaseStatus.SKIPPED] += 1
            yield CaseFinished(
                seq=self._number(),
                at=start.at,
                run_id=start.run_id,
                case=key,
                status=CaseStatus.SKIPPED,
                reason=reason,
            )

    def case(self, text: str) -> CaseFinished:
        """The end of one attempt."""
        event = read_case(text, self._number())
        if self._end is None:
            self._counts[event.status] += 1
            self._usage += event.usage
            self._last_at = max(self._last_at, event.at)
        return event

    def end(self, *, is_going_on: bool) -> Iterator[RunFinished]:
        """The end that the run came to; the one that it did not, if its process died."""
        if self._end is not None:
            ended = RunFinished.model_validate_json(self._end)
            yield ended.model_copy(update={"seq": self._number()})
        elif not is_going_on:
            yield self._interrupted()

    def _interrupted(self) -> RunFinished:
        counts = self._counts
        return RunFinished(
            seq=self._number(),
            at=self._last_at,
            run_id=self._started.run_id,
            passed=counts[CaseStatus.PASSED],
            failed=counts[CaseStatus.FAILED],
            errors=counts[CaseStatus.ERROR],
            skipped=counts[CaseStatus.SKIPPED],
            cancelled=len(self._started.planned()) - counts.total(),
            was_cancelled=True,
            usage=self._usage,
            error=INTERRUPTED,
        )

    def _number(self) -> int:
        number, self._next = self._next, self._next + 1
        return number
