"""What a trial begins with: how the run was checked, and which cases go by rules of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.evaluation.config import REPORTED_NAMES, EvalConfig
from tenxgraph_tui.evaluation.events import SetInfo
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.evaluation.progress import DONE, CaseProgress
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.draft import fresh
from tenxgraph_tui.tui.idle import criteria_of
from tenxgraph_tui.tui.presets import CUSTOM, Preset, edited
from tenxgraph_tui.tui.results import ResultReader


def finished(desk: Desk) -> list[CaseProgress]:
    """The cases that have verdicts, or broke, in the order of their files."""
    return [case for case in desk.board.cases.values() if case.status in DONE]


def preset_of(desk: Desk, reader: ResultReader, cases: Sequence[CaseProgress]) -> Preset:
    """The preset that the cases were checked with: one of those there are, or one made of it.

    Sets that were checked in different ways make one of all their criteria.
    """
    sources = [desk.board.source(case.key) for case in cases]
    infos = list({id(one.info): one.info for one in sources}.values())
    chosen = desk.choices.preset
    if chosen.config is not None and _is_of(chosen.config, infos):
        return chosen
    try:
        runs = dict.fromkeys(one.run_id for one in sources)
        found = [config for run in runs for config in reader.configs(run)]
    except StoreError:
        found = []
    checked = [config for config in found if any(_is_of(config, [info]) for info in infos)]
    config = EvalPresets.combine(*_unlike(checked or [_made_of(infos)]))
    known = next((one for one in desk.choices.presets if _checks_the_same(one, config)), None)
    if known is not None:
        return known
    form = next(one for one in desk.choices.presets if one.key == CUSTOM)
    return edited(form.original or form, config)


def _checks_the_same(preset: Preset, config: EvalConfig) -> bool:
    """Whatever else a config says of a run: only what is checked is tried here."""
    known = preset.config
    return known is not None and (known.criteria, known.custom) == (config.criteria, config.custom)


def _is_of(config: EvalConfig, infos: Iterable[SetInfo]) -> bool:
    """Whether every set was checked by these criteria with these thresholds."""
    wanted = {(one.name, one.threshold) for one in criteria_of(config)}
    return all({(one.name, one.threshold) for one in info.criteria} == wanted for info in infos)


def _unlike(configs: Sequence[EvalConfig]) -> list[EvalConfig]:
    found: list[EvalConfig] = []
    for config in configs:
        if config not in found:
            found.append(config)
    return found


def _made_of(infos: Iterable[SetInfo]) -> EvalConfig:
    """A config of which nothing is known but its criteria and thresholds."""
    config = EvalConfig()
    for one in (one for info in infos for one in info.criteria):
        if one.slot in REPORTED_NAMES:
            made = fresh(one.slot).model_copy(update={"threshold": one.threshold})
            config.enable_criterion(one.slot, made)
    return config


@dataclass(frozen=True, slots=True)
class Exceptions:
    """What the files say of single cases: thresholds of their own, and failures to be expected."""

    own: Mapping[CaseId, frozenset[str]]
    excused: frozenset[CaseId]

    @classmethod
    def of(cls, desk: Desk) -> Exceptions:
        catalog = desk.catalog
        own = {
            case: frozenset(_named(_metadata(desk, case).get("criteria")))
            for case in catalog.holding("criteria")
        }
        excused = {case for case in catalog.holding("xfail") if _metadata(desk, case).get("xfail")}
        return cls(own, frozenset(excused))


def _metadata(desk: Desk, case: CaseId) -> dict[str, Any]:
    found = desk.catalog.case_once(case)
    return found.metadata if found is not None else {}


def _named(changes: Any) -> Iterable[str]:
    """The reported names of the criteria to which a case gives a threshold."""
    for slot, change in changes.items() if isinstance(changes, dict) else ():
        is_number = isinstance(change, int | float) and not isinstance(change, bool)
        if slot in REPORTED_NAMES and (is_number or "threshold" in _keys(change)):
            yield REPORTED_NAMES[slot]


def _keys(change: Any) -> Iterable[str]:
    return change if isinstance(change, dict) else ()
