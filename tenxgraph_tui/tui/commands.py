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
    "news": EVERYWHERE,
    "armed": "Armed",
    "watched": "Watched files",
    "cases": "Cases",
    "filter": "Filter",
    "columns": "Columns",
    "browser": "Eval sets",
    "presets": "Preset",
    "criteria": "Criteria",
    "causes": "Causes",
    "detail": "Drill-down",
    "case": "Drill-down",
    "value": "Value",
    "log": "Log",
    "tokens": "Tokens",
    "search": "Search",
    "copies": "Copy",
    "export": "Export",
    "palette": "Commands",
    "settings": "Settings",
    "themes": "Colours",
    "list": MOVING,
    "pane": MOVING,
    "steps": MOVING,
    "nodes": MOVING,
}
"""The first part of a binding's id → the heading it is listed under."""
WORDS = {
    "run": "run",
    "dashboard": "go to",
    "app": "app",
    "notice": "error",
    "tour": "tour",
    "news": "watch",
    "armed": "watch",
    "watched": "watch",
    "cases": "case",
    "filter": "filter",
    "columns": "columns",
    "browser": "eval sets",
    "presets": "preset",
    "criteria": "criteria",
    "causes": "causes",
    "detail": "view",
    "case": "case",
    "value": "value",
    "log": "log",
    "tokens": "tokens",
    "search": "search",
}
"""The first part of a binding's id → what the palette says beside it."""
MOVES = {
    **dict.fromkeys(("up", "down"), "Up, down"),
    **dict.fromkeys(("page_up", "page_down"), "Page up, down"),
    **dict.fromkeys(("home", "end", "first", "last"), "First, last"),
}
"""The second part of a moving key's id → what help says of it and its counterpart in one line."""
NUMBERS = "123456789"
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
    moves: dict[str, list[str]] = {}
    for one in bound(screen):
        heading, what = heading_of(one.id), one.binding.description
        if heading == MOVING:
            known = moves.setdefault(MOVES.get(one.id.partition(".")[2], what), [])
            known += [key for key in one.keys if key not in known]
        elif one.id not in SILENT or one.id == "app.palette":
            groups.setdefault(heading, {}).setdefault(" ".join(one.keys), what)
    groups.setdefault(EVERYWHERE, {})["tab"] = "Next pane"
    first = [heading for heading in groups if heading != EVERYWHERE][:1]
    if moves:
        groups[MOVING] = {" ".join(keys): what for what, keys in moves.items()}
    order = dict.fromkeys([*first, EVERYWHERE, *AREAS.values(), *groups])
    return [Group(name, tuple(_views(groups[name]))) for name in order if name in groups]


def _views(keys: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The keys of a group; numbers, which change the view, on one line: `1-6 Why to Log`."""
    numbers = [key for key in keys if key.isdigit()]
    if len(numbers) > 1 and "".join(numbers) in NUMBERS:
        yield f"{numbers[0]}-{numbers[-1]}", f"{keys[numbers[0]]} to {keys[numbers[-1]]}"
        keys = {key: what for key, what in keys.items() if key not in numbers}
    yield from keys.items()
