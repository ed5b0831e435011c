"""One criterion's slot, name and settings: what a config is made of."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Any, Self

from pydantic import Field, field_validator, model_validator

from tenxgraph_tui.evaluation.models import Handwritten, meant_or

DEFAULT_JUDGE = "gemini-2.5-flash"

REPORTED_NAMES = {
    "tool_name_match": "tool_name_match_score",
    "trajectory": "tool_trajectory_avg_score",
    "node_order": "node_order_score",
    "response_match": "response_match_score",
    "rouge_match": "rouge_match",
    "contains_keywords": "contains_keywords",
    "llm_judge": "final_response_match_v2",
    "rubric_based": "rubric_based_final_response_quality_v1",
    "factual_accuracy": "factual_accuracy_v1",
    "hallucination": "hallucinations_v1",
    "safety": "safety_v1",
    "simulation_goals": "simulation_goals",
}
"""Slot of a config → the criterion's name in results and reports (DESIGN, Words)."""

SLOTS = {name: slot for slot, name in REPORTED_NAMES.items()}
"""The reported name → the slot."""

JUDGED_SLOTS = frozenset(
    {
        "response_match",
        "llm_judge",
        "rubric_based",
        "factual_accuracy",
        "hallucination",
        "safety",
        "simulation_goals",
    }
)
"""The slots whose criterion asks a model."""
SAMPLED_SLOTS = JUDGED_SLOTS - {"simulation_goals"}
"""Those where it is asked `num_samples` times, of every turn; of goals it is asked once a case."""


def unknown_slot(name: str) -> str:
    """The sentence for a criterion slot that does not exist, with what was probably meant."""
    if name in SLOTS:
        return f"{name!r} is the reported name of a criterion; its slot is {SLOTS[name]!r}"
    hint = meant_or(name, REPORTED_NAMES, f"slots are {', '.join(REPORTED_NAMES)}")
    return f"unknown criterion {name!r}: {hint}"


class MatchType(StrEnum):
    """How a list of expected calls or nodes is compared with the actual one.

    EXACT: the same, in the same order, nothing extra. IN_ORDER: all expected in order, extras
    allowed. ANY_ORDER: all expected, extras allowed.
    """

    EXACT = "EXACT"
    IN_ORDER = "IN_ORDER"
    ANY_ORDER = "ANY_ORDER"


class Rubric(Handwritten):
    """One rule in words that an answer is judged by; `weight` is positive and relative."""

    rubric_id: str
    content: str
    weight: float = Field(default=1.0, gt=0, allow_inf_nan=False)

    @classmethod
    def create(cls, rubric_id: str, content: str, weight: float = 1.0) -> Self:
        """The same as the constructor, with positional arguments."""
        return cls(rubric_id=rubric_id, content=content, weight=weight)


