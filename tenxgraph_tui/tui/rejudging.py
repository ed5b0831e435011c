"""Judging the run that is shown again: by another model, or by the preset in use; no agent runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from textual.binding import Binding, BindingType

from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.evaluation.progress import DONE
from tenxgraph_tui.session.watching.estimate import Payer
from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.exploring import ExploringApp
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.lines.armed import estimated
from tenxgraph_tui.tui.watching.costs import cost_of


@dataclass(slots=True)
class Rejudging:
    """The question who judges the run of a desk again."""

    desk: Desk
    begin: Callable[[str | None], None]
    """Judges it; by the model of that name, or by each criterion's own."""
    is_afresh: bool = True
    """Whether what judges said before is asked again."""

    @property
    def models(self) -> list[str]:
        """Whom the preset in use asks, by the names in its config."""
        preset = self.desk.choices.preset
        parts = (preset, *(own for _, own in preset.own))
        return list(dict.fromkeys(name for one in parts for name in one.judge_models))

    @property
    def suggestion(self) -> str:
        """The model that is asked for everything, as far as it is one."""
        judges = self.desk.choices.judges
        return judges.instead or (self.models[0] if len(self.models) == 1 else "")

    @property
    def title(self) -> str:
        return f"Judge #{self.desk.state.number} again, without running the agent"

    @property
    def hint(self) -> str:
        """What it would take by the models of now, in one line."""
        cost, name = cost_of(self.desk, judged_cases(self.desk)), self.desk.choices.preset.name
        if cost.unread:
            return f"{name}: not all read yet, may ask models; no name: their own models"
        calls = sum(bill.calls for bill in cost.bills if bill.payer is Payer.JUDGE)
        dollars = cost.of(Payer.JUDGE)
        price = f", {estimated(dollars)}" if dollars is not None else ""
        answers = "afresh" if self.is_afresh else "kept answers count"
        told = f"{name}: ≈ {plural(calls, 'call')}{price}, {answers}"
        return f"{told}; no name: their own models"

    def accept(self, typed: str) -> str:
        """Begin, judged by the model of that name; else what is wrong with it.

        The one name in the preset is its own model: a script that it names lies where it stands.
        """
        name, judges = typed.strip(), self.desk.choices.judges
        if [name] == self.models and judges.instead is None:
            name = ""
        if name:
            judges = replace(judges, instead=name)
        told = next(filter(None, map(judges.obstacle, self.models)), "")
        if not told:
            self.begin(name or None)
        return told


def can_judge_again(desk: Desk) -> bool:
    """Whether there is a run that is kept, and over, with something in it."""
    state = desk.state
    if state.number is None or desk.is_busy or state.finished_at is None:
        return False
    return any(state.counts[status] for status in DONE)


def why_none_judged(desk: Desk) -> str:
    """Why `can_judge_again` says no, and what to do about it."""
    if desk.is_busy:
        return f"A run goes on. {word('run.cancel')} cancels it."
    if desk.state.finished_at is None:
        return f"No run is open. {word('run.start')} runs the cases."
    if desk.state.number is None:
        return "This run is not kept."
    return "No case of this run has a result."


def judged_cases(desk: Desk) -> list[CaseId]:
    """The cases of the run that have a result."""
    cases = desk.state.cases.items()
    return [desk.id_of(key) for key, case in cases if case.status in DONE and not key.attempt]


class RejudgingApp(ExploringApp):
    """Has the run that is shown judged again by a worker."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "J",
            "judge_again",
            "Judge again",
            show=False,
            tooltip="Judge the run again without running the agent",
            id="run.judge",
        ),
        # where the one above has nothing to do; it moves with its key
        Binding("J", "nothing_to_judge", show=False, id="run.judge"),
    ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "judge_again":
            return can_judge_again(self.desk)
        return super().check_action(action, parameters)

    def action_nothing_to_judge(self) -> None:
        """Say why no run is judged again."""
        toasts.said(self, "Nothing to judge again", why_none_judged(self.desk))

    def action_judge_again(self) -> None:
        """Ask by whom, where a model judges; what is offline is judged at once."""
        asked = Rejudging(self.desk, self._judge_again, self._asks_afresh)
        if not asked.models and not any(own.is_unread for _, own in self.desk.choices.preset.own):
            self._judge_again(None)
            return
        from tenxgraph_tui.tui.screens.ask import AskScreen

        sheet = AskScreen(
            asked.title, asked.suggestion, asked.accept, hint=asked.hint, verb="Judge"
        )
        self.push_screen(sheet)

    def _judge_again(self, model: str | None) -> None:
        self._close_sheets()
        cases = judged_cases(self.desk)
        self.conductor.judge_again(cases, model, is_afresh=self._asks_afresh)
        self.changed.publish(None)

    @property
    def _asks_afresh(self) -> bool:
        """As `rejudge` does: a second opinion is none that was kept, unless somebody says so."""
        return not self._shared.settings.values.judge_cache
