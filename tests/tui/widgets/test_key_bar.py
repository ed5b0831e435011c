from __future__ import annotations

from textual.geometry import Offset

from tenxgraph_tui.tui.catalog import Catalog
from tenxgraph_tui.tui.screens.drawer import Drawer
from tenxgraph_tui.tui.screens.help import HelpScreen
from tenxgraph_tui.tui.widgets.key_bar import KeyBar
from tests.tui.script import SCRIPT, Stage, play, screen_text, stage, until


def place_of(on: Stage, words: str) -> Offset:
    """Where in the last row some words begin."""
    last = screen_text(on.app).splitlines()[-1]
    assert words in last
    return Offset(last.index(words), 0)


async def test_keys_do_when_they_are_clicked_what_they_do_when_they_are_pressed() -> None:
    on = stage()
    async with on.app.run_test(size=(100, 30)) as pilot:
        await pilot.click(KeyBar, offset=place_of(on, "Eval sets"))
        await until(pilot, lambda: isinstance(on.app.screen, Drawer))
        await pilot.press("escape")
        await pilot.click(KeyBar, offset=place_of(on, "? Help"))
        await until(pilot, lambda: isinstance(on.app.screen, HelpScreen))
        await pilot.press("escape")
        await pilot.click(KeyBar, offset=place_of(on, "r Run 18"))
        await until(pilot, lambda: len(on.children) == 1)
        await until(pilot, lambda: "x Cancel run" in screen_text(on.app))
        await pilot.click(KeyBar, offset=place_of(on, "x Cancel run"))
        await until(pilot, lambda: bool(on.children[0].calls))


async def test_a_click_between_keys_does_nothing() -> None:
    on = stage()
    async with on.app.run_test(size=(160, 45)) as pilot:
        await play(pilot, on, SCRIPT)
        last = screen_text(on.app).splitlines()[-1]
        await pilot.click(KeyBar, offset=(last.index("? Help") - 3, 0))
        await pilot.pause()
        assert len(on.app.screen_stack) == 1


async def test_the_key_under_the_mouse_stands_out() -> None:
    on = stage()
    async with on.app.run_test(size=(100, 30)) as pilot:
        bar = on.app.screen.query_one(KeyBar)
        assert bar._over is None
        await pilot.hover(KeyBar, offset=place_of(on, "? Help"))
        await until(pilot, lambda: bar._over is not None)
        assert any("cursor" in str(span.style) for span in bar.line().spans)
        await pilot.hover("CaseTable")
        await until(pilot, lambda: bar._over is None)


async def test_an_empty_project_is_not_told_of_what_needs_cases() -> None:
    on = stage(Catalog((), "nothing", ("/nowhere",)))
    async with on.app.run_test(size=(160, 45)):
        last = screen_text(on.app).splitlines()[-1]
        assert "o Open a folder" in last
        assert "Export" not in last
        assert "Watch" not in last


async def test_a_small_case_says_first_what_can_be_done_with_it() -> None:
    on = stage()
    async with on.app.run_test(size=(80, 24)) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("]", "enter")
        await until(pilot, lambda: "d First divergence" in screen_text(on.app).splitlines()[-1])
        await pilot.press("6")
        await until(pilot, lambda: "/ Search" in screen_text(on.app).splitlines()[-1])
