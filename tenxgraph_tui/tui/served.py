"""When a browser shows the dashboard: `serve` starts one for each, which draws into a pipe."""

from __future__ import annotations

import os
from collections.abc import MutableMapping

DRIVER = "TEXTUAL_DRIVER"
WEB_DRIVER = "textual.drivers.web_driver:WebDriver"


def is_served(environ: MutableMapping[str, str] | None = None) -> bool:
    """Whether this process draws for a browser."""
    return (os.environ if environ is None else environ).get(DRIVER) == WEB_DRIVER