class CriterionConfig(Handwritten):
    """How one criterion judges; a score of at least `threshold` (0.0 to 1.0) passes.

    With `per_turn` tools and nodes are compared within each turn, and the worst turn counts. A
    judged criterion asks `judge_model` for `num_samples` (at least 1) opinions; `prompt` is its own
    Jinja2 template, or the path of one that ends with `.j2`. A value out of range is a `ValueError`
    when the config is built.
    """

    threshold: float = 0.8
    match_type: MatchType = MatchType.EXACT
    judge_model: str = DEFAULT_JUDGE
    num_samples: int = Field(default=3, ge=1)
    rubrics: list[Rubric] = Field(default_factory=list)
    keywords: list[str] = Field(default_factory=list)
    check_args: bool = False
    enabled: bool = True
    api_style: str = "responses"
    per_turn: bool = Field(default=False, exclude_if=lambda per_turn: not per_turn)
    prompt: str | None = Field(default=None, exclude_if=lambda prompt: prompt is None)

    @field_validator("threshold")
    @classmethod
    def _is_a_share(cls, threshold: float) -> float:
        if not math.isfinite(threshold) or not 0.0 <= threshold <= 1.0:
            raise ValueError(f"threshold must be between 0.0 and 1.0, not {threshold}")
        return threshold

    @field_validator("rubrics")
    @classmethod
    def _rubric_ids_are_unique(cls, rubrics: list[Rubric]) -> list[Rubric]:
        ids = [rubric.rubric_id for rubric in rubrics]
        twice = next((name for name in ids if ids.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"rubric_id {twice!r} stands twice")
        return rubrics

    @classmethod
    def tool_name_match(cls, threshold: float = 1.0) -> Self:
        """Offline: the expected tools were called, whatever their order and arguments."""
        return cls(threshold=threshold)

    @classmethod
    def trajectory(
        cls,
        threshold: float = 1.0,
        match_type: MatchType = MatchType.EXACT,
        check_args: bool = False,
    ) -> Self:
        """Offline: the expected tools were called in order, with `check_args` their arguments."""
        return cls(threshold=threshold, match_type=match_type, check_args=check_args)

    @classmethod
    def node_order(cls, threshold: float = 1.0, match_type: MatchType = MatchType.EXACT) -> Self:
        """Offline: the expected nodes were visited in order."""
        return cls(threshold=threshold, match_type=match_type)

    @classmethod
    def response_match(
        cls, threshold: float = 0.8, judge_model: str = DEFAULT_JUDGE, num_samples: int = 3
    ) -> Self:
        """Judged: the answer means the same as the expected one."""
        return cls(threshold=threshold, judge_model=judge_model, num_samples=num_samples)

    @classmethod
    def rouge_match(cls, threshold: float = 0.5) -> Self:
        """Offline: ROUGE-1 F1 of the answer against the expected one (Lin, 2004)."""
        return cls(threshold=threshold)

    @classmethod
    def contains_keywords(cls, keywords: list[str], threshold: float = 1.0) -> Self:
        """Offline: the share of `keywords` that the answers contain."""
        return cls(threshold=threshold, keywords=keywords)

    @classmethod
    def llm_judge(
        cls, threshold: float = 0.8, judge_model: str = DEFAULT_JUDGE, num_samples: int = 3
    ) -> Self:
        """Judged: the quality of the answer."""
        return cls(threshold=threshold, judge_model=judge_model, num_samples=num_samples)

    @classmethod
    def rubric_based(
        cls, rubrics: list[Rubric], threshold: float = 0.8, judge_model: str = DEFAULT_JUDGE
    ) -> Self:
        """Judged: the weighted mean over `rubrics`.

        Raises:
            ValueError: there is no rubric, or an id stands twice.
        """
        if not rubrics:
            raise ValueError("rubric_based needs at least one rubric")
        return cls(threshold=threshold, judge_model=judge_model, rubrics=rubrics)

    @classmethod
    def factual_accuracy(
        cls, threshold: float = 0.8, judge_model: str = DEFAULT_JUDGE, num_samples: int = 3
    ) -> Self:
        """Judged: the stated facts are right."""
        return cls(threshold=threshold, judge_model=judge_model, num_samples=num_samples)

    @classmethod
    def hallucination(
        cls, threshold: float = 0.8, judge_model: str = DEFAULT_JUDGE, num_samples: int = 3
    ) -> Self:
        """Judged: every claim is grounded in what the agent was given."""
        return cls(threshold=threshold, judge_model=judge_model, num_samples=num_samples)

    @classmethod
    def safety(
        cls, threshold: float = 0.8, judge_model: str = DEFAULT_JUDGE, num_samples: int = 3
    ) -> Self:
        """Judged: nothing harmful, private or manipulative is said."""
        return cls(threshold=threshold, judge_model=judge_model, num_samples=num_samples)


class CustomCriterion(Handwritten):
    """A criterion of one's own in `EvalConfig.custom`.

    `criterion` is an import path (`package.module:Class`) or a name in `CRITERIA_REGISTRY`; the
    class itself may be given too. It is called with `args` by name and `config=config`. A bare
    path or class stands for a whole entry.
    """

    criterion: str
    args: dict[str, Any] = Field(default_factory=dict)
    config: CriterionConfig = Field(default_factory=CriterionConfig)

    @model_validator(mode="before")
    @classmethod
    def _may_be_bare(cls, value: Any) -> Any:
        return {"criterion": value} if isinstance(value, str | type) else value

    @field_validator("criterion", mode="before")
    @classmethod
    def _path_of_a_class(cls, criterion: Any) -> Any:
        if not isinstance(criterion, type):
            return criterion
        if "<locals>" in criterion.__qualname__:
            raise ValueError(
                f"{criterion.__name__} is defined within a function: a config names a criterion by "
                "its import path, so define it at the top level of a module"
            )
        return f"{criterion.__module__}:{criterion.__qualname__}"

    @field_validator("args")
    @classmethod
    def _config_is_given_apart(cls, args: dict[str, Any]) -> dict[str, Any]:
        if "config" in args:
            raise ValueError('"config" stands beside "args", not in it')
        return args
