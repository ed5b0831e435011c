"""The tree of eval sets, by keys and by mouse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tenxgraph_tui.session.discovery import FoundSet
from tenxgraph_tui.tui.catalog import CaseId, Catalog, SetFile
from tenxgraph_tui.tui.outline import Kind
from tenxgraph_tui.tui.panes.scrolled import THUMB, TRACK
from tenxgraph_tui.tui.screens.case import CaseScreen
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen
from tenxgraph_tui.tui.screens.drawer import Drawer
from tenxgraph_tui.tui.widgets.browser import Browser
from tenxgraph_tui.tui.widgets.case_table import CaseTable
from tests.tui.script import SCRIPT, Stage, catalog, eval_set, play, screen_text, stage, until

WIDE, SMALL = (160, 45), (80, 24)


def project() -> Catalog:
    """Two folders, of which one holds two files; some cases have tags."""
    found = []
    for path, ids in (
        ("evals/billing/refunds.evalset.json", ("late", "partial")),
        ("evals/billing/invoices.evalset.json", ("copy", "vat")),
        ("evals/travel.evalset.json", ("rail", "ferry")),
    ):
        made = eval_set(path, ids)
        made.eval_cases[0].tags = ["smoke", "two words"]
        found.append(SetFile.of(FoundSet(Path(path), made)))
    return Catalog(tuple(found), "agent", ("evals",))


def browser(on: Stage) -> Browser:
    return on.app.screen.query_one(Browser)


def tree(on: Stage) -> list[str]:
    """The lines of the browser, without what they are indented by and the scroll bar."""
    pane = browser(on)
    height, width = pane.region.height, pane.region.width
    lines = screen_text(on.app).splitlines()[pane.region.y : pane.region.y + height]
    shown = [
        line[pane.region.x : pane.region.x + width].strip(f" {TRACK}{THUMB}") for line in lines
    ]
    return [" ".join(line.split()) for line in shown if line][1:]


async def click(pilot: Pilot[Any], on: Stage, row: int, x: int) -> None:
    await pilot.click(Browser, offset=(x, row + browser(on).HEAD))


async def test_folders_hold_their_files_and_fold() -> None:
    on = stage(project())
    async with on.app.run_test(size=WIDE) as pilot:
        await pilot.press("b", "down", "down")
        assert tree(on)[:4] == ["▾ agent 0/6", "▾ travel 0/2", "· rail", "· ferry"]
        assert tree(on)[4:8] == ["▾ billing 2 files 0/4", "▾ refunds 0/2", "· late", "· partial"]
        await pilot.press("down", "down", "left")
        assert tree(on)[4:] == ["▸ billing 2 files 0/4", "▸ tags smoke 3 two words 3"]
        await pilot.press("right")
        assert "▾ invoices 0/2" in tree(on)
        assert on.remembered.unfolded is not None


async def test_folding_within_a_file_goes_to_its_line() -> None:
    on = stage(project())
    async with on.app.run_test(size=WIDE) as pilot:
        await pilot.press("b", *["down"] * 6, "h")
        assert browser(on).entry.file is not None
        assert browser(on).entry.kind is Kind.FILE
        assert "· late" not in tree(on)
        await pilot.press("h", "h", "h")
        assert browser(on).entry.kind is Kind.FOLDER
        await pilot.press("l", "enter")
        assert "▸ billing 2 files 0/4" in tree(on)


async def test_what_was_folded_in_the_drawer_is_folded_beside_the_cases() -> None:
    on = stage(project())
    async with on.app.run_test(size=SMALL) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(on.app.screen, Drawer))
        await pilot.press("down", "left", "escape")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))
        await pilot.resize_terminal(*WIDE)
        await until(pilot, lambda: "▸ travel 0/2" in tree(on))


async def test_space_selects_a_case_a_set_a_folder_and_everything() -> None:
    on = stage(project())
    async with on.app.run_test(size=WIDE) as pilot:
        await pilot.press("b", *["down"] * 6, "space")
        assert "▾ [-] billing 2 files 0/4" in tree(on)
        assert "· [x] late" in tree(on)
        assert "1 selected" in screen_text(on.app)
        await pilot.press("up", "space")
        assert "▾ [x] refunds 0/2" in tree(on)
        await pilot.press("up", "space")
        assert len(on.desk.choices.selected) == 4
        await pilot.press("home", "space")
        assert len(on.desk.choices.selected) == 6
        assert "▾ [x] agent 0/6" in tree(on)
        await pilot.press("space")
        assert not on.desk.choices.selected
        assert "▾ agent 0/6" in tree(on)


async def test_a_tag_selects_its_cases_and_filters_them() -> None:
    on = stage(project())
    async with on.app.run_test(size=WIDE) as pilot:
        await pilot.press("b", "end", "enter")
        assert tree(on)[-3:] == ["▾ tags", "smoke 3", "two words 3"]
        await pilot.press("end", "space")
        assert {case.eval_id for case in on.desk.choices.selected} == {"late", "copy", "rail"}
        assert "[x] two words 3" in tree(on)
        await pilot.press("enter")
        await until(pilot, lambda: '3 of 6 cases  tag:"two words"' in screen_text(on.app))
        assert isinstance(on.app.focused, CaseTable)


async def test_a_tag_that_is_chosen_in_the_drawer_filters_the_cases_below_it() -> None:
    on = stage(project())
    async with on.app.run_test(size=(100, 40)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(on.app.screen, Drawer))
        await click(pilot, on, browser(on).row_count() - 1, 9)
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))
        await until(pilot, lambda: "3 of 6 cases  tag:smoke" in screen_text(on.app))


async def test_triangles_boxes_and_signs_are_clicked() -> None:
    on = stage(project())
    async with on.app.run_test(size=WIDE) as pilot:
        await click(pilot, on, 1, 2)
        assert "▸ travel 0/2" in tree(on)
        await click(pilot, on, 1, 2)
        assert "▾ travel 0/2" in tree(on)
        await click(pilot, on, 2, 4)
        assert on.desk.choices.selected == {CaseId("evals/travel.evalset.json", "rail")}
        await until(pilot, lambda: "· [x] rail" in tree(on))
        await click(pilot, on, 4, 5)
        assert len(on.desk.choices.selected) == 5
        assert browser(on).cursor == 4


async def test_a_click_goes_to_a_line_and_another_opens_it() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await play(pilot, on, SCRIPT)
        await click(pilot, on, 3, 12)
        assert browser(on).entry.name == "tokyo_forecast"
        assert isinstance(on.app.screen, DashboardScreen)
        await click(pilot, on, 3, 12)
        await until(pilot, lambda: isinstance(on.app.screen, CaseScreen))


async def test_what_the_cursor_is_on_is_described_where_there_is_room() -> None:
    made = eval_set("weather", ["london"])
    made.eval_cases[0].description = "The simplest question."
    file = SetFile.of(FoundSet(Path("weather.evalset.json"), made))
    on = stage(Catalog((file,), "sets"))
    async with on.app.run_test(size=WIDE) as pilot:
        assert "The simplest question." not in tree(on)
        await pilot.press("b", "down", "down")
        assert tree(on)[-2:] == ["1 turn", "The simplest question."]
        await pilot.press("up")
        assert tree(on)[-1] == "weather.evalset.json"


async def test_where_the_tree_needs_the_room_its_description_is_short_and_stays() -> None:
    made = eval_set("long", [f"case_{number}" for number in range(40)])
    made.eval_cases[0].description = "The very first question."
    broken = SetFile("bad.evalset.json", problem="no JSON")
    on = stage(Catalog((SetFile.of(FoundSet(Path("long.evalset.json"), made)), broken), "sets"))
    async with on.app.run_test(size=WIDE) as pilot:
        assert "1 not read" in screen_text(on.app)
        await pilot.press("b", "down", "down")
        assert tree(on)[-1] == "The very first question."
        cursor = browser(on).cursor
        await pilot.click(Browser, offset=(8, browser(on).size.height - 1))
        assert browser(on).cursor == cursor
        await pilot.press("end", "space")
        assert browser(on).entry.kind is Kind.NOTE
        assert "The very first question." not in tree(on)


@pytest.mark.parametrize("key", ["j", "k", "pagedown", "pageup", "end", "home"])
async def test_the_cursor_moves_without_losing_the_tree(key: str) -> None:
    on = stage(catalog(**{f"set_{n}": [f"c{n}_{m}" for m in range(20)] for n in range(9)}))
    async with on.app.run_test(size=WIDE) as pilot:
        await pilot.press("b", *["down"] * 5, key)
        places = {"j": 6, "k": 4, "home": 0, "pageup": 0, "end": 29}
        assert browser(on).cursor == places.get(key, 5 + browser(on).frame.page)
