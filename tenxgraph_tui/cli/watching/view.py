"""Puts the page together from what is known; decides nothing and remembers only what it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tenxgraph_tui.cli.watching import footer, report
from tenxgraph_tui.cli.watching.page import Page
from tenxgraph_tui.cli.watching.prompt import Prompt
from tenxgraph_tui.cli.watching.report import NameOf, PlaceOf, Ran
from tenxgraph_tui.cli.watching.runs import WatchedRun
from tenxgraph_tui.evaluation.events import Reply
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.reporters.look import Line, Look
from tenxgraph_tui.evaluation.visible import visible
from tenxgraph_tui.session.history import Name
from tenxgraph_tui.session.told import of_reply, taken_apart
from tenxgraph_tui.session.watching.estimate import Estimate
from tenxgraph_tui.session.workers import WorkerExit

KEPT_OUTPUT = 6
Standings = Mapping[Name, CaseProgress]


@dataclass(slots=True)
class Foot:
    """What the changing lines are about; the first that there is wins: prompt, question, run."""

    watched: str = ""
    note: str = ""
    prompt: Prompt | None = None
    question: tuple[Estimate, str] | None = None
    run: WatchedRun | None = None

    def lines(self, look: Look, *, has_keys: bool) -> list[Line]:
        """The lines as they are now."""
        if self.prompt is not None:
            return footer.asked(self.prompt)
        if self.question is not None:
            said: list[Line] = [[(visible(self.note), "dim")]] if self.note else []
            return [*said, *footer.question(*self.question, look, has_keys=has_keys)]
        if self.run is not None:
            run = self.run
            return footer.running(run.state, run.planned, run.reason, look, has_keys=has_keys)
        return footer.waiting(self.note, self.watched, look, has_keys=has_keys)


@dataclass(slots=True)
class View:
    """Each `show_…` puts something in the place of what there was; `foot` is drawn below it."""

    page: Page
    has_keys: bool
    foot: Foot = field(default_factory=Foot)
    _problems: list[Line] = field(default_factory=list)
    _latest: list[Line] = field(default_factory=list)

    def show_results(self, ran: Ran, name_of: NameOf, place_of: PlaceOf) -> None:
        """What a run came to."""
        page = self.page
        make = partial(report.results, ran, page.look, name_of=name_of, place_of=place_of)
        self._latest = make(rows=page.rows)
        self._show(self._latest)

    def show_problems(self, texts: Sequence[str], standing: Standings) -> None:
        """Files that cannot be read; none any more is nothing to show in a file."""
        had, look = bool(self._problems), self.page.look
        self._problems = report.problems(texts) if texts else []
        if texts or (had and self.page.is_live):
            last = [] if self._latest else [[], report.last_results(standing, look)]
            self._show([*self._problems, *last] if texts else [])

    def show_refusal(self, reply: Reply, root: Path, standing: Standings) -> None:
        """Why a run could not begin."""
        told = of_reply(reply, root)
        python = reply.data.get("python")
        named = python if isinstance(python, str) else ""
        self._latest = report.trouble(told, named, standing, self.page.look)
        self._show(self._latest)

    def show_crash(self, how: WorkerExit, run: WatchedRun, standing: Standings) -> None:
        """How a worker went away before its run was over."""
        error = run.state.error
        told = taken_apart(error, Path()) if error else taken_apart(how.sentence, Path())
        lines = report.trouble(told, "", standing, self.page.look)
        output = [[(f"  {visible(text)}", "dim")] for text in how.said[-KEPT_OUTPUT:]]
        self._latest = [*lines[:1], *([] if error else output), *lines[1:]]
        self._show(self._latest)

    def show_list(self, lines: Sequence[str]) -> None:
        """The files that are watched; the next thing that happens takes their place."""
        body: list[Line] = [[(visible(line), "")] for line in lines]
        if self.page.is_live:
            self.page.show(body, self._foot_lines())
        else:
            self.page.say(*body)

    def show_again(self) -> None:
        """What was shown before the list."""
        if self.page.is_live:
            self._show([])

    def draw_foot(self) -> None:
        """The changing lines as they are now."""
        self.page.foot(self._foot_lines())

    def tell(self, *texts: str) -> None:
        """Lines that are said once where nothing can change."""
        self.page.say(*([(visible(text), "dim")] for text in texts))

    def note(self, text: str) -> None:
        """Something to know until the next run is over."""
        self.foot.note = text
        self.tell(text)

    def ask(self, question: tuple[Estimate, str]) -> None:
        """What a run would cost; the changing lines wait for an answer."""
        self.foot.note = ""
        self.page.say(*footer.question(*question, self.page.look, has_keys=self.has_keys))

    def _foot_lines(self) -> list[Line]:
        return self.foot.lines(self.page.look, has_keys=self.has_keys)

    def _show(self, news: Sequence[Line]) -> None:
        """All of it on a terminal, else what is new."""
        if not self.page.is_live:
            self.page.show(news, ())
            return
        gap: list[Line] = [[]] if self._problems and self._latest else []
        self.page.show([*self._problems, *gap, *self._latest], self._foot_lines())
