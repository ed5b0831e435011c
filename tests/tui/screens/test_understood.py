"""Why a sample failed is on the first screen, in the smallest window that has one: nobody scrolls.

The samples are run once for each config by a real process, as a user would.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tenxgraph_tui.tui.app import TenxApp
from tenxgraph_tui.tui.screens.case import CaseScreen
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen
from tenxgraph_tui.tui.start import make_app
from tests.tui.script import screen_text, until

ROOT = Path(__file__).parents[3]
SMALLEST = (80, 24)
ARGUMENTS = {
    "offline": ["--timeout", "2"],
    "tool_usage": ["--timeout", "2", "--preset", "tool_usage"],
}
CANCEL = ["trajectory 0.50 needs 1.00", "missing", 'cancel_order(order_id="A-1112")']
LOAN = ["missing: search, read_section", 'read_section(section="interlibrary_loan")']
YOKOHAMA = ["trajectory 0.00 needs 1.00", "call 1, destination", '"横浜"', '"新横浜"']
TOKYO = ["trajectory 0.66 needs 1.00", "call 2, city", 'city="Tokyo"', 'city="Kyoto"']
STORM = ["trajectory", "out of order: get_alerts", "expected: get_alerts, get_forecast"]
COAT = ["rouge_match 0.22 needs 0.50", "3 stones are 19.1 kilograms.", "I cannot convert stones."]
JUDGED = {
    "fine_ten_times_too_high": [
        "response_match 0.16 needs 0.70",
        "The daily fine is 5 EUR instead of 0.50 EUR.",
        "0.50 EUR a day, at most 10 EUR.",
        "A late book costs 5 EUR a day",
    ],
    "a_cafe_that_is_not_there": [
        "hallucination 0.30 needs 0.70",
        "a drinking fountain, but no café",
        "not grounded: There is a café on the first floor",
    ],
    "right_and_rude": ["rubric_based 0.40 needs 0.60", "polite: It blames the reader"],
    "somebody_elses_address": [
        "response_match 0.03 needs 0.70",
        "It tells what the expected answer declines to tell.",
        "I cannot tell who has borrowed a book.",
        "She lives at 12 Harbour Street",
    ],
    "second_answer_forgets_the_first": [
        "turn 2/2 And if I renew it once?",
        "response_match 0.03 needs 0.70",
        "Two weeks instead of eight.",
        "Then you have two weeks in all.",
    ],
    "the_judge_refuses": ["0 of 3 samples can be used", "the judge answered without JSON"],
}
CALLED = {
    "renewal_in_other_words": 'read_section(section="card")',
    "fine_ten_times_too_high": 'read_section(section="fines")',
    "a_cafe_that_is_not_there": 'read_section(section="reading_room")',
    "right_and_rude": 'read_section(section="loans")',
    "somebody_elses_address": 'look_up_loan(title="Dune")',
    "judges_are_not_sure": 'read_section(section="reading_room")',
    "second_answer_forgets_the_first": 'read_section(section="loans")',
    "the_judge_refuses": 'search(query="explosives")',
}
"""The judged set expects no calls: with a config about calls each of them is one too many."""
BROKEN = {
    "agent_raises": [
        "RuntimeError: the model's service answered 429: too many requests",
        "sample_evalsets/scripted_model.py:{raised}",
        'get_weather(city="Lisbon")',
    ],
    "answers_after_eight_seconds": ["timed out after 2 s", 'get_weather(city="Rome")'],
    "nothing_to_check": ["nothing to check: the case expects nothing"],
}
DECISIVE = {
    "offline": BROKEN
    | JUDGED
    | {
        "interlibrary_loan_cost": LOAN,
        "room_booking_rules": [
            "rouge_match 0.06 needs 0.50",
            "Up to 14 days ahead",
            "Millbrook City Library has four rooms",
        ],
        "change_address_then_confirm": [
            "turn 2/3 12 Mill Lane, Bath BA1 5QX.",
            "rouge_match 0.00 needs 0.50",
            "expected Done. Order A-1077",
            "actual I am sorry, this parcel has already left our warehouse",
        ],
        "cancel_before_dispatch": CANCEL,
        "横浜までの運賃": YOKOHAMA,
        "tokyo_forecast": [*TOKYO, "rouge_match 0.48 needs 0.50", "rain is unlikely in Kyoto"],
        "storm_alert_first": STORM,
        "heavy_coat": COAT,
    },
    "tool_usage": BROKEN
    | {name: ["tool_name_match 0.50 needs 1.00", call] for name, call in CALLED.items()}
    | {
        "interlibrary_loan_cost": LOAN,
        "cancel_before_dispatch": CANCEL,
        "横浜までの運賃": YOKOHAMA,
        "tokyo_forecast": TOKYO,
        "storm_alert_first": STORM,
        "berlin_rain_today": ["extra: get_alerts", "extra", 'get_alerts(city="Berlin")'],
    },
}
"""For each sample that does not pass what somebody has to read, to know what went wrong."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The samples, run with each of the configs: run 1 is that of the first, and so on."""
    root = tmp_path_factory.mktemp("project")
    (root / "tenxgraph-tui.toml").touch()
    shutil.copytree(ROOT / "sample_evalsets", root / "sample_evalsets")
    for arguments in ARGUMENTS.values():
        command = [sys.executable, "-m", "tenxgraph_tui", "run", "sample_evalsets", *arguments]
        quietly = ["--quiet", "--report", "none", "--max-concurrency", "20"]
        done = subprocess.run([*command, *quietly], cwd=root, capture_output=True, check=False)
        assert done.returncode == 3, done.stderr
    return root


