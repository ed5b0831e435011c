"""Reads one term of a filter: `status:failed`, `crit:trajectory<0.8`, `tokens>1000` or a text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tenxgraph_tui.errors import with_article
from tenxgraph_tui.evaluation.models import nearest
from tenxgraph_tui.tui.filtering.cause import CauseIs
from tenxgraph_tui.tui.filtering.conditions import (
    NUMBERS,
    ChangeIs,
    CriterionIsBad,
    ErrorSays,
    IdIs,
    Not,
    NumberIs,
    Says,
    ScoreIs,
    SetIs,
    StatusIs,
    TagIs,
    Test,
)
from tenxgraph_tui.tui.filtering.texts import folded
from tenxgraph_tui.tui.filtering.vocabulary import HINTS, KEYS, Vocabulary
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.words import clean

ALSO = {"criterion": "crit", "criteria": "crit", "tags": "tag", "id": "case", "duration": "time"}
_TERM = re.compile(r"([A-Za-z_]+)(:?(?:<=|>=|<|>|=)|:)(.*)", re.DOTALL)
_SCORE = re.compile(r"(.+?)(<=|>=|<|>|=)(.*)", re.DOTALL)
_VALUE = re.compile(r'(?:[^,"]|"[^"]*(?:"|$))+')
_NUMBER = re.compile(r"\$?(\d+(?:\.\d*)?|\.\d+)\s*([A-Za-z]*)")
UNITS = {
    "tokens": {"": 1.0, "k": 1e3, "m": 1e6},
    "turns": {"": 1.0},
    "cost": {"": 1.0},
    "time": {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0},
    "score": {"": 1.0},
}
EXAMPLES = {"tokens": "1000", "turns": "1", "cost": "0.01", "time": "2s", "score": "0.8"}


class Unfinished(Exception):
    """Something is still missing; the message says what. `so_far` is what stands there already."""

    so_far: Test | None = None


class Wrong(Exception):
    """A term cannot be understood; the message says why, and what to write instead."""


def term(text: str, vocabulary: Vocabulary) -> Test:
    """What one word of a filter asks.

    Raises:
        Unfinished: it is only the beginning of a term.
        Wrong: it is no term.
    """
    if text.startswith("-"):
        return _left_out(text[1:], vocabulary)
    found = _TERM.fullmatch(text)
    if found is None:
        if not unquoted(text):
            raise Unfinished('" … a text')
        return Says(unquoted(text))
    name, sign, rest = found[1].lower(), found[2].lstrip(":"), found[3]
    key = ALSO.get(name, name)
    if key not in KEYS:
        raise Wrong(_unknown_key(name, sign, text, vocabulary))
    if key in NUMBERS:
        return _number(key, sign, rest)
    if sign:
        raise Wrong(f"{key} is no number: write {key}:{rest or '…'}")
    if key == "crit":
        return _criterion(rest, vocabulary)
    values = [unquoted(found[0]) for found in _VALUE.finditer(rest)]
    if not values or not any(values):
        raise Unfinished(f"{key}: … {HINTS[key + ':']}")
    return _listed(key, values, vocabulary)


def _left_out(text: str, vocabulary: Vocabulary) -> Test:
    if not text:
        raise Unfinished("- … a term to leave out")
    try:
        return Not(term(text, vocabulary))
    except Unfinished as error:
        error.so_far = Not(error.so_far) if error.so_far else None
        raise


def _listed(key: str, values: list[str], vocabulary: Vocabulary) -> Test:
    """Any of the values; the last one may be unfinished, the others count meanwhile."""
    if key == "case":
        return IdIs(tuple(values))
    if key == "error":
        return ErrorSays(tuple(values))
    names: list[str] = []
    try:
        for value in values:
            names.append(_name(key, value, vocabulary))  # noqa: PERF401 - what was named stays
    except Unfinished as error:
        error.so_far = _named(key, names) if names else None
        raise
    return _named(key, names)


def _named(key: str, names: Sequence[str]) -> Test:
    match key:
        case "status":
            return StatusIs(frozenset(names))
        case "tag":
            return TagIs(tuple(names))
        case "set":
            return SetIs(tuple(names))
        case "crit":
            return CriterionIsBad(frozenset(names))
        case "cause":
            return CauseIs(frozenset(names))
    return ChangeIs(frozenset(names))


def _name(key: str, value: str, vocabulary: Vocabulary) -> str:
    """The value as it is written where it comes from."""
    if key in {"tag", "set"} and set(value) & set("*?"):
        return value
    known = vocabulary.knows(key)
    by_folded = {folded(name): name for name in known}
    if (same := by_folded.get(folded(value))) is not None:
        return same
    begun = [name for name in known if folded(name).startswith(folded(value))]
    if begun:
        raise Unfinished(f"{key}:{clean(value)}… {_some(begun)}")
    thing = {"crit": "criterion"}.get(key, key)
    meant = nearest(folded(value), by_folded)
    if meant is not None:
        raise Wrong(f"no {thing} {clean(value)}: did you mean {key}:{quoted(by_folded[meant])}?")
    if key == "cause" and not known:
        groups, shows = word("cases.causes"), word("causes.show")
        raise Wrong(
            f"no cause {clean(value)}: {groups} groups the failures, {shows} there shows the cases"
        )
    none = f"no case has {with_article(thing)}"
    among = f"write one of {_some(vocabulary.values(key))}" if known else none
    raise Wrong(f"no {thing} {clean(value)}: {among}")


def _some(names: Sequence[str], at_most: int = 8) -> str:
    more = ", …" if len(names) > at_most else ""
    return ", ".join(clean(name) for name in names[:at_most]) + more


def _criterion(rest: str, vocabulary: Vocabulary) -> Test:
    scored = _SCORE.fullmatch(rest)
    if scored is not None:
        name = _name("crit", unquoted(scored[1]), vocabulary)
        return ScoreIs(name, scored[2], _value("score", scored[3], f"crit:{scored[1]}{scored[2]}"))
    values = [unquoted(found[0]) for found in _VALUE.finditer(rest)]
    if not values:
        raise Unfinished(f"crit: … {_some(vocabulary.values('crit')) or 'a criterion'}")
    return _listed("crit", values, vocabulary)


def _number(key: str, sign: str, rest: str) -> Test:
    if not sign and not rest:
        raise Unfinished(f"{key} … {HINTS[key]}")
    if not sign:
        raise Wrong(f"{key}:{clean(rest)} compares with nothing: write {key}>{EXAMPLES[key]}")
    return NumberIs(key, sign, _value(key, rest, f"{key}{sign}"))


def _value(kind: str, text: str, before: str) -> float:
    if not text:
        raise Unfinished(f"{clean(before)} … a number, like {EXAMPLES[kind]}")
    found = _NUMBER.fullmatch(text)
    units = UNITS[kind]
    if found is None or found[2].lower() not in units:
        known = ", ".join(unit for unit in units if unit)
        named = f" with {known} or nothing behind it" if known else ""
        raise Wrong(f"{clean(text)} is no number{named}: write {clean(before)}{EXAMPLES[kind]}")
    return float(found[1]) * units[found[2].lower()]


def _unknown_key(name: str, sign: str, text: str, vocabulary: Vocabulary) -> str:
    if sign and folded(name) in {folded(known) for known in vocabulary.knows("crit")}:
        return f"a criterion is asked for with crit: write crit:{clean(text)}"
    meant = nearest(name, KEYS)
    if meant is not None:
        return f"no filter {name}: did you mean {meant}{'' if meant in NUMBERS else ':'}?"
    return f'no filter {name}: write one of {", ".join(KEYS)}, or "{clean(text)}" for the text'


def quoted(name: str) -> str:
    """A name as it must be written to be one value."""
    return f'"{name}"' if re.search(r"[\s,]", name) or name.startswith("-") else name


def unquoted(text: str) -> str:
    """A text without the quotes that hold it together."""
    return text.replace('"', "")
