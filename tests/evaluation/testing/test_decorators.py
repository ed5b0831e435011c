"""What the decorators make of a function, called as pytest calls it."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.errors import EvalSetError
from tenxgraph_tui.evaluation.builder import EvalSetBuilder
from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet
from tenxgraph_tui.evaluation.testing.decorators import eval_test, parametrize_eval_cases
from tests.evaluation.agents import QUIET, saying

REPLIES: dict[str, str | Exception] = {"q1": "right", "q2": "wrong", "q3": RuntimeError("kaputt")}
FILE = "set.json"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a set of which a third passes."""
    monkeypatch.chdir(tmp_path)
    builder = EvalSetBuilder("s")
    builder.add_case("q1", "right", "c1").add_case("q2", "right", "c2")
    builder.add_case("q3", "right", "c3", name="Boomer").save(FILE)
    return tmp_path


async def an_app() -> Any:
    return saying(REPLIES)


def outcome(test: Callable[..., Any]) -> str:
    """What pytest would say about a test: `passed`, or why not."""
    try:
        assert test() is None
    except pytest.fail.Exception as failed:
        return f"failed: {failed.msg}"
    except pytest.skip.Exception as skipped:
        return f"skipped: {skipped.msg}"
    return "passed"


@pytest.mark.parametrize("threshold", [0.0, 0.3, 1 / 3])
def test_a_set_that_reaches_the_threshold_passes(threshold: float) -> None:
    assert outcome(eval_test(FILE, QUIET, threshold)(an_app)) == "passed"


def test_a_set_that_does_not_lists_every_failed_case_with_its_reason() -> None:
    told = outcome(eval_test(FILE, QUIET, threshold=0.34)(an_app)).splitlines()
    assert told[:2] == [
        "failed: Evaluation failed: 33.3% pass rate (threshold: 34.0%)",
        "Failed cases:",
    ]
    assert told[2].startswith("  - c2: rouge_match 0.00, needs 0.50 (")
    assert told[3:] == ["  - Boomer: RuntimeError: kaputt"]
    assert "(threshold: 100.0%)" in outcome(eval_test(FILE, QUIET)(an_app))


def test_the_default_config_needs_a_judge() -> None:
    told = outcome(eval_test(FILE)(an_app))
    assert "  - c1: response_match_score: 0 of 3 samples can be used" in told
    assert "has no key: set GEMINI_API_KEY" in told


async def nothing() -> None:
    return None


async def three() -> Any:
    return (1, 2, 3)


async def a_list() -> Any:
    return list(saying(REPLIES))


def plain() -> Any:
    return saying(REPLIES)


@pytest.mark.parametrize(
    ("function", "told"),
    [
        pytest.param(nothing, "skipped: No graph returned from test function", id="None"),
        pytest.param(
            three,
            "failed: eval_test decorated function must return (graph, collector) tuple. See "
            "eval_test docstring for usage.",
            id="three things",
        ),
        pytest.param(
            a_list,
            "failed: eval_test decorated function must return (graph, collector) tuple. See "
            "eval_test docstring for usage.",
            id="a list",
        ),
        pytest.param(plain, "passed", id="a plain function"),
    ],
)
def test_what_the_function_returns(function: Callable[..., Any], told: str) -> None:
    assert outcome(eval_test(FILE, QUIET, 0.3)(function)) == told


@pytest.mark.parametrize("place", ["tests/fixtures", "tests/eval", "eval"])
def test_without_a_file_it_is_found_by_the_name_of_the_test(place: str, folder: Path) -> None:
    (folder / place).mkdir(parents=True)
    EvalSetBuilder("found").add_case("q1", "right").save(f"{place}/test_app.evalset.json")

    async def test_test_app() -> Any:
        return saying(REPLIES)

    assert outcome(eval_test(config=QUIET)(test_test_app)) == "passed"


def test_a_file_that_is_not_there_fails_with_the_places_that_were_looked_at() -> None:
    assert outcome(eval_test("nope.json", QUIET)(an_app)).startswith(
        "failed: Eval file not found: nope.json"
    )
    told = outcome(eval_test(config=QUIET)(an_app))
    assert told.startswith(
        "failed: Eval file not found: auto-detected tests/fixtures/an_app.evalset.json, "
        "tests/eval/an_app.evalset.json, eval/an_app.evalset.json"
    )


