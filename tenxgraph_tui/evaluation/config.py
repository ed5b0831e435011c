"""What is checked and how strictly: criteria, thresholds and run settings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from pydantic import Field, model_validator

from tenxgraph_tui.evaluation.criterion_config import (
    DEFAULT_JUDGE,
    JUDGED_SLOTS,
    REPORTED_NAMES,
    SAMPLED_SLOTS,
    SLOTS,
    CriterionConfig,
    CustomCriterion,
    MatchType,
    Rubric,
    unknown_slot,
)
from tenxgraph_tui.evaluation.models import Handwritten

__all__ = [
    "DEFAULT_JUDGE",
    "JUDGED_SLOTS",
    "REPORTED_NAMES",
    "SAMPLED_SLOTS",
    "SLOTS",
    "CriteriaConfig",
    "CriterionConfig",
    "CustomCriterion",
    "EvalConfig",
    "MatchType",
    "ReporterConfig",
    "Rubric",
    "UserSimulatorConfig",
    "unknown_slot",
]


class CriteriaConfig(Handwritten):
    """One optional slot a criterion; a slot that is None, or not `enabled`, is not checked.

    An unknown slot is refused, as 10xGraph does; criteria of one's own go to `EvalConfig.custom`.
    """

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


class ReporterConfig(Handwritten):
    """Which reports are written after an evaluation, where, and what they include.

    `enabled` off writes and prints nothing. `output_dir` is relative to the working directory.
    `verbose` has the console tell of cases that passed as well. An `include_…` that is off takes
    the thing out of every kind of report: `details` are the reasons of criteria, `trajectory` the
    steps, `node_responses` the model calls, `actual_response` the answers, `tool_call_details` the
    arguments and results of tools. Files are named after the id of the set and, with
    `timestamp_files`, the local time; without, a file of the same name is replaced.
    """

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
    markdown: bool = Field(default=False, exclude_if=lambda markdown: not markdown)


class UserSimulatorConfig(Handwritten):
    """The model that plays the user in simulated conversations.

    `max_invocations` is the most turns (at least 1), `temperature` is at least 0, and
    `thinking_budget` counts tokens. There is no model to play it yet.
    """

    model: str = DEFAULT_JUDGE
    max_invocations: int = Field(default=10, ge=1)
    temperature: float = Field(default=0.7, ge=0)
    thinking_enabled: bool = False
    thinking_budget: int = 10240
    api_style: str = "responses"


class EvalConfig(Handwritten):
    """Which criteria run and how: `timeout` is in seconds a case, over all its turns.

    With `parallel`, up to `max_concurrency` (at least 1) cases run at once. `verbose` logs each
    case to `tenxgraph.evaluation`. `mock_mode` is kept for files of 10xGraph and does nothing.
    `custom` holds criteria of one's own, which 10xGraph overlooks when it reads such a config.
    """

    criteria: CriteriaConfig = Field(default_factory=CriteriaConfig)
    custom: list[CustomCriterion] = Field(
        default_factory=list, exclude_if=lambda custom: not custom
    )
    user_simulator_config: UserSimulatorConfig | None = None
    parallel: bool = False
    max_concurrency: int = Field(default=4, ge=1)
    timeout: float = Field(default=300.0, gt=0, allow_inf_nan=False)
    verbose: bool = False
    mock_mode: bool = False
    reporter: ReporterConfig = Field(default_factory=ReporterConfig)

    @classmethod
    def default(cls) -> Self:
        """Exact tools at 1.0 and semantic responses at 0.8 (needs a judge)."""
        return cls._of(
            trajectory=CriterionConfig.trajectory(),
            response_match=CriterionConfig.response_match(),
        )

    @classmethod
    def strict(cls) -> Self:
        """Exact tools with arguments at 1.0, and two judged criteria at 0.9."""
        return cls._of(
            trajectory=CriterionConfig.trajectory(check_args=True),
            response_match=CriterionConfig.response_match(threshold=0.9),
            llm_judge=CriterionConfig.llm_judge(threshold=0.9, num_samples=5),
        )

    @classmethod
    def relaxed(cls) -> Self:
        """Tools in order at 0.8 and semantic responses at 0.6 (needs a judge)."""
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
