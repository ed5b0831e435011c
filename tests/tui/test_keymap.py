from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.settings import Loaded, load
from tenxgraph_tui.tui.commands import AREAS, area_of
from tenxgraph_tui.tui.keymap import Keys, actions, bindings, keymap_of
from tenxgraph_tui.tui.screens.help import HelpScreen
from tests.tui.script import SCRIPT, play, screen_text, stage, until


def test_every_binding_can_be_given_another_key() -> None:
    unnamed = [binding for binding in bindings() if not binding.id]
    assert unnamed == []


def test_every_action_says_what_it_does_and_where_it_is_listed() -> None:
    assert [name for name, action in actions().items() if not action.text] == []
    assert [name for name in actions() if area_of(name) not in AREAS] == []


def test_keys_are_written_as_people_write_them() -> None:
    wishes = {"run.start": "F9, ctrl+g", "app.help": "?,F1"}
    assert keymap_of(wishes) == {"run.start": "f9,ctrl+g", "app.help": "question_mark,f1"}


def test_two_actions_can_change_their_keys_for_one_another() -> None:
    assert keymap_of({"run.start": "f", "run.failed": "r"}) == {"run.start": "f", "run.failed": "r"}


@pytest.mark.parametrize(
    ("wishes", "told"),
    [
        pytest.param(
            {"run.strt": "f5"},
            "keys: there is no action 'run.strt'; did you mean 'run.start'?",
            id="a slip of the pen",
        ),
        pytest.param(
            {"launch": "f5"},
            "keys: there is no action 'launch'; the settings screen lists all of them",
            id="nothing like it",
        ),
        pytest.param(
            {"run.start": "F99"},
            "keys: run.start = 'F99': 'F99' is no key; write it as",
            id="no such key",
        ),
        pytest.param(
            {"run.start": "f5,"},
            "keys: run.start = 'f5,': no key is named",
            id="a comma too much",
        ),
        pytest.param(
            {"run.start": "x"},
            "keys: 'x' of run.start is the key of run.cancel too; give one of them another",
            id="taken in the same place",
        ),
        pytest.param(
            {"run.start": "enter"},
            "keys: 'enter' of run.start is the key of ",
            id="a pane would take it",
        ),
        pytest.param(
            {"browser.select": "down"},
            "keys: '↓' of browser.select is the key of list.down too",
            id="a list moves with it",
        ),
        pytest.param(
            {"run.start": "f5", "run.cancel": "f5"},
            "keys: 'f5' of run.start is the key of run.cancel too",
            id="given twice",
        ),
    ],
)
def test_a_wish_that_cannot_be_met_is_one_line(wishes: dict[str, str], told: str) -> None:
    with pytest.raises(ConfigError) as raised:
        keymap_of(wishes)
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


def test_panes_that_never_have_the_focus_together_may_share_a_key() -> None:
    assert keymap_of({"browser.open": "f6", "presets.use": "f6"})
    assert keymap_of({"list.down": "f7", "pane.down": "f7"})


def settings_with(root: Path, keys: str) -> Loaded:
    (root / "tenxgraph-tui.toml").write_text(f"[keys]\n{keys}\n")
    return load(root, {}, {})


def test_what_is_wrong_is_told_with_its_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^tenxgraph-tui.toml line 1: keys: there is no action"):
        Keys(settings_with(tmp_path, '"run.strt" = "f5"'))


@pytest.mark.parametrize("key", ["f9", "ctrl+g"])
async def test_a_key_of_the_settings_works_and_the_one_it_replaces_does_not(
    tmp_path: Path, key: str
) -> None:
    on = stage(settings=settings_with(tmp_path, '"run.start" = "F9, ctrl+g"'))
    async with on.app.run_test(size=(160, 45)) as pilot:
        assert "f9 Run 18" in screen_text(on.app)
        await pilot.press("r")
        assert on.children == []
        await pilot.press(key)
        await until(pilot, lambda: len(on.children) == 1)


async def test_help_and_palette_show_the_keys_of_the_settings(tmp_path: Path) -> None:
    keys = '"browser.fold" = "minus"\n"cases.next_failed" = "N"\n"app.help" = "f1"'
    on = stage(settings=settings_with(tmp_path, keys))
    async with on.app.run_test(size=(160, 45)) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("N")
        await until(pilot, lambda: "tokyo_forecast   1 Why" in screen_text(on.app))
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(on.app.screen, HelpScreen))
        await pilot.pause()
        lines = [" ".join(line.split()) for line in screen_text(on.app).splitlines()]
        assert any("- Fold" in line for line in lines)
        assert any("N Next failed" in line for line in lines)
        await pilot.press("f1", "ctrl+p", *"fold")
        await until(pilot, lambda: "Commands" in screen_text(on.app))
        line = next(line for line in screen_text(on.app).splitlines() if " Fold " in line)
        assert line.split("Fold")[1].split()[:3] == ["eval", "sets", "-"]


async def test_a_key_that_says_why_it_does_nothing_moves_along(tmp_path: Path) -> None:
    on = stage(settings=settings_with(tmp_path, '"run.failed" = "f9"'))
    async with on.app.run_test(size=(160, 45), notifications=True) as pilot:
        await pilot.press("f9")
        await until(pilot, lambda: "Nothing to rerun" in screen_text(on.app))


def test_the_keys_of_the_readme_can_be_given() -> None:
    readme = Path(__file__).parents[2] / "README.md"
    block = re.search(r"```toml\n(\[keys\]\n.+?)```", readme.read_text(encoding="utf-8"), re.S)
    assert block is not None
    keys = tomllib.loads(block[1])["keys"]
    assert keymap_of(keys)["run.start"] == "f9,ctrl+g"
    assert set(keys) == {"run.start", "cases.next_failed", "cases.previous_failed"}


async def test_a_letter_of_the_settings_can_still_be_typed(tmp_path: Path) -> None:
    on = stage(settings=settings_with(tmp_path, '"run.start" = "z"'))
    async with on.app.run_test(size=(160, 45)) as pilot:
        await pilot.press("/", *"zz")
        await until(pilot, lambda: "zz" in screen_text(on.app))
        await pilot.press("escape", "escape", "ctrl+p", *"zz")
        await until(pilot, lambda: "Commands  > zz" in screen_text(on.app))
        assert on.children == []
        await pilot.press("escape", "z")
        await until(pilot, lambda: len(on.children) == 1)
