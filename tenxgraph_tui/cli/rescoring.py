"""What a request comes to: sets to run, or executions of a run that are judged again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tenxgraph_tui.cli.compose import Composer, Read, made_ready, options, plans, shown
from tenxgraph_tui.cli.judges import check_judges
from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.evaluation.dataset import EvalSet
from tenxgraph_tui.evaluation.events import RunFinished, RunRef, RunStarted, SetInfo
from tenxgraph_tui.evaluation.formats import read_eval_set
from tenxgraph_tui.evaluation.formats.module_paths import file_in
from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.evaluation.plan import RunOptions, SetPlan
from tenxgraph_tui.evaluation.progress import DONE, RunState
from tenxgraph_tui.session.discovery import survey
from tenxgraph_tui.session.executions import StoredExecutions
from tenxgraph_tui.session.protocol import WorkerRequest
from tenxgraph_tui.session.store import RunStore

NAMED = 3
"""How many cases a note names before it counts."""


@dataclass(frozen=True, slots=True)
class Planned:
    """What is run. `notes` are lines about what of an earlier run is not judged again."""

    sets: list[SetPlan]
    judged_from: RunRef | None = None
    attempts: int | None = None
    notes: tuple[str, ...] = ()

    def options(self, request: WorkerRequest, number: int | None) -> RunOptions:
        """How it is run; what is judged again is attempted as often as it was."""
        asked = options(request, self.sets, number)
        attempts = self.attempts or asked.attempts
        return replace(asked, judged_from=self.judged_from, attempts=attempts)


def planned_by(request: WorkerRequest, *, read: Read = read_eval_set) -> Planned:
    """The plans of a `run` or a `rescore`; raises as `plans` and `rescored` do."""
    if request.kind == "rescore":
        return rescored(request, read=read)
    return Planned(plans(request, read=read))


def rescored(request: WorkerRequest, *, read: Read = read_eval_set) -> Planned:
    """The executions of `request.judged_from`, against what the eval sets expect now.

    Raises:
        UsageError: there is no such run, it goes on, or nothing in it can be judged.
        EvalSetError: a file of it cannot be read.
        ConfigError: a config is wrong, or the model that it needs cannot be asked.
    """
    if request.store is None or request.judged_from is None:
        raise UsageError("a rescore needs a store, and a run in it")
    store = RunStore(Path(request.store))
    run_id = store.resolve(request.judged_from)
    origin = _Origin.read(store, run_id)
    configs = store.configs(run_id)
    notes: list[str] = []
    sets: list[SetPlan] = []
    for index, info in enumerate(origin.state.sets):
        file = file_of(info.file, Path(request.root))
        if file is None:
            told = "its cases cannot be judged without what they expect"
            raise UsageError(f"run {origin.name}: {info.file} is not there any more: {told}")
        eval_set = read(str(file)).eval_set
        wanted = origin.judgeable(index, eval_set, notes)
        if not wanted.eval_cases:
            continue
        as_it_was = {"config": configs[index], "config_name": info.config}
        asked = request if request.config is not None else request.model_copy(update=as_it_was)
        config = Composer(asked).config(file, eval_set)
        check_judges(config.config, config.name, request)
        source = StoredExecutions(store, origin.ref, index)
        place = shown(file)
        sets.append(SetPlan(wanted, source, config.config, place, info.target, config.name))
    if not sets:
        raise UsageError("\n".join([f"nothing of run {origin.name} can be judged again", *notes]))
    ready = made_ready(sets, request.root)
    return Planned(ready, origin.ref, origin.attempts, tuple(notes))


def file_of(name: str, root: Path) -> Path | None:
    """The file that a run calls `name`: the run may have been started in another folder."""
    path = Path(name)
    for found in (path, root / path):
        if file_in(found).is_file():
            return found
    ends = path.parts[-1:] if path.is_absolute() else path.parts
    alike = [one for one in survey([root], root).files if one.parts[-len(ends) :] == ends]
    return alike[0] if len(alike) == 1 else None


@dataclass(slots=True)
class _Origin:
    """The run whose executions are judged again."""

    ref: RunRef
    state: RunState
    attempts: int
    executed: dict[int, set[str]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"#{self.ref.number}"

    @classmethod
    def read(cls, store: RunStore, run_id: str) -> _Origin:
        """All of it but the results.

        Raises:
            UsageError: it goes on, or none of its cases was finished.
        """
        state, attempts, is_over = RunState(), 1, False
        for event in store.events(run_id):
            state.apply(event)
            if isinstance(event, RunStarted):
                attempts = event.attempts
            is_over = is_over or isinstance(event, RunFinished)
        origin = cls(RunRef(run_id=run_id, number=store.number(run_id)), state, attempts)
        if not is_over:
            raise UsageError(f"run {origin.name} still goes on: judge it when it is over")
        for key, case in state.cases.items():
            if case.status in DONE:
                origin.executed.setdefault(key.set_index, set()).add(key.eval_id)
        if not origin.executed:
            told = "no case of it was finished, so there is nothing to judge"
            raise UsageError(f"run {origin.name} has no executions: {told}")
        return origin

    def judgeable(self, index: int, eval_set: EvalSet, notes: list[str]) -> EvalSet:
        """The cases of a set that were executed and are there still; `notes` gets the others."""
        info = self.state.sets[index]
        executed = self.executed.get(index, set())
        there = {case.eval_id for case in eval_set.eval_cases}
        planned = [case.eval_id for case in info.cases if case.skip is None]
        gone = [one for one in planned if one in executed and one not in there]
        never = [one for one in planned if one not in executed and one in there]
        notes += self._notes(gone, f"not in {info.file} any more", info)
        notes += self._notes(never, "never finished", info)
        cases = [case for case in eval_set.eval_cases if case.eval_id in executed]
        return eval_set.model_copy(update={"eval_cases": cases})

    def _notes(self, ids: Sequence[str], why: str, info: SetInfo) -> Iterator[str]:
        if not ids:
            return
        rest = len(ids) - NAMED
        more = f" and {rest} more" if rest > 0 else ""
        told = f"{plural(len(ids), 'case')} of run {self.name} ({info.eval_set_id}) not judged"
        yield f"{told}: {', '.join(ids[:NAMED])}{more}: {why}"
