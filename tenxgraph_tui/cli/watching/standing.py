"""The last result of every case, whatever run it is of, and what flips in the next."""

from __future__ import annotations

from contextlib import suppress

from tenxgraph_tui.cli.watching.project import Reading
from tenxgraph_tui.cli.watching.report import Ran
from tenxgraph_tui.cli.watching.runs import WatchedRun
from tenxgraph_tui.errors import TenxError
from tenxgraph_tui.evaluation.progress import NOT_PASSED, CaseProgress
from tenxgraph_tui.session.history import Name
from tenxgraph_tui.session.labels import set_label, told_apart
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.session.watching.flips import Flip, flips, results


class Standing:
    """Nothing of a run is in it until the run counts (`keep`)."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self.cases: dict[Name, CaseProgress] = {}
        self._run_ids: dict[Name, str] = {}

    def keep(self, run: WatchedRun, reading: Reading) -> Ran:
        """The results of a run count from now on; what flipped by them."""
        found = results(run.state, reading.path_of)
        flipped = flips({name: case.status for name, case in self.cases.items()}, found)
        self.cases.update(found)
        self._run_ids.update((name, run.request.run_id) for name, _ in found)
        self.forget_others(reading)
        state = run.state
        return Ran(
            flipped,
            dict(self.cases),
            state.number,
            state.elapsed(),
            run.reason,
            state.cost,
            state.was_cancelled,
            reading.settings.values.threshold,
        )

    def forget_others(self, reading: Reading) -> None:
        """Cases that are in no file any more have no result either; a broken file keeps its own."""
        sets = reading.contents.sets.items()
        known = {(path, eval_id) for path, one in sets for eval_id in one.cases}
        for name in self.cases.keys() - known:
            del self.cases[name]

    @property
    def not_passed(self) -> frozenset[Name]:
        """The cases that failed, or ended in an error, when they last ran."""
        return frozenset(name for name, case in self.cases.items() if case.status in NOT_PASSED)

    def place_of(self, flip: Flip) -> str:
        """The `file:line` where the exception of a case came from, as its result has it."""
        run_id = self._run_ids.get(flip.name)
        if run_id is None:
            return ""
        with suppress(TenxError):
            result = self._store.result(run_id, flip.now.key)
            return str(result.metadata.get("location") or "") if result is not None else ""
        return ""


class Names:
    """What cases are called: by their set too, where there are several."""

    def __init__(self, reading: Reading) -> None:
        paths = [str(one.file) for one in reading.discovery.sets]
        ids = [one.eval_set.eval_set_id for one in reading.discovery.sets]
        labels = told_apart([(p, set_label(p, i)) for p, i in zip(paths, ids, strict=True)])
        self._labels = dict(zip(paths, labels, strict=True))

    def __call__(self, name: Name) -> str:
        path, eval_id = name
        return eval_id if len(self._labels) == 1 else f"{self._labels.get(path, path)}/{eval_id}"
