"""An error is taken apart where it can be asked: kind, place, part of the line, traceback."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.cli.blame import LONGEST_TRACEBACK, blamed
from tenxgraph_tui.errors import ConfigError, StoreError, TargetError
from tenxgraph_tui.evaluation.formats.confevals import read_confeval
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.targets import resolve


def failed_import(folder: Path, source: str) -> dict[str, Any]:
    """What is told of a target file that cannot be imported."""
    (folder / "agents.py").write_text(source, encoding="utf-8")
    with pytest.raises(TargetError) as refused:
        resolve("agents.py:graph", base=folder, root=folder).load()
    return blamed(refused.value)


def underlined(told: dict[str, Any]) -> str:
    line: str = Path(told["file"]).read_text("utf-8").splitlines()[told["line"] - 1]
    return line[told["column"] : told["end_column"]]


def test_a_syntax_error_names_the_word_that_is_wrong(tmp_path: Path) -> None:
    told = failed_import(tmp_path, "def forecast():\n    retrun days\n")
    assert (told["kind"], told["message"]) == ("SyntaxError", "invalid syntax")
    assert (told["file"], told["line"]) == (str(tmp_path / "agents.py"), 2)
    assert underlined(told) == "days"


def test_columns_are_characters_not_bytes(tmp_path: Path) -> None:
    told = failed_import(tmp_path, 'wetter = {"münchen": 1}; x = wetter["köln"] + 1\n')
    assert told["kind"] == "KeyError"
    assert underlined(told) == 'wetter["köln"]'


def test_a_line_that_is_wrong_as_a_whole_has_no_columns(tmp_path: Path) -> None:
    told = failed_import(tmp_path, "def build():\n    raise ValueError('no key')\n\n\nbuild()\n")
    assert (told["kind"], told["message"], told["line"]) == ("ValueError", "no key", 2)
    assert "column" not in told


def test_a_statement_that_must_not_be_there_is_not_underlined_as_a_whole(tmp_path: Path) -> None:
    told = failed_import(tmp_path, "import os\nfrom __future__ import annotations\n")
    assert (told["kind"], told["line"]) == ("SyntaxError", 2)
    assert "column" not in told


def test_the_place_is_in_the_users_own_code_and_the_traceback_is_whole(tmp_path: Path) -> None:
    told = failed_import(tmp_path, "import json\n\n\nconfig = json.loads('{')\n")
    assert (told["kind"], told["line"]) == ("JSONDecodeError", 4)
    assert underlined(told) == "json.loads('{')"
    assert any("json/decoder.py" in line for line in told["traceback"])
    assert told["traceback"][-1].startswith("json.decoder.JSONDecodeError")


def test_a_target_that_is_not_imported_names_the_interpreter(tmp_path: Path) -> None:
    told = failed_import(tmp_path, "import wetterdienst_that_is_missing\n")
    assert told["kind"] == "ModuleNotFoundError"
    assert told["python"].startswith(f"{sys.executable} (3.")


def test_a_recursion_without_end_does_not_fill_the_reply(tmp_path: Path) -> None:
    told = failed_import(tmp_path, "def a(n):\n    b(n)\n\n\ndef b(n):\n    a(n)\n\n\na(1)\n")
    assert told["kind"] == "RecursionError"
    assert len(told["traceback"]) <= LONGEST_TRACEBACK


def test_it_is_the_error_behind_all_of_ours_that_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "confeval.py").write_text("x = 1\ny = 1 +\n")
    with pytest.raises(ConfigError) as refused:
        read_confeval(tmp_path / "confeval.py", tmp_path)
    told = blamed(refused.value)
    assert (told["kind"], told["message"], told["line"]) == ("SyntaxError", "invalid syntax", 2)


def test_an_error_whose_text_cannot_be_had_is_told_all_the_same(tmp_path: Path) -> None:
    told = failed_import(
        tmp_path, "class Odd(Exception):\n    def __str__(self): raise KeyError\n\n\nraise Odd\n"
    )
    assert told["kind"] == "Odd"


def test_a_sentence_of_ours_needs_nothing_beside_it() -> None:
    assert blamed(ConfigError("there is no preset 'x'")) == {}


def test_of_a_store_its_own_sentence_is_told_and_not_what_sqlite_says(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    path.write_bytes(b"no database" * 100)
    with pytest.raises(StoreError, match="move it away") as refused:
        RunStore(path).writer("run")

    assert list(blamed(refused.value)) == ["traceback"]


def test_a_bug_of_ours_is_told_with_its_traceback() -> None:
    told = blamed(RuntimeError("unforeseen"))
    assert (told["kind"], told["message"]) == ("RuntimeError", "unforeseen")
    assert "python" not in told
