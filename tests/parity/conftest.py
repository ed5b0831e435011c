"""Playing one case by its script and judging it, as an evaluation does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import pytest

from tenxgraph_tui.evaluation import (
    AgentEvaluator,
    EvalCase,
    EvalConfig,
    EvalReport,
    EvalSet,
    create_eval_app,
)
from tenxgraph_tui.evaluation.results import EvalCaseResult
from tests.parity.acting import Play, PlayAll, Turns, quiet
from tests.parity.corpus import CASE, scripted

GraphOf = Callable[[dict[str, Any], list[str]], Any]
RUNTIMES = ["embedded", *(["10xgraph"] if find_spec("tenxgraph") else [])]


@pytest.fixture(params=RUNTIMES)
def graph_of(request: pytest.FixtureRequest) -> GraphOf:
    """`graph_of(scripts, tool_params)`: an agent that plays them, on every runtime there is."""
    if request.param == "embedded":
        return scripted
    from tests.parity import tenxgraph_corpus

    return tenxgraph_corpus.scripted


@pytest.fixture
def play_all(graph_of: GraphOf) -> PlayAll:
    """`await play_all({eval_id: turns}, cases, config)`: the report."""

    async def run(
        scripts: dict[str, Turns],
        cases: Sequence[EvalCase],
        config: EvalConfig,
        *,
        tool_params: Sequence[str] = (),
        **arguments: Any,
    ) -> EvalReport:
        for case in cases:
            case.session_input.config[CASE] = case.eval_id
        graph = graph_of({key: {"turns": turns} for key, turns in scripts.items()}, [*tool_params])
        app, collector = create_eval_app(graph)
        eval_set = EvalSet(eval_set_id="set", eval_cases=list(cases))
        return await AgentEvaluator(app, collector, quiet(config)).evaluate(eval_set, **arguments)

    return run


@pytest.fixture
def play(play_all: PlayAll) -> Play:
    """`await play(turns, case, config)`: the result of the case."""

    async def run(turns: Turns, case: EvalCase, config: EvalConfig, **more: Any) -> EvalCaseResult:
        report = await play_all({case.eval_id: turns}, [case], config, **more)
        return report.results[0]

    return run
