"""Every key of the dashboard is pressed: a binding that no row of `presses` is about is an error.

All keys of a binding are found, and each is pressed in an application of its own. This binding has
to be obeyed then, and the screen, or what the row looks at, has to be different afterwards.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode

import tenxgraph_tui.tui
from tenxgraph_tui.settings import load
from tests.tui.presses import TABLE, Name
from tests.tui.scenes import SCENES, Scene, enter, set_stage
from tests.tui.script import Stage, until


def bindings() -> Iterator[tuple[Name, tuple[str, ...]]]:
    """All bindings of all classes of the dashboard, with their keys."""
    for found in pkgutil.walk_packages(tenxgraph_tui.tui.__path__, "tenxgraph_tui.tui."):
        module = importlib.import_module(found.name)
        for _, kind in inspect.getmembers(module, inspect.isclass):
            if kind.__module__ == module.__name__ and issubclass(kind, DOMNode):
                for one in kind.__dict__.get("BINDINGS", ()):
                    assert isinstance(one, Binding), (kind, one)
                    name = (kind.__name__, one.id or "", one.action)
                    yield name, tuple(key.strip() for key in one.key.split(","))


KEYS = dict(bindings())


def test_every_binding_is_pressed() -> None:
    missing = [f"{kind} {name} {action}" for kind, name, action in KEYS.keys() - TABLE.keys()]
    assert not missing, "add rows for these"


def test_every_row_is_about_a_binding() -> None:
    gone = [f"{kind} {name} {action}" for kind, name, action in TABLE.keys() - KEYS.keys()]
    assert not gone, "take these rows out"


Obeyed = list[tuple[DOMNode | None, str]]


@pytest.fixture
def obeyed(monkeypatch: pytest.MonkeyPatch) -> Obeyed:
    """Which actions were carried out for a key, and for which node it was bound."""
    seen: Obeyed = []
    run = App.run_action

    async def noted(self: App[Any], action: Any, default: DOMNode | None = None, *args: Any) -> Any:
        was_done = await run(self, action, default, *args)
        if was_done:
            seen.append((default, action))
        return was_done

    monkeypatch.setattr(App, "run_action", noted)
    return seen


def picture(on: Stage) -> list[list[tuple[str, Any]]]:
    """What is shown, with its colours."""
    lines = on.app.screen._compositor.render_strips()
    return [[(segment.text, segment.style) for segment in line] for line in lines]


PRESSES = [
    pytest.param(name, key, id=f"{name[0]} {name[1]} {key}")
    for name in sorted(TABLE)
    for key in KEYS.get(name, ())
]


@pytest.mark.parametrize(("name", "key"), PRESSES)
async def test_a_key_does_what_it_is_bound_to(
    name: Name, key: str, obeyed: Obeyed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "tenxgraph-tui.toml").write_text("timeout = 30\n")
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    kind, _, action = name
    press = TABLE[name]
    scene: Scene = SCENES[press.scene]
    on = set_stage(scene, settings=load(tmp_path, {}, {}))
    async with on.app.run_test(size=press.size, notifications=True) as pilot:
        await enter(pilot, on, scene)
        if press.before is not None:
            await press.before(pilot, on)
        for one in press.keys:
            await pilot.press(one)
        await pilot.pause()
        before = picture(on)
        obeyed.clear()
        await pilot.press(key)
        await until(
            pilot,
            lambda: any(
                told == action and kind in {base.__name__ for base in type(node).__mro__}
                for node, told in obeyed
            ),
        )
        await until(pilot, lambda: press.then(on) if press.then else picture(on) != before)
