from __future__ import annotations

import json
from pathlib import Path

import pytest

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.tui.editing import Call, Place, call_of, editor_of, place_of_case

FILE = Path("/evals/a b.evalset.json")
NAME = str(FILE)


@pytest.mark.parametrize(
    ("editor", "command"),
    [
        pytest.param("vim", ("vim", "+31", NAME), id="vim"),
        pytest.param("/usr/bin/nvim -u NONE", ("/usr/bin/nvim", "-u", "NONE", "+31", NAME)),
        pytest.param("nano", ("nano", "+31", NAME)),
        pytest.param("emacsclient -t", ("emacsclient", "-t", "+31", NAME)),
        pytest.param("kak", ("kak", "+31", NAME)),
        pytest.param("hx", ("hx", f"{NAME}:31")),
        pytest.param("micro", ("micro", f"{NAME}:31")),
        pytest.param("'/opt/my editor/ed' -q", ("/opt/my editor/ed", "-q", NAME), id="unknown"),
    ],
)
def test_an_editor_of_the_terminal_is_told_the_line_in_its_own_way(
    editor: str, command: tuple[str, ...]
) -> None:
    assert call_of(editor, Place(FILE, 31)) == Call(command)


@pytest.mark.parametrize(
    ("editor", "command"),
    [
        pytest.param("code", ("code", "--wait", "--goto", f"{NAME}:31")),
        pytest.param("code -w", ("code", "-w", "--goto", f"{NAME}:31"), id="waits already"),
        pytest.param("subl", ("subl", "--wait", f"{NAME}:31")),
        pytest.param("zed --wait", ("zed", "--wait", f"{NAME}:31")),
        pytest.param("pycharm", ("pycharm", "--wait", "--line", "31", NAME)),
        pytest.param("kate", ("kate", "--block", "--line", "31", NAME)),
        pytest.param("gvim", ("gvim", "-f", "+31", NAME)),
    ],
)
def test_an_editor_with_a_window_waits_and_leaves_the_terminal_alone(
    editor: str, command: tuple[str, ...]
) -> None:
    assert call_of(editor, Place(FILE, 31)) == Call(command, has_window=True)


@pytest.mark.parametrize("editor", ["vim", "hx", "code -w", "subl -w", "idea -w", "gvim -f", "ed"])
def test_without_a_line_the_file_is_all_that_is_named(editor: str) -> None:
    assert call_of(editor, Place(FILE)).command == (*editor.split(), NAME)


@pytest.mark.parametrize("editor", ["vim '", " "])
def test_a_command_that_is_none_is_said(editor: str) -> None:
    with pytest.raises(UsageError, match="the editor"):
        call_of(editor, Place(FILE))


@pytest.mark.parametrize(
    ("setting", "environ", "chosen"),
    [
        pytest.param("hx", {"VISUAL": "code", "EDITOR": "vi"}, "hx", id="the settings"),
        pytest.param(None, {"VISUAL": "code", "EDITOR": "vi"}, "code", id="then VISUAL"),
        pytest.param(None, {"VISUAL": " ", "EDITOR": "vi"}, "vi", id="an empty one is none"),
        pytest.param(None, {}, None, id="none"),
    ],
)
def test_the_editor_is_that_of_the_settings_then_of_the_environment(
    setting: str | None, environ: dict[str, str], chosen: str | None
) -> None:
    assert editor_of(setting, environ) == chosen


def test_a_case_is_looked_for_in_the_file_as_it_is_now(tmp_path: Path) -> None:
    file = tmp_path / "a.evalset.json"
    cases = {"eval_cases": [{"eval_id": "new"}, {"eval_id": "münchen"}]}
    file.write_text("\ufeff\n" + json.dumps(cases, indent=0), encoding="utf-8")
    assert place_of_case(file, "münchen") == Place(file, 8)


def test_a_file_that_is_gone_has_no_line(tmp_path: Path) -> None:
    assert place_of_case(tmp_path / "gone.json", "x") == Place(tmp_path / "gone.json")
