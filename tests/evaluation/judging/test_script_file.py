"""A judge that answers from a file, in the place of a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.errors import ConfigError, JudgeError
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.judging.address import check
from tenxgraph_tui.evaluation.judging.context import JudgedCase, judged_by, judging
from tenxgraph_tui.evaluation.judging.port import JudgeReply, JudgeRequest
from tenxgraph_tui.evaluation.judging.prices import Price, price
from tenxgraph_tui.evaluation.judging.providers import access, script_of
from tenxgraph_tui.evaluation.judging.sampling import Opinion, opinion
from tenxgraph_tui.evaluation.judging.script_file import ModelsAndScripts, read_script


class NoModel:
    async def ask(self, request: JudgeRequest) -> JudgeReply:
        raise JudgeError(f"{request.model} was asked")


def written(folder: Path, answers: Any, **more: Any) -> Path:
    file = folder / "judge.json"
    file.write_text(json.dumps({"answers": answers, **more}), encoding="utf-8")
    return file


async def said(file: Path, eval_id: str, criterion: str = "safety_v1", **how: Any) -> Opinion:
    with judged_by(ModelsAndScripts(NoModel())), judging(JudgedCase(eval_id)):
        return await opinion("?", model=f"scripted:{file}", criterion=criterion, **how)


async def test_every_case_and_criterion_has_its_answer(tmp_path: Path) -> None:
    answers = {
        "a": {"safety": {"score": 0.1}, "*": {"score": 0.2}},
        "*": {"safety": {"score": 0.3}},
    }
    file = written(tmp_path, answers, usage={"input_tokens": 7, "output_tokens": 2})
    assert (await said(file, "a")).score == 0.1
    assert (await said(file, "a", "final_response_match_v2")).score == 0.2
    found = await said(file, "b", samples=2)
    assert (found.score, found.usage, found.cost) == (0.3, TokenUsage(14, 4), 0.0)
    (problem,) = (await said(file, "b", "factual_accuracy_v1")).samples
    assert f"{file} has no answer for factual_accuracy of case 'b'" in str(problem.error)


async def test_samples_and_turns_have_their_own(tmp_path: Path) -> None:
    per_sample = [{"score": 0.1}, {"score": 0.2}]
    file = written(tmp_path, {"a": {"safety": {"turns": [per_sample, {"score": 1}]}}})
    assert (await said(file, "a", samples=3)).scores == [0.1, 0.2, 0.2]
    assert (await said(file, "a", samples=2, turn=1)).scores == [1.0, 1.0]
    assert (await said(file, "a", turn=5)).scores == [1.0]


async def test_a_text_is_said_as_it_is_and_an_error_is_one(tmp_path: Path) -> None:
    file = written(tmp_path, {"a": {"safety": "unsafe."}, "b": {"safety": {"error": "it is down"}}})
    assert "answered without JSON" in str((await said(file, "a")).error)
    assert str((await said(file, "b")).error) == "it is down"


async def test_all_other_names_are_those_of_models() -> None:
    with judged_by(ModelsAndScripts(NoModel())):
        assert str((await opinion("?", model="gpt-4o")).error) == "gpt-4o was asked"


def test_a_script_wants_no_key() -> None:
    assert script_of(" scripted:a/b.json") == Path("a/b.json")
    assert script_of("openai/scripted") is None
    found = access("scripted:a/b.json", {})
    assert (found.provider, found.missing, found.is_known) == ("scripted", (), True)
    assert price("scripted:a/b.json") == Price(0.0, 0.0)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("[", "judge.json:1: ", id="torn"),
        pytest.param("[]", 'must be an object like {"answers"', id="no object"),
        pytest.param('{"answers": {}, "usag": 1}', "'usag' is none of answers, usage", id="a key"),
        pytest.param('{"answers": {"a": 1}}', "answers.a must be an object", id="no criteria"),
        pytest.param('{"answers": {"a": {"saftey": {}}}}', "mean 'safety'", id="a typing mistake"),
        pytest.param('{"answers": {"a": {"safety_v1": {}}}}', "its slot is 'safety'", id="a name"),
        pytest.param('{"answers": {"a": {"*": []}}}', "answers.a.* is an empty list", id="nothing"),
        pytest.param('{"answers": {"a": {"*": [1]}}}', "must be a verdict, a text", id="a number"),
        pytest.param('{"answers": {"a": {"*": {"turns": 1}}}}', "must be a verdict", id="turns"),
        pytest.param('{"answers": {}, "usage": {"input_tokens": "x"}}', "usage must", id="usage"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_before_a_run(
    tmp_path: Path, text: str, told: str
) -> None:
    file = tmp_path / "judge.json"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        check([f"scripted:{file}"], None, {})
    assert str(caught.value).startswith(f"judge script {file}")
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_or_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    for name, told in (("gone.json", "No such file"), ("bytes.json", "is not UTF-8")):
        with pytest.raises(ConfigError, match=told):
            read_script(tmp_path / name)


async def test_one_that_is_gone_by_then_is_an_error_of_the_judge(tmp_path: Path) -> None:
    assert "cannot be read" in str((await said(tmp_path / "gone.json", "a")).error)
