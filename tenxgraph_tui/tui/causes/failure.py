"""A case that did not pass, as the causes are looked for; and which of its criteria decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tenxgraph_tui.evaluation.events import CaseStatus, VerdictPreview
from tenxgraph_tui.evaluation.progress import NOT_PASSED, CaseProgress
from tenxgraph_tui.evaluation.results import CaseKey, Verdict
from tenxgraph_tui.tui.board import Board
from tenxgraph_tui.tui.causes.steps import NODES, TOOL_NAMES, TRAJECTORY

DECIDING = (TRAJECTORY, TOOL_NAMES, NODES)
"""What an agent did comes before what it said: a wrong call makes a wrong answer."""


@dataclass(frozen=True, slots=True)
class Failure:
    """`verdicts` are those that the criteria have, or would have with other thresholds.

    `error` is why the case is an error, "" where it failed.
    """

    key: CaseKey
    verdicts: Sequence[VerdictPreview]
    error: str = ""

    @classmethod
    def of(cls, case: CaseProgress) -> Failure:
        error = (case.error or "error") if case.status is CaseStatus.ERROR else ""
        return cls(case.key, tuple(case.verdicts.values()), error)

    @property
    def failed(self) -> list[VerdictPreview]:
        """The verdicts that make it one, the one that decides first."""
        found = [one for one in self.verdicts if one.verdict is Verdict.FAILED]
        return sorted(found, key=_rank)


def _rank(verdict: VerdictPreview) -> int:
    name = verdict.criterion
    return DECIDING.index(name) if name in DECIDING else len(DECIDING)


def failures(board: Board) -> Iterator[Failure]:
    """The cases that did not pass, in the order of their files."""
    return (Failure.of(case) for case in board.cases.values() if case.status in NOT_PASSED)
