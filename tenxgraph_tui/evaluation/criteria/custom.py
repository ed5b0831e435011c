"""A user's own criteria: from what a config says about them to objects that can judge."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.config import CustomCriterion
from tenxgraph_tui.evaluation.criteria.base import BaseCriterion
from tenxgraph_tui.evaluation.criteria.registry import CRITERIA_REGISTRY
from tenxgraph_tui.evaluation.models import meant_or, nearest


def make(custom: CustomCriterion) -> BaseCriterion:
    """The criterion that an entry of `EvalConfig.custom` describes; imports the user's module.

    Raises:
        ConfigError: it cannot be imported or made, or is no criterion.
    """
    name = custom.criterion
    found = _found(name)
    if not callable(found):
        raise ConfigError(f"custom criterion {name}: {_a(found)} cannot be called to make one")
    try:
        made = found(**custom.args, config=custom.config)
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
        hint = _signature(found) if isinstance(error, TypeError) else ""
        raise ConfigError(f"custom criterion {name} cannot be made: {told}{hint}") from error
    if not isinstance(made, BaseCriterion):
        raise ConfigError(
            f"custom criterion {name} is {_a(made)}: derive it from BaseCriterion or SyncCriterion"
        )
    return made


def _found(name: str) -> Any:
    module_name, _, path = name.partition(":")
    if not path:
        if name in CRITERIA_REGISTRY:
            return CRITERIA_REGISTRY[name]
        hint = meant_or(name, CRITERIA_REGISTRY, "write package.module:Class")
        raise ConfigError(f"custom criterion {name!r} is not in CRITERIA_REGISTRY: {hint}")
    try:
        found: Any = importlib.import_module(module_name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise ConfigError(f"custom criterion {name} could not be imported: {told}") from error
    for part in path.split("."):
        if not hasattr(found, part):
            meant = nearest(part, dir(found))
            hint = f": did you mean {meant!r}?" if meant else ""
            raise ConfigError(f"custom criterion {name}: there is no {part!r} in it{hint}")
        found = getattr(found, part)
    return found


def _signature(found: Any) -> str:
    try:
        return f" (its parameters are {inspect.signature(found)})"
    except (TypeError, ValueError):
        return ""


def _a(found: Any) -> str:
    return "None" if found is None else f"an object of {type(found).__qualname__}"
