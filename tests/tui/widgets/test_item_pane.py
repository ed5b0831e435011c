"""Why under the hands: a cursor over what there is to know, folds, and what is under the cursor."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.evaluation.events import CaseStatus, Log
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult, EvalCaseResult, Score
from tenxgraph_tui.session.history import Baseline
from tenxgraph_tui.tui.changes import Comparison
from tenxgraph_tui.tui.results import ResultReader
from tenxgraph_tui.tui.screens.case import CaseScreen
from tenxgraph_tui.tui.screens.value import ValueScreen
from tenxgraph_tui.tui.widgets.why_pane import WhyPane
from tenxgraph_tui.tui.words import LONGEST_TEXT
from tests.tui.script import RUN, SCRIPT, Stage, play, screen_text, stage, until

TOKYO, OSAKA = CaseKey(0, "tokyo_forecast"), CaseKey(0, "osaka_weekend")
LONG = "It is dry. " * 30_000
EARLIER = "run-0"


class Shelf:
    """Stands for a store with what it is given."""

    def __init__(self) -> None:
        self.results: dict[tuple[str, CaseKey], EvalCaseResult] = {}
        self.is_broken = False

    def result(self, run_id: str, key: CaseKey) -> EvalCaseResult | None:
        if self.is_broken:
            raise StoreError("runs.db is gone")
        found = self.results.get((run_id, key))
        return found.model_copy(deep=True) if found is not None else None

    def said_by(self, run_id: str, key: CaseKey) -> tuple[Log, ...]:
        return ()


def result(answer: str = "No.", city: str = "Kyoto", **fields: Any) -> EvalCaseResult:
    verdicts = [
        CriterionResult.judged("tool_name_match_score", Score(1.0, "1 of 1 tools called"), 1.0),
        CriterionResult.judged("tool_trajectory_avg_score", Score(0.0, "call 1, city"), 1.0),
        CriterionResult.judged("rouge_match", Score(0.1, "most words differ"), 0.5),
        CriterionResult.judged("response_length", Score(1.0, "12 words", {"words": 12}), 0.5),
    ]
    calls = [ToolCall(name="get_weather", args={"city": city})]
    return EvalCaseResult.success(
        "tokyo_forecast", verdicts, actual_tool_calls=calls, actual_response=answer, **fields
    )


def over(shelf: Shelf) -> Stage:
    return stage(reader=ResultReader(shelf))  # type: ignore[arg-type]  # a store in small


def filled(answer: str = "No.") -> Shelf:
    shelf = Shelf()
    shelf.results = {(RUN, TOKYO): result(answer), (RUN, OSAKA): result("Maybe.")}
    return shelf


async def open_case(pilot: Pilot[Any], on: Stage, key: CaseKey = TOKYO) -> WhyPane:
    """The case on the whole screen, with its result."""
    await play(pilot, on, SCRIPT)
    table: Any = on.app.screen.query_one("CaseTable")
    table.put_cursor(key)
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(on.app.screen, CaseScreen))
    await until(pilot, lambda: "needs 1.00" in screen_text(on.app))
    return on.app.screen.query_one(WhyPane)


def name(pane: WhyPane) -> str:
    """What the cursor is on."""
    return pane.picked.name if pane.picked is not None else ""


async def test_the_cursor_goes_over_everything_there_is_to_know() -> None:
    on = over(filled())
    async with on.app.run_test(size=(80, 24)) as pilot:
        pane = await open_case(pilot, on)
        seen = [name(pane)]
        for _ in range(7):
            await pilot.press("down")
            seen.append(name(pane))
        assert seen == [
            "the question",
            "the verdict of tool_trajectory_avg_score",
            "the call of get_weather",
            "the verdict of rouge_match",
            "the expected answer",
            "the answer",
            "the verdict of tool_name_match_score",
            "the verdict of response_length",
        ]
        await pilot.press("down", "down")
        assert name(pane) == seen[-1]
        await pilot.press("home")
        assert name(pane) == seen[0]
        await pilot.press("end")
        assert name(pane) == seen[-1]


async def test_the_cursor_is_seen_only_where_the_keys_go() -> None:
    on = over(filled())
    async with on.app.run_test(size=(120, 45)) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("]")
        await until(pilot, lambda: "most words differ" in screen_text(on.app))
        pane = on.app.screen.query_one(WhyPane)
        plain = {segment.style for segment in pane.render_line(0)}
        pane.focus()
        await until(pilot, lambda: {segment.style for segment in pane.render_line(0)} != plain)


async def test_what_passed_is_unfolded_where_it_stands() -> None:
    on = over(filled())
    async with on.app.run_test(size=(100, 40), notifications=True) as pilot:
        pane = await open_case(pilot, on)
        assert "details" not in screen_text(on.app)
        await pilot.press("end", "space")
        assert "details   words 12" in screen_text(on.app)
        assert "reason    12 words" in screen_text(on.app)
        await pilot.press("enter")
        assert "details" not in screen_text(on.app)
        await pilot.press("home", "space")
        await until(pilot, lambda: "Nothing to fold" in screen_text(on.app))
        assert name(pane) == "the question"


async def test_a_click_goes_there_and_a_second_one_opens() -> None:
    on = over(filled())
    async with on.app.run_test(size=(100, 40)) as pilot:
        pane = await open_case(pilot, on)
        lines = screen_text(on.app).splitlines()
        row = next(at for at, line in enumerate(lines) if "✓ tool_name_match" in line)
        await pilot.click(offset=(8, row))
        await until(pilot, lambda: "1 of 1 tools called" in screen_text(on.app))
        row = next(at for at, line in enumerate(lines) if line.strip().startswith("actual"))
        await pilot.click(offset=(8, row))
        assert name(pane) == "the answer"
        await pilot.click(offset=(8, row), times=2)
        await until(pilot, lambda: isinstance(on.app.screen, ValueScreen))


async def test_pages_take_the_cursor_along() -> None:
    on = over(filled())
    async with on.app.run_test(size=(80, 12)) as pilot:
        pane = await open_case(pilot, on)
        await pilot.press("pagedown", "pagedown", "pagedown")
        assert name(pane) == "the verdict of response_length"
        await pilot.press("pageup", "pageup", "pageup")
        assert name(pane) == "the question"
        assert pane.scroll_offset.y == 0


async def test_where_the_reader_was_is_found_again_for_each_case_and_view() -> None:
    on = over(filled())
    async with on.app.run_test(size=(80, 12)) as pilot:
        pane = await open_case(pilot, on)
        await pilot.press("end", "space", "up", "up")
        here, top = name(pane), pane.scroll_offset.y
        assert top > 0
        await pilot.press("]")
        await until(pilot, lambda: "osaka_weekend" in screen_text(on.app))
        await until(pilot, lambda: "needs 1.00" in screen_text(on.app))
        assert name(pane) == "the question"
        await pilot.press("2", "[", "1")
        await until(pilot, lambda: "tokyo_forecast" in screen_text(on.app))
        await until(pilot, lambda: name(pane) == here)
        assert pane.scroll_offset.y == top
        await pilot.press("end")
        assert "words 12" in screen_text(on.app), "it is unfolded as it was"


async def test_an_answer_is_copied_whole_though_only_its_beginning_is_drawn() -> None:
    on = over(filled(LONG))
    async with on.app.run_test(size=(100, 40), notifications=True) as pilot:
        pane = await open_case(pilot, on)
        assert on.app.screen.query_one("CaseView")
        await pilot.press(*["down"] * 5)
        assert name(pane) == "the answer"
        cached = on.app._shared.reader.cached(RUN, TOKYO)
        assert cached is not None
        assert len(cached.actual_response) < LONGEST_TEXT + 100
        await pilot.press("y")
        await until(pilot, lambda: "330,000 characters are too many" in screen_text(on.app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(on.app.screen, ValueScreen))
        assert "the answer  330,000 characters" in screen_text(on.app)
        await pilot.press("escape")
        assert isinstance(on.app.screen, CaseScreen)


async def test_a_store_that_is_gone_meanwhile_leaves_what_was_read() -> None:
    shelf = filled()
    on = over(shelf)
    async with on.app.run_test(size=(100, 40), notifications=True) as pilot:
        await open_case(pilot, on)
        shelf.is_broken = True
        await pilot.press(*["down"] * 5, "y")
        await until(pilot, lambda: "runs.db is gone" in screen_text(on.app))
        await until(pilot, lambda: on.app.clipboard == "No.")


async def test_a_question_can_be_copied_before_anything_has_run() -> None:
    on = over(Shelf())
    async with on.app.run_test(size=(100, 40), notifications=True) as pilot:
        await pilot.press("enter", "y")
        await until(pilot, lambda: on.app.clipboard == "What about london_now?")
        await pilot.press("2", "y")
        await until(pilot, lambda: "Copied the call of get_weather" in screen_text(on.app))
    assert on.app.clipboard.splitlines()[1] == '  "name": "get_weather",'


async def test_what_there_is_none_of_is_not_copied() -> None:
    on = over(Shelf())
    async with on.app.run_test(size=(100, 40), notifications=True) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("enter")
        await until(pilot, lambda: "not in the store" in screen_text(on.app))
        on.app.screen.query_one(WhyPane).look_at(None)
        await pilot.press("y")
        await until(pilot, lambda: "Nothing to copy" in screen_text(on.app))
        await pilot.press("enter")
        await until(pilot, lambda: "Nothing to open" in screen_text(on.app))


@pytest.fixture
def compared() -> tuple[Stage, Shelf]:
    """Tokyo passed in run 17, where its set was the second."""
    shelf = filled()
    shelf.results[EARLIER, CaseKey(1, "tokyo_forecast")] = result("Yes, take one.", "Tokyo")
    return over(shelf), shelf


async def compare(pilot: Pilot[Any], on: Stage) -> None:
    case = on.desk.id_of(TOKYO)
    files = ("other.evalset.json", case.path)
    baseline = Baseline(EARLIER, 17, {case: CaseStatus.PASSED}, frozenset(), "", files)
    on.desk.comparison = Comparison(baseline)
    on.app.changed.publish(None)
    await until(pilot, lambda: "In #17   passed" in screen_text(on.app))


async def test_what_the_case_was_in_the_baseline_is_read_too(
    compared: tuple[Stage, Shelf],
) -> None:
    on, _ = compared
    async with on.app.run_test(size=(100, 45), notifications=True) as pilot:
        pane = await open_case(pilot, on)
        assert "In #17" not in screen_text(on.app)
        await compare(pilot, on)
        assert "answer    Yes, take one." in screen_text(on.app)
        await pilot.press("end", "up")
        assert name(pane) == "the answer in #17"
        await pilot.press("y")
        await until(pilot, lambda: on.app.clipboard == "Yes, take one.")


async def test_the_call_in_the_baseline_stands_below_the_step(
    compared: tuple[Stage, Shelf],
) -> None:
    on, _ = compared
    async with on.app.run_test(size=(100, 45)) as pilot:
        await open_case(pilot, on)
        await compare(pilot, on)
        await pilot.press("d")
        await until(pilot, lambda: 'in #17      get_weather(city="Tokyo")' in screen_text(on.app))
