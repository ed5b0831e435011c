"""What the library makes public is documented, and by more than its own name."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

import tenxgraph_tui.evaluation.criteria.registry as registry_module
from tenxgraph_tui import errors, evaluation

OURS = "tenxgraph_tui."
FEW_WORDS = {"a", "an", "and", "as", "for", "in", "is", "it", "of", "on", "or", "that", "the", "to"}

FACTS = {
    r"(.*_)?threshold|min_(pass_rate|score)|pass_rate": r"0\.0 to 1\.0",
    r"timestamp": r"Unix (seconds|time)",
    r"timeout": r"seconds",
    r"max_(concurrency|turns|invocations)|num_samples": r"at least 1|default to",
    r"weights?|criteria_weights": r"positive|at least 0",
    r"verbose": r"`verbose` (logs|gives|has)|as `evaluate`",
}
"""What a docstring has to say of a number or switch that is called so."""


def classes() -> list[tuple[str, type[Any]]]:
    found = ((name, getattr(evaluation, name)) for name in evaluation.__all__)
    return [(name, thing) for name, thing in found if inspect.isclass(thing)]


def functions() -> list[tuple[str, Callable[..., Any]]]:
    found = ((name, getattr(evaluation, name)) for name in evaluation.__all__)
    return [(name, thing) for name, thing in found if inspect.isfunction(thing)]


def members(owner: type[Any]) -> Iterator[tuple[str, Any]]:
    """The public methods and properties of a class, also those it has from another of ours."""
    for name in dir(owner):
        definer = next((kind for kind in owner.__mro__ if name in vars(kind)), object)
        if name.startswith("_") or not definer.__module__.startswith(OURS):
            continue
        raw = vars(definer)[name]
        if inspect.isfunction(raw) or isinstance(raw, classmethod | staticmethod | property):
            yield name, raw


def documented(owner: type[Any], name: str) -> str:
    """The docstring of a member, or of the one that it overrides in another class of ours."""
    for kind in owner.__mro__:
        if kind.__module__.startswith(OURS) and name in vars(kind):
            raw = vars(kind)[name]
            doc = getattr(raw, "__func__", raw).__doc__
            if doc:
                return inspect.cleandoc(doc)
    return ""


def every_docstring() -> dict[str, str]:
    found = {name: inspect.cleandoc(vars(kind).get("__doc__") or "") for name, kind in classes()}
    found |= {name: inspect.getdoc(function) or "" for name, function in functions()}
    for owner_name, owner in classes():
        found |= {f"{owner_name}.{name}": documented(owner, name) for name, _ in members(owner)}
    return found


def facts_to_tell() -> Iterator[tuple[str, str, str]]:
    """(parameter, fact it needs, what is said of it) of every parameter and field that needs it."""
    for name, function in functions():
        yield from _needed(name, function, inspect.getdoc(function) or "")
    for name, kind in classes():
        own = kind.__doc__ or ""
        if kind.__init__ is not object.__init__ and not issubclass(kind, Enum):
            yield from _needed(name, kind, own)
        for member, raw in members(kind):
            if not isinstance(raw, property):
                said = f"{documented(kind, member)}\n{own}"
                yield from _needed(f"{name}.{member}", getattr(kind, member), said)


def _needed(name: str, thing: Callable[..., Any], said: str) -> Iterator[tuple[str, str, str]]:
    for parameter in inspect.signature(thing).parameters:
        for pattern, fact in FACTS.items():
            if re.fullmatch(pattern, parameter):
                yield f"{name}({parameter})", fact, " ".join(said.split())


def words(text: str) -> set[str]:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return {word.rstrip("s") for word in re.findall(r"[a-z]+", spaced.lower())} - FEW_WORDS


def flaw(name: str, doc: str) -> str:
    """What is wrong with a docstring, if anything."""
    if not doc or doc.startswith(f"{name}("):  # a dataclass that has none gets its signature
        return "missing"
    if not words(doc) - words(name):
        return "repeats the name"
    if doc[0].islower() or not doc.splitlines()[0].endswith((".", ":", ")", "…")):
        return "no sentence"
    return ""


def test_every_public_name_has_a_docstring_that_says_more_than_the_name() -> None:
    docstrings = every_docstring()
    assert len(docstrings) > 200
    assert {name: flaw(name, doc) for name, doc in docstrings.items() if flaw(name, doc)} == {}


def test_so_has_the_registry_which_is_a_plain_dict() -> None:
    tree = ast.parse(Path(str(registry_module.__file__)).read_text(encoding="utf-8"))
    targets = [getattr(getattr(node, "target", None), "id", "") for node in tree.body]
    following = tree.body[targets.index("CRITERIA_REGISTRY") + 1]
    assert isinstance(following, ast.Expr)
    assert isinstance(following.value, ast.Constant)
    assert "config" in str(following.value.value)


def test_every_number_has_its_range_or_its_unit() -> None:
    facts = list(facts_to_tell())
    assert len(facts) > 50
    assert [(name, fact) for name, fact, said in facts if not re.search(fact, said)] == []


def test_what_docstrings_say_is_raised_exists() -> None:
    listed = [doc.partition("Raises:")[2] for doc in every_docstring().values()]
    raised = {name for text in listed for name in re.findall(r"^ {4}(\w+):", text, re.MULTILINE)}
    assert {"EvalSetError", "ConfigError", "TargetError", "ValueError"} <= raised
    kinds = [getattr(errors, name, None) or getattr(builtins, name, None) for name in raised]
    assert all(isinstance(kind, type) and issubclass(kind, Exception) for kind in kinds)


@pytest.mark.parametrize(
    ("doc", "told"),
    [
        pytest.param("", "missing", id="none at all"),
        pytest.param("TokenUsage(input_tokens: int = 0)", "missing", id="a generated one"),
        pytest.param("The token usage.", "repeats the name", id="a repetition of the name"),
        pytest.param("counts of a call", "no sentence", id="no sentence"),
        pytest.param("Counts of a call.", "", id="a good one"),
    ],
)
def test_a_poor_docstring_is_noticed(doc: str, told: str) -> None:
    assert flaw("TokenUsage", doc) == told
