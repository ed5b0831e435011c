"""A value on the whole screen: it is walked through, searched and copied, also where it is long."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from tenxgraph_tui.tui.intents import ShowValue
from tenxgraph_tui.tui.screens.value import ValueScreen
from tenxgraph_tui.tui.widgets.value_pane import ValuePane
from tests.tui.screens.test_nasty import NASTY
from tests.tui.script import Stage, screen_text, stage, until

WEATHER = {"city": "Kyoto", "days": [{"sky": "dry"}, {"sky": "wet"}], "note": "one\ntwo\nthree"}
LONG = "".join(f"line {number} of a very long answer\n" for number in range(20_000))


async def show(pilot: Pilot[Any], on: Stage, value: Any, name: str = "the answer") -> ValuePane:
    on.app.screen.post_message(ShowValue(name, value))
    await until(pilot, lambda: isinstance(on.app.screen, ValueScreen))
    await until(pilot, lambda: bool(on.app.screen.query_one(ValuePane).row_count()))
    return on.app.screen.query_one(ValuePane)


def lines(on: Stage) -> list[str]:
    """What the screen shows, without the scrollbar."""
    return [line.rstrip(" ┃│") for line in screen_text(on.app).splitlines()]


def under_cursor(on: Stage) -> str:
    pane = on.app.screen.query_one(ValuePane)
    return pane.row_line(pane.cursor, 80).plain.strip()


async def search(pilot: Pilot[Any], words: str) -> None:
    await pilot.press("slash", *words)


async def test_it_is_named_and_counted() -> None:
    on = stage()
    async with on.app.run_test(size=(80, 24)) as pilot:
        await show(pilot, on, WEATHER, "the result of get_weather [/]")
        assert lines(on)[0].startswith(" ━ the result of get_weather [/]  3 keys ━━━")
        assert lines(on)[2] == '     "city": "Kyoto"'
        assert "enter Fold" in lines(on)[-1]
        await pilot.press("escape")
        assert not isinstance(on.app.screen, ValueScreen)


async def test_it_is_folded_and_unfolded_by_keys_and_by_mouse() -> None:
    on = stage()
    async with on.app.run_test(size=(80, 24)) as pilot:
        pane = await show(pilot, on, WEATHER)
        await pilot.press("down", "down")
        assert under_cursor(on) == '▾ "days": ['
        await pilot.press("left")
        assert under_cursor(on) == '▸ "days": [ 2 items ]'
        await pilot.press("right", "right")
        assert under_cursor(on) == "▾ 0: {"
        await pilot.press("left", "left")
        assert under_cursor(on) == '▾ "days": [', "from what is folded one goes to what it is in"
        await pilot.press("space")
        assert pane.row_count() == 5
        await pilot.press("enter")
        assert pane.row_count() == 10
        place = next(at for at, line in enumerate(lines(on)) if '"note"' in line)
        for _ in range(2):
            await pilot.click(offset=(8, place))
        await until(pilot, lambda: "     three" in lines(on))


async def test_words_are_found_wherever_they_are_folded() -> None:
    on = stage()
    async with on.app.run_test(size=(80, 24)) as pilot:
        await show(pilot, on, WEATHER)
        await pilot.press("down", "down", "left")
        await search(pilot, "we")
        await until(pilot, lambda: "1 of 1 ━" in screen_text(on.app))
        assert under_cursor(on) == '"sky": "wet"'
        await pilot.press("backspace", "backspace", *"tHre")
        await until(pilot, lambda: under_cursor(on) == "three")
        await pilot.press("enter")
        assert isinstance(on.app.focused, ValuePane)
        await pilot.press("escape")
        await until(pilot, lambda: " of 1 ━" not in screen_text(on.app))
        assert isinstance(on.app.screen, ValueScreen), "first the search is left"


async def test_n_goes_from_one_place_to_the_next_and_around() -> None:
    on = stage()
    async with on.app.run_test(size=(80, 24)) as pilot:
        await show(pilot, on, WEATHER)
        await search(pilot, "sky")
        await until(pilot, lambda: "1 of 2 ━" in screen_text(on.app))
        await pilot.press("enter", "n")
        assert "2 of 2 ━" in screen_text(on.app)
        assert under_cursor(on) == '"sky": "wet"'
        await pilot.press("n")
        assert under_cursor(on) == '"sky": "dry"'
        await pilot.press("N")
        assert under_cursor(on) == '"sky": "wet"'
        await search(pilot, "nowhere")
        await until(pilot, lambda: "not found ━" in screen_text(on.app))
        await pilot.press("escape")
        await until(pilot, lambda: "not found" not in screen_text(on.app))


async def test_what_the_cursor_is_on_is_copied() -> None:
    on = stage()
    async with on.app.run_test(size=(80, 24), notifications=True) as pilot:
        await show(pilot, on, WEATHER, "the result")
        await pilot.press("down", "y")
        await until(pilot, lambda: "Copied city of the result" in screen_text(on.app))
        assert on.app.clipboard == "Kyoto"
        await pilot.press("down", "down", "y")
        await until(pilot, lambda: "Copied days.0 of the result" in screen_text(on.app))
        assert on.app.clipboard == '{\n  "sky": "dry"\n}'


async def test_a_text_that_holds_json_is_copied_as_the_text_it_is() -> None:
    on = stage()
    async with on.app.run_test(size=(80, 24), notifications=True) as pilot:
        await show(pilot, on, '{"a":1}', "the answer")
        assert lines(on)[2] == '     "a": 1'
        await pilot.press("y")
        await until(pilot, lambda: "Copied the answer" in screen_text(on.app))
    assert on.app.clipboard == '{"a":1}'


async def test_a_long_text_is_there_at_once_and_to_its_end() -> None:
    on = stage()
    async with on.app.run_test(size=(80, 24)) as pilot:
        pane = await show(pilot, on, LONG)
        assert lines(on)[1] == " line 0 of a very long answer"
        await until(pilot, lambda: pane.row_count() == 20_001)
        await pilot.press("end", "up")
        await until(pilot, lambda: " line 19999 of a very long answer" in lines(on))
        await search(pilot, "line 777 ")
        await until(pilot, lambda: "1 of 1 ━" in screen_text(on.app))
        assert under_cursor(on) == "line 777 of a very long answer"


async def test_the_cursor_stays_on_its_words_when_the_width_changes() -> None:
    on = stage()
    async with on.app.run_test(size=(80, 24)) as pilot:
        pane = await show(pilot, on, LONG)
        await until(pilot, lambda: pane.row_count() == 20_001)
        await search(pilot, "line 777 ")
        await until(pilot, lambda: "1 of 1 ━" in screen_text(on.app))
        await pilot.press("enter")
        await pilot.resize_terminal(44, 24)
        await pilot.resize_terminal(50, 30)
        await until(pilot, lambda: pane.document.width == pane.inner_width)
        await until(pilot, lambda: under_cursor(on) == "line 777 of a very long answer")


@pytest.mark.parametrize("text", NASTY)
async def test_nothing_in_a_value_acts_on_the_terminal(text: str) -> None:
    on = stage()
    async with on.app.run_test(size=(60, 20)) as pilot:
        await show(pilot, on, {text: [text], "text": f"{text}\n{text}"}, text)
        await pilot.press("down", "down", "y", "end", "up", "right")
        shown = screen_text(on.app)
        assert not set(shown) & set("\x1b\x07\x9b\x08\r\x00\t")
