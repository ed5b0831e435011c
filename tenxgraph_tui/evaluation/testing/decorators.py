"""Eval sets as pytest tests: one test a set, or one test a case."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tenxgraph_tui.errors import ConfigError, EvalSetError, TargetError
from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet
from tenxgraph_tui.evaluation.evaluator import AgentEvaluator
from tenxgraph_tui.evaluation.given import share_of
from tenxgraph_tui.evaluation.prepared import skip_reason
from tenxgraph_tui.evaluation.results import EvalReport
from tenxgraph_tui.evaluation.testing.assertions import reaches
from tenxgraph_tui.evaluation.testing.failures import failure_lines

PLACES = ("tests/fixtures", "tests/eval", "eval")
PAIR = 2
NO_PAIR = (
    "eval_test decorated function must return (graph, collector) tuple. "
    "See eval_test docstring for usage."
)
MARKED_ASYNC = r"ignore:The test .* is marked with '@pytest.mark.asyncio':pytest.PytestWarning"
"""pytest-asyncio complains about its mark on what it takes for a synchronous test."""

TestFunction = Callable[..., Any]


def eval_test(
    eval_file: str | None = None, config: EvalConfig | None = None, threshold: float = 1.0
) -> Callable[[TestFunction], TestFunction]:
    """Make a test of a function that returns `(graph, collector)`, as `create_eval_app` does.

    The test evaluates the set in `eval_file` and fails if its pass rate is below `threshold` (0.0
    to 1.0), or if there was no case to run. Without `eval_file` it is
    `tests/fixtures/NAME.evalset.json`, `tests/eval/…` or `eval/…`, where NAME is that of the
    function without `test_`. Paths are relative to the working directory. `config` defaults to
    `EvalConfig.default()`; its reporters run. A function that returns None skips the test.

    The test is an ordinary function that runs an event loop, so that it needs no plugin for
    asynchronous tests and gets along with any. Called inside a running loop, it is to be awaited.

    Raises:
        ValueError: `threshold` is out of range.
    """
    if callable(eval_file):
        raise TypeError("eval_test needs parentheses: write @eval_test()")
    least = share_of(threshold, "threshold")
    import pytest

    def decorate(function: TestFunction) -> TestFunction:
        async def check(*args: Any, **kwargs: Any) -> _Outcome:
            returned = function(*args, **kwargs)
            if inspect.isawaitable(returned):
                returned = await returned
            return await _outcome(returned, eval_file, function.__name__, config, least)

        async def told(*args: Any, **kwargs: Any) -> None:
            __tracebackhide__ = True
            _tell(await check(*args, **kwargs))

        @functools.wraps(function)
        def test(*args: Any, **kwargs: Any) -> Coroutine[Any, Any, None] | None:
            __tracebackhide__ = True
            if _a_loop_runs():
                return told(*args, **kwargs)
            with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
                outcome = runner.run(check(*args, **kwargs))
            _tell(outcome)
            return None

        marked: TestFunction = pytest.mark.filterwarnings(MARKED_ASYNC)(test)
        return marked

    return decorate


def parametrize_eval_cases(eval_file: str) -> Callable[[TestFunction], TestFunction]:
    """Run a test once for each case of the set in `eval_file`, as its argument `eval_case`.

    The file is read at once, relative to the working directory. The id of a case becomes that of
    its test; a case with `metadata.skip` is skipped with that reason.

    Raises:
        EvalSetNotFound: there is no such file (it is a `FileNotFoundError` too).
        EvalSetError: the file cannot be read, or has no cases.
    """
    import pytest

    cases = EvalSet.from_file(eval_file).eval_cases
    if not cases:
        raise EvalSetError(f"{eval_file}: there is no case to test")

    def parameter(case: EvalCase) -> Any:
        reason = skip_reason(case)
        return case if reason is None else pytest.param(case, marks=pytest.mark.skip(reason))

    return pytest.mark.parametrize(
        "eval_case", [parameter(case) for case in cases], ids=[case.eval_id for case in cases]
    )


@dataclass(frozen=True, slots=True)
class _Outcome:
    """Why a test was skipped or failed; it passed where there is neither."""

    skipped: str = ""
    failed: str = ""


async def _outcome(
    returned: Any, eval_file: str | None, name: str, config: EvalConfig | None, least: float
) -> _Outcome:
    if returned is None:
        return _Outcome(skipped="No graph returned from test function")
    if not (isinstance(returned, tuple) and len(returned) == PAIR):
        return _Outcome(failed=NO_PAIR)
    places = [f"{folder}/{name.removeprefix('test_')}.evalset.json" for folder in PLACES]
    path = _first_file(places if eval_file is None else [eval_file])
    if path is None:
        told = f"auto-detected {', '.join(places)}" if eval_file is None else eval_file
        return _Outcome(failed=f"Eval file not found: {told} (in {Path.cwd()})")
    graph, collector = returned
    try:
        report = await AgentEvaluator(graph, collector, config).evaluate(path, verbose=True)
    except (EvalSetError, ConfigError, TargetError) as error:
        return _Outcome(failed=str(error))
    if not report.results:
        return _Outcome(failed=f"Evaluation failed: there was no case to run in {path}")
    return _Outcome() if reaches(report, least) else _Outcome(failed=_too_few(report, least))


def _first_file(paths: Sequence[str]) -> str | None:
    return next((path for path in paths if Path(path).is_file()), None)


def _too_few(report: EvalReport, least: float) -> str:
    rate = report.summary.pass_rate
    return (
        f"Evaluation failed: {rate:.1%} pass rate (threshold: {least:.1%})\n"
        f"Failed cases:\n{failure_lines(report.failed_cases)}"
    )


def _tell(outcome: _Outcome) -> None:
    import pytest

    if outcome.skipped:
        pytest.skip(outcome.skipped)
    if outcome.failed:
        pytest.fail(outcome.failed, pytrace=False)


def _a_loop_runs() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
