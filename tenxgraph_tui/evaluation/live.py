"""What a case has done so far, while it runs: its steps as they are told, and no more of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from tenxgraph_tui.evaluation.events import StepRecorded, StepStarted

KEPT_STEPS = 200
"""Of each running case; what an agent that goes round in circles did before is forgotten."""


@dataclass(slots=True)
class LiveStep:
    """A visit of a node, or a call of a tool; `seconds` is None while it goes on.

    `at` is in Unix seconds, `turn` counts from 0, `args` is the preview of the event.
    """

    node: str
    tool: str | None
    args: str
    turn: int
    at: float
    seconds: float | None = None
    tokens: int = 0
    error: str | None = None


class LiveSteps:
    """The last steps of a case that runs. `forgotten` counts those before them."""

    def __init__(self) -> None:
        self._steps: deque[LiveStep] = deque(maxlen=KEPT_STEPS)
        self.forgotten = 0

    def __iter__(self) -> Iterator[LiveStep]:
        return iter(self._steps)

    def __len__(self) -> int:
        return len(self._steps)

    def started(self, event: StepStarted, turn: int) -> None:
        """A node or a tool begins."""
        self._add(LiveStep(event.node, event.tool, event.args, turn, event.at))

    def recorded(self, event: StepRecorded, turn: int) -> None:
        """A node or a tool ended: the one that began like it, else one that was not announced."""
        step = self._open(event)
        if step is None:
            began = event.at - (event.seconds or 0.0)
            step = LiveStep(event.node, event.tool, event.args, turn, began)
            self._add(step)
        step.seconds = event.seconds if event.seconds is not None else event.at - step.at
        step.tokens, step.error = event.tokens, event.error

    def _open(self, event: StepRecorded) -> LiveStep | None:
        alike = [
            step
            for step in self._steps
            if step.seconds is None and (step.node, step.tool) == (event.node, event.tool)
        ]
        exactly = [step for step in alike if step.args == event.args]
        return next(iter(exactly or alike), None)

    def _add(self, step: LiveStep) -> None:
        self.forgotten += len(self._steps) == KEPT_STEPS
        self._steps.append(step)
