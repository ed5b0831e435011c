"""Which models a result names: what they cost is looked up before anything of it is shown."""

from __future__ import annotations

from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult


def models_in(result: EvalCaseResult) -> list[str]:
    """The models of the agent's answers and of the judges, each once."""
    named = [reply.get("model") for reply in result.node_responses]
    named += [judge_of(criterion) for criterion in result.criterion_results]
    return list(dict.fromkeys(name for name in named if isinstance(name, str) and name))


def judge_of(criterion: CriterionResult) -> str:
    """The model that judged it; "" where none did."""
    named = criterion.details.get("judge_model")
    return named if isinstance(named, str) else ""
