"""What failures have in common, read from the store without the answers: many cases at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import ConfigDict, TypeAdapter, ValidationError

from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult
from tenxgraph_tui.session.schema import opened_for_reading
from tenxgraph_tui.session.store import RunStore

AT_ONCE = 100
"""Cases of one query: its keys are parameters, of which older SQLite takes 999."""
EVIDENCE = """
SELECT set_index, eval_id, attempt,
    json_extract(result, '$.criterion_results') AS verdicts,
    (SELECT json_group_array(json_remove(value, '$.result', '$.error'))
        FROM json_each(result, '$.actual_tool_calls')) AS calls,
    json_extract(result, '$.node_visits') AS nodes,
    json_extract(result, '$.metadata.location') AS place
FROM cases WHERE number = (SELECT number FROM runs WHERE run_id = ?)
    AND (set_index, eval_id, attempt) IN (VALUES {}) AND json_valid(result)
"""
CONFIGS = "SELECT configs FROM runs WHERE run_id = ?"
VERDICTS = TypeAdapter(tuple[CriterionResult, ...], config=ConfigDict(defer_build=True))
CALLS = TypeAdapter(tuple[ToolCall, ...], config=ConfigDict(defer_build=True))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an attempt did, without what was said: `calls` have no results.

    `place` is `file:line` where the agent raised, "" where it did not.
    """

    key: CaseKey
    verdicts: tuple[CriterionResult, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    nodes: tuple[str, ...] = ()
    place: str = ""


def evidence(store: RunStore, run_id: str, keys: Sequence[CaseKey]) -> Iterator[Evidence]:
    """The evidence of those of the attempts that have a result, in no order.

    SQLite looks for the parts while other threads go on, so that long answers hold up nobody.

    Raises:
        StoreError: the store cannot be read.
    """
    with opened_for_reading(store.path) as database:
        if database is None:
            return
        for start in range(0, len(keys), AT_ONCE):
            some = keys[start : start + AT_ONCE]
            query = EVIDENCE.format(",".join(["(?, ?, ?)"] * len(some)))
            asked = (run_id, *(part for key in some for part in key))
            for set_index, eval_id, attempt, verdicts, calls, nodes, place in database.execute(
                query, asked
            ):
                yield Evidence(
                    CaseKey(set_index, eval_id, attempt),
                    VERDICTS.validate_json(verdicts or "[]"),
                    CALLS.validate_json(calls or "[]"),
                    tuple(map(str, json.loads(nodes or "[]"))),
                    str(place or ""),
                )


def configs(store: RunStore, run_id: str) -> list[EvalConfig]:
    """How each set of a run was checked; those that this version cannot read are left out.

    Raises:
        StoreError: the store cannot be read.
    """
    with opened_for_reading(store.path) as database:
        row = database.execute(CONFIGS, (run_id,)).fetchone() if database is not None else None
    found: list[EvalConfig] = []
    for one in json.loads(row["configs"]) if row is not None else ():
        try:
            found.append(EvalConfig.model_validate(one))
        except ValidationError:
            continue
    return found
