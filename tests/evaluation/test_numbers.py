"""Numbers are short, and never nicer than they are."""

from __future__ import annotations

import re

import pytest

from tenxgraph_tui.evaluation import numbers


@pytest.mark.parametrize(
    ("value", "passed", "text"),
    [
        pytest.param(0.5999, False, "0.59", id="a failing score is cut"),
        pytest.param(0.999999, False, "0.99", id="so that it never looks like 1.00"),
        pytest.param(0.29, False, "0.29", id="float noise is no reason to cut"),
        pytest.param(0.0, False, "0.00", id="zero"),
        pytest.param(0.916, True, "0.92", id="a passing score is rounded"),
        pytest.param(0.5999, True, "0.60", id="also up to its threshold"),
    ],
)
def test_score(value: float, passed: bool, text: str) -> None:
    assert numbers.score(value, passed=passed) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(None, "–", id="unknown"),
        pytest.param(0.0, "0ms", id="nothing"),
        pytest.param(0.78, "780ms", id="below a second"),
        pytest.param(0.9994, "999ms", id="just below a second"),
        pytest.param(0.9996, "1.0s", id="almost a second"),
        pytest.param(4.21, "4.2s", id="seconds"),
        pytest.param(59.94, "59.9s", id="just below a minute"),
        pytest.param(59.96, "1m00s", id="almost a minute"),
        pytest.param(64, "1m04s", id="minutes"),
        pytest.param(3725, "1h02m", id="hours"),
    ],
)
def test_seconds(value: float | None, text: str) -> None:
    assert numbers.seconds(value) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (9_999, "9999"),
        (10_000, "10.0k"),
        (24_130, "24.1k"),
        (999_499, "999.5k"),
        (1_310_000, "1.31M"),
    ],
)
def test_tokens(count: int, text: str) -> None:
    assert numbers.tokens(count) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.75, "75.0 %"), (1.0, "100.0 %"), (0.9999, "99.9 %"), (2 / 3, "66.6 %"), (0.0, "0.0 %")],
)
def test_a_rate_short_of_everything_is_not_a_hundred(share: float, text: str) -> None:
    assert numbers.percent(share) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.0, "1.00"), (0.6, "0.60"), (0.125, "0.125"), (0.995, "0.995"), (1 / 3, "0.333333")],
)
def test_threshold(value: float, text: str) -> None:
    assert numbers.threshold(value) == text


@pytest.mark.parametrize(("count", "text"), [(1, "1 case"), (0, "0 cases"), (2, "2 cases")])
def test_plural(count: int, text: str) -> None:
    assert numbers.plural(count, "case") == text


@pytest.mark.parametrize(
    ("value", "shown"), [(None, "–"), (14.9, "0:14"), (3729, "1:02:09"), (-1, "0:00")]
)
def test_clock(value: float | None, shown: str) -> None:
    assert numbers.clock(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "–"),
        (0, "$0"),
        (0.00001, "<$0.0001"),
        (0.0014, "$0.0014"),
        (0.99999, "$1.00"),
        (12.4, "$12.40"),
    ],
)
def test_money(value: float | None, shown: str) -> None:
    assert numbers.money(value) == shown


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        pytest.param(-3.0, "just now", id="clocks may differ"),
        pytest.param(59.9, "just now", id="below a minute"),
        pytest.param(60.0, "1 min ago", id="a minute"),
        pytest.param(3599.0, "59 min ago", id="almost an hour"),
        pytest.param(7300.0, "2 h ago", id="hours"),
        pytest.param(86_400.0, "1 day ago", id="a day"),
        pytest.param(3 * 86_400.0 + 5, "3 days ago", id="days"),
    ],
)
def test_how_long_ago(seconds: float, text: str) -> None:
    assert numbers.ago(seconds) == text


def test_a_moment_of_today_is_a_time_and_of_another_day_a_date() -> None:
    now = 1_800_000_000.0
    assert re.fullmatch(r"\d\d:\d\d", numbers.moment(now - 1, now))
    assert re.fullmatch(r"2027-01-\d\d \d\d:\d\d", numbers.moment(now - 2 * 86_400, now))
