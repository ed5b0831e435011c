"""What the public models share: built late for a fast import, and typing mistakes are named."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Self, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, model_validator


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice that `word` is probably a misspelling of."""
    found = difflib.get_close_matches(word, list(choices), n=1, cutoff=0.75)
    return found[0] if found else None


def meant_or(word: str, choices: Iterable[str], otherwise: str) -> str:
    """The question whether the nearest choice was meant; `otherwise` where none is near."""
    meant = nearest(word, choices)
    return f"did you mean {meant!r}?" if meant else otherwise


def meant_aside(word: str, choices: Iterable[str]) -> str:
    """The same behind a sentence, in brackets; empty where none is near."""
    asked = meant_or(word, choices, "")
    return f" ({asked})" if asked else ""


class PublicModel(BaseModel):
    """A mutable model whose schema is built on first use."""

    model_config = ConfigDict(defer_build=True)


M = TypeVar("M", bound=BaseModel)


def built(model: type[M], /, **fields: Any) -> M:
    """An instance from values that are right already, about ten times as fast as `model_construct`.

    Every field must be given: defaults are not filled in.
    """
    made = model.__new__(model)
    names, keeps_extra = _shape(model)
    object.__setattr__(made, "__dict__", fields)
    object.__setattr__(made, "__pydantic_fields_set__", names)
    object.__setattr__(made, "__pydantic_extra__", {} if keeps_extra else None)
    object.__setattr__(made, "__pydantic_private__", None)
    return made


@functools.cache
def _shape(model: type[BaseModel]) -> tuple[set[str], bool]:
    """The names of all fields, shared by all instances since all are set, and what is extra."""
    return set(model.model_fields), model.model_config.get("extra") == "allow"


class Handwritten(PublicModel):
    """A model of a file that people write.

    An unknown key that resembles a known one is an error that names it; any other unknown key is
    kept, so that it survives a save, and `unknown_keys` lists it.
    """

    model_config = ConfigDict(extra="allow")
    also_called: ClassVar[dict[str, str]] = {}
    """Names that people write for a field, though nothing in them resembles it."""

    @model_validator(mode="after")
    def _no_misspelt_keys(self) -> Self:
        for key in self.model_extra or ():
            meant = self.also_called.get(key) or nearest(key, type(self).model_fields)
            if meant is not None:
                raise ValueError(f"unknown key {key!r}: did you mean {meant!r}?")
        return self


def unknown_keys(value: Any, path: str = "") -> Iterator[str]:
    """JSON paths of keys that no model below `value` knows, in file order."""
    if isinstance(value, BaseModel):
        for key in value.model_extra or ():
            yield f"{path}.{key}".removeprefix(".")
        for name in _nested(type(value)):
            yield from unknown_keys(getattr(value, name), f"{path}.{name}".removeprefix("."))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from unknown_keys(item, f"{path}[{index}]")


@functools.cache
def _nested(model: type[BaseModel]) -> tuple[str, ...]:
    """The fields that may hold models: most hold texts and numbers, and need no look."""
    return tuple(
        name for name, field in model.model_fields.items() if _holds_models(field.annotation)
    )


def _holds_models(annotation: Any) -> bool:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return True
    return any(map(_holds_models, get_args(annotation)))
