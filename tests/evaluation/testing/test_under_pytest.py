"""The helpers within a real pytest, whatever runs its asynchronous tests."""

from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation.builder import EvalSetBuilder

pytest_plugins = ["pytester"]

SUITE = """
import pytest

from tenxgraph_tui.evaluation import (
    AgentEvaluator, EvalFixtures, EvalPresets, create_eval_app, eval_test, parametrize_eval_cases
)
from tenxgraph_tui.graph import END, StateGraph

CONFIG = EvalPresets.quick_check()
CONFIG.reporter.enabled = False


def build():
    graph = StateGraph()
    graph.add_node("MAIN", lambda state: state.context[-1].text().replace("say ", ""))
    graph.set_entry_point("MAIN")
    graph.add_edge("MAIN", END)
    return graph


@pytest.fixture(scope="session")
def trajectory_app():
    return create_eval_app(build())


@pytest.fixture
def make_evaluator():
    return EvalFixtures(CONFIG).evaluator_factory()


@eval_test("set.json", CONFIG, threshold=0.5)
async def test_half_is_enough():
    return create_eval_app(build())


{mark}
@eval_test("set.json", CONFIG, threshold=0.5)
async def test_marked_with_a_fixture(trajectory_app):
    return trajectory_app


class TestOfAClass:
    @eval_test("set.json", CONFIG, threshold=0.5)
    async def test_method(self, trajectory_app):
        return trajectory_app


@eval_test("set.json", CONFIG)
async def test_half_is_too_little(trajectory_app):
    return trajectory_app


@eval_test("set.json", CONFIG)
async def test_skipped():
    return None


@parametrize_eval_cases("set.json")
def test_case(eval_case, trajectory_app, make_evaluator):
    import asyncio

    result = asyncio.run(make_evaluator(*trajectory_app).evaluate_case(eval_case))
    assert result.passed


{asynchronous}
"""

ASYNC_CASES = """
{mark}
@parametrize_eval_cases("set.json")
async def test_case_awaited(eval_case, trajectory_app, make_evaluator):
    assert (await make_evaluator(*trajectory_app).evaluate_case(eval_case)).passed
"""


@pytest.mark.parametrize(
    ("plugins", "mark", "is_async"),
    [
        pytest.param(
            ["-p", "pytest_asyncio.plugin", "--asyncio-mode=strict"],
            "@pytest.mark.asyncio",
            True,
            id="pytest-asyncio in strict mode",
        ),
        pytest.param(
            ["-p", "pytest_asyncio.plugin", "--asyncio-mode=auto"],
            "",
            True,
            id="pytest-asyncio in auto mode",
        ),
        pytest.param(
            ["-p", "anyio.pytest_plugin"],
            "@pytest.mark.anyio",
            True,
            id="anyio",
        ),
        pytest.param([], "", False, id="no plugin for asynchronous tests"),
    ],
)
def test_a_suite_of_the_helpers_runs_under(
    plugins: list[str],
    mark: str,
    is_async: bool,
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("COLUMNS", "200")
    builder = EvalSetBuilder("s").add_case("say yes", "yes", "good")
    builder.add_case("say no", "maybe", "bad").save(str(pytester.path / "set.json"))
    asynchronous = ASYNC_CASES.format(mark=mark) if is_async else ""
    pytester.makepyfile(SUITE.format(mark=mark, asynchronous=asynchronous))
    pytester.makeconftest(
        "import pytest\n\n@pytest.fixture\ndef anyio_backend():\n    return 'asyncio'\n"
    )
    arguments = ["-q", "-W", "error", "-p", "no:cacheprovider", "-rA", "--strict-markers"]
    ran = pytester.runpytest_subprocess(*arguments, *plugins, timeout=120)
    awaited = int(is_async)
    ran.assert_outcomes(passed=4 + awaited, failed=2 + awaited, skipped=1)
    ran.stdout.fnmatch_lines_random(
        [
            "PASSED *::test_half_is_enough",
            "PASSED *::test_marked_with_a_fixture",
            "PASSED *::TestOfAClass::test_method",
            "PASSED *::test_case[[]good]",
            "FAILED *::test_case[[]bad]*",
            "FAILED *::test_half_is_too_little - *Evaluation failed: 50.0% pass rate*",
            "SKIPPED *No graph returned from test function",
            "  - bad: rouge_match 0.00, needs 0.50*",
        ]
    )
    ran.stdout.no_fnmatch_line("*During handling of*")
