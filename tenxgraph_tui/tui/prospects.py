"""What judging the next run would take, for presets that are in use or could be."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from tenxgraph_tui.session.watching.estimate import Estimate, Part, estimate
from tenxgraph_tui.tui.catalog import CaseId, Catalog
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.offered import asked_of
from tenxgraph_tui.tui.presets import Preset


@dataclass(frozen=True, slots=True)
class _Counted:
    """How many cases and turns of each file a run is asked for, by the path of the file."""

    catalog: Catalog
    wanted: AbstractSet[CaseId] | None
    files: Mapping[str, tuple[int, int]]


class Prospects:
    """Estimates by preset. Cases are counted once for a catalog and a selection."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._counted: _Counted | None = None

    def of(self, preset: Preset) -> Estimate:
        """What the judges of a preset take; nothing where it asks none."""
        if not (preset.judge_models or any(own.judge_models for _, own in preset.own)):
            return Estimate()
        desk, counts = self._desk, self._counts()
        asked = asked_of(preset)
        parts = [
            Part(*counts[file.path], one.checked, is_read=not one.is_unread)
            for file in desk.catalog.readable
            if file.path in counts
            for one in (asked(file.label),)
        ]
        return estimate(parts, lambda name: desk.choices.judges.model(name).price)

    def _counts(self) -> Mapping[str, tuple[int, int]]:
        catalog, wanted = self._desk.catalog, self._desk.choices.wanted
        known = self._counted
        if known is None or known.catalog is not catalog or known.wanted is not wanted:
            known = self._counted = _Counted(catalog, wanted, _count(catalog, wanted))
        return known.files


def _count(catalog: Catalog, wanted: AbstractSet[CaseId] | None) -> Mapping[str, tuple[int, int]]:
    found = {}
    for file in catalog.readable:
        infos = [
            info
            for info in file.cases
            if info.skip is None and (wanted is None or CaseId(file.path, info.eval_id) in wanted)
        ]
        if infos:
            found[file.path] = len(infos), sum(info.turns for info in infos)
    return found
