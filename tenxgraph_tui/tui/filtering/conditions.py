"""What a filter asks of every case; `language` reads one from its text."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.events import CaseStatus, SetInfo
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import CaseKey, Verdict
from tenxgraph_tui.tui.filtering.texts import any_of, folded, names_of, reported
from tenxgraph_tui.tui.filtering.vocabulary import KNOWN, UNEXPECTED

Predicate = Callable[[CaseProgress], bool]
COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
NO_NUMBER = frozenset({CaseStatus.WAITING, CaseStatus.SKIPPED})
BAD = frozenset({Verdict.FAILED, Verdict.ERROR})


@dataclass(frozen=True, slots=True)
class Scene:
    """What a filter may ask beside the case: its set, its file's text, how it did before.

    `is_in_cause` tells whether a case was among those of the cause with that title.
    """

    sets: Sequence[SetInfo]
    change_of: Callable[[CaseProgress], str | None]
    text_of: Callable[[CaseKey], str]
    is_in_cause: Callable[[CaseKey, str], bool] = lambda _, __: False


class Test(Protocol):
    """One condition. `on` gives the question that it asks of every case of a scene."""

    def on(self, scene: Scene) -> Predicate: ...


@dataclass(frozen=True, slots=True)
class Filter:
    """Cases that meet one test at least of every group. `text` is how it was written."""

    text: str
    groups: tuple[tuple[Test, ...], ...]

    def on(self, scene: Scene) -> Predicate:
        """The question that it asks of every case of a scene."""
        groups = [tuple(test.on(scene) for test in group) for group in self.groups]
        return lambda case: all(any(ask(case) for ask in group) for group in groups)


@dataclass(frozen=True, slots=True)
class Not:
    """Cases that do not meet a test."""

    test: Test

    def on(self, scene: Scene) -> Predicate:
        ask = self.test.on(scene)
        return lambda case: not ask(case)


@dataclass(frozen=True, slots=True)
class StatusIs:
    """A known failure counts as passed here as it does in the numbers; `known` finds those."""

    names: frozenset[str]

    def on(self, scene: Scene) -> Predicate:  # noqa: ARG002 - the case knows it
        names, known, unexpected = self.names, KNOWN in self.names, UNEXPECTED in self.names
        return lambda case: (
            case.status in names or (known and case.known) or (unexpected and case.unexpected)
        )


@dataclass(frozen=True, slots=True)
class TagIs:
    patterns: tuple[str, ...]

    def on(self, scene: Scene) -> Predicate:  # noqa: ARG002 - the case knows it
        match = any_of(self.patterns)
        return lambda case: any(match(tag) for tag in case.info.tags)


@dataclass(frozen=True, slots=True)
class SetIs:
    patterns: tuple[str, ...]

    def on(self, scene: Scene) -> Predicate:
        match = any_of(self.patterns)
        wanted = [any(match(name) for name in names) for names in names_of(scene.sets)]
        return lambda case: wanted[case.key.set_index]


@dataclass(frozen=True, slots=True)
class IdIs:
    """A pattern is of the whole id, a text without `*` and `?` of any part of it."""

    patterns: tuple[str, ...]

    def on(self, scene: Scene) -> Predicate:  # noqa: ARG002 - the case knows it
        patterns = [p if set(p) & set("*?") else f"*{p}*" for p in self.patterns]
        match = any_of(patterns)
        return lambda case: match(case.key.eval_id)


@dataclass(frozen=True, slots=True)
class ChangeIs:
    words: frozenset[str]

    def on(self, scene: Scene) -> Predicate:
        change_of, words = scene.change_of, self.words
        return lambda case: change_of(case) in words


@dataclass(frozen=True, slots=True)
class CriterionIsBad:
    """Cases that one of the criteria, or its judge, did not pass."""

    criteria: frozenset[str]

    def on(self, scene: Scene) -> Predicate:
        names = reported(self.criteria, scene.sets)
        return lambda case: any(
            name in case.verdicts and case.verdicts[name].verdict in BAD for name in names
        )


@dataclass(frozen=True, slots=True)
class ScoreIs:
    """Cases to which a criterion gave such a score; without a score no comparison holds."""

    criterion: str
    sign: str
    value: float

    def on(self, scene: Scene) -> Predicate:
        names = reported({self.criterion}, scene.sets)
        compare = _comparison(self.sign, self.value, lambda score: f"{score:.2f}")
        scored = {Verdict.PASSED, Verdict.FAILED}

        def ask(case: CaseProgress) -> bool:
            found = [case.verdicts[name] for name in names if name in case.verdicts]
            return any(one.verdict in scored and compare(one.score) for one in found)

        return ask


@dataclass(frozen=True, slots=True)
class NumberIs:
    """Cases with such a number; those that have none are not found. Equal is what looks equal."""

    of: str
    sign: str
    value: float

    def on(self, scene: Scene) -> Predicate:  # noqa: ARG002 - the case knows it
        number_of, shown = NUMBERS[self.of]
        compare = _comparison(self.sign, self.value, shown)

        def ask(case: CaseProgress) -> bool:
            number = number_of(case)
            return number is not None and compare(number)

        return ask


@dataclass(frozen=True, slots=True)
class ErrorSays:
    """Cases whose error has one of the texts in it; `timeout` finds what `timed out`."""

    texts: tuple[str, ...]

    def on(self, scene: Scene) -> Predicate:  # noqa: ARG002 - the case knows it
        texts = [folded(text) for text in self.texts]
        texts += [text.replace("timeout", "timed out") for text in texts if "timeout" in text]

        def ask(case: CaseProgress) -> bool:
            error = folded(case.error) if case.error else ""
            return bool(error) and any(text in error for text in texts)

        return ask


@dataclass(frozen=True, slots=True)
class Says:
    """Cases with a text in their id, name, description, question, answer, error or reason."""

    text: str
    _folded: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_folded", folded(self.text))

    def on(self, scene: Scene) -> Predicate:
        text, text_of = self._folded, scene.text_of
        return lambda case: (
            text in text_of(case.key)
            or text in folded(case.response)
            or (case.error is not None and text in folded(case.error))
            or text in folded(case.reason)
        )


def _tokens(case: CaseProgress) -> float | None:
    return None if case.status in NO_NUMBER else case.tokens


def _turns(case: CaseProgress) -> float:
    return case.info.turns


def _cost(case: CaseProgress) -> float | None:
    return case.cost


def _time(case: CaseProgress) -> float | None:
    return None if case.status in NO_NUMBER else case.duration_seconds


NUMBERS: Mapping[str, tuple[Callable[[CaseProgress], float | None], Callable[[float], str]]] = {
    "tokens": (_tokens, "{:.0f}".format),
    "turns": (_turns, "{:.0f}".format),
    "cost": (_cost, numbers.money),
    "time": (_time, numbers.seconds),
}


def _comparison(sign: str, value: float, shown: Callable[[float], str]) -> Callable[[float], bool]:
    if sign in COMPARE:
        compare = COMPARE[sign]
        return lambda number: compare(number, value)
    wanted = shown(value)
    return lambda number: shown(number) == wanted