@pytest.mark.parametrize(
    ("cases", "threshold"),
    [
        pytest.param([], 0.0, id="no cases"),
        pytest.param(
            [EvalCase(eval_id="c", metadata={"skip": "later"})], 0.0, id="every case skipped"
        ),
    ],
)
def test_nothing_to_run_fails_whatever_the_threshold(
    cases: list[EvalCase], threshold: float
) -> None:
    EvalSet(eval_cases=cases).to_file("empty.json")
    told = outcome(eval_test("empty.json", QUIET, threshold)(an_app))
    assert told == "failed: Evaluation failed: there was no case to run in empty.json"


@pytest.mark.parametrize(
    ("content", "config", "told"),
    [
        pytest.param("{", QUIET, "broken.json:1", id="a broken file"),
        pytest.param('{"eval_cases": []}', EvalConfig(), "no criterion is enabled", id="no checks"),
    ],
)
def test_what_cannot_be_run_fails_in_one_line(
    content: str, config: EvalConfig, told: str, folder: Path
) -> None:
    (folder / "broken.json").write_text(content)
    said = outcome(eval_test("broken.json", config)(an_app))
    assert said.startswith("failed: ")
    assert told in said
    assert "\n" not in said


def test_the_mistakes_of_a_decorator_are_told_when_it_is_written() -> None:
    with pytest.raises(TypeError, match=r"write @eval_test\(\)"):
        eval_test(an_app)  # type: ignore[arg-type]  # the mistake
    for threshold in (math.nan, -1, 1.5):
        with pytest.raises(ValueError, match="threshold must be a number from"):
            eval_test(FILE, threshold=threshold)


def test_the_test_keeps_name_arguments_and_marks() -> None:
    @pytest.mark.usefixtures("folder")
    async def test_w(trajectory_app: Any) -> Any:
        """About it."""
        return trajectory_app

    test = eval_test(FILE, QUIET, 0.3)(test_w)
    assert (test.__name__, test.__doc__) == ("test_w", "About it.")
    assert list(inspect.signature(test).parameters) == ["trajectory_app"]
    assert "usefixtures" in {mark.name for mark in test.pytestmark}  # type: ignore[attr-defined]  # pytest's
    assert test(trajectory_app=saying(REPLIES)) is None


async def test_within_a_running_loop_it_is_awaited() -> None:
    await eval_test(FILE, QUIET, 0.3)(an_app)()
    with pytest.raises(pytest.fail.Exception, match=r"33\.3%"):
        await eval_test(FILE, QUIET)(an_app)()


def test_every_case_says_what_happened_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", logger="tenxgraph.evaluation")
    eval_test(FILE, QUIET, 0.3)(an_app)()
    assert [message.partition(":")[0] for message in caplog.messages] == ["c1", "c2", "c3"]


def test_a_set_becomes_one_parameter_a_case() -> None:
    mark = parametrize_eval_cases(FILE).mark  # type: ignore[attr-defined]  # a pytest mark
    assert (mark.name, mark.args[0]) == ("parametrize", "eval_case")
    assert mark.kwargs["ids"] == ["c1", "c2", "c3"]
    assert [type(case) for case in mark.args[1]] == [EvalCase] * 3


def test_a_skipped_case_is_a_skipped_parameter() -> None:
    EvalSet(eval_cases=[EvalCase(eval_id="c", metadata={"skip": "later"})]).to_file("skipped.json")
    parameter = parametrize_eval_cases("skipped.json").mark.args[1][0]  # type: ignore[attr-defined]  # as above
    assert [(mark.name, mark.args) for mark in parameter.marks] == [("skip", ("later",))]


def test_a_set_that_is_missing_or_empty_fails_the_collection() -> None:
    with pytest.raises(FileNotFoundError, match=r"nope\.json"):
        parametrize_eval_cases("nope.json")
    EvalSet().to_file("empty.json")
    with pytest.raises(EvalSetError, match=r"empty\.json: there is no case to test"):
        parametrize_eval_cases("empty.json")
