"""The target of each set of a request: which spec counts, and where its files and runs are."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tenxgraph_tui.errors import TargetError
from tenxgraph_tui.evaluation.dataset import EvalSet
from tenxgraph_tui.evaluation.execution import TargetSource
from tenxgraph_tui.evaluation.secrets import shown_spec
from tenxgraph_tui.session.project import store_place
from tenxgraph_tui.session.protocol import WorkerRequest
from tenxgraph_tui.session.replaying import replay_of
from tenxgraph_tui.targets import resolve
from tenxgraph_tui.targets.resolving import FORMS


@dataclass(slots=True)
class Sources:
    """The sources for one request; sets that share a target share its source."""

    request: WorkerRequest
    _known: dict[tuple[str, Path], TargetSource] = field(default_factory=dict)

    def of(self, file: Path, called: str, eval_set: EvalSet) -> tuple[TargetSource, str]:
        """The flag's, else the one that the set names, else that of the settings; and its spec.

        Errors call the file `called`; the spec is told without what is secret in it.

        Raises:
            TargetError: there is none, or none that can be.
        """
        if self.request.target is not None:
            return self._source(self.request.target, Path.cwd(), None, eval_set)
        spec, root = eval_set.metadata.get("target"), Path(self.request.root)
        if spec is None:
            return self._fallback(called, root, eval_set)
        if not isinstance(spec, str):
            raise TargetError(f"{called}: metadata.target must be a text: {FORMS}")
        try:
            return self._source(spec, file.absolute().parent, root, eval_set)
        except TargetError as error:
            raise type(error)(f"{called}: metadata.target: {error}") from None

    def _fallback(self, called: str, root: Path, eval_set: EvalSet) -> tuple[TargetSource, str]:
        spec, origin = self.request.fallbacks.target, self.request.fallbacks.target_from
        if spec is None:
            raise TargetError(
                f"{called}: no target: write --target {FORMS}, "
                f'"metadata": {{"target": ...}} in the file, or a target in the settings'
            )
        try:
            return self._source(spec, root, root, eval_set, is_confined=False)
        except TargetError as error:
            raise type(error)(f"{origin}: {error}") from None

    def _source(
        self,
        spec: str,
        base: Path,
        root: Path | None,
        eval_set: EvalSet,
        *,
        is_confined: bool = True,
    ) -> tuple[TargetSource, str]:
        place = Path(self.request.store or store_place(Path(self.request.root)).path)
        replay = replay_of(spec, base, place, eval_set)
        if replay is not None:
            return replay, replay.name
        key = (spec, base)
        if key not in self._known:
            said = self.request.options.targets
            self._known[key] = resolve(
                spec, base=base, root=root, is_confined=is_confined, options=said
            )
        return self._known[key], shown_spec(spec)
