"""When a browser shows the dashboard: `serve` starts one for each, which draws into a pipe."""

from __future__ import annotations

import os
from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # whether a browser asks is known before anything of Textual is needed
    from textual.app import App

DRIVER = "TEXTUAL_DRIVER"
WEB_DRIVER = "textual.drivers.web_driver:WebDriver"


def is_served(environ: MutableMapping[str, str] | None = None) -> bool:
    """Whether this process draws for a browser."""
    return (os.environ if environ is None else environ).get(DRIVER) == WEB_DRIVER


class ServerWatch:
    """Accompanies the application (see `companions`): without its server nobody could see it."""

    def __init__(self) -> None:
        self._server = os.getppid()

    def begin(self, app: App[Any]) -> None: ...

    def tick(self, app: App[Any]) -> None:
        if os.getppid() != self._server:
            app.exit()

    def end(self, app: App[Any]) -> None: ...
