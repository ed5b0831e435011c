"""A preset: what is checked, how a run is asked for it, and what can be made of several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tenxgraph_tui.evaluation.config import JUDGED_SLOTS, EvalConfig
from tenxgraph_tui.evaluation.presets import PRESETS, EvalPresets

CUSTOM = "custom"
AS_SETS_SAY = "as the sets say"
ASKED_FOR = "--config"
PLUS = " + "
NAMED_SLOTS = 2
"""How many criteria a refusal names before it counts."""

Obstacle = Callable[[str], str]
"""Why the model of that name cannot be asked; "" if it can: `Judges.obstacle`."""


@dataclass(frozen=True, slots=True)
class Preset:
    """One entry of the preset panel, or several of them in one.

    `value` is the name or path that a request carries, None leaves it to the sets. `config` is
    None where only the worker reads it, or where `problem` says why it cannot be read. `own` are
    the configs that sets ask for themselves, each with the label of its set. `original` is what an
    edited preset was before. `is_given` by the command line or the settings, as `note` says.
    `is_unread` where a worker could tell the config, and did not yet.
    """

    name: str
    value: str | None
    config: EvalConfig | None
    note: str = ""
    problem: str = ""
    own: tuple[tuple[str, Preset], ...] = ()
    parts: tuple[Preset, ...] = ()
    original: Preset | None = None
    is_given: bool = False
    is_unread: bool = False

    @property
    def key(self) -> str:
        """What it is found again by: its name without the edits."""
        if self.parts:
            return PLUS.join(part.key for part in self.parts)
        return self.original.key if self.original else self.name

    @property
    def is_asked_for(self) -> bool:
        """Whether it is what runs unless something else is chosen."""
        return bool(self.own) or self.is_given

    @property
    def is_file(self) -> bool:
        """Whether a config file of the project stands behind it."""
        return self._is_path and not self.is_given

    @property
    def _is_path(self) -> bool:
        return self.value is not None and self.value not in PRESETS

    @property
    def is_made_here(self) -> bool:
        """Whether no name or file stands for it, so that a request carries the config itself."""
        return bool(self.parts or self.original or self.name == CUSTOM)

    @property
    def carried(self) -> str | dict[str, Any] | None:
        """What a request says about the config."""
        if self.config is not None and self.is_made_here:
            return self.config.model_dump(mode="json")
        return self.value

    @property
    def called(self) -> str:
        """What the run is to call it; "" where the worker knows a name with its origin."""
        if self.is_made_here:
            return self.name
        origin = self.note if self.is_given else "chosen"
        return f"{Path(str(self.value)).name} ({origin})" if self._is_path else ""

    @property
    def kind(self) -> str:
        """The word at the end of its line."""
        if self.problem:
            return "broken"
        if self.config is None:
            return "file"
        return "judge" if self.judge_models else "offline"

    @property
    def checked(self) -> EvalConfig | None:
        """What a run checks all in all, as far as it is known here: of sets that differ, all."""
        # sets of one folder share a config, and there may be thousands of them
        configs = {id(own.config): own.config for _, own in self.own if own.config is not None}
        return EvalPresets.combine(*configs.values()) if configs else self.config

    @property
    def judged_slots(self) -> list[str]:
        """The criteria of it that ask a model."""
        enabled = self.config.criteria.enabled() if self.config else ()
        return [slot for slot, _ in enabled if slot in JUDGED_SLOTS]

    @property
    def judge_models(self) -> list[str]:
        """The models that its judged criteria ask, without repeats."""
        enabled = self.config.criteria.enabled() if self.config else ()
        return list(dict.fromkeys(c.judge_model for slot, c in enabled if slot in JUDGED_SLOTS))


def combined(parts: Sequence[Preset]) -> Preset:
    """Several in one: where two say something of the same criterion, the later one wins."""
    if len(parts) == 1:
        return parts[0]
    configs = [part.config for part in parts if part.config is not None]
    name = PLUS.join(part.name for part in parts)
    return Preset(name, None, EvalPresets.combine(*configs), parts=tuple(parts))


def edited(original: Preset, config: EvalConfig) -> Preset:
    """`original` with another config; the same config is no edit."""
    if config == original.config:
        return original
    if original.name == CUSTOM:
        return Preset(CUSTOM, None, config, original=original)
    name = f"{original.name} (edited)"
    return replace(original, name=name, config=config, original=original)


def refusal(preset: Preset, obstacle: Obstacle = lambda _: "") -> str:
    """Why nothing can be run with it now, in a sentence or two; "" if something can."""
    if preset.problem:
        return preset.problem
    for label, own in preset.own:
        if told := unasked(own, obstacle):
            asks = f"{label} asks for {own.name}, which needs a model{_for(own)}"
            return f"{asks}: {told}. {_instead()}"
    if told := unasked(preset, obstacle):
        return f"{preset.name} needs a model{_for(preset)}: {told}. {_instead()}"
    if preset.config is None:
        return ""
    words = preset.config.criteria.contains_keywords
    if words is not None and words.enabled and not words.keywords:
        return f"{preset.name} has no keywords that contains_keywords could look for."
    return "" if checks_something(preset.config) else f"{preset.name} checks nothing."


def unasked(preset: Preset, obstacle: Obstacle) -> str:
    """Why a model of its judged criteria cannot be asked; "" if all can."""
    return next(filter(None, map(obstacle, preset.judge_models)), "")


def why_not_with(preset: Preset, entry: Preset) -> str:
    """Why the two cannot be combined, in one sentence; "" if they can."""
    alone = next((one for one in (entry, preset) if one.config is None), None)
    if alone is None:
        return ""
    return alone.problem or f"{alone.name} cannot be combined: it stands for several configs."


def needs_judge(preset: Preset) -> bool:
    """Whether a model would have to be asked."""
    return bool(preset.judged_slots or any(own.judged_slots for _, own in preset.own))


def checks_something(config: EvalConfig) -> bool:
    """Whether any criterion is on."""
    own = any(custom.config.enabled for custom in config.custom)
    return own or next(config.criteria.enabled(), None) is not None


def _for(preset: Preset) -> str:
    slots = preset.judged_slots
    rest = len(slots) - NAMED_SLOTS
    if rest > 0:
        return f" for {', '.join(slots[:NAMED_SLOTS])} and {rest} more"
    return f" for {' and '.join(slots)}"


def _instead() -> str:
    names = [n for n, build in PRESETS.items() if not Preset(n, n, build()).judged_slots]
    return f"Use {', '.join(names[:-1])} or {names[-1]}."


def find(entries: Iterable[Preset], key: str) -> Preset | None:
    """The entry of that key, or the combination of several."""
    known = {entry.key: entry for entry in entries}
    if key in known:
        return known[key]
    parts = [known.get(part) for part in key.split(PLUS)]
    usable = [part for part in parts if part is not None and part.config is not None]
    return combined(usable) if len(usable) == len(parts) else None
