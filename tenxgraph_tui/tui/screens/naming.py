"""Asking for the name of a config file, and writing it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.app import App

from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.presets import Preset
from tenxgraph_tui.tui.saving import ConfigSaver, suggested_name
from tenxgraph_tui.tui.screens.ask import AskScreen

HINT = "a file at the root of the project; .evalconfig.json is added"


def ask_for_name(app: App[Any], desk: Desk, preset: Preset, then: Callable[[Preset], None]) -> None:
    """Keep what a preset checks under the name that is typed; `then` gets the new entry."""
    assert preset.config is not None  # others have nothing to keep
    saver = ConfigSaver(desk.root, preset.config)

    def done(_: bool | None) -> None:
        saved = saver.saved
        if saved is None:
            return
        desk.choices.offer(saved)
        toasts.done(app, f"Saved {saved.name}", f"{saved.value} is in the list of presets.")
        then(saved)

    name = suggested_name(preset)
    sheet = AskScreen("Save as config", name, saver.accept, hint=HINT, verb="Save")
    app.push_screen(sheet, done)
