"""What other cases of the same set took in the same run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

ENOUGH = 2
"""Cases from which on there is a median worth the name."""


@dataclass(frozen=True, slots=True)
class Peers:
    """The median of the tokens of `count` cases of a set; `run` is the number people type."""

    tokens: float
    count: int
    set_name: str
    run: int | None = None

    @classmethod
    def of(cls, tokens: Iterable[int], set_name: str, run: int | None = None) -> Peers | None:
        """None where too few cases took any."""
        counts = [count for count in tokens if count]
        if len(counts) < ENOUGH:
            return None
        return cls(median(counts), len(counts), set_name, run)
