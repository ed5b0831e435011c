"""The presets that a panel offers, and what it tells of the one that is looked at."""

from __future__ import annotations

from textual.content import Content

from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.lines.presets import choice, contents
from tenxgraph_tui.tui.presets import Preset
from tenxgraph_tui.tui.prospects import Prospects


class PresetChoice:
    """Reads a desk; what is told of a preset is made once, until it is forgotten."""

    def __init__(self, desk: Desk) -> None:
        self._choices, self._desk, self._prospects = desk.choices, desk, Prospects(desk)
        self._measured: tuple[int, int] | None = None
        self._told: tuple[tuple[Preset, int, int], list[Content]] | None = None

    @property
    def presets(self) -> tuple[Preset, ...]:
        """What can be chosen, in the order in which it is offered."""
        return self._choices.presets

    @property
    def place_of_used(self) -> int:
        """Where the first preset stands that the next run takes."""
        used = (at for at, one in enumerate(self.presets) if self._choices.is_used(one))
        return next(used, 0)

    def place_of(self, key: str) -> int | None:
        """Where the preset stands that `Preset.key` names, if it is still offered."""
        return next((at for at, one in enumerate(self.presets) if one.key == key), None)

    def facts(self) -> tuple[object, ...]:
        """What is drawn follows from these; the list and the choice come first."""
        asked = self._choices.wanted, self._desk.catalog
        return self.presets, self._choices.preset, self._choices.judges.looked_up, *asked

    def looked_at(self, index: int) -> Preset:
        """What is told of where the cursor is there: all of a combination that the preset is in."""
        entry, used = self.presets[index], self._choices.preset
        return used if any(part is entry for part in used.parts) else entry

    def forget(self) -> None:
        """What was made may not be true any more."""
        self._measured = self._told = None

    def line(self, index: int, width: int) -> Content:
        """A preset as it is offered."""
        preset = self.presets[index]
        return choice(preset, width, chosen=self._choices.is_used(preset))

    def longest(self, width: int) -> int:
        """The lines that the longest preset needs: nothing jumps when the cursor moves."""
        if self._measured is None or self._measured[0] != width:
            entries = (*self.presets, self._choices.preset)
            self._measured = width, max(len(self._contents(one, width)) for one in entries)
        return self._measured[1]

    def told(self, index: int, width: int, height: int) -> list[Content]:
        """What there is to know where the cursor is there, in `height` lines at most if need be."""
        asked = (self.looked_at(index), width, height)
        if self._told is None or self._told[0] != asked:
            self._told = asked, self._contents(*asked)
        return self._told[1]

    def _contents(self, preset: Preset, width: int, height: int | None = None) -> list[Content]:
        models = map(self._choices.judges.model, preset.judge_models)
        cost = self._prospects.of(preset)
        return contents(preset, width, list(dict.fromkeys(models)), height, cost)
