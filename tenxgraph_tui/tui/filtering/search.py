"""The filter of a desk's cases: what is typed, what may be typed, and which cases it shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tenxgraph_tui.evaluation.events import CriterionInfo, SetInfo
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.filtering.case_texts import CaseTexts
from tenxgraph_tui.tui.filtering.completing import Option, options
from tenxgraph_tui.tui.filtering.conditions import Filter, Predicate, Scene
from tenxgraph_tui.tui.filtering.language import Parsed, parse
from tenxgraph_tui.tui.filtering.vocabulary import Vocabulary
from tenxgraph_tui.tui.lines.columns import criteria_in
from tenxgraph_tui.tui.words import clean


@dataclass(frozen=True, slots=True)
class Typed:
    """What a filter that is being typed says: the filter itself, or what it still lacks."""

    text: str = ""
    told: str = ""
    is_wrong: bool = False
    options: tuple[Option, ...] = ()


class Search:
    """Knows the words of the sets that are shown, and the causes that were named."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.filter: Filter | None = None
        self.texts = CaseTexts(desk)
        self._sets: tuple[SetInfo, ...] | None = None
        self._vocabulary = Vocabulary()
        self._criteria: tuple[CriterionInfo, ...] = ()
        self._causes: dict[str, frozenset[CaseId]] = {}

    def follow(self) -> None:
        """Take in that other cases, or other sets, are shown."""
        sets = self._desk.board.sets
        if sets is not self._sets:
            self._sets, self._criteria = sets, criteria_in(sets)
            self._vocabulary = Vocabulary.of(sets, [*self._causes])
        self.texts.follow()

    @property
    def criteria(self) -> tuple[CriterionInfo, ...]:
        """What the sets check, without repeats."""
        self.follow()
        return self._criteria

    def wants(self) -> Predicate | None:
        """Which cases are to be shown; None for all of them."""
        return self.filter.on(self._scene()) if self.filter is not None else None

    def want(self, text: str, cursor: int | None = None) -> Typed:
        """Show only what `text` describes, as far as it does; a text of nothing shows everything.

        A last word that finds nothing, and could become a key, is not taken for a text.
        """
        self.follow()
        parsed = parse(text, self._vocabulary)
        self.filter = parsed.filter
        told = parsed.told
        if parsed.begun and not told and self._finds_nothing(parsed):
            self.filter, told = parsed.otherwise, parsed.begun
        found = options(text, len(text) if cursor is None else cursor, self._vocabulary)
        return Typed(text, told, bool(parsed.problem), found)

    def name_cause(self, title: str, keys: Iterable[CaseKey]) -> str:
        """Have a filter know these cases by a title; gives back the filter that shows them."""
        name = " ".join(clean(title).replace('"', "'").split()) or "a cause"
        self._causes[name] = frozenset(map(self._desk.id_of, keys))
        self._sets = None
        return f'cause:"{name}"'

    def _is_in_cause(self, key: CaseKey, title: str) -> bool:
        return self._desk.id_of(key) in self._causes.get(title, ())

    def _finds_nothing(self, parsed: Parsed) -> bool:
        if parsed.filter is None:
            return False
        wants = parsed.filter.on(self._scene())
        return not any(map(wants, self._desk.board.cases.values()))

    def _scene(self) -> Scene:
        desk = self._desk
        return Scene(
            desk.board.sets,
            lambda case: desk.change_of(case.key),
            self.texts.of,
            self._is_in_cause,
        )
