"""What is copied is in the clipboard of the terminal, and in a file where that does not work."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest
from textual.app import App

from tenxgraph_tui.tui import copying
from tenxgraph_tui.tui.intents import Copy
from tests.tui.script import screen_text, stage, until


def toast(app: App[Any]) -> tuple[str, str]:
    """Title and text of the newest toast."""
    newest = list(app._notifications)[-1]
    return newest.title, str(newest.message)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / ".tenxgraph-tui"


async def copied(content: str, folder: Path | None) -> tuple[str, tuple[str, str]]:
    app: App[None] = App()
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        copying.copy(app, "the answer", content, folder)
        await pilot.pause()
        return app.clipboard, toast(app)


async def test_a_text_is_in_the_clipboard_and_in_a_file(folder: Path) -> None:
    clipboard, told = await copied("rain\r\nin Zürich\x1b[2J", folder)
    assert clipboard == "rain\r\nin Zürich\x1b[2J"
    assert (folder / "copied.txt").read_bytes().decode() == clipboard
    assert told == ("✓ Copied the answer", "19 characters, also in .tenxgraph-tui/copied.txt")


async def test_the_file_is_nobody_elses_and_not_for_git(folder: Path) -> None:
    await copied("secret", folder)
    assert stat.S_IMODE((folder / "copied.txt").stat().st_mode) == 0o600
    assert (folder / ".gitignore").read_text() == "*\n"


async def test_what_is_too_long_for_a_clipboard_is_in_the_file(folder: Path) -> None:
    long = "ü" * copying.MOST_BYTES
    clipboard, told = await copied(long, folder)
    assert clipboard == ""
    assert (folder / "copied.txt").read_text("utf-8") == long
    assert told == (
        "✓ Wrote the answer to a file",
        "74,000 characters are too many for a clipboard: they are\nin .tenxgraph-tui/copied.txt",
    )


async def test_without_a_folder_only_the_clipboard_has_it() -> None:
    assert await copied("x", None) == ("x", ("✓ Copied the answer", "1 character"))


@pytest.fixture
def taken(folder: Path) -> Path:
    """A file stands where the folder should be."""
    folder.write_text("")
    return folder


async def test_a_folder_that_cannot_be_made_is_no_trouble_unless_it_is_needed(
    taken: Path,
) -> None:
    folder = taken
    assert (await copied("short", folder))[0] == "short"
    clipboard, (title, told) = await copied("x" * (copying.MOST_BYTES + 1), folder)
    assert (clipboard, title) == ("", "! Not copied")
    assert "too many for a clipboard, and" in told


async def test_half_a_character_is_copied_as_what_it_is(folder: Path) -> None:
    clipboard, _ = await copied("a\ud800b", folder)
    assert clipboard == "a\\ud800b"


def test_a_value_is_copied_as_json_and_a_text_as_it_is() -> None:
    assert copying.text_of("[1") == "[1"
    assert copying.text_of({"ü": [1, None]}) == '{\n  "ü": [\n    1,\n    null\n  ]\n}'


async def test_any_screen_can_ask_for_it() -> None:
    on = stage()
    async with on.app.run_test(size=(100, 30), notifications=True) as pilot:
        on.app.screen.post_message(Copy("the [/] name", "some words"))
        await until(pilot, lambda: "Copied the [/] name" in screen_text(on.app))
    assert on.app.clipboard == "some words"
