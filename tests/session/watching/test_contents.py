"""What eval sets say is compared by content: other words for the same are no change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.session.discovery import discover
from tenxgraph_tui.session.watching.contents import (
    Contents,
    SetContent,
    digest_of,
    digest_of_settings,
)
from tenxgraph_tui.settings import load


def case(eval_id: str, text: str = "hi", **fields: Any) -> dict[str, Any]:
    turn = {"user_content": {"role": "user", "content": text}}
    return {"eval_id": eval_id, "conversation": [turn], **fields}


def write(path: Path, *cases: dict[str, Any], **fields: Any) -> Path:
    path.write_text(json.dumps({"eval_set_id": path.stem, "eval_cases": cases, **fields}))
    return path


def read(folder: Path) -> Contents:
    return Contents.of(discover([folder], folder))


def test_a_file_written_in_another_way_says_the_same(tmp_path: Path) -> None:
    path = write(tmp_path / "a.evalset.json", case("one"), case("two"))
    before = read(tmp_path)
    path.write_text(json.dumps(json.loads(path.read_text()), indent=4, sort_keys=True))
    assert read(tmp_path) == before


def test_ids_that_reading_makes_up_are_no_difference(tmp_path: Path) -> None:
    write(tmp_path / "a.evalset.json", case("one"))
    assert read(tmp_path) == read(tmp_path)


def test_only_the_edited_case_has_another_digest(tmp_path: Path) -> None:
    path = write(tmp_path / "a.evalset.json", case("one"), case("two"))
    before = read(tmp_path).sets[str(path)]
    write(path, case("one"), case("two", "bye"))
    after = read(tmp_path).sets[str(path)]
    assert after.cases["one"] == before.cases["one"]
    assert after.cases["two"] != before.cases["two"]
    assert after.metadata == before.metadata


def test_a_name_is_no_metadata(tmp_path: Path) -> None:
    path = write(tmp_path / "a.evalset.json", case("one"), name="A")
    before = read(tmp_path)
    write(path, case("one"), name="B")
    assert read(tmp_path) == before


def test_the_config_that_a_set_names_is_found_beside_it(tmp_path: Path) -> None:
    named = write(tmp_path / "a.evalset.json", case("one"), metadata={"config": "ci.json"})
    preset = write(tmp_path / "b.evalset.json", case("one"), metadata={"config": "quick_check"})
    contents = read(tmp_path)
    assert contents.sets[str(named)].config == tmp_path.resolve() / "ci.json"
    assert contents.sets[str(preset)].config is None
    assert contents.configs == {tmp_path.resolve() / "ci.json"}


def test_a_broken_file_has_its_problem_and_says_what_it_said_before(tmp_path: Path) -> None:
    path = write(tmp_path / "a.evalset.json", case("one"))
    before = read(tmp_path)
    path.write_text('{"eval_cases": [')
    now = read(tmp_path)
    assert now.sets[str(path)].cases == {}
    carried = now.over(before)
    assert carried.sets[str(path)].cases == before.sets[str(path)].cases
    assert [str(path) in one for one in carried.problems] == [True]


def test_settings_that_cannot_be_read_are_those_of_before() -> None:
    before = Contents(settings="x")
    now = Contents.holding([], problem="tenxgraph-tui.toml:1: broken").over(before)
    assert (now.settings, now.problems) == ("x", ("tenxgraph-tui.toml:1: broken",))


def test_a_part_of_a_set_has_the_wanted_cases_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "a.evalset.json", case("one"), case("two"))
    found = discover([f"{path}::two"], tmp_path).sets[0]
    assert list(SetContent.of(found).cases) == ["two"]


def test_half_a_character_has_a_digest_too() -> None:
    assert digest_of({"a": "\ud83d"}) != digest_of({"a": "\ud83e"})


@pytest.mark.parametrize(
    ("line", "is_other"),
    [
        pytest.param("timeout = 3", True, id="what decides about a case"),
        pytest.param('theme = "tenx-light"', False, id="what only looks different"),
    ],
)
def test_settings_that_decide_about_cases_make_a_difference(
    tmp_path: Path, line: str, is_other: bool
) -> None:
    before = digest_of_settings(load(tmp_path, {}))
    (tmp_path / "tenxgraph-tui.toml").write_text(f"{line}\n")
    assert (digest_of_settings(load(tmp_path, {})) != before) is is_other


def test_variables_of_an_env_file_make_a_difference(tmp_path: Path) -> None:
    (tmp_path / "tenxgraph-tui.toml").write_text('env_file = ".env"\n')
    (tmp_path / ".env").write_text("MODEL=a\n")
    before = digest_of_settings(load(tmp_path, {}))
    (tmp_path / ".env").write_text("MODEL=b\n")
    assert digest_of_settings(load(tmp_path, {})) != before
