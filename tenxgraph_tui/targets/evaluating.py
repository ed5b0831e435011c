"""Evaluating what a spec names from Python: what a test does that was copied from the dashboard."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tenxgraph_tui.errors import EvalSetError
from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.dataset import EvalSet
from tenxgraph_tui.evaluation.given import config_of, eval_set_of
from tenxgraph_tui.evaluation.models import meant_aside
from tenxgraph_tui.evaluation.results import EvalReport
from tenxgraph_tui.evaluation.secrets import shown_spec
from tenxgraph_tui.evaluation.target_options import TargetOptions
from tenxgraph_tui.evaluation.watched import WatchedEvaluation
from tenxgraph_tui.targets.resolving import resolve


def evaluate_target(
    target: str,
    eval_set: EvalSet | str,
    config: EvalConfig,
    *,
    only: Sequence[str] = (),
    root: str = ".",
    options: TargetOptions | None = None,
) -> EvalReport:
    """Run a set, or `only` the cases of these ids, against what `tenxgraph-tui --target` takes.

    `target` is `module:attr`, `path/file.py:attr`, a URL, `model:NAME` or `replay:FILE`; files are
    relative to the working directory, and modules are imported from `root`, the folder of the
    project. `options` are what its settings say under `http` and `model`, which are not read here.
    Cases run on an event loop of their own, so that this can be called from anywhere. No reporter
    runs.

    Raises:
        TargetError: there is no such target, or it cannot be imported.
        EvalSetError: the file of the set cannot be read, or has no such case.
        ConfigError: no criterion is enabled.
    """
    known = options or TargetOptions()
    source = resolve(target, base=Path.cwd(), root=Path(root), is_confined=False, options=known)
    wanted = _wanted(eval_set_of(eval_set), only)
    used = config_of(config)
    if used.custom and (home := str(Path(root).resolve())) not in sys.path:
        sys.path.insert(0, home)  # criteria of the project are imported before its target is
    return WatchedEvaluation(wanted, source, used, target_name=shown_spec(target)).here()


def _wanted(eval_set: EvalSet, only: Sequence[str]) -> EvalSet:
    if not only:
        return eval_set
    known: dict[str, Any] = {case.eval_id: case for case in eval_set.eval_cases}
    for eval_id in only:
        if eval_id not in known:
            hint = meant_aside(eval_id, known)
            raise EvalSetError(f"{eval_set.eval_set_id}: there is no case {eval_id!r}{hint}")
    return eval_set.model_copy(update={"eval_cases": [known[eval_id] for eval_id in only]})
