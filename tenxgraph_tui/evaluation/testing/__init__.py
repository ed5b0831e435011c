"""What a test suite needs: an app that can be evaluated, decorators, assertions, fixtures.

pytest itself is imported by the functions that use it.
"""

from __future__ import annotations

from tenxgraph_tui.evaluation.testing.assertions import (
    assert_criterion_passed,
    assert_eval_passed,
)
from tenxgraph_tui.evaluation.testing.create import create_eval_app
from tenxgraph_tui.evaluation.testing.decorators import eval_test, parametrize_eval_cases
from tenxgraph_tui.evaluation.testing.fixtures import EvalFixtures, EvalPlugin, EvalTestCase

__all__ = [
    "EvalFixtures",
    "EvalPlugin",
    "EvalTestCase",
    "assert_criterion_passed",
    "assert_eval_passed",
    "create_eval_app",
    "eval_test",
    "parametrize_eval_cases",
]
