"""What callers hand to the library, as our own objects: eval sets, cases and configs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel

from tenxgraph_tui.errors import EvalSetError
from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet


def eval_set_of(given: Any) -> EvalSet:
    """An `EvalSet`, one of 10xGraph's, or the one in the file that a path names.

    Raises:
        EvalSetError: the file cannot be read, or two cases have the same id.
        TypeError: it is none of these.
    """
    if isinstance(given, str | Path):
        return EvalSet.from_file(str(given))
    if not isinstance(given, EvalSet):
        return EvalSet.model_validate(_fields(given, "an EvalSet or the path of one"))
    first_seen: dict[str, int] = {}
    for position, case in enumerate(given.eval_cases):  # a list: anything may have been appended
        if first_seen.setdefault(case.eval_id, position) != position:
            raise EvalSetError(
                f"{given.eval_set_id}: eval_id {case.eval_id!r} stands twice: "
                f"eval_cases[{first_seen[case.eval_id]}] and eval_cases[{position}]"
            )
    return given


def eval_case_of(given: Any) -> EvalCase:
    """An `EvalCase`, also from one of 10xGraph's."""
    if isinstance(given, EvalCase):
        return given
    return EvalCase.model_validate(_fields(given, "an EvalCase"))


def config_of(given: Any) -> EvalConfig:
    """An `EvalConfig`, also from one of 10xGraph's; `EvalConfig.default()` for None."""
    if given is None:
        return EvalConfig.default()
    if isinstance(given, EvalConfig):
        return given
    return EvalConfig.model_validate(_fields(given, "an EvalConfig"))


def share_of(given: Any, name: str) -> float:
    """A number from 0.0 to 1.0.

    Raises:
        ValueError: it is none. A NaN would let everything pass.
    """
    if isinstance(given, int | float) and 0.0 <= given <= 1.0:
        return float(given)
    raise ValueError(f"{name} must be a number from 0.0 to 1.0, not {given!r}")


def _fields(given: Any, wanted: str) -> dict[str, Any]:
    if isinstance(given, BaseModel):
        return given.model_dump()
    raise TypeError(f"needs {wanted}, not {type(given).__name__}")
