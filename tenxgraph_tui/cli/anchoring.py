"""Files that a config names, prompts and judge scripts, go from where the config stands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tenxgraph_tui.evaluation.config import CriterionConfig, EvalConfig
from tenxgraph_tui.evaluation.criteria.prompting import is_file
from tenxgraph_tui.evaluation.heldtime import from_here
from tenxgraph_tui.evaluation.judging.providers import SCRIPTED, script_of


def anchored(config: EvalConfig, folder: Path) -> EvalConfig:
    """The same config, its relative paths written from the working directory.

    A prompt that is not in `folder` stays as it is: it may be in `prompts_dir`.
    """
    if not any(True for criterion in criteria_of(config) if _changes(criterion, folder)):
        return config
    config = config.model_copy(deep=True)
    for criterion in criteria_of(config):
        for field, value in _changes(criterion, folder).items():
            setattr(criterion, field, value)
    return config


def criteria_of(config: EvalConfig) -> Iterator[CriterionConfig]:
    """The settings of every criterion that is on, the project's own included."""
    yield from (criterion for _, criterion in config.criteria.enabled())
    yield from (entry.config for entry in config.custom)


def _changes(criterion: CriterionConfig, folder: Path) -> dict[str, str]:
    changes: dict[str, str] = {}
    script = script_of(criterion.judge_model)
    if script is not None and not script.is_absolute():
        changes["judge_model"] = f"{SCRIPTED}{from_here(str(folder / script))}"
    own = criterion.prompt
    if own is not None and is_file(own) and (folder / own).is_file():
        changes["prompt"] = from_here(str(folder / own))
    return changes
