"""The conversation under the hands: where one begins, what is unfolded, what is kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult, EvalCaseResult, Score
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.widgets.chat_pane import ChatPane
from tests.tui.panes.test_detail import Bench, has, screen, until

TURNS = 12
LONG = "word " * 300


def long_talk(worst: int = 8) -> DetailModel:
    """A conversation that no pane holds, in which one turn decided."""
    case = EvalCase.multi_turn("talk", [(f"question {n}", f"answer {n}") for n in range(TURNS)])
    scores = [{"turn": n, "score": 0.0 if n == worst else 1.0} for n in range(TURNS)]
    details = {"worst_turn": worst, "turns": scores}
    verdict = CriterionResult.judged("rouge_match", Score(0.0, "no word", details), 0.5)
    turns = [
        {"turn": n, "actual_response": LONG if n == worst else f"answer {n}"} for n in range(TURNS)
    ]
    result = EvalCaseResult.success("talk", [verdict], turn_results=turns)
    return DetailModel(CaseKey(0, "talk"), case, result)


def on_bench(model: DetailModel) -> Bench:
    app = Bench()

    def show() -> None:
        app.detail.show(model)
        app.detail.action_view("Chat")
        app.detail.pane.focus()

    app.call_later(show)
    return app


def under_cursor(app: Bench) -> str:
    picked = app.query_one(ChatPane).picked
    return picked.name if picked is not None else ""


async def test_a_conversation_begins_at_the_turn_that_decided() -> None:
    app = on_bench(long_talk())
    async with app.run_test(size=(100, 16)) as pilot:
        await until(pilot, lambda: under_cursor(app) == "turn 9")
        first = next(line for line in screen(app) if line.startswith("turn "))
        assert first.startswith("turn 9")


async def test_what_fits_is_shown_from_its_beginning() -> None:
    app = on_bench(long_talk())
    async with app.run_test(size=(160, 80)) as pilot:
        await until(pilot, lambda: under_cursor(app) == "turn 9")
        assert has(app, "turn 1 ")
        assert has(app, "turn 12")


async def test_the_cursor_goes_from_what_was_asked_to_what_was_answered() -> None:
    app = on_bench(long_talk(worst=0))
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: has(app, "turn 2"))
        found = [under_cursor(app)]
        for _ in range(3):
            await pilot.press("down")
            found.append(under_cursor(app))
    assert found == ["turn 1", "both answers", "turn 2", "both answers"]


async def test_space_unfolds_a_long_answer_and_folds_it_again() -> None:
    app = on_bench(long_talk(worst=0))
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: has(app, "turn 2"))
        await pilot.press("down", "space")
        await until(pilot, lambda: not has(app, "turn 2"))
        await pilot.press("space")
        await until(pilot, lambda: has(app, "turn 2"))


async def test_what_cannot_be_folded_says_so() -> None:
    app = on_bench(long_talk(worst=0))
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await until(pilot, lambda: has(app, "turn 2"))
        await pilot.press("space")
        await until(pilot, lambda: has(app, "Texts that end in"))


async def test_a_reader_is_where_he_was_when_he_comes_back() -> None:
    app = on_bench(long_talk())
    async with app.run_test(size=(100, 16)) as pilot:
        await until(pilot, lambda: under_cursor(app) == "turn 9")
        await pilot.press("home", "down", "down")
        assert under_cursor(app) == "turn 2"
        app.detail.show(replace(long_talk(), key=CaseKey(0, "other")))
        await until(pilot, lambda: under_cursor(app) == "turn 9")
        app.detail.show(long_talk())
        await pilot.pause()
        assert under_cursor(app) == "turn 2"


@pytest.mark.parametrize("size", [(1, 1), (20, 3), (40, 10), (400, 120)])
async def test_it_is_drawn_at_any_size(size: tuple[int, int]) -> None:
    app = on_bench(long_talk())
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: app.detail.view == "Chat")
        await pilot.press("down", "space", "end", "home")
        assert len(screen(app)) == size[1]
