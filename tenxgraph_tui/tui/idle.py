"""How the cases of a catalog look before anything ran."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from tenxgraph_tui.evaluation.config import JUDGED_SLOTS, REPORTED_NAMES, EvalConfig
from tenxgraph_tui.evaluation.events import CaseStatus, CriterionInfo, SetInfo
from tenxgraph_tui.evaluation.progress import CaseProgress, RunState
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.evaluation.secrets import shown_spec
from tenxgraph_tui.session.protocol import SetRequest
from tenxgraph_tui.tui.catalog import Catalog, SetFile


def idle(catalog: Catalog, config: EvalConfig | None, only: Sequence[SetRequest] = ()) -> RunState:
    """Every case waits; `config` gives the columns.

    `only` are the cases that a run was asked for, if it was not asked for everything.
    """
    criteria = criteria_of(config) if config else ()
    asked = {one.path: one.ids for one in only}
    sets = tuple(
        _set_info(file, criteria, asked.get(file.path))
        for file in catalog.readable
        if not asked or file.path in asked
    )
    infos = {
        CaseKey(index, case.eval_id): case for index, info in enumerate(sets) for case in info.cases
    }
    cases = {key: CaseProgress(key, info) for key, info in infos.items()}
    return RunState(sets=sets, cases=cases, counts=Counter({CaseStatus.WAITING: len(cases)}))


def criteria_of(config: EvalConfig) -> tuple[CriterionInfo, ...]:
    """The criteria that a config checks, as a run announces them."""
    return tuple(
        CriterionInfo(
            slot=slot,
            name=REPORTED_NAMES[slot],
            threshold=criterion.threshold,
            judged=slot in JUDGED_SLOTS,
        )
        for slot, criterion in config.criteria.enabled()
    )


def _set_info(
    file: SetFile, criteria: tuple[CriterionInfo, ...], ids: Collection[str] | None = None
) -> SetInfo:
    eval_set = file.eval_set
    assert eval_set is not None  # only readable files have one
    wanted = set(ids) if ids is not None else None
    return SetInfo(
        eval_set_id=eval_set.eval_set_id,
        name=eval_set.name,
        file=file.path,
        target=shown_spec(str(eval_set.metadata.get("target") or "")),
        criteria=criteria,
        cases=tuple(case for case in file.cases if wanted is None or case.eval_id in wanted),
    )
