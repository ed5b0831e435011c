from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.events import CaseFinished, CaseStatus, RunFinished, RunStarted
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.tui.results import ResultReader
from tenxgraph_tui.tui.screens.case import CaseScreen
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen
from tenxgraph_tui.tui.screens.drawer import Drawer
from tenxgraph_tui.tui.screens.palette import Hits, PaletteScreen
from tenxgraph_tui.tui.widgets.browser import Browser
from tests.tui.script import SCRIPT, Script, Stage, catalog, play, screen_text, stage, until

WIDE, MEDIUM, SMALL, NARROW = (160, 45), (100, 30), (80, 24), (60, 20)


def listed(on: Stage) -> list[str]:
    return [hit.command.text for hit in on.app.screen.query_one(Hits).hits]


def line_of(on: Stage, text: str) -> str:
    return next(line for line in screen_text(on.app).splitlines() if text in line)


async def test_every_action_of_every_pane_is_listed_with_its_place_and_key() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(on.app.screen, PaletteScreen))
        found = listed(on)
        await pilot.press(*"rerun")
        line = line_of(on, "Rerun failed cases")
    wanted = {
        "Run the selected cases, or all",
        "Rerun failed cases",
        "Go to the eval sets",
        "Choose a preset",
        "Next failed case",
        "Fold",
        "First divergence",
        "Quit",
    }
    assert wanted <= set(found)
    assert len(set(found)) == len(found)
    assert line.split("Rerun failed cases")[1].split()[:2] == ["run", "f"]


@pytest.mark.parametrize("size", [WIDE, SMALL, (40, 10)], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_what_was_typed_its_hits_and_the_keys_are_never_cut(size: tuple[int, int]) -> None:
    on = stage()
    async with on.app.run_test(size=size) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("ctrl+p", *"failed")
        await until(pilot, lambda: len(listed(on)) > 1)
        await pilot.pause()
        text = screen_text(on.app)
    assert "Commands  > failed" in text
    assert "Next failed case" in text
    assert "esc Close" in text


async def test_enter_runs_the_hit_under_the_cursor() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await pilot.press("ctrl+p", *"go to the", "down", "up", "enter")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))
        await until(pilot, lambda: on.app.screen.query_one("Browser").has_focus)
        await pilot.press("ctrl+p", *"run the sel", "enter")
        await until(pilot, lambda: len(on.children) == 1)


async def test_a_click_runs_a_hit_and_one_beside_the_palette_closes_it() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await pilot.press("ctrl+p", *"run the sel")
        await pilot.click(Hits, offset=(3, 1))
        await until(pilot, lambda: len(on.children) == 1)
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(on.app.screen, PaletteScreen))
        await pilot.click(offset=(1, 1))
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))


@pytest.mark.parametrize("key", ["escape", "ctrl+p"])
async def test_it_closes_without_doing_anything(key: str) -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await pilot.press("ctrl+p", *"run", key)
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))
        assert on.children == []


async def test_nothing_found_is_said_and_enter_does_nothing() -> None:
    on = stage()
    async with on.app.run_test(size=SMALL) as pilot:
        await pilot.press("ctrl+p", *"qqqq", "enter")
        await pilot.pause()
        assert "Nothing is called like that." in screen_text(on.app)
        await pilot.press("pagedown", "pageup", "down")
        assert isinstance(on.app.screen, PaletteScreen)


async def test_pages_of_hits_are_turned_without_leaving_the_input() -> None:
    on = stage()
    async with on.app.run_test(size=(80, 12)) as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(on.app.screen, PaletteScreen))
        hits = on.app.screen.query_one(Hits)
        await pilot.press("pagedown")
        assert hits.cursor > 2
        await pilot.press("pageup")
        assert hits.cursor == 0


async def test_a_case_that_is_found_gets_the_cursor() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("ctrl+p", *"osak", "enter")
        await until(pilot, lambda: "osaka_weekend   1 Why" in screen_text(on.app))


