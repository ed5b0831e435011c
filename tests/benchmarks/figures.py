"""What a benchmark prints: a figure, its budget, and its ratio to a peer of the same run."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

MARGIN = 2.0
"""How many times its budget a figure may be before it is far off; memory has no margin."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that was measured. `budget` is that of the design, None where it has none.

    `peer` is what something else took for the like in the same minutes, and `usual` what that takes
    on the reference machine: on a slower machine, or a busy one, more is allowed.
    """

    name: str
    value: float
    unit: str
    budget: float | None = None
    is_most: bool = True
    peer: float | None = None
    usual: float | None = None

    @property
    def is_far_off(self) -> bool:
        """Whether it is far from its budget, even for a machine as slow as the peer says."""
        if self.budget is None:
            return False
        worse = self.value / self.budget if self.is_most else self.budget / self.value
        if self.unit == "MiB":
            return worse > 1.0
        slowness = self.peer / self.usual if self.peer and self.usual else 1.0
        return worse > MARGIN * max(1.0, slowness)

    def line(self) -> str:
        """The figure, its budget, and its ratio to the peer where both are of one unit."""
        sign = "≤" if self.is_most else "≥"
        budget = f"{sign} {self.budget:g}" if self.budget is not None else ""
        ratio = f"{self.value / self.peer:6.2f} x" if self.peer and self.unit == "ms" else ""
        return f"{self.name:58} {self.value:9.1f} {self.unit:8} {budget:9} {ratio}".rstrip()


def least_of(rounds: int, measure: Callable[[], float]) -> float:
    """The least: what the machine does when nothing else wants it. One before fills the caches."""
    measure()
    return min(measure() for _ in range(rounds))


def p95_of(seconds: Sequence[float]) -> float:
    """The 95th of 100, in milliseconds."""
    return 1000 * sorted(seconds)[max(0, round(0.95 * len(seconds)) - 1)]


def quantiles(
    name: str,
    seconds: Sequence[float],
    budget: float | None = None,
    *,
    peer: Sequence[float] | None = None,
    usual: float | None = None,
) -> list[Figure]:
    """Median, 95th of 100 and longest, in milliseconds; budget and `usual` are of the second."""

    def figure(what: str, of: Callable[[Sequence[float]], float], most: float | None) -> Figure:
        beside = of(peer) if peer else None
        return Figure(f"{name}: {what}", of(seconds), "ms", most, peer=beside, usual=usual)

    return [
        figure("p50", lambda taken: 1000 * statistics.median(taken), None),
        figure("p95", p95_of, budget),
        figure("longest", lambda taken: 1000 * max(taken), None),
    ]
