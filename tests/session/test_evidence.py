from __future__ import annotations

import sqlite3
from pathlib import Path

from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult, EvalCaseResult, Score
from tenxgraph_tui.session.evidence import AT_ONCE, configs, evidence
from tenxgraph_tui.session.store import RunStore
from tests.tui.script import NOW, Script, catalog

NAME = "[/] two\nlines \x00 中文"


def result(eval_id: str) -> EvalCaseResult:
    call = ToolCall(name=NAME, args={"city": ["Kyoto", {"n": 1.5}]}, result="r" * 9000)
    made = EvalCaseResult.success(
        eval_id,
        [CriterionResult.judged("rouge_match", Score(0.25, "words differ", {"n": 1}), 0.5)],
        actual_tool_calls=[call],
        actual_response="a" * 20_000,
        node_visits=["MAIN", NAME],
    )
    made.metadata["location"] = "agents.py:31"
    return made


def store_of(path: Path, ids: list[str]) -> RunStore:
    store = RunStore(path / "runs.db", clock=lambda: NOW)
    config = EvalPresets.tool_usage().model_dump(mode="json")
    with store.writer("run", configs=[config, {"criteria": {"nonsense": {}}}]) as writer:
        script = Script("run").begin(catalog(one=ids), number=writer.number)
        writer.started(script.events[0])  # type: ignore[arg-type]  # the start
        for eval_id in ids:
            writer.save(CaseKey(0, eval_id), result(eval_id))
        writer.finished(script.end().events[-1])  # type: ignore[arg-type]  # the end
    return store


def test_evidence_is_what_was_done_and_judged_without_what_was_said(tmp_path: Path) -> None:
    store = store_of(tmp_path, ["a", NAME])
    (found,) = evidence(store, "run", [CaseKey(0, NAME)])
    assert found.key == CaseKey(0, NAME)
    assert found.calls == (ToolCall(name=NAME, args={"city": ["Kyoto", {"n": 1.5}]}),)
    assert found.nodes == ("MAIN", NAME)
    assert found.place == "agents.py:31"
    assert [(v.criterion, v.score, v.details["n"]) for v in found.verdicts] == [
        ("rouge_match", 0.25, 1)
    ]


def test_of_many_cases_each_is_found_once(tmp_path: Path) -> None:
    ids = [f"case {n}" for n in range(2 * AT_ONCE + 5)]
    store = store_of(tmp_path, ids)
    keys = [CaseKey(0, eval_id) for eval_id in ids]
    found = [one.key for one in evidence(store, "run", [*keys, CaseKey(0, "gone")])]
    assert sorted(found) == sorted(keys)


def test_a_result_that_is_no_json_is_left_out(tmp_path: Path) -> None:
    store = store_of(tmp_path, ["a", "b"])
    with sqlite3.connect(store.path) as database:
        database.execute("UPDATE cases SET result = '{\"a\": ' WHERE eval_id = 'a'")
    found = evidence(store, "run", [CaseKey(0, "a"), CaseKey(0, "b")])
    assert [one.key.eval_id for one in found] == ["b"]


def test_without_a_store_or_a_run_there_is_none(tmp_path: Path) -> None:
    assert not [*evidence(RunStore(tmp_path / "none.db"), "run", [CaseKey(0, "a")])]
    assert not [*evidence(store_of(tmp_path, ["a"]), "another", [CaseKey(0, "a")])]


def test_configs_are_those_of_the_run_as_far_as_they_can_be_read(tmp_path: Path) -> None:
    store = store_of(tmp_path, ["a"])
    assert configs(store, "run") == [EvalPresets.tool_usage()]
    assert configs(store, "another") == []
