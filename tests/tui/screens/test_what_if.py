from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tenxgraph_tui.evaluation.formats import read_config
from tenxgraph_tui.tui import exploring
from tenxgraph_tui.tui.screens.ask import AskScreen
from tenxgraph_tui.tui.screens.causes import CausesScreen
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen
from tenxgraph_tui.tui.screens.what_if import WhatIfScreen
from tests.tui.failing import kept, shown
from tests.tui.script import RUN, Script, Stage, play, screen_text, stage, until

WIDE, MEDIUM, SMALL = (160, 45), (100, 30), (80, 24)
TO_ROUGE = ("down", "down")


@asynccontextmanager
async def opened(
    path: Path, size: tuple[int, int] = WIDE
) -> AsyncIterator[tuple[Pilot[Any], Stage]]:
    on = shown(kept(path))
    async with on.app.run_test(size=size, notifications=True) as pilot:
        await pilot.press("t")
        await until(pilot, lambda: isinstance(on.app.screen, WhatIfScreen))
        await pilot.pause()
        yield pilot, on


def line_with(on: Stage, text: str) -> str:
    lines = screen_text(on.app).splitlines()
    return next((line for line in lines if text in line), "")


@pytest.mark.parametrize("size", [WIDE, MEDIUM, SMALL], ids=lambda s: f"{s[0]}x{s[1]}")
async def test_a_threshold_moves_and_everything_follows(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with opened(tmp_path, size) as (pilot, on):
        assert "of 8" in screen_text(on.app)
        await pilot.press(*TO_ROUGE, "left", "left")
        await until(pilot, lambda: "rouge_match ≥ 0.40" in screen_text(on.app))
        text = screen_text(on.app)
        assert "2 → 3 of 8     25.0 % → 37.5 %" in text
        assert line_with(on, "[x] rouge_match").split()[-2:] != []
        assert "+1" in line_with(on, "[x] rouge_match")
        assert "▲ weather/nearly" in text
        assert "fails trajectory" in line_with(on, "weather/tokyo_forecast")
        assert "▲ now" in text
        await until(pilot, lambda: "4 → 3" in line_with(on, "causes  "))
        assert on.children == []


async def test_space_switches_a_criterion_off_and_reset_brings_it_back(tmp_path: Path) -> None:
    async with opened(tmp_path) as (pilot, on):
        await pilot.press("down", "space")
        await until(pilot, lambda: "trajectory not checked" in screen_text(on.app))
        assert "2 → 4 of 8" in screen_text(on.app)
        await pilot.press("0")
        await until(pilot, lambda: "trajectory ≥ 1.00" in screen_text(on.app))
        assert "2 of 8" in screen_text(on.app)
        assert "(edited)" not in screen_text(on.app)


async def test_enter_takes_it_for_the_next_run(tmp_path: Path) -> None:
    async with opened(tmp_path) as (pilot, on):
        await pilot.press(*TO_ROUGE, "left", "enter")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))
        assert on.desk.choices.preset.name == "offline (edited)"
        await pilot.press("r")
        request = on.children[0].request
        assert request.config_name == "offline (edited)"
        assert isinstance(request.config, dict)
        assert request.config["criteria"]["rouge_match"]["threshold"] == 0.45
        assert request.config["criteria"]["trajectory"]["match_type"] == "IN_ORDER"


async def test_leaving_changes_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as (pilot, on):
        before = on.desk.choices.preset
        await pilot.press(*TO_ROUGE, "left", "escape")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))
        assert on.desk.choices.preset is before


async def test_what_checks_nothing_is_not_taken(tmp_path: Path) -> None:
    async with opened(tmp_path) as (pilot, on):
        await pilot.press("space", "down", "space", "down", "space", "enter")
        await until(pilot, lambda: "checks nothing" in screen_text(on.app))
        assert isinstance(on.app.screen, WhatIfScreen)


async def test_it_is_kept_as_a_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with opened(tmp_path) as (pilot, on):
        await pilot.press(*TO_ROUGE, "left", "S")
        await until(pilot, lambda: isinstance(on.app.screen, AskScreen))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(on.app.screen, WhatIfScreen))
    config = read_config(*tmp_path.glob("*.evalconfig.json"))  # noqa: ASYNC240 - all is over
    assert config.criteria.rouge_match is not None
    assert config.criteria.rouge_match.threshold == 0.45


async def test_g_shows_what_would_still_fail_and_why(tmp_path: Path) -> None:
    async with opened(tmp_path) as (pilot, on):
        await pilot.press("down", "space", "g")
        await until(pilot, lambda: isinstance(on.app.screen, CausesScreen))
        await until(pilot, lambda: "4 not passed, 3 causes" in screen_text(on.app))
        text = screen_text(on.app)
        assert "no trajectory" in text
        assert "get_forecast got another city" not in text
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))
        assert on.app._shared.listing.filter is not None


async def test_the_mouse_moves_thresholds_too(tmp_path: Path) -> None:
    async with opened(tmp_path) as (pilot, on):
        lines = screen_text(on.app).splitlines()
        y = next(y for y, line in enumerate(lines) if "[x] tool_name_match" in line)
        await pilot.click(offset=(lines[y].index("‹"), y))
        await until(pilot, lambda: "tool_name_match ≥ 0.95" in screen_text(on.app))
        await pilot.click(offset=(lines[y].index("["), y))
        await until(pilot, lambda: "tool_name_match not checked" in screen_text(on.app))


async def test_another_run_ends_it_as_its_scores_are_gone(tmp_path: Path) -> None:
    async with opened(tmp_path) as (pilot, on):
        await pilot.press("down", "space", "g")
        await until(pilot, lambda: isinstance(on.app.screen, CausesScreen))
        on.desk._awaited = None
        await play(pilot, on, Script(RUN).begin(on.desk.catalog).events)
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))


async def test_before_a_run_there_is_nothing_to_try() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("t")
        await until(pilot, lambda: "Nothing to try it on" in screen_text(on.app))


async def test_many_cases_are_sorted_while_keys_are_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exploring, "SORTED_AT_ONCE", 3)
    async with opened(tmp_path) as (pilot, on):
        await pilot.press(*TO_ROUGE, "left")
        await until(pilot, lambda: "rouge_match ≥ 0.45" in screen_text(on.app))
