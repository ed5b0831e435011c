"""One tool: which of its parameters the model fills, and which the runtime injects."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args, get_origin

from tenxgraph_tui.graph.exceptions import GraphError
from tenxgraph_tui.graph.state import AgentState

_POSITIONAL_ONLY = inspect.Parameter.POSITIONAL_ONLY
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_EMPTY = inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class Injected:
    """What the runtime can hand to a tool."""

    state: AgentState
    config: dict[str, Any]
    tool_call_id: str


class ToolFunction:
    """A function that a model may call.

    A parameter annotated with a state class is always injected. One called `state`, `config` or
    `tool_call_id` is injected when the model gave no argument of that name and its annotation
    allows it: none at all, a dict for `config`, a string for `tool_call_id`.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.name: str = getattr(function, "__name__", type(function).__name__)
        self.parameters = _parameters(function)
        self._always = {n for n, p in self.parameters.items() if _is_state(p.annotation)}
        self._if_absent = {
            n for n, p in self.parameters.items() if n not in self._always and _is_reserved(n, p)
        }
        self._takes_anything = any(
            p.kind is inspect.Parameter.VAR_KEYWORD for p in self.parameters.values()
        )

    @property
    def for_model(self) -> dict[str, inspect.Parameter]:
        """The parameters that a model is told about."""
        hidden = self._always | self._if_absent
        return {
            name: parameter
            for name, parameter in self.parameters.items()
            if name not in hidden and parameter.kind not in _VARIADIC
        }

    def arguments(self, given: Mapping[str, Any], injected: Injected) -> dict[str, Any]:
        """All arguments of a call by name.

        Raises:
            TypeError: an argument is missing, or the tool has no parameter of that name.
        """
        arguments = dict(given)
        for name in self._always:
            arguments[name] = injected.state
        for name in self._if_absent:
            arguments.setdefault(name, getattr(injected, name))
        unknown = [name for name in arguments if name not in self.parameters]
        if unknown and not self._takes_anything:
            raise TypeError(f"{self.name}() has no parameter {', '.join(map(repr, unknown))}")
        missing = [
            name
            for name, parameter in self.parameters.items()
            if parameter.default is _EMPTY
            and parameter.kind not in _VARIADIC
            and name not in arguments
        ]
        if missing:
            raise TypeError(f"{self.name}() needs {', '.join(map(repr, missing))}")
        return arguments


def _parameters(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    try:
        found = inspect.signature(function, eval_str=True).parameters
    except Exception:  # noqa: BLE001 - names that only a type checker can see: read them as text
        try:
            found = inspect.signature(function).parameters
        except (TypeError, ValueError) as error:
            raise GraphError(f"the tool {function!r} has no readable signature") from error
    for name, parameter in found.items():
        if parameter.kind is _POSITIONAL_ONLY:
            raise GraphError(f"the tool {function!r} takes {name!r} by position only; drop the '/'")
    return dict(found)


def _is_state(annotation: object) -> bool:
    if isinstance(annotation, str):
        return annotation.rsplit(".", 1)[-1] == AgentState.__name__
    return any(
        isinstance(kind, type) and issubclass(kind, AgentState) for kind in _kinds(annotation)
    )


def _is_reserved(name: str, parameter: inspect.Parameter) -> bool:
    annotation = parameter.annotation
    if parameter.kind in _VARIADIC or name not in Injected.__dataclass_fields__:
        return False
    if annotation is _EMPTY or annotation is Any:
        return True
    if isinstance(annotation, str):
        expected = {"state": "State", "config": "dict", "tool_call_id": "str"}[name]
        return expected.lower() in annotation.lower()
    if name == "state":
        return False  # an annotation that is no state class: the model's own argument
    wanted = Mapping if name == "config" else str
    return any(isinstance(kind, type) and issubclass(kind, wanted) for kind in _kinds(annotation))


def _kinds(annotation: object) -> list[object]:
    """The classes that an annotation allows: `dict[str, Any] | None` allows dict and NoneType."""
    origin = get_origin(annotation)
    if origin is None or (isinstance(origin, type) and issubclass(origin, (Mapping, AgentState))):
        return [origin or annotation]
    return [kind for part in get_args(annotation) for kind in _kinds(part)]
