"""Opening a page in the browser, where there is one: on request alone, in a process of its own."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from tenxgraph_tui.tui.served import is_served

WINDOWS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
"""Where one of them is set, a browser can be opened on systems that have them."""


def has_browser(environ: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether there is a browser in front of whoever looks at this terminal.

    Over SSH there is none unless windows are forwarded, and to a server no page is of use.
    """
    if is_served(dict(environ)):
        return False
    if any(environ.get(name) for name in WINDOWS):
        return True
    return platform in {"darwin", "win32"} and not environ.get("SSH_CONNECTION")


def command_for(page: Path) -> list[str]:
    """Browsers print, and some would draw in our terminal: so none is started from here."""
    return [sys.executable, "-P", "-m", "webbrowser", "-t", page.absolute().as_uri()]
