"""What a module of the user's offers under the names that eval modules have, called and checked.

Objects may be of 10xGraph's own classes: they are read by `model_dump()`.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from tenxgraph_tui.errors import EvalSetError, with_article, worded
from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.heldtime import from_here
from tenxgraph_tui.evaluation.places import place_in_code

M = TypeVar("M", bound=BaseModel)

CONFIG_FUNCTION, CONFIG_NAME = "get_eval_config", "EVAL_CONFIG"


def annotated(module: ModuleType, kind: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The public functions defined in the module that are annotated `-> kind`, by their names.

    A class of that name will do, whosever it is; so will a text, as `from __future__ import
    annotations` makes it.
    """
    for name, value in sorted(vars(module).items()):
        if name.startswith("_") or not inspect.isfunction(value):
            continue
        if value.__module__ != module.__name__ or _needs_arguments(value):
            continue
        said = value.__annotations__.get("return")
        text = said if isinstance(said, str) else getattr(said, "__name__", "")
        if text.strip("'\"").rpartition(".")[2] == kind:
            yield name, value


def config_of(module: ModuleType) -> tuple[EvalConfig, str] | None:
    """The config that the module has, and the name in it; None if it has none.

    Raises:
        EvalSetError: it is none; one line with file and line.
    """
    if inspect.isfunction(make := getattr(module, CONFIG_FUNCTION, None)):
        return called(make, CONFIG_FUNCTION, EvalConfig), CONFIG_FUNCTION
    for name, function in annotated(module, "EvalConfig"):
        return called(function, name, EvalConfig), name
    if hasattr(module, CONFIG_NAME):
        found = converted(getattr(module, CONFIG_NAME), CONFIG_NAME, EvalConfig, file_of(module))
        return found, CONFIG_NAME
    return None


def called(function: Callable[[], Any], name: str, model: type[M]) -> M:
    """What the function gives, as our model; an async one is awaited.

    Raises:
        EvalSetError: it raised, or gave something else; one line with file and line.
    """
    return converted(value_of(function, name), f"{name}()", model, where_is(function))


def value_of(function: Callable[[], Any], name: str) -> Any:
    """What the function gives.

    Raises:
        EvalSetError: it raised, whatever it was, or needs arguments.
    """
    if _needs_arguments(function):
        raise EvalSetError(f"{where_is(function)}: {name} must be callable without arguments")
    try:
        value = function()
        return asyncio.run(_awaited(value)) if inspect.isawaitable(value) else value
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        place = from_here(place_in_code(error)) or where_is(function)
        raise EvalSetError(f"{place}: {name}() raised {in_a_line(error)}") from error


def converted(value: Any, name: str, model: type[M], where: str) -> M:
    """A value as our model: ours, or what an object of 10xGraph's own classes says of itself.

    Raises:
        EvalSetError: it is something else, or is wrong; `where` begins the line.
    """
    if isinstance(value, model):
        return value
    kind = model.__name__
    if not isinstance(value, BaseModel) or not _is_like(value, kind):
        what = "None" if value is None else f"an object of {type(value).__qualname__}"
        wanted = with_article(kind)
        raise EvalSetError(f"{where}: {name} is {what}, not {wanted}: give {wanted}")
    try:
        return model.model_validate(_said_by(value, value.model_dump(mode="json")))
    except ValidationError as error:
        raise EvalSetError(f"{where}: {name}: {_first_of(error, kind)}") from None


def _said_by(value: Any, dumped: Any) -> Any:
    """Of all that an object dumps, what somebody wrote.

    Values that were never assigned are left out, among them ids that were left to chance; lists and
    objects stay, because they are filled without being assigned.
    """
    match value, dumped:
        case BaseModel(), dict():
            for name in list(dumped):
                each = getattr(value, name, None)
                if name in value.model_fields_set or isinstance(each, BaseModel | list | dict):
                    _said_by(each, dumped[name])
                else:
                    del dumped[name]
        case (list(), list()):
            for each, said in zip(value, dumped, strict=True):
                _said_by(each, said)
        case (dict(), dict()):
            for each, said in zip(value.values(), dumped.values(), strict=True):
                _said_by(each, said)
    return dumped


def in_a_line(error: BaseException) -> str:
    """What a module raised; what pydantic found in it is cut to the first thing."""
    if not isinstance(error, ValidationError):
        return worded(error)
    more = error.error_count() - 1
    rest = f", and {more} more" if more else ""
    return f"{type(error).__name__}: {error.title}: {_first_of(error)}{rest}"


def _first_of(error: ValidationError, nowhere: str = "") -> str:
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or nowhere
    told = str(first["msg"]).removeprefix("Value error, ")
    return f"{place}: {told}" if place else told


def where_is(function: Callable[..., Any]) -> str:
    """`file:line` of its definition."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None:
        return str(function)
    return f"{from_here(code.co_filename)}:{code.co_firstlineno}"


def file_of(module: ModuleType) -> str:
    """The path of the module as people read it."""
    return from_here(str(module.__file__))


def _is_like(value: BaseModel, kind: str) -> bool:
    return any(each.__name__ == kind for each in type(value).__mro__)


def _needs_arguments(function: Callable[..., Any]) -> bool:
    return any(
        parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        for parameter in inspect.signature(function).parameters.values()
    )


async def _awaited(value: Any) -> Any:
    return await value
