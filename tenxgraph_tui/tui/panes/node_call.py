"""One row of the nodes: an answer of a model, or a call of a tool."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from tenxgraph_tui.tui.panes.replies import Reply
from tenxgraph_tui.tui.panes.step import Step


class Kind(Enum):
    """What a row is about: an answer of a model, a call of a tool, or a node that had neither."""

    MODEL = auto()
    TOOL = auto()
    NODE = auto()


@dataclass(frozen=True, slots=True)
class NodeCall:
    """`label` and `number` name it (`MAIN 2`); `took` is in seconds, `turn` counts from 0.

    A model's has its `reply`, and in `asked` the calls that it asked for or should have; the
    others have their `step`. `broke` marks the node in which the agent raised.
    """

    kind: Kind
    label: str
    number: int = 0
    took: float | None = None
    turn: int | None = None
    reply: Reply | None = None
    asked: tuple[Step, ...] = ()
    step: Step | None = None
    broke: bool = False

    @property
    def name(self) -> str:
        return f"{self.label} {self.number}"

    @property
    def diverges(self) -> bool:
        """Whether what went wrong began here."""
        return self.broke or any(step.diverges for step in self.asked)
