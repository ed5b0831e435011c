"""Toasts confirm what was done, or say why nothing was: a title and at most three lines below it.

All of them go through here: what they say may hold names from files, and is never markup.
"""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.notifications import Notification, SeverityLevel

from tenxgraph_tui.tui.glyphs import ERROR, NOTHING, PASSED
from tenxgraph_tui.tui.words import clean, shorten, wrap

SECONDS = 4.0
AT_ONCE = 3
LINES = 3
WIDTH, FRAME = 60, 4
"""Cells of a toast, and how many of them are its bar and its margins (see styles/toast.tcss)."""
SHARE = 0.9


def done(app: App[Any], title: str, told: str = "") -> None:
    """Confirm what the user did."""
    _show(app, f"{PASSED} {clean(title)}", told, "information")


def said(app: App[Any], title: str, told: str = "") -> None:
    """Say why there was nothing to do."""
    _show(app, f"{NOTHING} {clean(title)}", told, "information")


def warn(app: App[Any], title: str, told: str = "") -> None:
    """Say what did not work, and what to do about it."""
    _show(app, f"{ERROR} {clean(title)}", told, "warning")


def _show(app: App[Any], title: str, told: str, severity: SeverityLevel) -> None:
    room = max(1, min(WIDTH, int(app.size.width * SHARE)) - FRAME)
    message = _cut(told, room)
    title = shorten(title, room)
    if not any((one.title, one.message) == (title, message) for one in _shown(app)):
        app.notify(message, title=title, severity=severity, timeout=SECONDS, markup=False)
        app.call_later(_keep_newest, app)  # behind the toast, which is a message too


def _shown(app: App[Any]) -> list[Notification]:
    return list(app._notifications)  # noqa: SLF001 - there is no public reader


def _keep_newest(app: App[Any]) -> None:
    for old in _shown(app)[:-AT_ONCE]:
        app._unnotify(old)  # noqa: SLF001 - nor a way to take a single one back


def _cut(told: str, room: int) -> str:
    lines = wrap(told, room, LINES + 1)
    if len(lines) > LINES:
        lines = [*lines[: LINES - 1], shorten(f"{lines[LINES - 1]} {lines[LINES]}", room)]
    return "\n".join(lines)
