"""What a rerun would cost, as far as presets, prices and earlier runs tell it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from tenxgraph_tui.evaluation.progress import DONE, CaseProgress
from tenxgraph_tui.session.watching.estimate import MODEL_TARGET, Estimate, Part, estimate
from tenxgraph_tui.tui.catalog import CaseId, SetFile
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.offered import asked_of
from tenxgraph_tui.tui.presets import Preset


def cost_of(desk: Desk, cases: Iterable[CaseId]) -> Estimate:
    """What running these cases takes with the preset that is in use."""
    judges = desk.choices.judges
    return estimate(_parts(desk, cases), lambda name: judges.model(name).price)


def models_asked(desk: Desk) -> list[str]:
    """Whom a run would ask with what is in use now, by the names in configs."""
    preset = desk.choices.preset
    judges = [
        name for one in (preset, *(own for _, own in preset.own)) for name in one.judge_models
    ]
    targets = [_target(desk, file) for file in desk.catalog.readable]
    agents = [name.removeprefix(MODEL_TARGET) for name in targets if name.startswith(MODEL_TARGET)]
    return list(dict.fromkeys([*judges, *agents]))


def _parts(desk: Desk, cases: Iterable[CaseId]) -> list[Part]:
    """The cases of each file are one part."""
    by_file: dict[str, list[CaseId]] = defaultdict(list)
    for case in cases:
        by_file[case.path].append(case)
    asked = asked_of(desk.choices.preset)
    return [
        _part(desk, file, by_file[file.path], asked(file.label))
        for file in desk.catalog.readable
        if file.path in by_file
    ]


def _part(desk: Desk, file: SetFile, cases: list[CaseId], preset: Preset) -> Part:
    infos = [info for case in cases if (info := desk.catalog.info(case)) and info.skip is None]
    known = [one for case in cases if (one := _earlier(desk, case)) is not None]
    seconds = [one.duration_seconds for one in known if one.duration_seconds is not None]
    return Part(
        cases=len(infos),
        turns=sum(info.turns for info in infos),
        config=preset.checked,
        target=_target(desk, file),
        seconds=sum(seconds) / len(seconds) if seconds else None,
        is_read=not preset.is_unread,
    )


def _earlier(desk: Desk, case: CaseId) -> CaseProgress | None:
    key = desk.key_of(case)
    found = desk.board.cases.get(key) if key is not None else None
    return found if found is not None and found.status in DONE else None


def _target(desk: Desk, file: SetFile) -> str:
    """As a worker finds it: the one for all, that of the set, or what stands in."""
    choices = desk.choices
    named = file.eval_set.metadata.get("target") if file.eval_set else None
    return str(choices.target or named or choices.terms.fallbacks.target or "")
