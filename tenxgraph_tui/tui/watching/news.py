"""What came of a save: which cases flipped, and which did not."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class News:
    """The cases are named as their files name them; `at` is Unix seconds.

    `seconds` is None while the run goes on: what flipped is told when all of it is known.
    `still_failing` are among the `unchanged`.
    """

    changed: str
    at: float
    rerun: int
    seconds: float | None = None
    broke: tuple[str, ...] = ()
    errored: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    unchanged: int = 0
    still_failing: int = 0

    @property
    def is_over(self) -> bool:
        return self.seconds is not None

    @property
    def has_flips(self) -> bool:
        return bool(self.broke or self.errored or self.fixed)
