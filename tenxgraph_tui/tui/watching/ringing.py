"""Tells somebody who looks elsewhere that cases flipped: by the bell, or as the desktop does."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from textual.app import App

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.tui import editors
from tenxgraph_tui.tui.watching.news import News
from tenxgraph_tui.tui.words import clean, shorten

BELL, DESKTOP = "bell", "desktop"
LONGEST = 200
WITH_TITLE = ("rxvt", "foot", "ghostty")
"""Terminals that know OSC 777, by their `TERM` or `TERM_PROGRAM`; the others may know OSC 9."""
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")


def ring(
    app: App[Any], notify: str | None, news: News, environ: Mapping[str, str] | None = None
) -> None:
    """Tell of a run that a save started, if a case flipped in it and somebody wants to hear it."""
    if not news.has_flips:
        return
    if notify == BELL:
        app.bell()
    elif notify == DESKTOP:
        _on_desktop(app, f"tenxgraph: {headline(news)}", news.changed, environ or os.environ)


def headline(news: News) -> str:
    """`3 broke, 1 errored, 2 fixed`."""
    kinds = ((news.broke, "broke"), (news.errored, "errored"), (news.fixed, "fixed"))
    return ", ".join(f"{len(names)} {word}" for names, word in kinds if names)


def _on_desktop(app: App[Any], title: str, text: str, environ: Mapping[str, str]) -> None:
    command = shutil.which("notify-send", path=environ.get("PATH"))
    if command is not None and any(environ.get(name) for name in DISPLAYS):
        told = [command, "--app-name=tenxgraph-tui", "--", _line(title), _line(text)]
        with suppress(UsageError):
            editors.leave_open(told, lambda: None)
    elif (driver := app._driver) is not None:  # noqa: SLF001 - it writes whole frames: nothing gets in between
        driver.write(sequence(title, text, environ))


def sequence(title: str, text: str, environ: Mapping[str, str]) -> str:
    """What has a terminal show a notification; those that know none of it ignore it."""
    title, text = _line(title).replace(";", ","), _line(text).replace(";", ",")
    names = f"{environ.get('TERM', '')} {environ.get('TERM_PROGRAM', '')}".lower()
    knows_titles = any(name in names for name in WITH_TITLE)
    told = f"777;notify;{title};{text}" if knows_titles else f"9;{title}: {text}"
    written = f"\x1b]{told}\x07"
    if environ.get("TMUX"):  # it passes on what is wrapped like this, if it is allowed to
        return f"\x1bPtmux;{written.replace(chr(27), chr(27) * 2)}\x1b\\"
    return written


def _line(text: str) -> str:
    return shorten(clean(text), LONGEST)