async def test_where_there_is_no_room_below_the_cases_it_is_opened() -> None:
    on = stage()
    async with on.app.run_test(size=NARROW) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("ctrl+p", *"osak", "enter")
        await until(pilot, lambda: isinstance(on.app.screen, CaseScreen))
        assert "osaka_weekend" in screen_text(on.app)


async def test_a_case_is_gone_to_from_another_one() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("]", "enter")
        await until(pilot, lambda: isinstance(on.app.screen, CaseScreen))
        await pilot.press("ctrl+p", *"escalates", "enter")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))
        assert isinstance(on.app.screen, DashboardScreen)
        assert on.app.screen.table.key == CaseKey(1, "escalates_angry_customer")


async def test_the_drawer_has_commands_and_help_of_its_own() -> None:
    on = stage()
    async with on.app.run_test(size=SMALL) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(on.app.screen, Drawer))
        assert "? Help" in screen_text(on.app)
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(on.app.screen, PaletteScreen))
        assert "Unfold" in listed(on)
        assert "Next failed case" not in listed(on)
        await pilot.press("escape", "?")
        await until(pilot, lambda: "Keys" in screen_text(on.app))


@pytest.mark.parametrize("size", [WIDE, SMALL], ids=["beside the cases", "in the drawer"])
async def test_an_eval_set_that_is_found_gets_the_cursor_of_the_browser(
    size: tuple[int, int],
) -> None:
    on = stage()
    async with on.app.run_test(size=size) as pilot:
        await pilot.press("ctrl+p", *"support")
        assert on.app.screen.query_one(Hits).hits[0].command.area == "eval set"
        await pilot.press("enter")
        await until(pilot, lambda: bool(on.app.screen.query(Browser)))
        browser = on.app.screen.query_one(Browser)
        await until(pilot, lambda: browser.has_focus and browser.entry.key is not None)
        await until(pilot, lambda: browser.entry.key == "support.evalset.json")
        await until(pilot, lambda: "refund_denied_by_policy" in screen_text(on.app))
        assert isinstance(on.app.screen, DashboardScreen if size == WIDE else Drawer)


async def test_a_filter_does_not_hide_the_case_that_was_found() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("/", *"status:failed", "enter", "ctrl+p", *"london", "enter")
        await until(pilot, lambda: "london_now   1 Why" in screen_text(on.app))
        assert on.remembered.filter == ""


def with_runs(folder: Path) -> Stage:
    """A stage whose store has two runs of one case."""
    store, over = RunStore(folder / "runs.db"), catalog(weather=["london_now"])
    for number in (1, 2):
        status = CaseStatus.PASSED if number == 1 else CaseStatus.FAILED
        key = CaseKey(0, "london_now")
        script = Script(f"run-{number}").begin(over, number).finish(key, status)
        with store.writer(script.run_id) as sink:
            for event in script.end(passed=2 - number).events:
                if isinstance(event, RunStarted):
                    sink.started(event)
                elif isinstance(event, CaseFinished):
                    sink.save(key, EvalCaseResult(eval_id=key.eval_id, passed=number == 1))
                elif isinstance(event, RunFinished):
                    sink.finished(event)
    return stage(over, store=store, reader=ResultReader(store))


async def test_a_run_is_found_by_its_number_and_opened(tmp_path: Path) -> None:
    on = with_runs(tmp_path)
    async with on.app.run_test(size=WIDE) as pilot:
        await pilot.press("ctrl+p", *"run #1")
        await until(pilot, lambda: "Run #1  1/1 passed  offline (default)" in screen_text(on.app))
        await pilot.press("enter")
        await until(pilot, lambda: "run #1" in screen_text(on.app))
        await until(pilot, lambda: on.desk.state.number == 1)


async def test_a_store_that_cannot_be_read_is_told_and_hides_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "runs.db").write_text("no store at all, but long enough to be looked at" * 20)
    on = stage(reader=ResultReader(RunStore(tmp_path / "runs.db")))
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("ctrl+p", *"rerun")
        await until(pilot, lambda: "Runs not read" in screen_text(on.app))
        await pilot.press(*["backspace"] * 5, *"choose a pre", "enter")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))
