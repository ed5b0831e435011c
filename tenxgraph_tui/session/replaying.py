"""The target `replay:RUN`: what agents did in a run that is kept, for the sets of another run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tenxgraph_tui.errors import TargetError, UsageError
from tenxgraph_tui.evaluation.dataset import EvalSet
from tenxgraph_tui.evaluation.events import RunStarted, SetInfo
from tenxgraph_tui.evaluation.execution import Target
from tenxgraph_tui.evaluation.infos import RunRef
from tenxgraph_tui.session.executions import StoredExecutions
from tenxgraph_tui.session.store import RunStore

REPLAY = "replay:"


class RunReplay:
    """A `TargetSource` for one set of another run; the run's own set is looked for when it loads.

    That is the one of the same id, else the only one with a case of these ids.
    """

    reloads = True

    def __init__(self, store: RunStore, run: RunRef, eval_set: EvalSet) -> None:
        self._store, self.run, self._eval_set = store, run, eval_set
        self._executions = StoredExecutions(store, run, 0)

    @property
    def name(self) -> str:
        """The spec that says it by the run's number, which `last` would not."""
        return f"{REPLAY}#{self.run.number}"

    def load(self, *, afresh: bool = False) -> None:
        """See `TargetSource`.

        Raises:
            TargetError: the run has no such set.
        """
        sets = self._sets()
        wanted = self._eval_set.eval_set_id
        same = [at for at, info in enumerate(sets) if info.eval_set_id == wanted]
        ids = {case.eval_id for case in self._eval_set.eval_cases}
        alike = [
            at for at, info in enumerate(sets) if any(case.eval_id in ids for case in info.cases)
        ]
        found = same or alike
        if len(found) != 1:
            told = ", ".join(repr(info.eval_set_id) for info in sets) or "none"
            raise TargetError(
                f"target {self.name}: that run has no set {wanted!r} "
                f"nor one set alone with its cases; its sets are: {told}"
            )
        self._executions = StoredExecutions(self._store, self.run, found[0])
        self._executions.load(afresh=afresh)

    async def open(self) -> Target:
        """See `TargetSource`."""
        return await self._executions.open()

    def _sets(self) -> Sequence[SetInfo]:
        for event in self._store.events(self.run.run_id):
            if isinstance(event, RunStarted):
                return event.sets
        return ()


def replay_of(spec: str, base: Path, place: Path, eval_set: EvalSet) -> RunReplay | None:
    """The run that `replay:RUN` means in the store at `place`; None where it is a file, or no run.

    Raises:
        TargetError: there is neither a file nor a run of that name.
    """
    name = spec.removeprefix(REPLAY)
    if name == spec or not name or (base / name).is_file() or "/" in name or "." in name:
        return None
    if not place.is_file():
        raise TargetError(
            f"target {spec}: there is no such file, and nothing has been run here yet"
        )
    store = RunStore(place)
    try:
        run_id = store.resolve(name)
    except UsageError as error:
        raise TargetError(f"target {spec}: there is no such file, and {error}") from None
    return RunReplay(store, RunRef(run_id=run_id, number=store.number(run_id)), eval_set)
