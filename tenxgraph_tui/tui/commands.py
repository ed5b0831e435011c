"""The palette and the help sheet: both are read off the bindings, so no key can be forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from textual.app import App, SystemCommand
from textual.binding import ActiveBinding
from textual.screen import Screen

from tenxgraph_tui.tui.lines.help import Group

AREAS = {
    "run": "Everywhere",
    "dashboard": "Everywhere",
    "app": "Everywhere",
    "cases": "Cases",
    "browser": "Eval sets",
    "presets": "Preset",
    "detail": "Drill-down",
    "case": "Drill-down",
    "notice": "Everywhere",
}
"""The first part of a binding's id → the heading it is listed under."""
SILENT = frozenset({"app.interrupt"})


def bound(screen: Screen[Any]) -> Iterator[ActiveBinding]:
    """The bindings of ours that work on a screen, each once."""
    seen: set[str] = set()
    for active in screen.active_bindings.values():
        name = active.binding.id or ""
        known = name.partition(".")[0] in AREAS and name not in SILENT
        if known and name not in seen and active.enabled and active.binding.description:
            seen.add(name)
            yield active


def commands_of(app: App[Any], screen: Screen[Any]) -> Iterator[SystemCommand]:
    """Everything that can be done on a screen, with its key, and the choice of a theme."""
    for active in bound(screen):
        binding = active.binding
        if binding.id == "app.palette":
            continue
        yield SystemCommand(
            binding.description,
            f"key {app.get_key_display(binding)}",
            partial(app.run_action, binding.action, active.node),
        )
    yield SystemCommand("Theme", "Change the colours", app.action_change_theme)


def key_groups(screen: Screen[Any]) -> list[Group]:
    """The keys that work on a screen, whatever pane has the focus, by where they work."""
    groups: dict[str, dict[str, str]] = {"Everywhere": {"tab": "Next pane", "esc": "Back"}}
    bindings = [active.binding for active in bound(screen)]
    nodes = dict.fromkeys(node for pane in screen.focus_chain for node in pane.ancestors_with_self)
    for node in nodes:
        bindings += [binding for _, binding in node._bindings]  # noqa: SLF001 - no public reader
    for binding in bindings:
        area = AREAS.get((binding.id or "").partition(".")[0])
        if area is None or binding.id in SILENT or not binding.description:
            continue
        key = screen.app.get_key_display(binding)
        groups.setdefault(area, {}).setdefault(key, binding.description)
    shown = [area for area in dict.fromkeys(AREAS.values()) if area in groups]
    return [Group(area, tuple(groups[area].items())) for area in shown]
