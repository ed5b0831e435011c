"""What the user picked: cases, a preset, a target; and the request that a worker gets for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path

from tenxgraph_tui.evaluation.presets import DEFAULT_PRESET, PRESETS
from tenxgraph_tui.session.protocol import SetRequest, WorkerRequest
from tenxgraph_tui.session.terms import Terms
from tenxgraph_tui.tui.catalog import CaseId, Catalog
from tenxgraph_tui.tui.judges import Judges
from tenxgraph_tui.tui.offered import presets
from tenxgraph_tui.tui.presets import Preset, combined, edited, find

__all__ = ["Choices", "Preset", "chosen", "presets"]


@dataclass(slots=True)
class Choices:
    """The picks of one session.

    `selected` empty means everything, or what `scope` holds: the cases of a past run that was
    opened, which is what is run again. A changed selection is another object, never this one.
    `terms` are what the settings ask of every run. `entries_for` gives what can be chosen for a
    catalog, with what command line and settings name among it.
    `judges` knows the models that the presets ask.
    """

    presets: tuple[Preset, ...]
    preset: Preset
    target: str | None = None
    selected: frozenset[CaseId] = frozenset()
    scope: frozenset[CaseId] | None = None
    terms: Terms = field(default_factory=Terms)
    entries_for: Callable[[Catalog], tuple[Preset, ...]] = field(default_factory=lambda: presets)
    judges: Judges = field(default_factory=Judges)

    def toggle(self, cases: Iterable[CaseId]) -> None:
        """Select the cases; take them out if all of them are in already."""
        cases = frozenset(cases)
        if cases <= self.selected:
            self.selected -= cases
        else:
            self.selected |= cases

    def clear(self) -> None:
        """Select nothing."""
        self.selected = frozenset()

    def renew(self, catalog: Catalog, presets: tuple[Preset, ...]) -> None:
        """The files were read again: what is gone is not picked any more."""
        self.selected = frozenset(case for case in self.selected if catalog.may_hold(case))
        files = [entry for entry in self.presets if entry.is_file]
        self._arrange([entry for entry in presets if not entry.is_file], files)

    def put_files(self, files: Iterable[Preset]) -> None:
        """The config files of the project, as they are now."""
        self._arrange([entry for entry in self.presets if not entry.is_file], [*files])

    def offer(self, new: Preset) -> None:
        """Put one config file among them, without the edits of an older one of that name."""
        files = [entry for entry in self.presets if entry.is_file and entry.key != new.key]
        self.presets = tuple(entry for entry in self.presets if entry.key != new.key)
        self.put_files([*files, new])

    def _arrange(self, others: list[Preset], files: list[Preset]) -> None:
        """Files stand in front of the presets; what was edited stays so, what was chosen too."""
        place = next((i for i, entry in enumerate(others) if entry.key in PRESETS), len(others))
        made = {entry.key: entry for entry in self.presets if entry.original}
        given = {Path(str(entry.value)).absolute() for entry in others if entry.is_given}
        files = [file for file in files if Path(str(file.value)) not in given]
        entries = [*others[:place], *files, *others[place:]]
        self.presets = tuple(_edited_again(entry, made.get(entry.key)) for entry in entries)
        # what is run if nothing is chosen, before the default: settings may name something else
        silent = (one for one in self.presets if one.name in PRESETS and one.value is None)
        found = find(self.presets, self.preset.key) or next(silent, None)
        self.preset = found or find(self.presets, DEFAULT_PRESET) or self.presets[0]

    def is_used(self, entry: Preset) -> bool:
        """Whether the next run takes the entry, alone or with others."""
        return entry is self.preset or any(part is entry for part in self.preset.parts)

    def with_or_without(self, entry: Preset) -> Preset:
        """What is in use and the entry too, or without it if it was part of that."""
        parts = self.preset.parts or (self.preset,)
        if self.is_used(entry):
            left = [part for part in parts if part is not entry]
            return combined(left) if left else self.preset
        return combined([*parts, entry])

    def replace(self, new: Preset) -> None:
        """`new` stands where the entry of its key stood in the list, and in what is in use."""
        old = next(entry for entry in self.presets if entry.key == new.key)
        self.presets = tuple(new if entry is old else entry for entry in self.presets)
        if self.is_used(old):
            parts = self.preset.parts or (self.preset,)
            self.preset = combined([new if part is old else part for part in parts])

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
        first: Iterable[CaseId] = (),
        preset: Preset | None = None,
    ) -> WorkerRequest:
        """The request for `only`, else for the selection, else for all in scope.

        Cases in `first` begin before the others. `preset` stands in for the one that is in use.
        """
        wanted = set(only) if only is not None else self.wanted
        preset = preset or self.preset
        return WorkerRequest(
            root=root,
            sets=tuple(_set_requests(catalog, wanted)),
            target=self.target,
            config=preset.carried,
            config_name=preset.called,
            fallbacks=self.terms.fallbacks,
            env_file=self.terms.env_file,
            options=self.terms.options.model_copy(update={"first": tuple(map(tuple, first))}),
            store=store,
        )


def judged_again(
    request: WorkerRequest, run: int, preset: Preset, model: str | None, *, is_afresh: bool
) -> WorkerRequest:
    """The request to judge what a run did by a preset, and by `model` if one is named.

    Where it `is_afresh`, no answer of a judge is taken that was kept.
    """
    config = request.config
    if config is None and preset.name in PRESETS:
        config = preset.name  # without a name it would be what the run was judged by
    options = request.options
    if is_afresh:
        options = options.model_copy(update={"judge_cache": False})
    if model is not None:
        options = options.model_copy(update={"judge_model": model})
    asked = {"kind": "rescore", "judged_from": str(run), "target": None}
    return request.model_copy(update={**asked, "config": config, "options": options})


def chosen(entries: tuple[Preset, ...], name: str | None) -> Preset:
    """The entry with that name; without one what is run if nothing is chosen."""
    if name is None and entries[0].is_asked_for:
        return entries[0]
    if name is None:
        return next(entry for entry in entries if entry.name in PRESETS and entry.value is None)
    return next(entry for entry in entries if entry.name == name)


def _edited_again(entry: Preset, made: Preset | None) -> Preset:
    """An entry that was read anew, with the edits that were made to it before."""
    if made is None or made.config is None or entry.original or entry.config is None:
        return entry
    return edited(entry, made.config)


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
