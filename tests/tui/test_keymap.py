from __future__ import annotations

import pytest

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.tui.commands import AREAS, area_of
from tenxgraph_tui.tui.keymap import actions, bindings, keymap_of


def test_every_binding_can_be_given_another_key() -> None:
    unnamed = [binding for binding in bindings() if not binding.id]
    assert unnamed == []


def test_every_action_says_what_it_does_and_where_it_is_listed() -> None:
    assert [name for name, action in actions().items() if not action.text] == []
    assert [name for name in actions() if area_of(name) not in AREAS] == []


def test_keys_are_written_as_people_write_them() -> None:
    wishes = {"run.start": "F5, ctrl+r", "app.help": "?,F1"}
    assert keymap_of(wishes) == {"run.start": "f5,ctrl+r", "app.help": "question_mark,f1"}


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
            "keys: 'enter' of run.start is the key of cases.open too",
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
