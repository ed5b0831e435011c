"""Carries out what watch mode decides: runs begin and end, their results count or do not."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping

from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.presets import DEFAULT_PRESET
from tenxgraph_tui.evaluation.progress import DONE
from tenxgraph_tui.session.history import Name
from tenxgraph_tui.session.protocol import WorkerRequest
from tenxgraph_tui.session.watching.decision import Rerun
from tenxgraph_tui.session.watching.estimate import Estimate, Payer, without_judges
from tenxgraph_tui.session.watching.flips import Kind, flips, results
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
from tenxgraph_tui.tui.asking import failed_ids
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.choices import Choices
from tenxgraph_tui.tui.conductor import Conductor
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.presets import Preset, checks_something, edited, find
from tenxgraph_tui.tui.watching.costs import cost_of
from tenxgraph_tui.tui.watching.news import News
from tenxgraph_tui.tui.watching.question import Answer, Question
from tenxgraph_tui.tui.watching.state import Saved, WatchMode
from tenxgraph_tui.tui.watching.told import news_of, with_flips

RANKS = {Kind.BROKE: 0.0, Kind.ERRORED: 1.0, Kind.FIXED: 2.0, Kind.NEW: 3.0}
"""Where the cases that flipped stand, above all others."""


class Course:
    """The loop of watch mode over one desk; whoever changes the desk calls `look` after it.

    `announce` is called with the news of a run that a save started. `above` is how many dollars a
    run may cost without being asked for, None for any.
    """

    def __init__(
        self,
        desk: Desk,
        conductor: Conductor,
        clock: Callable[[], float],
        *,
        announce: Callable[[News], object] = lambda _: None,
        above: float | None = 0.0,
    ) -> None:
        self._desk, self._conductor, self._clock = desk, conductor, clock
        self._announce, self.above = announce, above
        self._loop = Loop(self._must_ask)
        self._run_id = ""
        self._was_busy, self._discards = False, True
        self._preset: Preset | None = None
        self._before: Mapping[Name, CaseStatus] = {}
        self._saved: list[Saved] = []
        self._news: News | None = None
        self._since, self.spent = clock(), 0.0
        self.began_at = 0.0
        """When the run that goes on was asked for, in Unix seconds by the clock of the files."""

    def begin(self) -> None:
        """From now on runs go through here; one that goes on already is the user's."""
        self._loop = Loop(self._must_ask)
        request = self._desk.request
        if self._desk.is_busy and request is not None:
            self._run_id, self._was_busy = request.run_id, True
            self._loop.began(asked_by(request))

    def saved(self, saved: Saved, rerun: Rerun) -> None:
        """Files were saved so that these cases have to run again."""
        self._saved.append(saved)
        self._discards = True
        self._do(self._loop.changed(rerun))

    def wanted(self, only: Iterable[CaseId] | None = None) -> None:
        """The user asks for a run; what another one told so far stays, as no file has changed."""
        self._discards = self._discards and self._loop.phase is not Phase.RUNNING
        cases = None if only is None else frozenset(only)
        self._do(self._loop.wanted(Rerun(cases)))

    def answer(self, answer: Answer) -> None:
        """The user says what is to become of the run that was asked about."""
        question = self._desk.watch.question
        if question is None:
            return
        rerun = question.rerun
        match answer:
            case Answer.NOT_NOW:
                self._do(self._loop.decline())
                return
            case Answer.NOT_PASSED:
                rerun = Rerun(frozenset(question.not_passed), rerun.reasons)
            case Answer.OFFLINE:
                self._preset = offline_of(self._desk.choices)
            case Answer.STOP_ASKING:
                self.above = None
            case Answer.ALL:
                pass
        self._do(self._loop.confirm(rerun))

    def look(self) -> Ending | None:
        """See whether the run that went on is over, and how it ended if it is."""
        was_busy, self._was_busy = self._was_busy, self._desk.is_busy
        if not was_busy or self._was_busy:
            return None
        ending = self._ending()
        self._do(self._loop.ended(ending))
        return ending

    def _ending(self) -> Ending:
        state = self._desk.state
        self.spent += state.cost or 0.0
        if state.run_id != self._run_id or (state.error and not state.done):
            return Ending.FAILED
        return Ending.CANCELLED if state.was_cancelled else Ending.COMPLETED

    def _must_ask(self, rerun: Rerun) -> bool:
        return cost_of(self._desk, self._cases(rerun)).must_ask(self.above)

    def _cases(self, rerun: Rerun) -> list[CaseId]:
        """What is to run as it stands in the files now: everything is the selection, if any."""
        wanted = self._desk.choices.wanted if rerun.cases is None else rerun.cases
        return [case for case in self._desk.catalog if wanted is None or case in wanted]

    def _do(self, commands: Iterable[Command]) -> None:
        for command in commands:
            match command:
                case Stop():
                    self._conductor.stop()
                case Start(rerun=rerun):
                    self._start(rerun)
                case Ask(rerun=rerun):
                    self._ask(rerun)
                case Discard():
                    self._desk.watch.news = None
                    if self._discards:
                        self._desk.discard(self._run_id)
                case Keep():
                    self._keep()
        watch, is_asking = self._desk.watch, self._loop.phase is Phase.ARMED
        watch.mode = WatchMode.ARMED if is_asking else WatchMode.WATCHING
        watch.question = watch.question if is_asking else None

    def _start(self, rerun: Rerun) -> None:
        desk, cases = self._desk, self._cases(rerun)
        preset, self._preset = self._preset, None
        self._run_id, self._discards = "", True
        if not cases:  # they are gone, or in a file that cannot be read: so they stay due
            self._do(self._loop.ended(Ending.FAILED))
            return
        self._before = self._statuses()
        is_by_save = bool(rerun.reasons)
        only = cases if rerun.cases is not None else None
        first = failed_ids(desk) if is_by_save else ()
        request = self._conductor.run(only, first=first, preset=preset)
        self._run_id, self.began_at = request.run_id, time.time()
        self._was_busy = desk.is_busy
        desk.watch.reason, desk.watch.ranks = rerun.reason, {}
        runnable = desk.catalog.count_runnable(cases)
        self._news = news_of(self._saved, runnable) if is_by_save else None
        desk.watch.news = self._news

    def _ask(self, rerun: Rerun) -> None:
        desk, cases = self._desk, self._cases(rerun)
        bad = frozenset(failed_ids(desk))
        not_passed = [case for case in cases if case in bad]
        cost = cost_of(desk, cases)
        desk.watch.question = Question(
            rerun,
            cost,
            not_passed,
            cost_of(desk, not_passed),
            cost.of(Payer.AGENT),
            _at_once(cost, desk.choices),
            self.spent,
            self._since,
            self._clock(),
        )

    def _keep(self) -> None:
        """The results count; if a save was the reason for them, what flipped is told."""
        desk, news = self._desk, self._news
        self._saved.clear()
        if news is None:
            return
        found = flips(self._before, results(desk.state, desk.catalog.path_of))
        seconds = desk.state.elapsed(self._clock())
        desk.watch.ranks = {one.name: RANKS[one.kind] for one in found.of(*RANKS)}
        desk.watch.news = with_flips(news, found, seconds)
        self._announce(desk.watch.news)

    def _statuses(self) -> dict[Name, CaseStatus]:
        """The last results that count."""
        desk = self._desk
        return {
            desk.id_of(key): case.status
            for key, case in desk.board.cases.items()
            if not key.attempt and case.status in DONE
        }


def _at_once(cost: Estimate, choices: Choices) -> float | None:
    """How long the cases take side by side."""
    if cost.seconds is None:
        return None
    config = choices.preset.checked or EvalConfig()
    lanes = choices.terms.options.max_concurrency or config.max_concurrency
    return cost.seconds / max(1, min(lanes, cost.cases))


def asked_by(request: WorkerRequest) -> Rerun:
    """The cases that a run was asked for."""
    if any(one.ids is None for one in request.sets):
        return Rerun(None)
    return Rerun(frozenset((one.path, i) for one in request.sets for i in one.ids or ()))


def offline_of(choices: Choices) -> Preset:
    """What is in use without the criteria that ask a judge; the offline preset if none is left."""
    preset = choices.preset
    if preset.config is not None:
        config = without_judges(preset.config)
        if checks_something(config):
            return edited(preset, config)
    return find(choices.presets, DEFAULT_PRESET) or preset
