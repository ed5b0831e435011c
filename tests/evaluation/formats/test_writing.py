"""Written files: whole or not at all, and always JSON."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.evaluation.formats import write_json


def test_other_scripts_are_written_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "x.json"

    write_json(path, {"text": "你好 🚚"})

    assert path.read_bytes() == '{\n  "text": "你好 🚚"\n}\n'.encode()


def test_half_a_character_becomes_an_escape_that_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "x.json"

    write_json(path, ["a\ud83db"])

    assert json.loads(path.read_text()) == ["a\ud83db"]


def test_d53_there_is_no_nan_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "x.json"

    write_json(path, {"a": [math.nan, math.inf, (-math.inf, 1.5)]})

    assert json.loads(path.read_text(), parse_constant=pytest.fail) == {
        "a": ["NaN", "Infinity", ["-Infinity", 1.5]]
    }


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nope"):
        write_json(tmp_path / "nope" / "x.json", {})


def test_an_existing_file_stays_whole_when_writing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.json"
    path.write_text("before")

    def full(*_: Any, **__: Any) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="disk full"):
        write_json(path, {})

    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_data_that_is_no_json_touches_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.json"

    with pytest.raises(TypeError):
        write_json(path, {"a": object()})

    assert list(tmp_path.iterdir()) == []


def test_a_link_is_followed_and_the_mode_is_kept(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("{}")
    real.chmod(0o640)
    link.symlink_to(real)

    write_json(link, {"a": 1})

    assert link.is_symlink()
    assert json.loads(real.read_text()) == {"a": 1}
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_name_at_the_length_limit_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 250 + ".json")

    write_json(path, {})

    assert path.exists()
