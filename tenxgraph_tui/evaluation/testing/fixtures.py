"""Classes that a `conftest.py` builds on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.evaluator import AgentEvaluator


class EvalFixtures:
    """Makes what pytest fixtures return; `default_config` is for evaluators without their own."""

    def __init__(self, default_config: EvalConfig | None = None) -> None:
        self.default_config = default_config

    def evaluator_factory(self) -> Callable[..., AgentEvaluator]:
        """A function `factory(graph, collector, config=None)` that makes an evaluator.

        Its config falls back to `default_config`, then to `EvalConfig.default()`.
        """

        def factory(graph: Any, collector: Any, config: EvalConfig | None = None) -> AgentEvaluator:
            return AgentEvaluator(graph, collector, config or self.default_config)

        return factory


class EvalPlugin:
    """A pytest plugin to subclass; neither hook does anything yet."""

    def pytest_configure(self, config: Any) -> None:
        """Called once, when pytest has its configuration."""

    def pytest_collection_modifyitems(self, config: Any, items: Any) -> None:
        """Called with the collected tests, which may be reordered or left out."""


class EvalTestCase:
    """The metadata of a case in a test suite; it runs nothing and is no `EvalCase`."""

    def __init__(self, eval_id: str, name: str = "", description: str = "") -> None:
        self.eval_id = eval_id
        self.name = name
        self.description = description

    def __repr__(self) -> str:
        return f"EvalTestCase({self.name or self.eval_id})"
