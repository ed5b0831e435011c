"""Which columns of the case table the user wants, of those that have room."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tenxgraph_tui.evaluation.events import CriterionInfo
from tenxgraph_tui.evaluation.models import nearest
from tenxgraph_tui.tui.lines.columns import SHORT_NAMES, column_of, short_name

NUMBERS = {
    "reason": "why a case failed",
    "tokens": "tokens of agent and judges",
    "cost": "what the tokens cost",
    "time": "how long the agent took",
    "change": "what changed since the baseline",
}
"""The columns that do not depend on the criteria, and what they hold."""
ALSO = {"tok": "tokens", "token": "tokens", "vs": "change", "baseline": "change"}
ALSO |= {short: slot for slot, short in SHORT_NAMES.items()}
EVERY_CRITERION = "criteria"


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """`only` are the columns that the settings name, none for all of them; `switched` overrules it.

    Status and case are always there.
    """

    only: frozenset[str] = frozenset()
    switched: Mapping[str, bool] = field(default_factory=dict)

    @classmethod
    def of(cls, only: Iterable[str], remembered: Iterable[str] = ()) -> ColumnChoice:
        """`remembered` holds names with a `+` or a `-` before them, as `remembered` gives them."""
        named = frozenset(ALSO.get(name, name) for name in only)
        signed = (name for name in remembered if name.startswith(("+", "-")))
        return cls(named, {name[1:]: name.startswith("+") for name in signed})

    @property
    def remembered(self) -> tuple[str, ...]:
        return tuple(f"{'+' if is_on else '-'}{name}" for name, is_on in self.switched.items())

    def shows(self, name: str) -> bool:
        """Whether a column is wanted; criteria go by `column_of`."""
        if name in self.switched:
            return self.switched[name]
        is_criterion = name not in NUMBERS
        return not self.only or name in self.only or (is_criterion and EVERY_CRITERION in self.only)

    def toggled(self, name: str) -> ColumnChoice:
        """The same with one column switched on, or off."""
        plain = ColumnChoice(self.only)
        is_on = not self.shows(name)
        rest = {other: value for other, value in self.switched.items() if other != name}
        return ColumnChoice(self.only, rest if plain.shows(name) == is_on else rest | {name: is_on})

    def of_criteria(self, criteria: Iterable[CriterionInfo]) -> tuple[CriterionInfo, ...]:
        """The criteria that are wanted as columns."""
        return tuple(one for one in criteria if self.shows(column_of(one)))

    def unknown(self, criteria: Sequence[CriterionInfo]) -> Iterator[str]:
        """What is wrong with the names in the settings: a line for each that is no column."""
        known = {*NUMBERS, *SHORT_NAMES, *map(column_of, criteria), *map(short_name, criteria)}
        known |= {one.name for one in criteria} | {"status", "case", EVERY_CRITERION}
        for name in sorted(self.only - known):
            meant = nearest(name, known | set(ALSO))
            hint = f"did you mean {meant}?" if meant else f"write {EVERY_CRITERION}, time or tokens"
            yield f"no column {name}: {hint}"
