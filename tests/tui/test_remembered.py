from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.tui.remembered import CasePlace, Memory, Remembered, place_of

TOKYO = CasePlace("weather.evalset.json", "tokyo")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".tenxgraph-tui" / "dashboard.json"


def saved(path: Path, **values: object) -> Memory:
    memory = Memory(path)
    for name, value in values.items():
        setattr(memory.values, name, value)
    memory.save()
    return memory


def test_what_was_saved_is_read_by_the_next_session(path: Path) -> None:
    values: dict[str, Any] = {
        "preset": "strict",
        "selected": frozenset({TOKYO, CasePlace("support.evalset.json", "refund")}),
        "unfolded": frozenset({"weather.evalset.json"}),
        "case": TOKYO,
        "tab": "Trajectory",
        "filter": "status:failed",
        "columns": ("tokens", "time"),
    }
    saved(path, **values)
    again = Memory(path)
    assert again.values == Remembered(**values)
    assert again.note == ""


def test_nothing_is_written_as_long_as_nothing_changes(path: Path) -> None:
    saved(path)
    assert not path.parent.exists()
    saved(path, preset="strict")
    before = path.stat().st_mtime_ns, path.stat().st_ino
    saved(path)
    saved(path, preset="strict")
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == before


def test_looking_around_makes_no_folder_in_a_project(path: Path) -> None:
    saved(path, case=TOKYO, tab="Trajectory")
    assert not path.parent.exists()
    path.parent.mkdir()
    saved(path, case=TOKYO)
    assert Memory(path).values.case == TOKYO


def test_only_the_owner_can_read_it_and_git_leaves_it_alone(path: Path) -> None:
    saved(path, preset="strict")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert (path.parent / ".gitignore").read_text() == "*\n"
    assert {each.name for each in path.parent.iterdir()} == {".gitignore", "dashboard.json"}


def test_two_sessions_at_once_keep_what_the_other_changed(path: Path) -> None:
    one, other = Memory(path), Memory(path)
    one.values.preset = "strict"
    other.values.sort = "slowest first"
    one.save()
    other.save()
    both = Memory(path).values
    assert (both.preset, both.sort) == ("strict", "slowest first")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        pytest.param("{", "line 1", id="not JSON"),
        pytest.param("[]", "not a JSON object", id="not an object"),
        pytest.param('{"preset": 3}', "preset", id="a value of another kind"),
        pytest.param("[" * 100_000, "recursion", id="too deep"),
        pytest.param("\udcff", "utf-8", id="not UTF-8"),
    ],
)
def test_a_broken_file_is_ignored_said_and_written_anew(
    path: Path, content: str, told: str
) -> None:
    path.parent.mkdir()
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    memory = Memory(path)
    assert memory.values == Remembered()
    assert told in memory.note
    assert "\n" not in memory.note
    memory.values.preset = "strict"
    memory.save()
    assert Memory(path).values.preset == "strict"


def test_the_file_of_another_version_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('{"version": 2, "preset": {"name": "strict"}}')
    memory = Memory(path)
    assert "another version" in memory.note
    memory.values.preset = "relaxed"
    memory.save()
    assert json.loads(path.read_text())["version"] == 2


def test_fields_that_a_later_session_knows_survive(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('{"version": 1, "zoom": 3}')
    saved(path, preset="strict")
    assert json.loads(path.read_text())["zoom"] == 3


def test_what_cannot_be_written_is_said_once(path: Path) -> None:
    path.parent.write_text("a file where the folder should be")
    memory = Memory(path)
    memory.values.preset = "strict"
    with pytest.raises(StoreError, match=r"\.tenxgraph-tui"):
        memory.save()
    memory.values.preset = "relaxed"
    memory.save()


def test_what_is_forgotten_is_gone_and_nothing_more_is_kept(path: Path) -> None:
    memory = saved(path, preset="strict")
    memory.forget()
    memory.values.preset = "relaxed"
    memory.save()
    assert not path.exists()
    Memory().forget()


def test_a_place_is_the_same_wherever_the_dashboard_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "evals" / "weather.evalset.json"
    assert place_of(str(file), tmp_path) == "evals/weather.evalset.json"
    (tmp_path / "evals").mkdir()
    monkeypatch.chdir(tmp_path / "evals")
    assert place_of("weather.evalset.json", tmp_path) == "evals/weather.evalset.json"
    place_of("not\udcffutf8.json", tmp_path).encode("utf-8")
