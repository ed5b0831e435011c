"""What is checked and how strictly: criteria, thresholds and run settings."""

from __future__ import annotations

import math
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from pydantic import Field, field_validator, model_validator

from tenxgraph_tui.evaluation.models import Handwritten, nearest

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
    """How one criterion judges; a score of at least `threshold` (0.0 to 1.0) passes."""

    threshold: float = 0.8
    match_type: MatchType = MatchType.EXACT
    judge_model: str = DEFAULT_JUDGE
    num_samples: int = Field(default=3, ge=1)
    rubrics: list[Rubric] = Field(default_factory=list)
    keywords: list[str] = Field(default_factory=list)
    check_args: bool = False
    enabled: bool = True
    api_style: str = "responses"

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
        """Offline: ROUGE-1 F1 of the answer against the expected one."""
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
        """Judged: the weighted mean over `rubrics`, of which there must be at least one."""
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


class CriteriaConfig(Handwritten):
    """One optional slot a criterion; a slot that is None, or not `enabled`, is not checked."""

    tool_name_match: CriterionConfig | None = None
    trajectory: CriterionConfig | None = None
    node_order: CriterionConfig | None = None
    response_match: CriterionConfig | None = None
    rouge_match: CriterionConfig | None = None
    contains_keywords: CriterionConfig | None = None
    llm_judge: CriterionConfig | None = None
    rubric_based: CriterionConfig | None = None
    factual_accuracy: CriterionConfig | None = None
    hallucination: CriterionConfig | None = None
    safety: CriterionConfig | None = None
    simulation_goals: CriterionConfig | None = None

    @model_validator(mode="before")
    @classmethod
    def _only_known_slots(cls, value: Any) -> Any:
        for key in value if isinstance(value, dict) else ():
            if key not in cls.model_fields:
                raise ValueError(unknown_slot(key))
        return value

    @model_validator(mode="after")
    def _rubrics_are_there(self) -> Self:
        if self.rubric_based and self.rubric_based.enabled and not self.rubric_based.rubrics:
            raise ValueError("rubric_based needs at least one rubric")
        return self

    def enabled(self) -> Iterator[tuple[str, CriterionConfig]]:
        """(slot, config) of every criterion that is checked, in slot order."""
        for slot in type(self).model_fields:
            criterion = getattr(self, slot)
            if criterion is not None and criterion.enabled:
                yield slot, criterion


def unknown_slot(name: str) -> str:
    """The sentence for a criterion slot that does not exist, with what was probably meant."""
    if name in SLOTS:
        return f"{name!r} is the reported name of a criterion; its slot is {SLOTS[name]!r}"
    meant = nearest(name, REPORTED_NAMES)
    hint = f"did you mean {meant!r}?" if meant else f"slots are {', '.join(REPORTED_NAMES)}"
    return f"unknown criterion {name!r}: {hint}"


class ReporterConfig(Handwritten):
    """Which reports are written after a run, where, and what they include."""

    enabled: bool = True
    output_dir: str = "eval_reports"
    console: bool = True
    json_report: bool = True
    html: bool = True
    junit_xml: bool = False
    verbose: bool = True
    include_details: bool = True
    include_trajectory: bool = True
    include_node_responses: bool = True
    include_actual_response: bool = True
    include_tool_call_details: bool = True
    timestamp_files: bool = True


class UserSimulatorConfig(Handwritten):
    """The model that plays the user in simulated conversations."""

    model: str = DEFAULT_JUDGE
    max_invocations: int = Field(default=10, ge=1)
    temperature: float = Field(default=0.7, ge=0)
    thinking_enabled: bool = False
    thinking_budget: int = 10240
    api_style: str = "responses"


class EvalConfig(Handwritten):
    """Which criteria run and how: `timeout` is in seconds a case, over all its turns."""

    criteria: CriteriaConfig = Field(default_factory=CriteriaConfig)
    user_simulator_config: UserSimulatorConfig | None = None
    parallel: bool = False
    max_concurrency: int = Field(default=4, ge=1)
    timeout: float = Field(default=300.0, gt=0, allow_inf_nan=False)
    verbose: bool = False
    mock_mode: bool = False
    reporter: ReporterConfig = Field(default_factory=ReporterConfig)

    @classmethod
    def default(cls) -> Self:
        """Exact tools and semantic responses (needs a judge)."""
        return cls._of(
            trajectory=CriterionConfig.trajectory(),
            response_match=CriterionConfig.response_match(),
        )

    @classmethod
    def strict(cls) -> Self:
        """Exact tools with arguments and high thresholds (needs a judge)."""
        return cls._of(
            trajectory=CriterionConfig.trajectory(check_args=True),
            response_match=CriterionConfig.response_match(threshold=0.9),
            llm_judge=CriterionConfig.llm_judge(threshold=0.9, num_samples=5),
        )

    @classmethod
    def relaxed(cls) -> Self:
        """Tools in order and lower thresholds (needs a judge)."""
        return cls._of(
            trajectory=CriterionConfig.trajectory(threshold=0.8, match_type=MatchType.IN_ORDER),
            response_match=CriterionConfig.response_match(threshold=0.6),
        )

    @classmethod
    def _of(cls, **criteria: CriterionConfig) -> Self:
        return cls(criteria=CriteriaConfig(**criteria))

    @classmethod
    def from_file(cls, path: str) -> EvalConfig:
        """Read a config from a JSON file.

        Raises:
            FileNotFoundError: there is no such file.
            ConfigError: the file is no config; the message names the position.
        """
        from tenxgraph_tui.evaluation.formats import read_config

        return read_config(Path(path))

    def to_file(self, path: str) -> None:
        """Write the config as JSON; the folder must exist."""
        from tenxgraph_tui.evaluation.formats import write_json

        write_json(path, self.model_dump(mode="json"))

    def get_criterion_config(self, name: str) -> CriterionConfig | None:
        """The config in slot `name`; None for an empty or unknown slot."""
        return getattr(self.criteria, name) if name in REPORTED_NAMES else None

    def enable_criterion(self, name: str, config: CriterionConfig | None = None) -> None:
        """Put `config`, or the defaults, into slot `name`.

        Raises:
            ValueError: there is no such slot.
        """
        _check_slot(name)
        setattr(self.criteria, name, config or CriterionConfig())

    def disable_criterion(self, name: str) -> None:
        """Switch slot `name` off; its config stays.

        Raises:
            ValueError: there is no such slot.
        """
        _check_slot(name)
        current = self.get_criterion_config(name)
        if current is not None:
            current.enabled = False

    def with_rubrics(self, rubrics: list[Rubric]) -> EvalConfig:
        """A copy that checks `rubrics` beside those it already has.

        Raises:
            ValueError: a rubric id stands twice, or there is none.
        """
        changed = self.model_copy(deep=True)
        before = changed.criteria.rubric_based or CriterionConfig()
        fields = before.model_dump()
        fields["rubrics"] = [*before.rubrics, *rubrics]
        if not fields["rubrics"]:
            raise ValueError("with_rubrics needs at least one rubric")
        changed.criteria.rubric_based = CriterionConfig(**fields)
        return changed


def _check_slot(name: str) -> None:
    if name not in REPORTED_NAMES:
        raise ValueError(f"Unknown criterion field: {name!r} ({unknown_slot(name)})")
