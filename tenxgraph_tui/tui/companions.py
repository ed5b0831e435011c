"""What accompanies the application without a place on its screens."""

from __future__ import annotations

from typing import Any, Protocol

from textual.app import App


class Companion(Protocol):
    """Told when the application begins, once a second, and before it ends."""

    def begin(self, app: App[Any]) -> None: ...

    def tick(self, app: App[Any]) -> None: ...

    def end(self, app: App[Any]) -> None: ...
