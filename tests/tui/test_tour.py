from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from rich.cells import cell_len

from tenxgraph_tui.evaluation.events import CaseStatus, Reply
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.project import user_state
from tenxgraph_tui.tui.lines.tour import button_at, buttons, tour_line, tour_lines
from tenxgraph_tui.tui.screens.case import CaseScreen
from tenxgraph_tui.tui.start import tour_of
from tenxgraph_tui.tui.tour import STEPS, is_new_here, note_shown
from tenxgraph_tui.tui.widgets.case_table import CaseTable
from tenxgraph_tui.tui.widgets.tour import TourSheet
from tests.tui.script import NOW, RUN, Script, Stage, catalog, play, screen_text, stage, until

LONDON = CaseKey(0, "london_now")


def touring(size: tuple[int, int] = (100, 30)) -> Stage:
    on = stage()
    on.app._shared.tour.begin(on.desk)
    return on


def title(on: Stage) -> str:
    step = on.app._shared.tour.step
    return step.title if step is not None else ""


def is_shown(on: Stage, words: str) -> bool:
    return words in screen_text(on.app)


async def test_doing_what_a_step_asks_for_leads_on() -> None:
    on = touring()
    async with on.app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "1 of 3" in screen_text(on.app))
        await pilot.press("space")
        await until(pilot, lambda: "2 of 3" in screen_text(on.app))
        await pilot.press("r")
        await until(pilot, lambda: "3 of 3" in screen_text(on.app))
        script = Script(on.children[0].request.run_id).begin(catalog(weather=["london_now"]))
        await play(pilot, on, script.finish(LONDON, CaseStatus.FAILED, (0.0,)).end().events)
        await pilot.press("]", "enter")
        await until(pilot, lambda: isinstance(on.app.screen, CaseScreen))
        assert title(on) == ""
        await pilot.press("escape")
        await until(pilot, lambda: "of 3" not in screen_text(on.app))


async def test_whoever_runs_at_once_is_shown_what_comes_after_a_run() -> None:
    on = touring()
    async with on.app.run_test(size=(100, 30)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: "3 of 3" in screen_text(on.app))


async def test_n_goes_through_the_steps_and_out() -> None:
    on = touring()
    async with on.app.run_test(size=(100, 30)) as pilot:
        for step in STEPS:
            await until(pilot, partial(is_shown, on, step.title))
            await pilot.press("n")
        await until(pilot, lambda: "of 3" not in screen_text(on.app))
        assert not on.app.check_action("tour_next", ())


async def test_esc_belongs_to_whoever_else_wants_it_first() -> None:
    on = touring()
    async with on.app.run_test(size=(160, 45)) as pilot:
        await pilot.press("b", "escape")
        assert title(on)
        assert isinstance(on.app.focused, CaseTable)
        await pilot.press("space", "escape")
        assert not on.desk.choices.selected
        assert title(on)
        await pilot.press("escape")
        await until(pilot, lambda: not title(on))
        await until(pilot, lambda: "of 3" not in screen_text(on.app))


async def test_its_words_can_be_clicked() -> None:
    on = touring()
    async with on.app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "1 of 3" in screen_text(on.app))
        sheet = on.app.screen.query_one(TourSheet)
        await pilot.click(sheet, offset=(3, sheet.size.height - 1))
        await until(pilot, lambda: "2 of 3" in screen_text(on.app))
        await pilot.click(sheet, offset=(40, 1))
        assert title(on) == STEPS[1].title
        await pilot.click(sheet, offset=(12, sheet.size.height - 1))
        await until(pilot, lambda: not title(on))


async def test_the_palette_shows_it_again() -> None:
    on = stage()
    async with on.app.run_test(size=(100, 30)) as pilot:
        await pilot.press("ctrl+p", *"tour", "enter")
        await until(pilot, lambda: "1 of 3" in screen_text(on.app))


@pytest.mark.parametrize("size", [(79, 24), (100, 17), (60, 20), (40, 8)], ids=str)
async def test_where_a_sheet_would_hide_the_cases_it_is_one_row(size: tuple[int, int]) -> None:
    on = touring()
    async with on.app.run_test(size=size) as pilot:
        await until(pilot, lambda: "1 of 3" in screen_text(on.app))
        lines = screen_text(on.app).splitlines()
    assert lines[-2].startswith(" 1 of 3  Choose cases")
    assert "q Quit" in lines[-1]
    assert sum("goes to" in line for line in lines) == 0


@pytest.mark.parametrize("size", [(160, 45), (100, 30), (80, 24), (80, 18)], ids=str)
async def test_the_sheet_hides_no_case_and_no_key(size: tuple[int, int]) -> None:
    bare, on = stage(), touring()
    shown = []
    for one in (bare, on):
        async with one.app.run_test(size=size) as pilot:
            await until(pilot, partial(is_shown, one, "" if one is bare else "1 of 3"))
            shown.append(screen_text(one.app).splitlines())
    waiting = [[line for line in lines if "· waiting   " in line] for lines in shown]
    assert waiting[0] == waiting[1]
    assert shown[0][-1] == shown[1][-1]


async def test_it_gives_way_to_trouble() -> None:
    on = touring()
    async with on.app.run_test(size=(100, 30)) as pilot:
        refused = Reply(seq=0, at=NOW, run_id=RUN, request="run", error="no agent", exit_code=5)
        await play(pilot, on, [refused])
        await until(pilot, lambda: "of 3" not in screen_text(on.app))


def test_it_is_begun_once_where_there_are_cases_and_no_runs(tmp_path: Path) -> None:
    on = stage()
    assert tour_of(on.desk, is_new=False).step is None
    assert tour_of(stage(catalog(empty=[])).desk, is_new=True).step is None
    assert is_new_here(user_state())
    assert tour_of(on.desk, is_new=True).step is STEPS[0]
    assert tour_of(on.desk, is_new=True).step is None


def test_a_mark_that_cannot_be_kept_does_no_harm(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    note_shown(blocked / "state")
    assert is_new_here(blocked / "state")


@pytest.mark.parametrize("width", [1, 5, 20, 39, 52, 120])
def test_every_line_is_as_wide_as_it_was_asked_to_be(width: int) -> None:
    for step in STEPS:
        lines = [*tour_lines(step, {}, width), tour_line(step, {}, width)]
        assert {cell_len(line.plain) for line in lines} == {width}


def test_keys_are_those_that_they_are_now() -> None:
    keys = {"run.start": "F5", "tour.next": "m"}
    text = "\n".join(line.plain for line in tour_lines(STEPS[1], keys, 52))
    assert "F5" in text
    assert "m Next" in text
    assert [button_at(STEPS[1], keys, x) for x in (1, 2, 7, 8, 11, 17, 18)] == [
        None,
        "tour.next",
        "tour.next",
        None,
        "tour.end",
        "tour.end",
        None,
    ]
    assert buttons(STEPS[1], {}) == [("n", "Next"), ("esc", "End")]


def test_the_last_step_says_that_it_is_the_last() -> None:
    text = "\n".join(line.plain for line in tour_lines(STEPS[-1], {}, 52))
    assert "n Done" in text
    assert "Next" not in text.replace("next one", "")
    assert "n Done" in tour_line(STEPS[-1], {}, 80).plain
