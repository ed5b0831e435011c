"""Which class checks what: by slot of a config, by reported name and by 10xGraph's other names."""

from __future__ import annotations

from tenxgraph_tui.evaluation.criteria.base import BaseCriterion
from tenxgraph_tui.evaluation.criteria.judged_answers import (
    FactualAccuracyCriterion,
    LLMJudgeCriterion,
    ResponseMatchCriterion,
)
from tenxgraph_tui.evaluation.criteria.judged_claims import HallucinationCriterion, SafetyCriterion
from tenxgraph_tui.evaluation.criteria.judged_goals import SimulationGoalsCriterion
from tenxgraph_tui.evaluation.criteria.judged_rubrics import RubricBasedCriterion
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
    "response_match_score": ResponseMatchCriterion,
    "response_match": ResponseMatchCriterion,
    "final_response_match_v2": LLMJudgeCriterion,
    "llm_judge": LLMJudgeCriterion,
    "rubric_based_final_response_quality_v1": RubricBasedCriterion,
    "rubric_based": RubricBasedCriterion,
    "factual_accuracy_v1": FactualAccuracyCriterion,
    "factual_accuracy": FactualAccuracyCriterion,
    "hallucinations_v1": HallucinationCriterion,
    "hallucination": HallucinationCriterion,
    "safety_v1": SafetyCriterion,
    "safety": SafetyCriterion,
    "simulation_goals": SimulationGoalsCriterion,
}
"""Every class here can be made from a `CriterionConfig` alone: `cls(config=config)`."""
