from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tenxgraph_tui.tui.lines.news import (
    flipped_at,
    is_dismiss_at,
    listed,
    news_lines,
    problem_lines,
)
from tenxgraph_tui.tui.watching.news import News

AT = 1_800_000_000.0
TOLD = News(
    "prompts/system.md",
    AT,
    36,
    25.0,
    broke=("tokyo_forecast", "osaka_weekend", "kobe_wind"),
    errored=("seven_day_table",),
    fixed=("fahrenheit_for_us_cities", "answers_in_german"),
    unchanged=29,
    still_failing=4,
)


@pytest.fixture(autouse=True)
def _in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def plain(news: News, width: int) -> list[str]:
    return [line.plain.rstrip() for line in news_lines(news, width)]


def test_what_flipped_is_told_kind_by_kind_the_worst_first() -> None:
    head, *flips = plain(TOLD, 120)
    assert head.startswith("─ prompts/system.md saved 08:00:00, 36 cases rerun in 25.0s ─")
    assert head.endswith("29 unchanged, 4 of them not passed  esc Dismiss ─")
    assert flips == [
        " ▼ 3 broke     tokyo_forecast, osaka_weekend, kobe_wind",
        " ! 1 errored   seven_day_table",
        " ▲ 2 fixed     fahrenheit_for_us_cities, answers_in_german",
    ]


@pytest.mark.parametrize(
    ("width", "kept", "gone"),
    [
        pytest.param(100, "36 cases rerun in 25.0s", "not passed", id="first what stays failing"),
        pytest.param(80, "saved 08:00:00", "rerun", id="then how much ran"),
        pytest.param(50, "esc Dismiss", "saved", id="the way out stays longest"),
    ],
)
def test_the_rule_says_less_where_there_is_less_room(width: int, kept: str, gone: str) -> None:
    head = plain(TOLD, width)[0]
    assert kept in head
    assert gone not in head


def test_nothing_flipped_is_news_too() -> None:
    lines = plain(News("agents.py", AT, 3, 0.4, unchanged=3), 100)
    assert len(lines) == 1
    assert "nothing flipped, 3 unchanged" in lines[0]


def test_while_the_run_goes_on_only_its_reason_is_told() -> None:
    lines = plain(News("agents.py", AT, 36), 100)
    assert len(lines) == 1
    assert "agents.py saved 08:00:00, rerunning 36 cases, what did not pass first" in lines[0]
    assert "esc" not in lines[0]


@pytest.mark.parametrize(
    ("room", "shown"),
    [
        (40, "one, two, three"),
        (15, "one, two, three"),
        (14, "one, and 2 more"),
        (3, "one, and 2 more"),
    ],
)
def test_names_that_do_not_fit_are_counted(room: int, shown: str) -> None:
    assert listed(["one", "two", "three"], room) == shown


@pytest.mark.parametrize("width", [1, 20, 60, 160])
def test_every_line_is_as_wide_as_it_was_asked_to_be(width: int) -> None:
    nasty = News("\x1b[2J中文/" * 9, AT, 3, 1.0, broke=("[/b]" * 30, "\u202e" * 9), unchanged=1)
    lines = [*news_lines(nasty, width), *problem_lines(["a: line 3: " + "中" * 99] * 5, width)]
    assert {line.cell_length for line in lines} == {width}
    assert not any("\x1b" in line.plain for line in lines)


def test_files_that_cannot_be_read_are_told_with_their_place() -> None:
    told = [line.plain.rstrip() for line in problem_lines(["a.evalset.json:3: no comma"], 80)]
    assert told[0].startswith("─ ! 1 file cannot be read ─")
    assert told[1:] == [
        "   a.evalset.json:3: no comma",
        "   What it touches runs again when it is saved.",
    ]


def test_a_click_finds_the_way_out_and_the_cases() -> None:
    head = news_lines(TOLD, 120)[0]
    at = head.plain.index("esc Dismiss")
    assert [is_dismiss_at(head, x) for x in (at - 1, at, at + 10, at + 11)] == [
        *(False, True, True, False)
    ]
    assert [flipped_at(TOLD, line) for line in range(5)] == [
        *(None, "tokyo_forecast", "seven_day_table", "fahrenheit_for_us_cities", None)
    ]
