"""Which class checks what: by slot of a config, by reported name and by 10xGraph's other names."""

from __future__ import annotations

from tenxgraph_tui.evaluation.criteria.base import BaseCriterion
from tenxgraph_tui.evaluation.criteria.text import (
    ContainsKeywordsCriterion,
    ExactMatchCriterion,
    RougeMatchCriterion,
)
from tenxgraph_tui.evaluation.criteria.tools import (
    NodeOrderMatchCriterion,
    ToolNameMatchCriterion,
    TrajectoryMatchCriterion,
)

CRITERIA_REGISTRY: dict[str, type[BaseCriterion]] = {
    "tool_trajectory_avg_score": TrajectoryMatchCriterion,
    "trajectory_match": TrajectoryMatchCriterion,
    "trajectory": TrajectoryMatchCriterion,
    "tool_name_match_score": ToolNameMatchCriterion,
    "tool_name_match": ToolNameMatchCriterion,
    "node_order_score": NodeOrderMatchCriterion,
    "node_order": NodeOrderMatchCriterion,
    "rouge_match": RougeMatchCriterion,
    "exact_match": ExactMatchCriterion,
    "contains_keywords": ContainsKeywordsCriterion,
}
"""Every class here can be made from a `CriterionConfig` alone: `cls(config=config)`."""
