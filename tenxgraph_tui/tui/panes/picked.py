"""What the cursor of a view is on: it can be copied, and opened whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tenxgraph_tui.tui.panes.model import DetailModel


@dataclass(frozen=True, slots=True)
class Picked:
    """`name` is what people call it ("the answer"), `find` looks for it in a case.

    What a view draws is cut where it is long. `find` is given the case once more with a result
    that is not, so it must not hold on to a value that was drawn. `of_before` says that it looks
    at what the case was in the baseline.
    """

    name: str
    find: Callable[[DetailModel], Any]
    of_before: bool = False
