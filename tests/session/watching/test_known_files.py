"""What runs used is kept beside them, for sessions to come."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from tenxgraph_tui.session.watching.known_files import FILE_NAME, keep_known, known_files


def write(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("text")
    return str(path)


def test_the_files_of_several_runs_are_known_from_the_root(tmp_path: Path) -> None:
    root = (tmp_path / "project").resolve()
    prompt, far = write(root / "prompts" / "main.md"), write(tmp_path / "far.md")
    keep_known(tmp_path, root, [prompt])
    keep_known(tmp_path, root, [far])
    assert known_files(tmp_path) == {"prompts/main.md", str(Path(far).resolve())}


def test_what_is_gone_or_written_by_a_run_is_known_no_longer(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    first, second, third = (write(root / name) for name in ("a.md", "b.md", "c.md"))
    keep_known(tmp_path, root, [first, second, third])
    Path(first).unlink()
    keep_known(tmp_path, root, [second, third], [second])
    assert known_files(tmp_path) == {"c.md"}


def test_names_may_be_any_bytes(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    name = os.fsdecode(b"caf\xe9.md")
    keep_known(tmp_path, root, [write(root / name)])
    assert known_files(tmp_path) == {name}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"files": 3}', '{"files": [1]}'])
def test_a_list_that_cannot_be_read_is_written_anew(tmp_path: Path, text: str) -> None:
    root = tmp_path.resolve()
    (tmp_path / FILE_NAME).write_text(text)
    assert known_files(tmp_path) == frozenset()
    keep_known(tmp_path, root, [write(root / "a.md")])
    assert known_files(tmp_path) == {"a.md"}


def test_a_list_that_cannot_be_kept_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    root = tmp_path.resolve()
    (tmp_path / FILE_NAME).mkdir()
    with caplog.at_level(logging.WARNING):
        keep_known(tmp_path, root, [write(root / "a.md")])
    assert "watch mode will not know" in caplog.text
