"""New verdicts on a run that is kept: the agent is not run, and the same cases are judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.cli.rejudge import in_lines
from tenxgraph_tui.evaluation.events import CaseFinished, RunRef, RunStarted
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.disagreement import Disagreement, Disagreements
from tenxgraph_tui.session.project import store_path
from tenxgraph_tui.session.protocol import RequestOptions, SetRequest, WorkerRequest
from tenxgraph_tui.session.store import RunStore
from tests.cli.conftest import Shell, WriteSet, case
from tests.cli.test_worker import worker

COUNTED = """
from pathlib import Path

def _count():
    with Path("calls.txt").open("a") as calls:
        calls.write("x")

def echo(messages):
    _count()
    print("thinking")
    return messages[-1]["content"]

def broken(messages):
    _count()
    raise ValueError("kaboom")
"""


@pytest.fixture
def ran(project: Path, write_set: WriteSet, shell: Shell) -> Path:
    """A run of an agent that counts how often it is asked: one case passed, one failed."""
    path = write_set(case("one two"), case("three", "four"), target="counted.py:echo")
    (project / "counted.py").write_text(COUNTED)
    done = shell("run")
    assert done.code == 1, done.err
    assert calls() == 2
    return path


def calls() -> int:
    return len(Path("calls.txt").read_text())


def store() -> RunStore:
    return RunStore(store_path(Path.cwd()))


def results(run: str) -> list[dict[str, Any]]:
    found = store().report(store().resolve(run), 0).iter_results()
    return [result.model_dump(mode="json") for result in found]


def test_no_agent_is_run_and_the_evidence_is_the_same(shell: Shell, ran: Path) -> None:
    done = shell("rejudge", "1")
    assert done.code == 1, "one case fails again"
    assert calls() == 2
    assert "judging #1 again: 2 cases of 1 set as run #2" in done.err
    assert results("2") == results("1")
    assert "the same verdicts as in #1 on 2 cases" in done.out


def test_the_new_run_says_what_it_was_judged_from(shell: Shell, ran: Path) -> None:
    done = shell("rejudge", "last", "--report", "json,html,markdown,junit")
    assert "run #2, judged from #1" in done.out
    told = {path.suffix: path.read_text() for path in Path("eval_reports").iterdir()}
    assert json.loads(told[".json"])["metadata"]["judged_from"] == 1
    assert "judged from run 1" in told[".md"]
    assert "judged from" in told[".html"]
    assert '<property name="judged_from" value="1"/>' in told[".xml"]
    started = next(iter(store().events(store().resolve("2"))))
    assert started.model_dump()["judged_from"] == {"run_id": store().resolve("1"), "number": 1}


def test_what_is_expected_now_is_what_counts(shell: Shell, write_set: WriteSet, ran: Path) -> None:
    write_set(case("one two", "something else"), case("three"), target="counted.py:echo")
    done = shell("rejudge", "1")
    assert done.code == 1
    assert calls() == 2
    assert "other verdicts than in #1 on 2 of 2 cases:" in done.out
    lines = [line.split() for line in done.out.splitlines() if "->" in line]
    assert lines == [
        ["basic/one", "two", "rouge_match", "passed", "1.00", "->", "failed", "0.00"],
        ["basic/three", "rouge_match", "failed", "0.00", "->", "passed", "1.00"],
    ]


def test_another_config_judges_it(shell: Shell, project: Path, ran: Path) -> None:
    lax = {"criteria": {"rouge_match": {"threshold": 0.0}}}
    (project / "lax.evalconfig.json").write_text(json.dumps(lax))
    done = shell("rejudge", "1", "--config", "lax.evalconfig.json")
    assert done.code == 0, done.err
    assert "lax.evalconfig.json" in done.out
    assert "on 1 of 2 cases" in done.out


def test_one_score_under_two_thresholds_reads_alike(
    shell: Shell, project: Path, write_set: WriteSet
) -> None:
    (project / "counted.py").write_text(COUNTED)
    write_set(case("one two", "one two three four"), target="counted.py:echo")
    assert shell("run", "--preset", "quick_check").code == 0
    strict = {"criteria": {"rouge_match": {"threshold": 0.9}}}
    (project / "strict.evalconfig.json").write_text(json.dumps(strict))
    done = shell("rejudge", "last", "--config", "strict.evalconfig.json")
    assert "passed 0.66  ->  failed 0.66" in done.out


def test_without_flags_it_is_judged_by_the_config_that_it_was_run_with(
    shell: Shell, project: Path, ran: Path
) -> None:
    shell("run", "--preset", "quick_check")
    done = shell("rejudge", "2")
    assert "config quick_check (--preset), run #3, judged from #2" in done.out


def test_a_run_may_be_judged_from_another_folder(
    shell: Shell, project: Path, ran: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = project / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    assert shell("rejudge", "1").code == 1
    assert "judged from #1" in shell("rejudge", "1").out


def test_an_agent_that_broke_off_did_so_still(shell: Shell, ran: Path) -> None:
    shell("run", "--target", "counted.py:broken")
    assert shell("rejudge", "2").code == 3
    assert calls() == 4
    first, second = results("2"), results("3")
    assert second == first
    assert second[0]["error"] == "ValueError: kaboom"
    assert "kaboom" in second[0]["metadata"]["traceback"]


def test_a_case_that_asks_something_else_now_is_an_error(
    shell: Shell, write_set: WriteSet, ran: Path
) -> None:
    other = case("three", "four")
    other["conversation"][0]["user_content"]["content"] = "thirty"
    write_set(case("one two"), other, target="counted.py:echo")
    done = shell("rejudge", "1")
    assert done.code == 3
    assert "turn 1 asks something else than in run #1; the case has changed" in done.out
    broken = results("2")[1]
    assert broken["actual_response"] == "three", "what is known of it is not lost"
    assert not broken["criterion_results"]


def test_a_turn_more_is_an_error_too(shell: Shell, write_set: WriteSet, ran: Path) -> None:
    longer = case("three", "four")
    longer["conversation"] *= 2
    write_set(case("one two"), longer, target="counted.py:echo")
    done = shell("rejudge", "1")
    assert done.code == 3
    assert "2 turns in the file, 1 in run #1" in done.out


def test_cases_that_are_gone_are_told_and_new_ones_wait_for_a_run(
    shell: Shell, write_set: WriteSet, ran: Path
) -> None:
    write_set(case("one two"), case("new"), target="counted.py:echo")
    done = shell("rejudge", "1")
    assert done.code == 0
    told = "1 case of run #1 (basic) not judged: three: not in basic.evalset.json any more"
    assert told in done.err
    assert "1/1 passed" in done.out


def test_what_was_never_finished_is_told(shell: Shell, ran: Path) -> None:
    shell("run", "--fail-fast", "--max-concurrency", "1", "--target", "counted.py:broken")
    done = shell("rejudge", "2")
    assert "1 case of run #2 (basic) not judged: three: never finished" in done.err


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        pytest.param(
            lambda path: path.unlink(),
            "run #1: basic.evalset.json is not there any more",
            id="the file is gone",
        ),
        pytest.param(
            lambda path: path.write_text('{"eval_set_id": "basic", "eval_cases": []}'),
            "nothing of run #1 can be judged again",
            id="no case is left",
        ),
    ],
)
def test_what_cannot_be_judged_is_told_in_a_line(
    shell: Shell, ran: Path, spoil: Any, told: str
) -> None:
    spoil(ran)
    done = shell("rejudge", "1")
    assert done.code == 2
    assert told in done.err
    assert not done.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param(["9"], "there is no run '9': the last one is #1", id="no such run"),
        pytest.param(["1", "--preset", "strct"], "did you mean 'strict'?", id="no such preset"),
        pytest.param(["1", "--preset", "strict"], "set GEMINI_API_KEY", id="no key"),
    ],
)
def test_mistakes_are_found_before_anything_is_judged(
    shell: Shell, ran: Path, words: list[str], told: str
) -> None:
    done = shell("rejudge", *words)
    assert done.code in {2, 4}
    assert told in done.err
    assert len(store().runs()) == 1


def test_nothing_has_been_run_here(shell: Shell, project: Path, write_set: WriteSet) -> None:
    done = shell("rejudge", "last")
    assert done.code == 2
    assert "nothing has been run here yet" in done.err


def test_every_attempt_is_judged_by_a_worker_too(project: Path, ran: Path) -> None:
    asked = WorkerRequest(
        root=str(project),
        sets=(SetRequest(path=str(ran)),),
        target="counted.py:echo",
        options=RequestOptions(attempts=2),
        store=str(store_path(project)),
    )
    again = WorkerRequest(
        kind="rescore", root=str(project), store=asked.store, judged_from=asked.run_id
    )
    for request in (asked, again):
        with worker(project) as talk:
            talk.say(request.line())
            assert talk.end() == 0
    (started,) = talk.all(RunStarted)
    assert started.judged_from == RunRef(run_id=asked.run_id, number=2)
    keys = {event.case for event in talk.all(CaseFinished)}
    assert keys == {CaseKey(0, name, at) for name in ("one two", "three") for at in (0, 1)}
    assert calls() == 6


def test_a_second_judge_may_disagree_with_the_first(shell: Shell, project: Path, ran: Path) -> None:
    config = {"criteria": {"safety": {"threshold": 0.5, "num_samples": 1}}}
    (project / "ci.evalconfig.json").write_text(json.dumps(config))
    for name, score in (("kind", 0.9), ("strict", 0.2)):
        script = {"answers": {"*": {"*": {"score": score, "reasoning": f"I am {name}"}}}}
        (project / f"{name}.json").write_text(json.dumps(script))
    judged = ("--config", "ci.evalconfig.json", "--judge-model", "scripted:kind.json")
    assert shell("run", *judged).code == 0
    done = shell("rejudge", "last", "--judge-model", "scripted:strict.json")
    assert done.code == 1, done.err
    assert calls() == 4
    assert "other verdicts than in #2 on 2 of 2 cases:" in done.out
    assert done.out.count("passed 0.90  ->  failed 0.20") == 2
    assert results("3")[0]["criterion_results"][0]["details"]["reasonings"] == ["I am strict"]


def test_two_judges_are_told_beside_each_other() -> None:
    found = (
        Disagreement("a", "x", 0, "llm_judge", "passed 0.82", "failed 0.40"),
        Disagreement("a", "longer", 1, "safety_v1", "error", "passed 1.00"),
        Disagreement("a", "y", 0, "", "passed", "failed"),
    )
    assert list(in_lines(Disagreements(found, 9), "#17")) == [
        "other verdicts than in #17 on 3 of 9 cases:",
        "  a/x                   llm_judge  passed 0.82  →  failed 0.40",
        "  a/longer (attempt 2)  safety_v1  error        →  passed 1.00",
        "  a/y                   case       passed       →  failed",
    ]
    assert list(in_lines(Disagreements((), 0), "#17")) == [
        "no case has verdicts in both this run and #17"
    ]
