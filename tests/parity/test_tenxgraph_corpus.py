"""The golden facts again, on the package that they were measured on: its graph, our scores."""

from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation import AgentEvaluator, EvalConfig, create_eval_app
from tests.parity.acting import quiet
from tests.parity.corpus import Golden
from tests.parity.rules import REFUSED
from tests.parity.test_corpus import FILES, as_golden

pytest.importorskip("tenxgraph", reason="10xGraph is not installed (it needs Python 3.12)")

from tests.parity.tenxgraph_corpus import scripted


@pytest.mark.parametrize(
    "golden", [pytest.param(each, id=each.name) for each in FILES if each.name not in REFUSED]
)
async def test_the_corpus_on_10xgraph(golden: Golden) -> None:
    graph = scripted(golden.facts["scripts"], golden.facts.get("extra_tool_params", []))
    app, collector = create_eval_app(graph)
    evaluator = AgentEvaluator(app, collector, quiet(EvalConfig.model_validate(golden.config)))

    as_golden(golden, await evaluator.evaluate(golden.eval_set()))
