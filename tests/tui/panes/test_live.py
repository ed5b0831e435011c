"""A case that runs shows what it has done so far, beside what is expected."""

from __future__ import annotations

import re

import pytest

from tenxgraph_tui.evaluation.events import StepRecorded, StepStarted
from tenxgraph_tui.evaluation.live import LiveSteps
from tenxgraph_tui.evaluation.preview import args_preview, read_args
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.panes import trajectory
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.steps import timeline
from tests.tui.panes.conftest import START, Progress

KEY = CaseKey(0, "tokyo_forecast")


def began(steps: LiveSteps, at: float, tool: str | None = None, args: str = "") -> None:
    event = StepStarted(
        seq=0, at=START + at, run_id="r", case=KEY, node="MAIN", tool=tool, args=args
    )
    steps.started(event, 0)


def ended(
    steps: LiveSteps, at: float, tool: str | None = None, args: str = "", error: str | None = None
) -> None:
    event = StepRecorded(
        seq=0, at=START + at, run_id="r", case=KEY, node="MAIN", tool=tool, args=args, error=error
    )
    steps.recorded(event, 0)


@pytest.fixture
def running(unfinished: Progress) -> DetailModel:
    """One call made, one that broke, and one under way; START is two seconds after the first."""
    steps = LiveSteps()
    began(steps, -2.0)
    ended(steps, -1.5)
    began(steps, -1.5, "get_forecast", 'city="Kyoto"')
    ended(steps, -1.0, "get_forecast", 'city="Kyoto"')
    began(steps, -1.0, "search_web", 'query="wind"')
    ended(steps, -0.5, "search_web", 'query="wind"', "TimeoutError: no answer")
    began(steps, -0.5, "get_weather", 'city="Tokyo"')
    return unfinished("running", started_at=START - 2, live=steps)


def shown(model: DetailModel, width: int = 120, height: int = 30) -> list[list[str]]:
    lines = trajectory.lines(model, width, height)
    return [re.split(r"  +", line.plain.strip()) for line in lines]


def test_what_was_done_stands_beside_the_expected_call_of_its_name(running: DetailModel) -> None:
    rows = [row[:4] for row in shown(running)[1:6]]
    assert rows == [
        ["1", "MAIN", "0ms", "500ms"],
        ["2", 'get_forecast(city="Tokyo" …)', 'get_forecast(city="Kyoto")', "500ms"],
        ["3", 'search_web(query="wind")', "! error", "1.0s"],
        ["4", 'get_weather(city="Tokyo")', 'get_weather(city="Tokyo")', "▸ now"],
        ["5", 'get_alerts(city="Tokyo")'],
    ]


def test_nothing_counts_as_missing_while_the_case_runs(running: DetailModel) -> None:
    found = timeline(running)
    assert found.divergence is None
    assert found.current == 3, "the last thing that happened"
    text = " ".join(" ".join(row) for row in shown(running))
    assert "missing" not in text
    assert "extra" not in text


def test_before_the_first_step_the_expected_ones_are_shown(unfinished: Progress) -> None:
    model = unfinished("running", started_at=START, live=LiveSteps())
    assert [row[1] for row in shown(model)[1:4]] == ["MAIN", "MAIN", "MAIN"]
    assert timeline(model).current is None


@pytest.mark.parametrize("width", [1, 7, 20, 60, 96, 160])
@pytest.mark.parametrize("height", [1, 6, 14, 30])
def test_it_fits_any_pane(running: DetailModel, width: int, height: int) -> None:
    for selected in range(5):
        lines = trajectory.lines(running, width, height, selected)
        assert len(lines) <= height
        assert max((line.cell_length for line in lines), default=0) <= width


@pytest.mark.parametrize(
    "args",
    [{}, {"city": "Tokyo", "days": 2}, {"a": 'x=", "', "b": [1, {"c": None}]}, {"ü": "=", "v": ""}],
)
def test_arguments_are_read_back_from_their_preview(args: dict[str, object]) -> None:
    assert read_args(args_preview(args)) == args


def test_of_arguments_that_were_cut_the_beginning_is_read() -> None:
    assert read_args(args_preview({"city": "Tokyo", "note": "x" * 900}))["city"] == "Tokyo"
    assert read_args('note="xx…') == {"note": "xx…"}
    assert read_args("no arguments at all") == {}
