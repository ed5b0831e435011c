"""Carries out what the loop of watch mode answers: which cases run when, what is asked first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never
from uuid import uuid4

from tenxgraph_tui.cli.watching.costs import Prices, cost_of
from tenxgraph_tui.cli.watching.following import Following
from tenxgraph_tui.cli.watching.project import Filters
from tenxgraph_tui.cli.watching.runs import Runs
from tenxgraph_tui.cli.watching.standing import Standing
from tenxgraph_tui.cli.watching.view import View
from tenxgraph_tui.errors import TenxError
from tenxgraph_tui.session.history import Name
from tenxgraph_tui.session.protocol import SetRequest, WorkerRequest
from tenxgraph_tui.session.watching.decision import Rerun
from tenxgraph_tui.session.watching.estimate import Estimate
from tenxgraph_tui.session.watching.loop import (
    Ask,
    Command,
    Discard,
    Ending,
    Keep,
    Loop,
    Phase,
    Start,
    Stop,
)

FIRST = Rerun(None, ("first run",))


class Course:
    """`above` is how many dollars a run may cost without being asked for, None for any.

    `filters` hold for every run until they are changed. Whoever reports the end of a run has taken
    in its results before.
    """

    def __init__(
        self,
        following: Following,
        runs: Runs,
        standing: Standing,
        view: View,
        *,
        above: float | None = 0.0,
    ) -> None:
        self.following, self.runs, self.standing, self.view = following, runs, standing, view
        self.above, self.filters = above, Filters()
        self._loop = Loop(self._must_ask)
        self._last = FIRST
        self._question: tuple[Estimate, str] | None = None
        self._prices = Prices.of(following.reading)

    @property
    def phase(self) -> Phase:
        return self._loop.phase

    @property
    def question(self) -> tuple[Estimate, str] | None:
        """What the run that waits to be confirmed would take, and why it is due."""
        return self._question if self.phase is Phase.ARMED else None

    def changed(self, rerun: Rerun) -> None:
        """Files were saved so that these cases have to run again."""
        self._carry_out(self._loop.changed(rerun))

    def ended(self, ending: Ending) -> None:
        """The worker of the run that went on is gone."""
        self._carry_out(self._loop.ended(ending))

    def want(self, cases: frozenset[Name] | None, reason: str) -> None:
        """Somebody asks for a run: what goes on is stopped first, and nothing is asked."""
        self._carry_out(self._loop.wanted(Rerun(cases, (reason,))))

    def want_again(self) -> None:
        """The same for what ran last."""
        self.want(self._last.cases, "again")

    def want_failed(self) -> None:
        """The same for what did not pass when it last ran."""
        failed = frozenset(filter(self.filters.takes, self.standing.not_passed))
        if failed:
            self.want(failed, "what did not pass")
        else:
            has_run = bool(self.standing.cases)
            self.view.note("nothing failed when it last ran" if has_run else "nothing has run yet")

    def confirm(self, *, not_passed_only: bool = False) -> None:
        """The run that waits for it may go on, all of it or what did not pass."""
        part, due = None, self._loop.due
        if not_passed_only and due is not None:
            failed = self.standing.not_passed & frozenset(self._cases(due))
            if not failed:
                self.view.note("nothing of it failed when it last ran")
                return
            part = Rerun(failed, ("what did not pass",))
        self._carry_out(self._loop.confirm(part))

    def decline(self) -> None:
        """It may not, until the next save."""
        self._carry_out(self._loop.decline())
        self.view.note("not run; a runs it, and the next save asks again")

    def _carry_out(self, commands: Iterable[Command]) -> None:
        for command in commands:
            match command:
                case Stop():
                    self.runs.stop()
                case Start(rerun=rerun):
                    self._start(rerun)
                case Ask(rerun=rerun):
                    self._question = self._cost(rerun), rerun.reason
                    self.view.ask(self._question)
                case Keep() | Discard():
                    pass  # the results were taken in, or left, where the end was noticed
                case _:
                    assert_never(command)

    def _start(self, rerun: Rerun) -> None:
        self._last = rerun
        sets = self.following.reading.sets(rerun.cases, self.filters)
        if not sets:
            by = f" ({self.filters.text})" if self.filters.text else ""
            self.view.note(f"{rerun.reason}: no case to run{by}")
            self.ended(Ending.COMPLETED)
            return
        request = request_of(self.following.reading.request, sets, self.standing.not_passed)
        self.view.tell(rerun.reason)
        try:
            self.runs.start(request, rerun.reason)
        except (TenxError, OSError) as error:
            self.runs.over()
            self.view.note(f"the worker could not be started: {error}")
            self.ended(Ending.FAILED)

    def _cases(self, rerun: Rerun) -> list[Name]:
        """What would run, as the files and the filters are now."""
        return [
            name
            for name in self.following.reading.cases
            if self.filters.takes(name) and (rerun.cases is None or name in rerun.cases)
        ]

    def _must_ask(self, rerun: Rerun) -> bool:
        return self.above is not None and self._cost(rerun).must_ask(self.above)

    def _cost(self, rerun: Rerun) -> Estimate:
        reading = self.following.reading
        return cost_of(reading, self._cases(rerun), self.standing.cases, self._prices)


def request_of(
    base: WorkerRequest, sets: tuple[SetRequest, ...], not_passed: Iterable[Name]
) -> WorkerRequest:
    """A run of these sets of its own, as all others are asked for; what did not pass goes first."""
    options = base.options.model_copy(update={"first": tuple(sorted(not_passed))})
    return base.model_copy(update={"sets": sets, "options": options, "run_id": str(uuid4())})
