"""The thing under test, named as people write it: a target out of a spec, and cases run on it."""

from __future__ import annotations

from tenxgraph_tui.targets.evaluating import evaluate_target
from tenxgraph_tui.targets.resolving import resolve

__all__ = ["evaluate_target", "resolve"]
