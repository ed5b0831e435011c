"""Targets that are Python objects: `module:attr` and `path/to/file.py:attr`."""

from __future__ import annotations

import importlib
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from tenxgraph_tui.errors import TargetError, worded
from tenxgraph_tui.evaluation.execution import Target
from tenxgraph_tui.evaluation.heldtime import from_here
from tenxgraph_tui.evaluation.importing import (
    first_on_path,
    forget_modules_below,
    found_from,
    import_file,
)
from tenxgraph_tui.evaluation.models import meant_or
from tenxgraph_tui.evaluation.objects import target_of
from tenxgraph_tui.evaluation.places import place_in_code

FACTORY_DEPTH = 3
LISTED = 8


class PythonSource:
    """A `TargetSource` for an attribute of a module or a file.

    `root` is the folder that goes on `sys.path`, and below which modules are imported again when
    the target is loaded afresh.
    """

    reloads = True

    def __init__(self, spec: str, module: str | Path, attr: str, root: Path) -> None:
        self.spec, self._module, self._attr, self._root = spec, module, attr, root
        self._found: Any = None

    def load(self, *, afresh: bool = False) -> None:
        """See `TargetSource`."""
        if afresh:
            forget_modules_below(self._root)
        loaded = self._import()
        self._found = loaded
        for name in self._attr.split("."):
            if not hasattr(self._found, name):
                raise TargetError(self._no_such(name))
            self._found = getattr(self._found, name)

    @property
    def found(self) -> Any:
        """What stands at the attribute, once it was loaded."""
        return self._found

    async def open(self) -> Target:
        """See `TargetSource`. Factories are called, async ones awaited, on the running loop."""
        found, was_called = self._found, False
        for _ in range(FACTORY_DEPTH):
            if not is_factory(found):
                break
            found, was_called = found(), True
            if inspect.isawaitable(found):
                found = await found
        target = target_of(found)
        if target is not None:
            return target
        told = (
            f"{self.spec} takes no arguments, so it was called for the target, and gave {_a(found)}"
            if was_called
            else f"{self.spec} is {_a(found)}"
        )
        raise TargetError(
            f"target {told}, which cannot be evaluated: name a graph, an (app, collector) pair, "
            "a factory of one, or a function that takes the messages"
        )

    def _import(self) -> ModuleType:
        first_on_path(self._root)
        try:
            if isinstance(self._module, Path):
                return import_file(self._module)
            with found_from(self._root, self._module):
                return importlib.import_module(self._module)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise TargetError(self._not_imported(error)) from error

    def _not_imported(self, error: BaseException) -> str:
        name = str(self._module)
        if isinstance(error, ModuleNotFoundError) and error.name in _parents(name):
            told = f"target {self.spec}: there is no module {name!r} under {self._root}"
            return f"{told}{_instead(name)}; write module:attr or path/to/file.py:attr"
        told = worded(error)
        place = place_in_code(error)
        text = f"target {self.spec} could not be imported, no case was run: {told}"
        text += f" ({place})" if place else ""
        if isinstance(error, ModuleNotFoundError):
            text += (
                f". It is missing in {sys.executable}: install it there, or run tenxgraph-tui "
                "under the project's interpreter"
            )
        return text

    def _no_such(self, name: str) -> str:
        names = [each for each, value in vars(self._found).items() if self._is_own(each, value)]
        listed = ", ".join(names[:LISTED]) + (", …" if len(names) > LISTED else "")
        hint = meant_or(name, names, f"it has {listed or 'nothing to evaluate'}")
        return f"target {self.spec}: there is no {name!r} in {self._module}: {hint}"

    def _is_own(self, name: str, value: Any) -> bool:
        """Whether a name is the module's own and no import: what somebody could have meant."""
        if name.startswith("_") or inspect.ismodule(value):
            return False
        home = getattr(self._found, "__name__", None)
        return not callable(value) or getattr(value, "__module__", home) == home


def is_factory(found: Any) -> bool:
    """Whether `found` is called to get the target: it is callable and needs no argument."""
    if not callable(found):
        return False
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):
        return False
    takes = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return not any(
        parameter.kind is inspect.Parameter.VAR_POSITIONAL or parameter.kind in takes
        for parameter in parameters
    )


def _instead(name: str) -> str:
    """What was imported already under a name that should be a package."""
    for parent in _parents(name) - {name}:
        module = sys.modules.get(parent)
        if module is not None and not hasattr(module, "__path__"):
            return f", since {parent!r} is {from_here(str(module.__file__))}"
    return ""


def _parents(name: str) -> set[str]:
    parts = name.split(".")
    return {".".join(parts[:count]) for count in range(1, len(parts) + 1)}


def _a(found: Any) -> str:
    return "None" if found is None else f"an object of {type(found).__qualname__}"
