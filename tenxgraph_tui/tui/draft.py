"""A preset while it is edited: every criterion there is, on or off, and how it judges."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from tenxgraph_tui.evaluation.config import (
    JUDGED_SLOTS,
    REPORTED_NAMES,
    SAMPLED_SLOTS,
    CriterionConfig,
    EvalConfig,
    MatchType,
)
from tenxgraph_tui.tui.presets import Preset, edited

STEP = 0.05
OFFLINE_SLOTS = tuple(slot for slot in REPORTED_NAMES if slot not in JUDGED_SLOTS)
ALL_SLOTS = (*OFFLINE_SLOTS, *(slot for slot in REPORTED_NAMES if slot in JUDGED_SLOTS))
ORDERED_SLOTS = frozenset({"trajectory", "node_order"})
TURN_SLOTS = frozenset({"tool_name_match", *ORDERED_SLOTS})
_FRESH: dict[str, Callable[[], CriterionConfig]] = {
    "tool_name_match": CriterionConfig.tool_name_match,
    "trajectory": CriterionConfig.trajectory,
    "node_order": CriterionConfig.node_order,
    "rouge_match": CriterionConfig.rouge_match,
    "contains_keywords": lambda: CriterionConfig.contains_keywords([]),
}
"""A criterion that is switched on begins like this; others begin like any `CriterionConfig`."""
NUMBERS: dict[str, Callable[[str], float]] = {"threshold": float, "num_samples": int}


@dataclass(frozen=True, slots=True)
class DraftRow:
    """One criterion as it was and as it is now; `slot` is "" for one of one's own."""

    slot: str
    name: str
    before: CriterionConfig | None
    now: CriterionConfig

    @property
    def is_on(self) -> bool:
        return self.now.enabled

    @property
    def was_on(self) -> bool:
        return self.before is not None and self.before.enabled

    @property
    def is_judged(self) -> bool:
        return self.slot in JUDGED_SLOTS

    @property
    def is_changed(self) -> bool:
        return self.now != self.before if self.before else self.is_on

    @property
    def fields(self) -> tuple[str, ...]:
        """The settings that mean something for it, as `CriterionConfig` calls them."""
        found = ["threshold"]
        found += ["match_type"] if self.slot in ORDERED_SLOTS else []
        found += ["check_args"] if self.slot == "trajectory" else []
        found += ["per_turn"] if self.slot in TURN_SLOTS else []
        found += ["keywords"] if self.slot == "contains_keywords" else []
        found += ["judge_model"] if self.is_judged else []
        found += ["num_samples"] if self.slot in SAMPLED_SLOTS else []
        found += ["rubrics"] if self.slot == "rubric_based" else []
        return tuple(found)


class Draft:
    """Starts from `preset`; nothing of it is changed. What changes a row gives back what is wrong.

    Rows are the criteria that need no model, those that do, then those of one's own.
    """

    def __init__(self, preset: Preset) -> None:
        assert preset.config is not None  # others cannot be edited
        self.original = preset.original or preset
        self._config = preset.config.model_copy(deep=True)
        self._off: dict[str, CriterionConfig] = {}

    @property
    def preset(self) -> Preset:
        """The preset as it is now; the original one if nothing is different."""
        return edited(self.original, self._config)

    @property
    def config(self) -> EvalConfig:
        return self._config

    def __len__(self) -> int:
        return len(ALL_SLOTS) + len(self._config.custom)

    def row(self, index: int) -> DraftRow:
        before = self._before(index)
        if index >= len(ALL_SLOTS):
            own = self._config.custom[index - len(ALL_SLOTS)]
            return DraftRow("", own.criterion.rpartition(":")[2], before, own.config)
        slot = ALL_SLOTS[index]
        now = self._config.get_criterion_config(slot) or self._spare(slot)
        return DraftRow(slot, slot, before, now)

    def _before(self, index: int) -> CriterionConfig | None:
        config = self.original.config
        if config is None:
            return None
        if index < len(ALL_SLOTS):
            return config.get_criterion_config(ALL_SLOTS[index])
        return config.custom[index - len(ALL_SLOTS)].config

    def _spare(self, slot: str) -> CriterionConfig:
        """What a criterion that is not in the config is switched on with."""
        if slot not in self._off:
            self._off[slot] = fresh(slot).model_copy(update={"enabled": False})
        return self._off[slot]

    def toggle(self, index: int) -> str:
        """Switch a criterion on or off."""
        row = self.row(index)
        if not row.is_on and row.slot == "rubric_based" and not row.now.rubrics:
            return "rubric_based needs rubrics: write them into a config file, then choose that"
        return self._put(index, enabled=not row.is_on)

    def step(self, index: int, field: str, by: int) -> str:
        """The next value of a setting, or the one before; what is no number goes round."""
        row = self.row(index)
        value = getattr(row.now, field)
        match field:
            case "threshold":
                return self._put(index, threshold=_stepped(value, by))
            case "num_samples":
                return self._put(index, num_samples=max(1, value + by))
            case "match_type":
                kinds = list(MatchType)
                return self._put(index, match_type=kinds[(kinds.index(value) + by) % len(kinds)])
            case "check_args" | "per_turn":
                return self._put(index, **{field: not value})
        return ""

    def write(self, index: int, field: str, typed: str) -> str:
        """Set a setting to what was typed."""
        typed = typed.strip()
        value: Any = typed
        if field == "keywords":
            words = (word.strip() for word in typed.split(","))
            value = list(dict.fromkeys(word for word in words if word))
        elif field in NUMBERS:
            try:
                value = NUMBERS[field](typed)
            except ValueError:
                return f"{field} must be a number, not {typed!r}"
        elif not typed:
            return f"{field} must not be empty"
        return self._put(index, **{field: value})

    def reset(self, index: int) -> str:
        """Everything about a criterion as it was."""
        before = self._before(index)
        if index < len(ALL_SLOTS):
            self._off.pop(ALL_SLOTS[index], None)
        self._store(index, before.model_copy(deep=True) if before else None)
        return ""

    def put_back(self, index: int, criterion: CriterionConfig) -> None:
        """Everything about a criterion as it is in `criterion`."""
        self._store(index, criterion.model_copy(deep=True))

    def _put(self, index: int, **fields: Any) -> str:
        now = self.row(index).now
        try:
            changed = CriterionConfig.model_validate({**now.model_dump(), **fields})
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            told = str(first["msg"]).removeprefix("Value error, ")
            return told if told.startswith(str(first["loc"][0])) else f"{first['loc'][0]}: {told}"
        is_absent = index < len(ALL_SLOTS) and self._before(index) is None
        if is_absent and not changed.enabled:
            self._off[ALL_SLOTS[index]] = changed  # off is how it was; its settings are kept
            self._store(index, None)
        else:
            self._store(index, changed)
        return ""

    def _store(self, index: int, criterion: CriterionConfig | None) -> None:
        if index < len(ALL_SLOTS):
            setattr(self._config.criteria, ALL_SLOTS[index], criterion)
        elif criterion is not None:
            self._config.custom[index - len(ALL_SLOTS)].config = criterion


def fresh(slot: str) -> CriterionConfig:
    """What a criterion of which nothing is known begins with."""
    return _FRESH.get(slot, CriterionConfig)()


def _stepped(value: float, by: int) -> float:
    """The next multiple of a step in that direction, between 0 and 1."""
    steps = value / STEP
    reached = math.floor(steps + 1e-9) + by if by > 0 else math.ceil(steps - 1e-9) + by
    return round(min(1.0, max(0.0, reached * STEP)), 2)
