"""What the drill-down panes draw: one case, as far as anything is known of it."""

from __future__ import annotations

from dataclasses import dataclass

from tenxgraph_tui.evaluation.dataset import EvalCase, Invocation
from tenxgraph_tui.evaluation.events import CaseStatus, SetInfo
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult


@dataclass(frozen=True, slots=True)
class DetailModel:
    """A case for the panes.

    `case` is None where its file cannot be read (any more), `result` until it is in the store,
    `progress` where no run has planned the case. `now` is in Unix seconds.
    """

    key: CaseKey
    case: EvalCase | None = None
    result: EvalCaseResult | None = None
    progress: CaseProgress | None = None
    set_info: SetInfo | None = None
    now: float = 0.0

    @property
    def status(self) -> CaseStatus:
        if self.progress is not None:
            return self.progress.status
        if self.result is None:
            return CaseStatus.WAITING
        if self.result.is_error:
            return CaseStatus.ERROR
        return CaseStatus.PASSED if self.result.passed else CaseStatus.FAILED

    @property
    def turns(self) -> list[Invocation]:
        """The turns as they stand in the file."""
        return self.case.conversation if self.case is not None else []

    def asked(self, turn: int) -> str:
        """What the user said in a turn (from 0); "" where nobody knows."""
        if turn < len(self.turns):
            return self.turns[turn].user_content.get_text()
        recorded = self._recorded(turn)
        return str(recorded.get("user_text") or "") if recorded else ""

    def answer(self, turn: int) -> str:
        """What the agent answered in a turn (from 0)."""
        recorded = self._recorded(turn)
        if recorded is not None:
            return str(recorded.get("response") or "")
        is_last = turn == len(self.turns) - 1
        return self.result.actual_response if self.result is not None and is_last else ""

    def _recorded(self, turn: int) -> dict[str, object] | None:
        if self.result is None or turn >= len(self.result.turn_results):
            return None
        return self.result.turn_results[turn]
