"""Report files have safe names, and none of them takes another's place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.reporters.names import Stems, claim, replacing, stamped, stem


@pytest.mark.parametrize(
    ("eval_set_id", "name"),
    [
        ("simple", "simple"),
        ("A-b_1", "A-b_1"),
        ("a b/c", "a_b_c"),
        ("../../etc/passwd", "______etc_passwd"),
        ("a:b*?", "a_b__"),
        ("ünï", "ünï"),
        ("日本", "日本"),
        ("", "eval"),
    ],
)
def test_an_id_as_a_file_name(eval_set_id: str, name: str) -> None:
    assert stem(eval_set_id) == name


@pytest.mark.parametrize("letter", ["x", "日", "🚀"])
def test_a_long_id_fits_into_a_folder_and_stays_unlike_others(letter: str, tmp_path: Path) -> None:
    one, other = stem(letter * 300), stem(letter * 300 + "y")
    assert one != other
    (tmp_path / f"{stamped(one, 0.0)}_junit-99.xml").touch()


def test_ids_that_look_alike_as_names_are_kept_apart() -> None:
    stems = Stems()
    first, second = stems.of("a/b"), stems.of("a b")
    assert first == "a_b"
    assert second.startswith("a_b_")
    assert stems.of("a/b") == first
    assert stems.of("a b") == second


def test_a_taken_name_gets_a_number(tmp_path: Path) -> None:
    wanted = tmp_path / "r.json"
    assert [claim(wanted).name for _ in range(3)] == ["r.json", "r-2.json", "r-3.json"]


def test_a_file_is_replaced_only_when_all_went_well(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), replacing(path) as file:
        file.write(b"half" * (1 // 0))
    assert path.read_text() == "old"
    with replacing(path) as file:
        file.write(b"new")
    assert [each.name for each in tmp_path.iterdir()] == ["r.json"]
    assert path.read_text() == "new"
