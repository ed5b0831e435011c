from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.settings import Loaded, load
from tenxgraph_tui.tui.lines.settings import FOOT, foot_lines, key_line, setting_line
from tenxgraph_tui.tui.setting_rows import (
    Change,
    Drawn,
    Row,
    in_words,
    key_rows,
    own_file,
    setting_rows,
)

FILE = "tenxgraph-tui.toml"
DRAWN = Drawn("tenx-dark", is_ascii=False)


def loaded(root: Path, text: str = "", **environ: str) -> Loaded:
    (root / FILE).write_text(text)
    return load(root, environ, {"target": "agents.py:a"})


def row(rows: list[Row], name: str) -> Row:
    return next(row for row in rows if row.name == name)


def test_a_row_says_where_its_value_comes_from_and_how_to_change_it(tmp_path: Path) -> None:
    settings = loaded(tmp_path, "\ntimeout = 2.5\n", TENXGRAPH_TUI_MAX_CONCURRENCY="8")
    rows = setting_rows(settings, DRAWN)
    shown = {
        name: (found.value, found.where, found.how)
        for name in ("timeout", "max_concurrency", "target", "editor")
        for found in [row(rows, name)]
    }
    assert shown == {
        "timeout": ("2.5", f"{FILE} line 2", f"Set in {FILE} line 2; read at the start."),
        "max_concurrency": (
            "8",
            "TENXGRAPH_TUI_MAX_CONCURRENCY",
            "TENXGRAPH_TUI_MAX_CONCURRENCY is set in the environment.",
        ),
        "target": ("agents.py:a", "--target", "--target said so, for this session."),
        "editor": (
            "–",
            "default",
            f'Write editor = "code -w" in {FILE}, or set TENXGRAPH_TUI_EDITOR.',
        ),
    }
    timeout = row(rows, "timeout")
    assert (timeout.file, timeout.line, timeout.change) == (tmp_path / FILE, 2, None)
    assert row(rows, "editor").file == tmp_path / FILE
    assert row(rows, "target").file is None


def test_what_is_drawn_now_counts_and_what_was_chosen_in_the_dashboard(tmp_path: Path) -> None:
    settings = loaded(tmp_path, 'theme = "nord"\n')
    chosen = frozenset({Change.THEME, Change.COLUMNS})
    rows = setting_rows(settings, Drawn("tenx-light", is_ascii=True, chosen=chosen))
    theme, signs, columns = (row(rows, change) for change in Change)
    assert (theme.value, theme.where, theme.change) == ("tenx-light", "chosen here", Change.THEME)
    assert (signs.value, signs.where) == ("yes", "default")
    assert (columns.value, columns.where) == ("your own", "chosen here")
    assert theme.how == "Can be changed here, and is kept for this project."
    assert theme.line == 1


def test_every_setting_and_every_action_has_a_row(tmp_path: Path) -> None:
    settings = loaded(tmp_path, '[keys]\n"run.start" = "F5, ?"\n')
    assert {row.name for row in setting_rows(settings, DRAWN)} == set(settings.origins)
    keys = key_rows(settings)
    start, failed = row(keys, "run.start"), row(keys, "run.failed")
    assert (start.value, start.about) == ("f5 ?", f"Set in {FILE} line 1.")
    assert (failed.value, failed.about) == ("f", "This is its usual key.")
    assert failed.how == f'Write "run.failed" = "f9" under [keys] in {FILE}.'


def test_settings_of_pyproject_are_told_to_go_on_there(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.tenxgraph-tui]\ntimeout = 5\n")
    settings = load(tmp_path, {}, {})
    assert own_file(settings) == "pyproject.toml"
    editor = row(setting_rows(settings, DRAWN), "editor")
    assert "in pyproject.toml" in editor.how
    assert editor.file == tmp_path / "pyproject.toml"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "–"),
        ((), "–"),
        ({}, "–"),
        (True, "yes"),
        (0.9, "0.9"),
        (1.0, "1"),
        (("json", "html"), "json, html"),
        ({"run.start": "f5"}, "run.start = f5"),
        ("[/]", "[/]"),
    ],
)
def test_values_are_read_like_words(value: object, words: str) -> None:
    assert in_words(value) == words


@pytest.mark.parametrize("width", [1, 2, 10, 40, 59, 60, 80, 160])
def test_rows_are_as_wide_as_they_should_be(width: int, tmp_path: Path) -> None:
    settings = loaded(tmp_path, 'target = "中文/[/]\\u001b[2J/agents.py:a"\n')
    rows = setting_rows(settings, DRAWN)
    lines = [setting_line(one, width) for one in rows]
    lines += [key_line(one, width) for one in key_rows(settings)]
    for one in (None, rows[0], row(rows, "theme"), row(rows, "target")):
        assert len(foot_lines(one, width)) == FOOT
        lines += foot_lines(one, width)
    assert {line.cell_length for line in lines} == {width}
    assert not any("\x1b" in line.plain for line in lines)


def test_keys_are_offered_where_they_do_something(tmp_path: Path) -> None:
    rows = setting_rows(loaded(tmp_path, "timeout = 5\n"), DRAWN)
    feet = {one.name: foot_lines(one, 100)[-1].plain.strip() for one in rows}
    assert feet["timeout"] == f"o Open {FILE} line 1   esc Close"
    assert feet["theme"] == f"enter Change   o Open {FILE}   esc Close"
    assert feet["target"] == "esc Close"
