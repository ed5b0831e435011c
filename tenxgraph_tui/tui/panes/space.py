"""How much a pane may say in the cells it has."""

from __future__ import annotations

from dataclasses import dataclass

TWO_COLUMNS = 96
ROOMY = 17
SHORT = 10
TALL = 32


@dataclass(frozen=True, slots=True)
class Space:
    """The size of a pane in cells, and what follows from it."""

    width: int
    height: int

    @property
    def is_roomy(self) -> bool:
        """Whether blank rows may part the blocks."""
        return self.height >= ROOMY

    @property
    def is_tall(self) -> bool:
        """Whether there is room for what merely helps."""
        return self.height >= TALL

    @property
    def is_short(self) -> bool:
        """Whether only the first divergence is shown."""
        return self.height < SHORT

    @property
    def has_columns(self) -> bool:
        """Whether expected and actual stand beside each other."""
        return self.width >= TWO_COLUMNS and not self.is_short

    @property
    def few(self) -> int:
        """At most how many lines a text gets here."""
        return 2 if self.is_short else 4 if not self.is_roomy else 8
