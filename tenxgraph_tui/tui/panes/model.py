"""What the drill-down panes draw: one case, as far as anything is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tenxgraph_tui.evaluation.dataset import EvalCase, Invocation
from tenxgraph_tui.evaluation.events import CaseStatus, Log, SetInfo
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.session.models import Price
from tenxgraph_tui.tui.changes import Against
from tenxgraph_tui.tui.panes.peers import Peers
from tenxgraph_tui.tui.words import preview


@dataclass(frozen=True, slots=True, eq=False)
class DetailModel:
    """A case for the panes; made anew when something has changed, so that it may be remembered.

    `case` is None where its file cannot be read (any more), `result` until it is in the store,
    `progress` where no run has planned the case. `is_read` is false while the store is being
    asked for the result. `now` is in Unix seconds. `log` is what was said while the case ran,
    `run_log` what was said in the whole run, where somebody wants to know.
    `against` is how it compares with the baseline, `before` its result there once it was read.
    `run` is the number of the run it is from where that is not the one on the screen. `prices` are
    those of the models that the result names, `peers` what the other cases of its set took.
    """

    key: CaseKey
    case: EvalCase | None = None
    result: EvalCaseResult | None = None
    progress: CaseProgress | None = None
    set_info: SetInfo | None = None
    now: float = 0.0
    is_read: bool = True
    log: tuple[Log, ...] = ()
    against: Against | None = None
    run: int | None = None
    before: EvalCaseResult | None = None
    run_log: tuple[Log, ...] | None = None
    prices: Mapping[str, Price | None] = field(default_factory=dict)
    peers: Peers | None = None

    @property
    def before_number(self) -> int | None:
        """What people call the run that `before` is from."""
        return self.against.number if self.against is not None else None

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

    @property
    def turn_count(self) -> int:
        recorded = len(self.result.turn_results) if self.result is not None else 0
        return max(len(self.turns), recorded)

    def asked(self, turn: int) -> str:
        """What the user said in a turn (from 0); "" where nobody knows."""
        if turn < len(self.turns):
            return self.turns[turn].user_content.get_text()
        return str(self._recorded(turn).get("user_query") or "")

    def expected(self, turn: int) -> str | None:
        """The begin of the answer that the file expects in a turn; None where it expects none."""
        whole = self.wanted(turn)
        return preview(whole) if whole is not None else None

    def wanted(self, turn: int) -> str | None:
        """The same with all of its text, however long."""
        if turn < len(self.turns):
            return self.turns[turn].expected_text()
        found = self._recorded(turn).get("expected_response")
        return str(found) if found else None

    def answer(self, turn: int) -> str:
        """What the agent answered in a turn (from 0)."""
        recorded = self._recorded(turn)
        if recorded:
            return str(recorded.get("actual_response") or "")
        is_last = turn == self.turn_count - 1
        return self.result.actual_response if self.result is not None and is_last else ""

    def _recorded(self, turn: int) -> dict[str, Any]:
        if self.result is None or not 0 <= turn < len(self.result.turn_results):
            return {}
        return self.result.turn_results[turn]
