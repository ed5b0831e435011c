"""What one case changes about the config: `metadata.criteria` of an eval case."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from tenxgraph_tui.evaluation.config import (
    REPORTED_NAMES,
    CriteriaConfig,
    CriterionConfig,
    unknown_slot,
)

KEY = "criteria"


def apply_overrides(criteria: CriteriaConfig, metadata: dict[str, Any]) -> CriteriaConfig:
    """`criteria` as the case wants them: a number is a threshold, false or null switches off.

    An object changes the fields it names. A slot that the config does not check stays unchecked.

    Raises:
        ValueError: the metadata name no slot or give no usable value.
    """
    if KEY not in metadata:
        return criteria
    changed = criteria.model_copy()
    for slot, change in _checked(metadata[KEY]).items():
        current = getattr(criteria, slot)
        if current is not None:
            setattr(changed, slot, _changed(slot, current, change))
    return changed


def check_overrides(metadata: dict[str, Any]) -> None:
    """Find mistakes in `metadata.criteria` before anything runs.

    Raises:
        ValueError: one sentence that says what is wrong.
    """
    for slot, change in _checked(metadata.get(KEY, {})).items():
        _changed(slot, CriterionConfig(), change)


def _checked(changes: Any) -> dict[str, Any]:
    if not isinstance(changes, dict):
        raise ValueError(  # noqa: TRY004 - every mistake in a file is a ValueError
            'metadata.criteria must be an object like {"rouge_match": 0.4, "trajectory": false}'
        )
    for slot in changes:
        if slot not in REPORTED_NAMES:
            raise ValueError(f"metadata.criteria: {unknown_slot(slot)}")
    return changes


def _changed(slot: str, current: CriterionConfig, change: Any) -> CriterionConfig:
    if change is None or change is False:
        fields: dict[str, Any] = {"enabled": False}
    elif change is True:
        fields = {"enabled": True}
    elif isinstance(change, int | float):
        fields = {"threshold": change}
    elif isinstance(change, dict):
        fields = change
    else:
        raise ValueError(
            f"metadata.criteria.{slot} must be a threshold, false or an object, not {change!r:.60}"
        )
    try:
        return CriterionConfig.model_validate({**current.model_dump(), **fields})
    except ValidationError as error:
        first = error.errors()[0]
        field = "".join(f".{part}" for part in first["loc"])
        said = first["msg"].removeprefix("Value error, ")
        raise ValueError(f"metadata.criteria.{slot}{field}: {said}") from None
