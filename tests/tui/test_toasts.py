from __future__ import annotations

import pytest
from rich.cells import cell_len
from textual.widgets._toast import Toast

from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.presets import find, refusal
from tests.tui.screens.test_nasty import NASTY
from tests.tui.script import Stage, screen_text, stage, until

SIZES = [(160, 45), (100, 30), (80, 24), (60, 20)]


def shown(on: Stage) -> list[Toast]:
    return [toast for toast in on.app.screen.query(Toast) if toast.region.area]


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
async def test_a_toast_is_a_title_and_three_lines_above_the_key_bar(size: tuple[int, int]) -> None:
    on = stage()
    async with on.app.run_test(size=size, notifications=True) as pilot:
        toasts.warn(on.app, "This run is not stored", "a long way to say why " * 20)
        await until(pilot, lambda: bool(shown(on)))
        region = shown(on)[0].region
        text = screen_text(on.app)
    assert region.height == 4
    assert region.bottom < size[1]  # the keys stay in sight
    assert region.right < size[0]
    assert "! This run is not stored" in text
    assert "…" in text
    assert "q Quit" in text.splitlines()[-1]


async def test_why_no_judge_can_be_asked_is_whole_in_80_columns() -> None:
    on = stage()
    preset = find(on.desk.choices.presets, "conversation_flow")
    assert preset is not None
    told = refusal(preset, lambda _: "GEMINI_API_KEY is not set")
    assert "GEMINI_API_KEY" in told
    async with on.app.run_test(size=(80, 24), notifications=True) as pilot:
        toasts.warn(on.app, "Judge cannot be asked", told)
        await until(pilot, lambda: bool(shown(on)))
        (toast,) = on.app._notifications
    assert " ".join(str(toast.message).split()) == told


async def test_the_same_toast_is_not_stacked_and_the_glyph_says_what_it_is() -> None:
    on = stage()
    async with on.app.run_test(size=(100, 30), notifications=True) as pilot:
        for _ in range(3):
            toasts.said(on.app, "Nothing to rerun", "No case has run yet.")
            await pilot.pause()
        toasts.done(on.app, "Saved", "ci.evalconfig.json")
        await until(pilot, lambda: len(shown(on)) == 2)
        text = screen_text(on.app)
    assert text.count("– Nothing to rerun") == 1
    assert "✓ Saved" in text


async def test_a_click_takes_a_toast_away() -> None:
    on = stage()
    async with on.app.run_test(size=(100, 30), notifications=True) as pilot:
        toasts.said(on.app, "Nothing to rerun")
        await until(pilot, lambda: bool(shown(on)))
        await pilot.click(Toast)
        await until(pilot, lambda: not shown(on))


async def test_any_text_is_shown_as_it_is() -> None:
    on = stage()
    async with on.app.run_test(size=(100, 30), notifications=True) as pilot:
        for text in NASTY:
            toasts.done(on.app, text, text)
            await until(pilot, lambda: bool(shown(on)))
            lines = screen_text(on.app).splitlines()
            assert {cell_len(line) for line in lines} == {100}, ascii(text)
            assert not set("".join(lines)) & set("\x1b\x07\x9b\x08\r\x00\t"), ascii(text)
            on.app.clear_notifications()
            await until(pilot, lambda: not shown(on))


async def test_many_toasts_leave_the_cases_in_sight() -> None:
    on = stage()
    async with on.app.run_test(size=(80, 24), notifications=True) as pilot:
        for number in range(30):
            toasts.said(on.app, f"Title {number}", "words")
        await until(pilot, lambda: "Title 29" in screen_text(on.app))
        text = screen_text(on.app)
    assert "status" in text
    assert "q Quit" in text.splitlines()[-1]


async def test_a_toast_fits_into_a_terminal_too_small_for_anything() -> None:
    on = stage()
    async with on.app.run_test(size=(100, 30), notifications=True) as pilot:
        toasts.said(on.app, "Nothing to rerun", "No case has run yet. r runs them.")
        for size in ((1, 1), (5, 3), (20, 6), (39, 8), (100, 30)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert {cell_len(line) for line in screen_text(on.app).splitlines()} == {size[0]}
