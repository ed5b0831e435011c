"""What a run needs of judges, found out and made ready before its first case."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.config import CriterionConfig, EvalConfig
from tenxgraph_tui.evaluation.criteria import CRITERIA_REGISTRY, judged_slots
from tenxgraph_tui.evaluation.judging.address import check
from tenxgraph_tui.evaluation.judging.port import JudgeOptions
from tenxgraph_tui.evaluation.plan import SetPlan
from tenxgraph_tui.evaluation.presets import PRESETS
from tenxgraph_tui.session.protocol import WorkerRequest
from tenxgraph_tui.settings.env_file import add_env_file


def with_judge(config: EvalConfig, model: str | None) -> EvalConfig:
    """The same config, its criteria judged by `model`; as it is with None."""
    if model is None:
        return config
    config = config.model_copy(deep=True)
    for criterion in _criteria(config):
        criterion.judge_model = model
    return config


def check_judges(config: EvalConfig, called: str, request: WorkerRequest) -> None:
    """Find out that a model is missing, or its key. `called` is what people know the config by.

    Raises:
        ConfigError: it names the criteria that need it, and the variable to set.
    """
    slots = judged_slots(config)
    if not slots:
        return
    needs = "needs" if len(slots) == 1 else "need"
    told = f"{', '.join(slots)} {needs} a model (config: {called}); offline presets are "
    told += ", ".join(_offline_presets())
    if any(slot not in CRITERIA_REGISTRY for slot in slots):
        raise ConfigError(f"judge not available: {told}")
    models = [
        criterion.judge_model for slot, criterion in config.criteria.enabled() if slot in slots
    ]
    try:
        check(models, request.options.judge_base_url, _environ(request))
    except ConfigError as error:
        raise ConfigError(f"{error}: {told}") from None


def judge_options(request: WorkerRequest, sets: Sequence[SetPlan]) -> JudgeOptions | None:
    """How judges are asked in this run; None where no criterion can need one."""
    if not any(_may_judge(plan.config) for plan in sets):
        return None
    return JudgeOptions(model=request.options.judge_model, base_url=request.options.judge_base_url)


def load_for(sets: Sequence[SetPlan]) -> None:
    """Import what judges need, before modules of the project can take the place of it."""
    if any(judged_slots(plan.config) for plan in sets):
        from tenxgraph_tui.evaluation.judging.library import import_all

        import_all()


def _may_judge(config: EvalConfig) -> bool:
    return bool(config.custom or judged_slots(config))


def _criteria(config: EvalConfig) -> Iterator[CriterionConfig]:
    yield from (criterion for _, criterion in config.criteria.enabled())
    yield from (entry.config for entry in config.custom)


def _environ(request: WorkerRequest) -> Mapping[str, str]:
    """What a run finds: ours, and what the project's `env_file` adds."""
    environ = dict(os.environ)
    if request.env_file:
        with suppress(ConfigError):  # whoever reads it for the run says what is wrong with it
            add_env_file(Path(request.env_file), environ)
    return environ


def _offline_presets() -> list[str]:
    return [name for name, make in PRESETS.items() if not judged_slots(make())]
