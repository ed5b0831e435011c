"""What can be done: palette and help are read off the bindings, so no key can be forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol, runtime_checkable

from textual import actions
from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import Screen

from tenxgraph_tui.tui.keynames import normal, shown
from tenxgraph_tui.tui.lines.help import Group

EVERYWHERE, MOVING = "Everywhere", "Moving"
AREAS = {
    "run": EVERYWHERE,
    "tour": "Tour",
    "dashboard": EVERYWHERE,
    "app": EVERYWHERE,
    "notice": EVERYWHERE,
    "cases": "Cases",
    "filter": "Filter",
    "columns": "Columns",
    "browser": "Eval sets",
    "presets": "Preset",
    "criteria": "Criteria",
    "detail": "Drill-down",
    "case": "Drill-down",
    "palette": "Commands",
    "settings": "Settings",
    "themes": "Colours",
    "list": MOVING,
    "pane": MOVING,
    "steps": MOVING,
}
"""The first part of a binding's id → the heading it is listed under."""
WORDS = {
    "run": "run",
    "dashboard": "go to",
    "app": "app",
    "notice": "error",
    "tour": "tour",
    "cases": "case",
    "filter": "filter",
    "columns": "columns",
    "browser": "eval sets",
    "presets": "preset",
    "criteria": "criteria",
    "detail": "view",
    "case": "case",
}
"""The first part of a binding's id → what the palette says beside it."""
SILENT = frozenset({"app.interrupt", "app.palette", "app.palette_close"})
"""What is not worth a line in the palette: it is how one got there, or left it."""


@dataclass(frozen=True, slots=True)
class Command:
    """Something that can be chosen in the palette: a sentence, where it belongs, its key."""

    text: str
    area: str
    key: str
    run: Callable[[], Any]


@runtime_checkable
class Offers(Protocol):
    """A screen or a widget with commands beyond those of its bindings."""

    def commands(self) -> Iterable[Command]: ...


@dataclass(frozen=True, slots=True)
class Bound:
    """A binding that works now, and the node that carries it out."""

    node: DOMNode
    binding: Binding
    keys: tuple[str, ...]

    @property
    def id(self) -> str:
        return self.binding.id or ""


def area_of(name: str) -> str:
    """The first part of a binding's id."""
    return name.partition(".")[0]


def heading_of(name: str) -> str:
    """What a binding is listed under."""
    return AREAS.get(area_of(name), area_of(name).capitalize())


def bound(screen: Screen[Any]) -> list[Bound]:
    """The bindings of ours that work on a screen, those of the focused pane first."""
    found: dict[str, Bound] = {}
    for active in screen.active_bindings.values():
        if active.enabled:
            _add(found, screen, active.node, active.binding)
    panes = [node for pane in screen.focus_chain for node in pane.ancestors_with_self]
    focused = set(screen.focused.ancestors_with_self) if screen.focused else {screen, screen.app}
    for node in dict.fromkeys(panes):
        if node in focused or node.is_modal:
            continue
        for _, binding in _remapped(screen.app, node):
            if _is_enabled(node, binding):
                _add(found, screen, node, binding)
    keymap = screen.app._keymap  # noqa: SLF001 - Textual has no public reader
    return [replace(one, keys=_in_order(one, keymap)) for one in found.values()]


def _in_order(one: Bound, keymap: Mapping[str, str]) -> tuple[str, ...]:
    """The keys as they were written: the first is the one to tell."""
    if len(one.keys) == 1:
        return one.keys
    listed = (b for base in type(one.node).__mro__ for b in vars(base).get("BINDINGS", ()))
    declared = (b.key for b in listed if isinstance(b, Binding) and b.id == one.id)
    written = keymap.get(one.id) or ",".join(declared)
    order = [shown(normal(key)) for key in written.split(",")]
    return tuple(sorted(one.keys, key=lambda key: order.index(key) if key in order else len(order)))


def _add(found: dict[str, Bound], screen: Screen[Any], node: DOMNode, binding: Binding) -> None:
    name = binding.id or ""
    if "." not in name or not binding.description:
        return
    key = screen.app.get_key_display(binding)
    before = found.get(name)
    if before is None:
        found[name] = Bound(node, binding, (key,))
    elif before.node is node and key not in before.keys:
        found[name] = Bound(node, binding, (*before.keys, key))


def _remapped(app: App[Any], node: DOMNode) -> Iterator[tuple[str, Binding]]:
    bindings = node._bindings.copy()  # noqa: SLF001 - Textual has no public reader
    bindings.apply_keymap(app._keymap)  # noqa: SLF001 - nor for this
    yield from bindings


def _is_enabled(node: DOMNode, binding: Binding) -> bool:
    destination, name, parameters = actions.parse(binding.action)
    target = node.app if destination == "app" else node
    return bool(target.check_action(name, parameters))


def commands_of(app: App[Any], screen: Screen[Any]) -> Iterator[Command]:
    """Everything that can be done on a screen, what the focused pane does first."""
    for one in bound(screen):
        word = WORDS.get(area_of(one.id))
        if word is None or one.id in SILENT:
            continue
        binding = one.binding
        run = partial(app.run_action, binding.action, one.node)
        yield Command(binding.tooltip or binding.description, word, one.keys[0], run)
    for node in dict.fromkeys([app, screen, *screen.query("*")]):
        if isinstance(node, Offers):
            yield from node.commands()


def key_groups(screen: Screen[Any]) -> list[Group]:
    """The keys that work on a screen: those of the focused pane, those of everywhere, the rest."""
    groups: dict[str, dict[str, str]] = {}
    for one in bound(screen):
        if one.id not in SILENT or one.id == "app.palette":
            keys = groups.setdefault(heading_of(one.id), {})
            keys.setdefault(" ".join(one.keys), one.binding.description)
    groups.setdefault(EVERYWHERE, {})["tab"] = "Next pane"
    first = [heading for heading in groups if heading not in (EVERYWHERE, MOVING)][:1]
    order = dict.fromkeys([*first, EVERYWHERE, *AREAS.values(), *groups])
    return [
        Group(heading, tuple(groups[heading].items())) for heading in order if heading in groups
    ]
