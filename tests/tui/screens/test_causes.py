from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.causes.view import CauseView
from tenxgraph_tui.tui.intents import CopyCase, EditCase
from tenxgraph_tui.tui.screens.case import CaseScreen
from tenxgraph_tui.tui.screens.causes import CausesScreen
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen
from tenxgraph_tui.tui.widgets.causes import CauseList, MemberList, Summary
from tests.tui.failing import CASES, Told, kept, shown
from tests.tui.script import RUN, Script, Stage, catalog, play, screen_text, stage, until

FILE = "weather.evalset.json"
WIDE, SMALL = (160, 45), (80, 24)


@asynccontextmanager
async def opened(
    path: Path, size: tuple[int, int] = WIDE, cases: tuple[Told, ...] = CASES, **options: Any
) -> AsyncIterator[tuple[Pilot[Any], Stage]]:
    """The screen of causes, once every result was looked at."""
    on = shown(kept(path, cases), cases)
    async with on.app.run_test(size=size, notifications=True, **options) as pilot:
        await pilot.press("g")
        await until(pilot, lambda: isinstance(on.app.screen, CausesScreen))
        await until(pilot, lambda: causes_of(on)._summary.total > 0)
        failed = screen_of(on, CausesScreen)._failed()
        await until(pilot, lambda: not on.app._findings().missing(failed))
        await until(pilot, lambda: "to read" not in screen_text(on.app))
        await pilot.pause()
        yield pilot, on


S = TypeVar("S", bound=Screen[Any])


def screen_of(on: Stage, kind: type[S]) -> S:
    screen = on.app.screen
    assert isinstance(screen, kind)
    return screen


def causes_of(on: Stage) -> CauseList:
    return on.app.screen.query_one(CauseList)


def titles(on: Stage) -> list[str]:
    return [view.cause.title for view in causes_of(on)._views]


@pytest.mark.parametrize("size", [WIDE, (100, 30), SMALL], ids=lambda s: f"{s[0]}x{s[1]}")
async def test_what_failures_share_is_seen_with_the_cases_and_what_differs(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with opened(tmp_path, size) as (_, on):
        text = screen_text(on.app)
        assert "6 not passed, 4 causes" in text
        for told in ("get_forecast got another city", "3 cases", "tokyo_forecast", "trajectory"):
            assert told in text
        assert 'city="Tokyo"' in text
        assert text.count('city="Kyoto"') == 3
        assert "KeyError in agents.py line 31" in text


async def test_the_cases_follow_the_cursor(tmp_path: Path) -> None:
    async with opened(tmp_path, SMALL) as (pilot, on):
        await pilot.press("down")
        await until(pilot, lambda: "get_alerts()" in screen_text(on.app))
        await pilot.press("end")
        await until(pilot, lambda: "what happened" in screen_text(on.app))
        assert "'city'" in screen_text(on.app)


async def test_enter_shows_the_cases_in_the_table_and_the_filter_says_so(tmp_path: Path) -> None:
    async with opened(tmp_path) as (pilot, on):
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))
        wanted = 'cause:"get_forecast got another city"'
        await until(pilot, lambda: f"3 of 8 cases  {wanted}" in screen_text(on.app))
        rows = [case.key.eval_id for case in on.app._shared.listing.rows]
        assert rows == ["tokyo_forecast", "osaka_weekend", "kobe_wind"]
        assert isinstance(on.app.focused, type(screen_of(on, DashboardScreen).table))
        await pilot.press("slash", "enter")  # what is there can be read again
        assert on.app._shared.listing.filter is not None
        assert on.app._shared.listing.filter.text == wanted
        await pilot.press("escape")
        assert len(on.app._shared.listing.rows) == 8


async def test_r_runs_the_cases_of_one_cause_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as (pilot, on):
        await pilot.press("r")
        await until(pilot, lambda: bool(on.children))
        (asked,) = on.children[0].request.sets
        assert asked.ids == ("tokyo_forecast", "osaka_weekend", "kobe_wind")
        assert isinstance(on.app.screen, DashboardScreen)


