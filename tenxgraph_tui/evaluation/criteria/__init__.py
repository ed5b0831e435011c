"""From a config to the criteria that check a case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.config import JUDGED_SLOTS, EvalConfig
from tenxgraph_tui.evaluation.criteria.base import BaseCriterion, SyncCriterion, assess
from tenxgraph_tui.evaluation.criteria.composite import all_in
from tenxgraph_tui.evaluation.criteria.custom import make
from tenxgraph_tui.evaluation.criteria.judged import LLMCallerMixin, TemplatedLLMCriterion
from tenxgraph_tui.evaluation.criteria.registry import CRITERIA_REGISTRY
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.overrides import apply_overrides

__all__ = [
    "CRITERIA_REGISTRY",
    "BaseCriterion",
    "LLMCallerMixin",
    "SyncCriterion",
    "TemplatedLLMCriterion",
    "all_in",
    "assess",
    "build",
    "judged_slots",
]


def build(config: EvalConfig, case: EvalCase | None = None) -> list[BaseCriterion]:
    """The enabled criteria in slot order, for `case` with what its metadata change; then custom.

    The list is empty only where the case itself switches every criterion off.

    Raises:
        ConfigError: the config enables no criterion, a criterion finds its config wrong or cannot
            be made, two report under one name, or the case's metadata are wrong.
    """
    criteria = config.criteria
    own = [make(entry) for entry in config.custom if entry.config.enabled]
    if not own and not any(True for _ in criteria.enabled()):
        raise ConfigError("no criterion is enabled: choose a preset, or enable one in the config")
    if case is not None:
        try:
            criteria = apply_overrides(criteria, case.metadata)
        except ValueError as error:
            raise ConfigError(f"case {case.eval_id!r}: {error}") from None
    built = [*(CRITERIA_REGISTRY[slot](config=one) for slot, one in criteria.enabled()), *own]
    _check(built)
    return built


def judged_slots(config: EvalConfig) -> list[str]:
    """The enabled slots that need a judge model, in slot order."""
    return [slot for slot, _ in config.criteria.enabled() if slot in JUDGED_SLOTS]


def _check(criteria: Sequence[BaseCriterion]) -> None:
    for criterion in criteria:
        try:
            problems = criterion.validate_config()
        except Exception as error:  # noqa: BLE001 - it may be user code
            problems = [f"validate_config raised {type(error).__name__}: {error}"]
        if problems:
            raise ConfigError(f"{criterion.name}: {'; '.join(problems)}")
    for name, count in Counter(criterion.name for criterion in criteria).items():
        if count > 1:
            raise ConfigError(
                f"{count} criteria report as {name!r}: give each of them a name of its own"
            )
