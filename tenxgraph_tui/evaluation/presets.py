"""Ready-made configs, and how they are merged."""

from __future__ import annotations

from collections.abc import Callable

from tenxgraph_tui.evaluation.config import (
    DEFAULT_JUDGE,
    CriteriaConfig,
    CriterionConfig,
    EvalConfig,
    MatchType,
)
from tenxgraph_tui.evaluation.models import meant_or


class EvalPresets:
    """Factories of configs for common purposes; offline unless a `judge_model` is a parameter.

    Every threshold is from 0.0 to 1.0; another one is a `ValueError`.
    """

    @classmethod
    def quick_check(cls) -> EvalConfig:
        """Word overlap only, `rouge_match` at 0.5: no model, no cost."""
        return _config(rouge_match=CriterionConfig.rouge_match(threshold=0.5))

    @classmethod
    def tool_usage(
        cls, threshold: float = 1.0, strict: bool = True, check_args: bool = True
    ) -> EvalConfig:
        """The right tools, in order; `strict` allows no extra calls. No model, no cost."""
        return _config(
            tool_name_match=CriterionConfig.tool_name_match(threshold=threshold),
            trajectory=CriterionConfig.trajectory(
                threshold=threshold,
                match_type=MatchType.EXACT if strict else MatchType.IN_ORDER,
                check_args=check_args,
            ),
        )

    @classmethod
    def response_quality(
        cls, threshold: float = 0.7, use_llm_judge: bool = True, judge_model: str = DEFAULT_JUDGE
    ) -> EvalConfig:
        """A judge compares meaning; `use_llm_judge` adds a second opinion with one sample."""
        judge = CriterionConfig.llm_judge(threshold, judge_model, num_samples=1)
        return _config(
            response_match=CriterionConfig.response_match(threshold, judge_model),
            llm_judge=judge if use_llm_judge else None,
        )

    @classmethod
    def conversation_flow(
        cls, threshold: float = 0.8, judge_model: str = DEFAULT_JUDGE
    ) -> EvalConfig:
        """Dialogues: meaning of every answer, and tools in order with extras allowed."""
        return _config(
            response_match=CriterionConfig.response_match(threshold, judge_model),
            trajectory=CriterionConfig.trajectory(threshold, MatchType.IN_ORDER),
        )

    @classmethod
    def safety_check(cls, threshold: float = 0.8, judge_model: str = DEFAULT_JUDGE) -> EvalConfig:
        """A judge looks for unsupported claims (`hallucination`) and unsafe content (`safety`)."""
        return _config(
            hallucination=CriterionConfig.hallucination(threshold, judge_model),
            safety=CriterionConfig.safety(threshold, judge_model),
        )

    @classmethod
    def comprehensive(
        cls, threshold: float = 0.8, use_llm_judge: bool = True, judge_model: str = DEFAULT_JUDGE
    ) -> EvalConfig:
        """Tools, words and four judged criteria; `threshold` is not for tools: they need 1.0."""
        config = _config(
            tool_name_match=CriterionConfig.tool_name_match(),
            trajectory=CriterionConfig.trajectory(1.0, MatchType.IN_ORDER, check_args=True),
            rouge_match=CriterionConfig.rouge_match(threshold),
        )
        if use_llm_judge:
            criteria = config.criteria
            criteria.llm_judge = CriterionConfig.llm_judge(threshold, judge_model)
            criteria.factual_accuracy = CriterionConfig.factual_accuracy(threshold, judge_model)
            criteria.hallucination = CriterionConfig.hallucination(threshold, judge_model)
            criteria.safety = CriterionConfig.safety(threshold, judge_model)
        return config

    @classmethod
    def custom(
        cls,
        response_threshold: float | None = None,
        tool_threshold: float | None = None,
        llm_judge_threshold: float | None = None,
        tool_match_type: MatchType = MatchType.IN_ORDER,
        check_tool_args: bool = True,
        hallucination_threshold: float | None = None,
        safety_threshold: float | None = None,
        factual_accuracy_threshold: float | None = None,
        judge_model: str = DEFAULT_JUDGE,
    ) -> EvalConfig:
        """Exactly the criteria whose threshold is given; None leaves one out.

        `tool_threshold` is that of `tool_name_match` and of `trajectory`. Without any threshold the
        config checks nothing, and evaluating with it is a `ConfigError`.
        """
        criteria = CriteriaConfig()
        if tool_threshold is not None:
            criteria.tool_name_match = CriterionConfig.tool_name_match(tool_threshold)
            criteria.trajectory = CriterionConfig.trajectory(
                tool_threshold, tool_match_type, check_tool_args
            )
        judged: dict[str, tuple[float | None, Callable[..., CriterionConfig]]] = {
            "response_match": (response_threshold, CriterionConfig.response_match),
            "llm_judge": (llm_judge_threshold, CriterionConfig.llm_judge),
            "hallucination": (hallucination_threshold, CriterionConfig.hallucination),
            "safety": (safety_threshold, CriterionConfig.safety),
            "factual_accuracy": (factual_accuracy_threshold, CriterionConfig.factual_accuracy),
        }
        for slot, (threshold, factory) in judged.items():
            if threshold is not None:
                setattr(criteria, slot, factory(threshold, judge_model))
        return EvalConfig(criteria=criteria)

    @classmethod
    def combine(cls, *configs: EvalConfig) -> EvalConfig:
        """One config from several: of a slot, or of a run setting that was set, the last wins.

        So does the last config that has a custom criterion, with all its entries of it.

        The criteria are copied, so that changing one config never changes another.
        """
        merged = EvalConfig()
        for config in configs:
            copied = config.model_copy(deep=True)
            for slot in CriteriaConfig.model_fields:
                criterion = getattr(copied.criteria, slot)
                if criterion is not None:
                    setattr(merged.criteria, slot, criterion)
            again = {custom.criterion for custom in copied.custom}
            kept = [custom for custom in merged.custom if custom.criterion not in again]
            merged.custom = [*kept, *copied.custom]
            for setting in copied.model_fields_set - {"criteria", "custom", "reporter"}:
                setattr(merged, setting, getattr(copied, setting))
            # Changed in place (`config.reporter.enabled = False`), so only the reporter knows it.
            for setting in copied.reporter.model_fields_set:
                setattr(merged.reporter, setting, getattr(copied.reporter, setting))
        return merged


def _config(**criteria: CriterionConfig | None) -> EvalConfig:
    return EvalConfig(criteria=CriteriaConfig(**criteria))


def _offline() -> EvalConfig:
    return EvalPresets.combine(EvalPresets.tool_usage(strict=False), EvalPresets.quick_check())


PRESETS: dict[str, Callable[[], EvalConfig]] = {
    "offline": _offline,
    "quick_check": EvalPresets.quick_check,
    "tool_usage": EvalPresets.tool_usage,
    "response_quality": EvalPresets.response_quality,
    "conversation_flow": EvalPresets.conversation_flow,
    "safety_check": EvalPresets.safety_check,
    "comprehensive": EvalPresets.comprehensive,
    "default": EvalConfig.default,
    "strict": EvalConfig.strict,
    "relaxed": EvalConfig.relaxed,
}
"""What the name of a preset selects."""

DEFAULT_PRESET = "offline"
"""The one that is used where none is named: it needs no model."""


def unknown_preset(name: str) -> str:
    """The sentence for a preset that does not exist, with what was probably meant."""
    hint = meant_or(name, PRESETS, f"there are {', '.join(PRESETS)}")
    return f"there is no preset {name!r}: {hint}"
