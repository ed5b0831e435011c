"""What the user picked: cases, a preset, a target; and the request that a worker gets for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from tenxgraph_tui.evaluation.config import JUDGED_SLOTS, EvalConfig
from tenxgraph_tui.evaluation.presets import PRESETS
from tenxgraph_tui.session.protocol import SetRequest, WorkerRequest
from tenxgraph_tui.tui.catalog import CaseId, Catalog

DEFAULT_PRESET = "offline"


@dataclass(frozen=True, slots=True)
class Preset:
    """One entry of the preset panel. `value` is what a request carries, None leaves it to the sets.

    `config` is None where only the worker reads it.
    """

    name: str
    value: str | None
    config: EvalConfig | None
    note: str = ""

    @property
    def kind(self) -> str:
        if self.config is None:
            return "file"
        return "judge" if self.judge_models else "offline"

    @property
    def judge_models(self) -> list[str]:
        """The models that its judged criteria ask, without repeats."""
        enabled = self.config.criteria.enabled() if self.config else ()
        return list(dict.fromkeys(c.judge_model for slot, c in enabled if slot in JUDGED_SLOTS))


def presets(
    catalog: Catalog, config: str | None = None, read: EvalConfig | None = None
) -> tuple[Preset, ...]:
    """What can be chosen: a config file that was asked for, the sets' own, then every preset."""
    entries = [Preset(config, config, read, "--config")] if config else []
    own = catalog.config_names()
    if own:
        entries.append(Preset("as the sets say", None, None, ", ".join(own)))
    # nothing but the default is asked for by saying nothing, and the run then says so
    silent = DEFAULT_PRESET if not entries else ""
    entries += [
        Preset(name, None if name == silent else name, build()) for name, build in PRESETS.items()
    ]
    return tuple(entries)


@dataclass(slots=True)
class Choices:
    """The picks of one session.

    `selected` empty means everything, or what `scope` holds: the cases of a past run that was
    opened, which is what is run again.
    """

    presets: tuple[Preset, ...]
    preset: Preset
    target: str | None = None
    selected: set[CaseId] = field(default_factory=set)
    scope: frozenset[CaseId] | None = None

    def toggle(self, cases: Iterable[CaseId]) -> None:
        """Select the cases; take them out if all of them are in already."""
        cases = set(cases)
        if cases <= self.selected:
            self.selected -= cases
        else:
            self.selected |= cases

    @property
    def wanted(self) -> AbstractSet[CaseId] | None:
        """The cases that a run is asked for, None for everything."""
        return self.selected or self.scope

    def request(
        self,
        catalog: Catalog,
        *,
        root: str,
        store: str | None,
        only: Iterable[CaseId] | None = None,
    ) -> WorkerRequest:
        """The request for `only`, else for the selection, else for all in scope."""
        wanted = set(only) if only is not None else self.wanted
        return WorkerRequest(
            root=root,
            sets=tuple(_set_requests(catalog, wanted)),
            target=self.target,
            config=self.preset.value,
            store=store,
        )


def chosen(entries: tuple[Preset, ...], name: str | None) -> Preset:
    """The entry with that name; without one the first that is not a preset, else the default."""
    if name is None and entries[0].name not in PRESETS:
        return entries[0]
    wanted = name or DEFAULT_PRESET
    return next(entry for entry in entries if entry.name == wanted)


def _set_requests(catalog: Catalog, wanted: AbstractSet[CaseId] | None) -> Iterator[SetRequest]:
    for file in catalog.readable:
        if wanted is None and not file.is_part:
            yield SetRequest(path=file.path)
            continue
        ids = tuple(
            case.eval_id
            for case in file.cases
            if wanted is None or CaseId(file.path, case.eval_id) in wanted
        )
        if ids:
            yield SetRequest(path=file.path, ids=ids)
