"""What the settings ask of every run of a project, as requests carry it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

from tenxgraph_tui.evaluation.judging.providers import SCRIPTED, script_of
from tenxgraph_tui.evaluation.target_options import TargetOptions
from tenxgraph_tui.session.protocol import Fallbacks, RequestOptions
from tenxgraph_tui.settings import Loaded


@dataclass(frozen=True, slots=True)
class Terms:
    """Part of every request; what was said on the command line is in `options` alone.

    A target or a config from there is for all sets, and the request names it itself.
    """

    options: RequestOptions = field(default_factory=RequestOptions)
    fallbacks: Fallbacks = field(default_factory=Fallbacks)
    env_file: str | None = None

    @classmethod
    def of(
        cls,
        settings: Loaded,
        *,
        fail_fast: bool = False,
        max_errors: int | None = None,
        retries: int = 0,
        capture: bool = True,
        judge_cache: bool = False,
    ) -> Self:
        """The terms that the settings make; `judge_cache` is for those that leave it open."""
        said = settings.values.judge_cache
        env_file, prompts = settings.path("env_file"), settings.path("prompts_dir")
        return cls(
            options=RequestOptions(
                max_concurrency=settings.values.max_concurrency,
                timeout=settings.values.timeout,
                fail_fast=fail_fast,
                max_errors=max_errors,
                retries=retries,
                judge_model=judge_model(settings),
                judge_base_url=settings.values.judge_base_url,
                prompts_dir=str(prompts) if prompts else None,
                judge_cache=judge_cache if said is None else said,
                capture=capture,
                targets=_targets(settings),
            ),
            fallbacks=fallbacks(settings),
            env_file=str(env_file) if env_file else None,
        )


def _targets(settings: Loaded) -> TargetOptions:
    values = settings.values
    if values.model is None:
        return TargetOptions(http=values.http)
    return TargetOptions(http=values.http, model=values.model, root=str(settings.root))


def judge_model(settings: Loaded) -> str | None:
    """The model that judges everything; a script goes from where it was named."""
    name = settings.values.judge_model
    script = script_of(name) if name is not None else None
    return name if script is None else f"{SCRIPTED}{settings.base('judge_model') / script}"


def fallbacks(settings: Loaded) -> Fallbacks:
    """What a set gets that names nothing itself."""
    values, found = settings.values, Fallbacks()
    if values.target is not None and not settings.is_flag("target"):
        found = Fallbacks(target=values.target, target_from=settings.origins["target"].where)
    name = "preset" if values.preset is not None else "config"
    config = values.preset or settings.path("config")
    if config is None or settings.is_flag(name):
        return found
    origin = settings.origins[name].source
    return found.model_copy(update={"config": str(config), "config_from": origin})
