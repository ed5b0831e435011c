from __future__ import annotations

import pytest

from tenxgraph_tui.tui.column_choice import ColumnChoice
from tests.tui.script import CRITERIA


def shown(choice: ColumnChoice) -> str:
    names = ("tool_name_match", "trajectory", "tokens", "cost", "time", "change")
    return " ".join(name for name in names if choice.shows(name))


def test_every_column_is_wanted_unless_something_else_is_said() -> None:
    assert shown(ColumnChoice()) == "tool_name_match trajectory tokens cost time change"


@pytest.mark.parametrize(
    ("only", "names"),
    [
        (["traj", "tok"], "trajectory tokens"),
        (["criteria", "time"], "tool_name_match trajectory time"),
        (["status", "case", "vs"], "change"),
    ],
)
def test_settings_name_columns_as_they_are_headed(only: list[str], names: str) -> None:
    choice = ColumnChoice.of(only)
    assert shown(choice) == names
    assert list(choice.unknown(CRITERIA)) == []


def test_a_column_is_switched_off_and_on_again() -> None:
    off = ColumnChoice().toggled("tokens")
    assert not off.shows("tokens")
    assert off.remembered == ("-tokens",)
    assert off.toggled("tokens") == ColumnChoice()


def test_what_the_settings_leave_out_can_be_switched_on() -> None:
    choice = ColumnChoice.of(["time"]).toggled("cost")
    assert shown(choice) == "cost time"
    assert ColumnChoice.of(["time"], choice.remembered) == choice


def test_a_name_that_is_no_column_says_what_to_write() -> None:
    told = list(ColumnChoice.of(["tokns", "zzz"]).unknown(CRITERIA))
    assert told == [
        "no column tokns: did you mean tokens?",
        "no column zzz: write criteria, time or tokens",
    ]


def test_nonsense_that_was_remembered_changes_nothing() -> None:
    assert ColumnChoice.of((), ["", "tokens", "?cost"]) == ColumnChoice()
