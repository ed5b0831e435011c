"""What a run needs of judges, found out and made ready before its first case."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from tenxgraph_tui.cli.anchoring import criteria_of
from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.config import JUDGED_SLOTS, EvalConfig
from tenxgraph_tui.evaluation.criteria import judged_slots
from tenxgraph_tui.evaluation.criteria.prompting import check_folder, prompt_for
from tenxgraph_tui.evaluation.judging.address import check
from tenxgraph_tui.evaluation.judging.answers import KeptAnswers
from tenxgraph_tui.evaluation.judging.port import JudgeOptions
from tenxgraph_tui.evaluation.judging.providers import script_of
from tenxgraph_tui.evaluation.plan import SetPlan
from tenxgraph_tui.evaluation.presets import PRESETS
from tenxgraph_tui.session.answers import AnswerTable
from tenxgraph_tui.session.protocol import WorkerRequest
from tenxgraph_tui.settings.env_file import add_env_file


def with_judge(config: EvalConfig, model: str | None) -> EvalConfig:
    """The same config, its criteria judged by `model`; as it is with None."""
    if model is None:
        return config
    config = config.model_copy(deep=True)
    for criterion in criteria_of(config):
        criterion.judge_model = model
    return config


def check_judges(config: EvalConfig, called: str, request: WorkerRequest) -> None:
    """Find out that a model, its key or a prompt is missing; `called` is what the config is called.

    Raises:
        ConfigError: it names the criteria that need it, and the variable to set.
    """
    slots = judged_slots(config)
    if not slots:
        return
    needs = "needs" if len(slots) == 1 else "need"
    told = f"{', '.join(slots)} {needs} a model (config: {called}); offline presets are "
    told += ", ".join(_offline_presets())
    models = [
        criterion.judge_model for slot, criterion in config.criteria.enabled() if slot in slots
    ]
    try:
        check(models, request.options.judge_base_url, _environ(request))
    except ConfigError as error:
        raise ConfigError(f"{error}: {told}") from None
    folder = request.options.prompts_dir
    if folder is not None:
        check_folder(folder)
    for slot, criterion in config.criteria.enabled():
        if slot in slots:
            prompt_for(slot, criterion.prompt, folder)


def judge_options(request: WorkerRequest, sets: Sequence[SetPlan]) -> JudgeOptions | None:
    """How judges are asked in this run; None where no criterion can need one."""
    if not any(_may_judge(plan.config) for plan in sets):
        return None
    asked = request.options
    return JudgeOptions(asked.judge_model, asked.judge_base_url, prompts_dir=asked.prompts_dir)


@contextmanager
def kept_answers(request: WorkerRequest, sets: Sequence[SetPlan]) -> Iterator[KeptAnswers | None]:
    """What judges answered before, within it; None where it is not wanted, or nobody is asked.

    Raises:
        StoreError: the store that keeps them cannot be opened.
    """
    is_wanted = request.options.judge_cache and request.store is not None
    if not is_wanted or judge_options(request, sets) is None:
        yield None
        return
    with AnswerTable(Path(request.store or "")) as table:
        yield table


def load_for(sets: Sequence[SetPlan]) -> None:
    """Import what judges need, before modules of the project can take the place of it."""
    models = [
        criterion.judge_model
        for plan in sets
        for slot, criterion in plan.config.criteria.enabled()
        if slot in JUDGED_SLOTS
    ]
    if models:
        from tenxgraph_tui.evaluation.judging.library import import_all

        import_all(with_models=any(script_of(model) is None for model in models))


def _may_judge(config: EvalConfig) -> bool:
    return bool(config.custom or judged_slots(config))


def _environ(request: WorkerRequest) -> Mapping[str, str]:
    """What a run finds: ours, and what the project's `env_file` adds."""
    environ = dict(os.environ)
    if request.env_file:
        with suppress(ConfigError):  # whoever reads it for the run says what is wrong with it
            add_env_file(Path(request.env_file), environ)
    return environ


def _offline_presets() -> list[str]:
    return [name for name, make in PRESETS.items() if not judged_slots(make())]
