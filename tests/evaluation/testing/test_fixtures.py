"""What a conftest.py builds on."""

from __future__ import annotations

from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.testing.fixtures import EvalFixtures, EvalPlugin, EvalTestCase
from tests.evaluation.agents import QUIET, saying


def test_an_evaluator_has_its_own_config_or_the_default_of_the_fixtures_or_the_documented() -> None:
    app = saying({})
    own = EvalConfig.strict()
    assert EvalFixtures(QUIET).evaluator_factory()(*app, own).config is own
    assert EvalFixtures(QUIET).evaluator_factory()(*app).config is QUIET
    assert EvalFixtures().evaluator_factory()(*app).config == EvalConfig.default()
    evaluator = EvalFixtures().evaluator_factory()(*app, config=own)
    assert (evaluator.graph, evaluator.collector) == app


def test_a_case_of_a_suite_is_metadata() -> None:
    case = EvalTestCase("id", "nm", "about")
    assert (case.eval_id, case.name, case.description) == ("id", "nm", "about")
    assert repr(case) == "EvalTestCase(nm)"
    assert repr(EvalTestCase("id")) == "EvalTestCase(id)"


def test_the_plugin_has_the_documented_hooks() -> None:
    assert {name for name in vars(EvalPlugin) if name.startswith("pytest_")} == {
        "pytest_collection_modifyitems",
        "pytest_configure",
    }
