"""Takes in what the user asks for and what a worker tells: everything the screens show follows."""

from __future__ import annotations

from dataclasses import dataclass

from tenxgraph_tui.evaluation.events import CaseFinished, Reply, RunEvent, RunFinished, RunStarted
from tenxgraph_tui.evaluation.progress import RunState
from tenxgraph_tui.session.protocol import WorkerRequest
from tenxgraph_tui.tui.board import alone, at_rest, over
from tenxgraph_tui.tui.changes import Comparison
from tenxgraph_tui.tui.idle import idle
from tenxgraph_tui.tui.past import Compared, PastRun, Recalled, passed_at
from tenxgraph_tui.tui.pump import Fact, RunTold, WorkerEnded
from tenxgraph_tui.tui.reproducing import blamed_in, command_of
from tenxgraph_tui.tui.session_state import SessionState
from tenxgraph_tui.tui.trouble import broken_off, crashed, refused, unread


@dataclass(slots=True)
class Desk(SessionState):
    """The one owner of what changes; it knows no screen."""

    def asked(self, request: WorkerRequest, now: float) -> None:
        """A run was asked for; what is known of an earlier one stays in the standings."""
        if self.state.is_running:
            self._break_off(error=None)  # it gives way, and what it still tells is too late
        if not self.is_starting:
            self._before = self.board
        self.request, self.requested_at = request, now
        self._awaited, self.reading = request.run_id, None
        self.is_busy, self.is_stopping, self.trouble = True, False, None
        self.state = idle(self.catalog, self.choices.preset.checked, request.sets)
        self.board = over(self.state, self._before, self.catalog)
        self.comparison = Comparison()

    def open(self, run_id: str, number: int) -> None:
        """A past run was asked for: it is told like one that happens now, only faster."""
        self._before = self.board
        self._awaited, self.reading = run_id, number
        self.request, self.trouble = None, None

    def discard(self, run_id: str) -> None:
        """What that run told does not count: its cases are again as they were before it."""
        if self.state.run_id != run_id or self.board is self._before:
            return
        self._not_started()
        self._awaited, self.comparison = self.state.run_id, Comparison()
        self.standings.restore((self.id_of(key), case) for key, case in self.board.cases.items())

    def _not_started(self) -> None:
        """What was shown before the run was asked for is shown again."""
        self.board = self._before
        self.state = self.board.state

    def apply(self, fact: Fact) -> None:
        """Take in one fact; those of a run that is not the current one are too late."""
        match fact:
            case Recalled():
                self._recall(fact)
            case Compared():
                self._compare(fact)
            case _ if self._awaited is not None and fact.run_id != self._awaited:
                pass
            case RunTold():
                self._told(fact)
            case WorkerEnded():
                self._ended(fact)
            case Reply(error=str()):
                self._refused(fact)
            case _:
                self._fold(fact)

    def _refused(self, reply: Reply) -> None:
        known = []
        info = blamed_in(reply.error or "", self.state.sets)
        if self.good is not None:
            known.append(("last good", passed_at(self.good, self.requested_at)))
        if self.request is not None:
            files = [info.file] if info is not None else []
            known.append(("command", command_of(self.request, files)))
        target = info.target if info is not None else self.target_name()
        self.trouble = refused(
            reply, target=target, root=self.root, known=known, is_watched=self.watch.is_on
        )
        self._not_started()
        self.is_busy = False

    def _fold(self, event: RunEvent) -> None:
        if isinstance(event, RunStarted):
            self.state, self.comparison = RunState(), Comparison()
        self.state.apply(event)
        self.trail.note(event)
        if isinstance(event, RunStarted):
            self._started()
        elif isinstance(event, CaseFinished) and event.case in self.state.cases:
            case = self.id_of(event.case)
            self.standings.finish(case, event.status)
            if not event.case.attempt:
                self.comparison.count([(case, event.status)])
        elif isinstance(event, RunFinished):
            self._finished(event)

    def _started(self) -> None:
        """A run that was asked for leaves the other cases as they are; a past one is alone."""
        is_asked_for = self.is_busy
        self.board = (
            over(self.state, self._before, self.catalog) if is_asked_for else alone(self.state)
        )
        self.standings.begin((self.id_of(key), case) for key, case in self.state.cases.items())
        if self.reading is not None:
            self.scope_to_run()

    def _told(self, told: RunTold) -> None:
        self.reading = None
        if told.problem:
            self.trouble = unread(told.problem)
            self._not_started()

    def _recall(self, recalled: Recalled) -> None:
        """What earlier sessions left is shown until this one knows better."""
        self.last, self.good, self._known = recalled.last, recalled.good, recalled.cases
        self.standings.seed((case, known.case) for case, known in recalled.cases.items())
        if self.state.started_at is None and not self.is_busy:
            self.rest()
        elif self.request is not None and self._before.state.started_at is None:
            waiting = idle(self.catalog, self.choices.preset.checked)
            self._before = at_rest(waiting, recalled.cases, self.catalog)
            self.board = over(self.state, self._before, self.catalog)

    def _compare(self, compared: Compared) -> None:
        """The baseline was found; what has finished meanwhile is compared now."""
        if compared.run_id == self.state.run_id:
            self.comparison = Comparison(compared.baseline)
            first = (case for key, case in self.state.cases.items() if not key.attempt)
            self.comparison.count((self.id_of(case.key), case.status) for case in first)

    def _finished(self, event: RunFinished) -> None:
        self.is_busy = self.is_stopping = False
        self.standings.end()
        if self.request is not None and (run := PastRun.shown(self.state)) is not None:
            self.last = run
            self.good = run if not (event.was_cancelled or event.error) else self.good
        if event.error and not self.state.done:
            self.trouble = broken_off(event.error)

    def _ended(self, ended: WorkerEnded) -> None:
        if not self.is_busy:
            return
        state, was_stopping = self.state, self.is_stopping
        done, planned = state.done, len(state.cases) if state.started_at is not None else 0
        self.is_busy = self.is_stopping = False
        if state.started_at is not None:
            self._break_off(error=None if was_stopping else "the worker stopped")
        else:
            self._not_started()
        if not was_stopping:
            self.trouble = crashed(ended, done=done, planned=planned, target=self.target_name())

    def _break_off(self, error: str | None) -> None:
        """The run on the screen goes no further."""
        state = self.state
        over = RunFinished(
            seq=0, at=state.last_at, run_id=state.run_id, was_cancelled=True, error=error
        )
        state.apply(over)
        self.standings.end()
