"""A callback manager that a graph of 10xGraph takes as well as one of the embedded runtime.

`make_trajectory_callback` cannot know which of the two its manager is compiled into.
"""

from __future__ import annotations

from typing import Any

from tenxgraph_tui.adapters.kinds import is_tenxgraphs
from tenxgraph_tui.graph.callbacks import CallbackManager


class SharedManager(CallbackManager):
    """Answers what the engine of 10xGraph 0.10 asks its own manager besides, in the same words."""

    def __init__(self) -> None:
        super().__init__()
        self._validators: list[Any] = []

    def _is_message(self, answer: Any) -> bool:
        return super()._is_message(answer) or is_tenxgraphs(answer)

    @property
    def _lifecycle_hooks(self) -> list[Any]:
        return self._hooks

    @property
    def _error_callbacks(self) -> dict[Any, list[Any]]:
        return {**self._errors}

    def register_input_validator(self, validator: Any) -> None:
        """Have `validator` look at the messages of every run, before the first node."""
        self._validators.append(validator)

    async def execute_validators(
        self, messages: list[Any], config: dict[str, Any] | None = None
    ) -> bool:
        """Ask every validator; what one raises is raised."""
        del config
        for validator in self._validators:
            await validator.validate(messages)
        return True

    async def fire_on_interrupt(
        self, context: Any, interrupted_node: str, interrupt_type: str, state: Any
    ) -> Any:
        """Hooks of the embedded runtime know no pause."""
        del context, interrupted_node, interrupt_type
        return state

    async def fire_on_resume(
        self, context: Any, resumed_node: str, state: Any, resume_data: dict[str, Any]
    ) -> Any:
        """Hooks of the embedded runtime know no pause."""
        del context, resumed_node, resume_data
        return state

    async def fire_on_checkpoint(
        self, context: Any, state: Any, messages: list[Any], is_context_trimmed: bool
    ) -> tuple[Any, list[Any]]:
        """Hooks of the embedded runtime know no checkpoint."""
        del context, is_context_trimmed
        return state, messages