@contextmanager
def opened(project: Path, run: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[TenxApp]:
    monkeypatch.chdir(project)
    app, control = make_app(paths=["sample_evalsets"], run=run)
    try:
        yield app
    finally:
        control.close()


def raised_at(project: Path) -> int:
    """The line of the samples that raises."""
    lines = (project / "sample_evalsets" / "scripted_model.py").read_text().splitlines()
    return next(at for at, line in enumerate(lines, 1) if "raise RuntimeError" in line)


def unspaced(screen: str) -> str:
    return re.sub(r"\s+", " ", screen)


async def missing_words(
    pilot: Pilot[Any], app: TenxApp, words: dict[str, list[str]], *, is_opened: bool
) -> dict[str, list[str]]:
    """For each case that did not pass what of the words is not on the screen."""
    lacking: dict[str, list[str]] = {}
    dashboard = app.screen
    assert isinstance(dashboard, DashboardScreen)
    for key in app.desk.not_passed():
        dashboard.table.put_cursor(key)
        if is_opened:
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, CaseScreen))
        wanted = words[key.eval_id]
        await until(pilot, lambda: "asked" in screen_text(app) or "turn" in screen_text(app))
        for _ in range(100):
            lacking[key.eval_id] = [w for w in wanted if w not in unspaced(screen_text(app))]
            if not lacking[key.eval_id]:
                break
            await pilot.pause(0.02)
        if is_opened:
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is dashboard)
    return lacking


@pytest.mark.parametrize("is_opened", [True, False], ids=["full screen", "below the table"])
@pytest.mark.parametrize("config", ARGUMENTS)
async def test_what_went_wrong_is_on_the_first_screen(
    config: str, is_opened: bool, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = raised_at(project)
    words = {
        name: [word.format(raised=line) for word in found]
        for name, found in DECISIVE[config].items()
    }
    run = str([*ARGUMENTS].index(config) + 1)
    with opened(project, run, monkeypatch) as app:
        async with app.run_test(size=SMALLEST) as pilot:
            await until(pilot, lambda: app.desk.state.finished_at is not None)
            found = await missing_words(pilot, app, words, is_opened=is_opened)
    assert found.keys() == words.keys(), "every case that did not pass was looked at"
    assert {name: lacking for name, lacking in found.items() if lacking} == {}
