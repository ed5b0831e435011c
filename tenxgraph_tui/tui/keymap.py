"""The keys that the settings give to actions, checked before anybody presses them."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode

import tenxgraph_tui.tui as package
from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.models import meant_or
from tenxgraph_tui.settings import Loaded
from tenxgraph_tui.tui.commands import AREAS, EVERYWHERE, MOVING, area_of, heading_of
from tenxgraph_tui.tui.keynames import normal, shown
from tenxgraph_tui.tui.keywords import give


@dataclass(frozen=True, slots=True)
class Action:
    """Something that has keys of its own: its id, its default keys and what it does."""

    id: str
    keys: tuple[str, ...]
    text: str


@cache
def actions() -> Mapping[str, Action]:
    """Every action that has an id, by it, in the order of `commands.AREAS`."""
    found: dict[str, Action] = {}
    for binding in bindings():
        if binding.id is None:
            continue
        before = found.get(binding.id, Action(binding.id, (), ""))
        keys = tuple(dict.fromkeys([*before.keys, binding.key]))
        text = before.text or binding.tooltip or binding.description
        found[binding.id] = Action(binding.id, keys, text)
    order = {area: place for place, area in enumerate(AREAS)}
    return dict(sorted(found.items(), key=lambda item: order.get(area_of(item[0]), len(order))))


def bindings() -> Iterator[Binding]:
    """Every binding of every screen and widget of ours; all their modules are imported for it."""
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        module = import_module(info.name)
        for value in vars(module).values():
            is_node = isinstance(value, type) and issubclass(value, DOMNode)
            if is_node and value.__module__ == module.__name__:
                yield from Binding.make_bindings(vars(value).get("BINDINGS", ()))


def keymap_of(wishes: Mapping[str, str]) -> dict[str, str]:
    """The `keys` of the settings as Textual takes them.

    Raises:
        ConfigError: an action or a key does not exist, or a key would do two things in one place.
    """
    if not wishes:
        return {}
    keymap: dict[str, str] = {}
    for name, written in wishes.items():
        if name not in actions():
            hint = meant_or(name, actions(), "the settings screen lists all of them")
            raise ConfigError(f"keys: there is no action {name!r}; {hint}")
        try:
            keymap[name] = ",".join(normal(key) for key in written.split(","))
        except ValueError as error:
            raise ConfigError(f"keys: {name} = {written!r}: {error}") from None
    for name in keymap:
        _check(name, keymap)
    return keymap


class Keys:
    """Accompanies the application (see `companions`) and gives it the keys of the settings.

    Raises:
        ConfigError: the settings give keys that cannot be given; the message names the place.
    """

    def __init__(self, settings: Loaded) -> None:
        try:
            self.keymap = keymap_of(settings.values.keys)
        except ConfigError as error:
            raise ConfigError(f"{settings.origins['keys'].where}: {error}") from None

    def begin(self, app: App[Any]) -> None:
        give(self.keymap)
        if self.keymap:
            app.set_keymap(self.keymap)

    def tick(self, app: App[Any]) -> None:
        """Keys stay what they are."""

    def end(self, app: App[Any]) -> None:
        """Nothing is left behind."""


def _check(name: str, keymap: Mapping[str, str]) -> None:
    """A key given anew must not be taken by an action that works in the same place."""
    default = actions()[name].keys
    for other, action in actions().items():
        if other == name or not _meet(name, other):
            continue
        theirs = keymap[other].split(",") if other in keymap else action.keys
        for key in keymap[name].split(","):
            was_shared = key in action.keys and (key in default or _is_taken_over(key, other))
            if key in theirs and not was_shared:
                raise ConfigError(
                    f"keys: {shown(key)!r} of {name} is the key of {other} too; "
                    f"give one of them another"
                )


def _meet(one: str, other: str) -> bool:
    """Whether both actions can be at hand at the same time."""
    here, there = heading_of(one), heading_of(other)
    if here == there == MOVING:
        return area_of(one) == area_of(other)
    return here == there or not {EVERYWHERE, MOVING}.isdisjoint((here, there))


def _is_taken_over(key: str, name: str) -> bool:
    """Whether a pane or a sheet has the key for itself on purpose, though it works everywhere.

    Then it does not matter which of the actions that work everywhere has it.
    """
    everywhere = (one for one in actions().values() if heading_of(one.id) == EVERYWHERE)
    return heading_of(name) != EVERYWHERE and any(key in one.keys for one in everywhere)