async def test_a_case_is_opened_edited_and_copied_from_its_cause(tmp_path: Path) -> None:
    seen: list[Any] = []
    async with opened(tmp_path, message_hook=seen.append) as (pilot, on):
        await pilot.press("tab", "down", "o", "y")
        await pilot.pause()
        wishes = (one for one in seen if isinstance(one, EditCase | CopyCase))
        asked = [*{id(one): one for one in wishes}.values()]  # each node on its way sees it
        assert [type(one) for one in asked] == [EditCase, CopyCase]
        assert isinstance(asked[0], EditCase)
        assert asked[0].case == CaseId(FILE, "osaka_weekend")
        await pilot.press("escape", "enter")
        await until(pilot, lambda: isinstance(on.app.screen, CaseScreen))
        assert screen_of(on, CaseScreen)._key == CaseKey(0, "osaka_weekend")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(on.app.screen, CausesScreen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))


async def test_a_click_goes_to_a_cause_and_another_shows_its_cases(tmp_path: Path) -> None:
    async with opened(tmp_path) as (pilot, on):
        line = next(
            y for y, text in enumerate(screen_text(on.app).splitlines()) if "get_alerts was" in text
        )
        await pilot.click(offset=(20, line))
        await until(pilot, lambda: causes_of(on).cursor == 1)
        await pilot.click(offset=(20, line + 1))  # its second line
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))
        assert [case.key.eval_id for case in on.app._shared.listing.rows] == ["no_alerts"]


async def test_where_nothing_failed_there_are_no_causes(tmp_path: Path) -> None:
    async with opened(tmp_path, cases=(Told("one"), Told("two"))) as (pilot, on):
        assert "2 of 2 passed. No causes." in screen_text(on.app)
        await pilot.press("enter", "r", "o", "y", "tab", "enter")
        assert isinstance(on.app.screen, CausesScreen)
        assert not on.children
        assert "No cause to rerun" in screen_text(on.app)


async def test_before_a_run_it_says_why_there_are_none() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("g")
        await until(pilot, lambda: "No case has run yet" in screen_text(on.app))
        assert isinstance(on.app.screen, DashboardScreen)


async def test_causes_of_a_run_that_goes_on_come_as_its_cases_fail() -> None:
    on = stage(catalog(one=["a", "b", "c"]))
    async with on.app.run_test(size=WIDE) as pilot:
        script = Script().begin(on.desk.catalog)
        script.finish(CaseKey(0, "a"), CaseStatus.FAILED, (1.0, 1.0, 0.45))
        await play(pilot, on, script.events)
        await pilot.press("g")
        await until(pilot, lambda: "1 not passed, 1 cause" in screen_text(on.app))
        events = len(script.events)
        script.finish(CaseKey(0, "b"), CaseStatus.ERROR, (), error="timed out after 2 s")
        await play(pilot, on, script.events[events:])
        await until(pilot, lambda: "2 not passed, 2 causes" in screen_text(on.app))
        assert titles(on) == [
            "rouge_match less than 0.10 below the threshold",
            "timed out after 2 s",
        ]


async def test_another_run_takes_away_what_is_not_there_any_more(tmp_path: Path) -> None:
    async with opened(tmp_path) as (pilot, on):
        await pilot.press("tab")
        await play(pilot, on, Script(RUN).begin(catalog(other=["x"])).events)
        on.desk._awaited = None
        await pilot.press("enter", "o")
        members = on.app.screen.query_one(MemberList)
        await until(pilot, lambda: members.key is None)
        assert isinstance(on.app.screen, CausesScreen)


async def test_no_cause_is_shown_by_another_title_before_its_cases_were_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[str]] = []
    show = CauseList.show

    def noted(self: CauseList, views: Sequence[CauseView], summary: Summary) -> None:
        seen.append([view.cause.title for view in views])
        show(self, views, summary)

    monkeypatch.setattr(CauseList, "show", noted)
    async with opened(tmp_path) as (_, on):
        assert [each for each in seen if each] == [titles(on)]
