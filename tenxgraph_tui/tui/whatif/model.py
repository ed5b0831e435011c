"""A trial of other thresholds: the criteria that can be moved, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.config import REPORTED_NAMES, CriterionConfig
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.draft import Draft, DraftRow
from tenxgraph_tui.tui.presets import Preset
from tenxgraph_tui.tui.results import ResultReader
from tenxgraph_tui.tui.whatif.outcome import Outcome, Outcomes
from tenxgraph_tui.tui.whatif.start import Exceptions, finished, preset_of
from tenxgraph_tui.tui.whatif.trial import Trial


class WhatIf:
    """Rows are the criteria that the cases were checked with."""

    def __init__(self, draft: Draft, trial: Trial) -> None:
        self.draft, self.trial = draft, trial
        on = (index for index in range(len(draft)) if draft.row(index).is_on)
        self._rows = [index for index in on if self._name(index) in trial.criteria]
        self._before = [draft.row(index).now for index in self._rows]
        self._outcomes = Outcomes(trial)

    @classmethod
    def of(cls, desk: Desk, reader: ResultReader) -> WhatIf:
        """The finished cases of a desk, as they were checked."""
        cases, exceptions = finished(desk), Exceptions.of(desk)
        ids = [desk.id_of(case.key) for case in cases]
        own = {
            case.key: exceptions.own[one]
            for case, one in zip(cases, ids, strict=True)
            if one in exceptions.own
        }
        excused = {place for place, one in enumerate(ids) if one in exceptions.excused}
        trial = Trial(cases, _asked(desk, own), excused)
        return cls(Draft(preset_of(desk, reader, cases)), trial)

    def __len__(self) -> int:
        return len(self._rows)

    def _name(self, index: int) -> str:
        """What results call the criterion of a row of the draft."""
        row = self.draft.row(index)
        return REPORTED_NAMES.get(row.slot, row.name)

    def name(self, place: int) -> str:
        """What results call the criterion of a row."""
        return self._name(self._rows[place])

    def row(self, place: int) -> DraftRow:
        """A criterion beside what it was in the run."""
        now = self.draft.row(self._rows[place])
        return DraftRow(now.slot, now.name, self._before[place], now.now)

    def was(self, place: int) -> tuple[float, ...]:
        """The thresholds that a criterion had: several where sets ask for different ones."""
        groups = self.trial.groups(self.name(place))
        return tuple(sorted({group.threshold for group in groups}))

    @property
    def preset(self) -> Preset:
        """The preset with what was moved."""
        return self.draft.preset

    @property
    def moved(self) -> list[DraftRow]:
        """The rows that are not as they were."""
        rows = (self.row(place) for place in range(len(self)))
        return [row for row in rows if row.is_changed]

    def toggle(self, place: int) -> None:
        """Check a criterion, or not."""
        self.draft.toggle(self._rows[place])
        self._try(place)

    def step(self, place: int, by: int) -> None:
        """The next threshold, or the one before."""
        self.draft.step(self._rows[place], "threshold", by)
        self._try(place)

    def reset(self, place: int) -> None:
        """As it was in the run, which need not be as the preset has it."""
        self.draft.put_back(self._rows[place], self._before[place])
        self._try(place)

    def _try(self, place: int) -> None:
        row, before = self.row(place), self._before[place]
        is_moved = row.now.threshold != before.threshold
        threshold = row.now.threshold if is_moved else None
        self.trial.attempt(self.name(place), threshold, is_on=row.is_on)
        self._outcomes.forget()

    def flips(self, place: int) -> tuple[int, int]:
        """How many cases would pass because of a criterion, and how many would not any more."""
        up, down = self._outcomes.flips(self.name(place))
        return len(up), len(down)

    def outcome(self, place: int) -> Outcome:
        """What comes of it all, seen from one criterion."""
        return self._outcomes.of(self.name(place), self.row(place), self.was(place))


def _asked(
    desk: Desk, own: Mapping[CaseKey, Collection[str]]
) -> Callable[[CaseProgress], Mapping[str, float]]:
    """From a case to what its set asks of it, without what it has of its own."""
    known: dict[int, dict[str, float]] = {}

    def asked(case: CaseProgress) -> Mapping[str, float]:
        info = desk.board.source(case.key).info
        if id(info) not in known:
            known[id(info)] = {one.name: one.threshold for one in info.criteria}
        wanted = known[id(info)]
        names = own.get(case.key, ())
        return {name: wanted[name] for name in wanted if name not in names} if names else wanted

    return asked


def moved_in_words(rows: list[DraftRow]) -> str:
    """`rouge_match ≥ 0.50, no trajectory`."""
    parts = [_moved(row.name, row.now) for row in rows]
    return ", ".join(parts)


def _moved(name: str, now: CriterionConfig) -> str:
    return f"{name} ≥ {numbers.threshold(now.threshold)}" if now.enabled else f"no {name}"
