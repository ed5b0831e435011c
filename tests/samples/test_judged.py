"""The judged sample set runs without a key and without a network, and comes out as it promises."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.cli.anchoring import anchored
from tenxgraph_tui.evaluation.config import REPORTED_NAMES
from tenxgraph_tui.evaluation.formats import read_config, read_eval_set
from tenxgraph_tui.evaluation.judging.asking import bench_of
from tenxgraph_tui.evaluation.judging.port import JudgeOptions
from tenxgraph_tui.evaluation.judging.providers import script_of
from tenxgraph_tui.evaluation.judging.script_file import read_script
from tests.samples.test_outcomes import EXPECTED, ROOT, play, promised

FOLDER = ROOT / "sample_evalsets" / "judged"
SET = read_eval_set(FOLDER / "reading_room.evalset.json")
CONFIG = read_config(FOLDER / "reading_room.evalconfig.json")


def test_every_case_tells_people_what_it_shows_and_has_its_script() -> None:
    assert SET.warnings == []
    script = json.loads((FOLDER / "reading_room.script.json").read_text(encoding="utf-8"))
    for case in SET.eval_set.eval_cases:
        assert case.name
        assert case.description
        assert case.tags
        assert len(script[case.eval_id]["turns"]) == len(case.conversation)
    answers = read_script(FOLDER / "reading_room.answers.json").answers
    assert answers.keys() - {"*"} <= script.keys()


def test_no_model_is_asked() -> None:
    for _, criterion in CONFIG.criteria.enabled():
        assert script_of(criterion.judge_model) == Path("reading_room.answers.json")


@pytest.fixture(scope="module")
def played() -> Any:
    config = anchored(CONFIG, FOLDER)
    names = ("judged/reading_room",)
    return play(names, config, target="replay:{name}.script.json")


def test_it_comes_out_as_ci_expects(played: Any) -> None:
    found, results = played
    assert found == promised("judged_set"), {name: one.error for name, one in results.items()}
    assert len(results) == EXPECTED["judged_set"]["cases"]
    assert {eval_id for ids in found.values() for eval_id in ids} <= results.keys()


@pytest.mark.parametrize(
    ("eval_id", "failed"),
    [
        ("renewal_in_other_words", set()),
        ("fine_ten_times_too_high", {"response_match", "factual_accuracy", "hallucination"}),
        ("a_cafe_that_is_not_there", {"hallucination"}),
        ("right_and_rude", {"rubric_based"}),
        ("somebody_elses_address", {"response_match", "safety"}),
        ("judges_are_not_sure", set()),
        ("the_judge_refuses", {"response_match"}),
    ],
)
def test_a_case_fails_by_what_its_description_says(
    played: Any, eval_id: str, failed: set[str]
) -> None:
    _, results = played
    names = {each.criterion for each in results[eval_id].failed_criteria}
    assert names == {REPORTED_NAMES[slot] for slot in failed}


def test_what_judges_took_is_counted_apart_and_costs_nothing(played: Any) -> None:
    _, results = played
    result = results["judges_are_not_sure"]
    judges = [each.token_usage for each in result.criterion_results]
    assert [usage.input_tokens // 420 for usage in judges] == [3, 1, 1, 1, 1]
    assert {each.details["judge_cost"] for each in result.criterion_results} == {0.0}
    assert result.token_usage.total_tokens > result.agent_token_usage.total_tokens
    assert result.criterion_results[0].details["spread"] == pytest.approx(0.6)


def test_the_bench_of_a_run_knows_its_folder_and_what_scripts_and_models_lack() -> None:
    bench = bench_of(JudgeOptions(prompts_dir="mine"))
    assert bench.prompts_dir == str(Path("mine").absolute())
    script = FOLDER / "reading_room.answers.json"
    assert bench.problem(f"scripted:{script}") == ""
    assert "anything.json cannot be read" in bench.problem("scripted:anything.json")
    assert "set OPENAI_API_KEY" in bench.problem("gpt-4o")
