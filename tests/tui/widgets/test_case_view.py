from __future__ import annotations

import threading

import pytest

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.evaluation.events import Log
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.tui.dossier import PATIENCE
from tenxgraph_tui.tui.results import KEPT, ResultReader
from tenxgraph_tui.tui.widgets import case_view
from tenxgraph_tui.tui.widgets.case_view import CaseView
from tests.tui.script import RUN, SCRIPT, SUPPORT, Script, Stage, play, screen_text, stage, until


class Shelf:
    """Stands for a store whose results appear when the test says so."""

    def __init__(self) -> None:
        self.results: dict[CaseKey, EvalCaseResult] = {}
        self.logs: dict[CaseKey, tuple[Log, ...]] = {}
        self.asked: list[tuple[str, CaseKey]] = []
        self.threads: set[threading.Thread] = set()

    def result(self, run_id: str, key: CaseKey) -> EvalCaseResult | None:
        self.asked.append((run_id, key))
        self.threads.add(threading.current_thread())
        return self.results.get(key)

    def said_by(self, run_id: str, key: CaseKey) -> tuple[Log, ...]:
        return self.logs.get(key, ())

    def said(self, run_id: str, at_most: int) -> tuple[Log, ...]:
        return tuple(line for log in self.logs.values() for line in log)[-at_most:]


class BrokenShelf(Shelf):
    def result(self, run_id: str, key: CaseKey) -> EvalCaseResult | None:
        raise StoreError(f"cannot read {run_id}/{key.eval_id} [/]")


TOKYO = CaseKey(0, "tokyo_forecast")


def answer(text: str) -> EvalCaseResult:
    return EvalCaseResult(eval_id="tokyo_forecast", passed=False, error=text)


def over(shelf: Shelf) -> Stage:
    return stage(reader=ResultReader(shelf))  # type: ignore[arg-type]  # a store in small


async def test_the_result_of_a_finished_case_is_read_in_a_thread() -> None:
    shelf = Shelf()
    shelf.results[TOKYO] = answer("the reason from the store")
    on = over(shelf)
    async with on.app.run_test(size=(100, 30)) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("]")
        await until(pilot, lambda: "the reason from the store" in screen_text(on.app))
    assert (RUN, TOKYO) in shelf.asked
    assert threading.main_thread() not in shelf.threads


async def test_a_result_that_is_not_committed_yet_is_asked_for_again() -> None:
    shelf = Shelf()
    on = over(shelf)
    async with on.app.run_test(size=(100, 30)) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("]")
        await until(pilot, lambda: (RUN, TOKYO) in shelf.asked)
        shelf.results[TOKYO] = answer("came a moment later")
        await until(pilot, lambda: "came a moment later" in screen_text(on.app))


async def test_details_are_missing_from_the_store_only_after_it_was_asked() -> None:
    shelf = Shelf()
    on = over(shelf)
    async with on.app.run_test(size=(100, 30)) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("]")
        await until(pilot, lambda: (RUN, TOKYO) in shelf.asked)
        assert "not in the store" not in screen_text(on.app)
        await until(pilot, lambda: "not in the store" in screen_text(on.app))
    assert shelf.asked.count((RUN, TOKYO)) >= PATIENCE


class SlowShelf(Shelf):
    """Answers once it is allowed to."""

    def __init__(self) -> None:
        super().__init__()
        self.may_answer = threading.Event()

    def result(self, run_id: str, key: CaseKey) -> EvalCaseResult | None:
        found = super().result(run_id, key)
        self.may_answer.wait()
        return found


def title(on: Stage) -> str:
    """The rule over the case, with its name in it."""
    return next(line for line in screen_text(on.app).splitlines() if "1 Why" in line)


async def test_a_case_is_drawn_once_with_its_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case_view, "SOON", 1000.0)
    shelf = SlowShelf()
    shelf.results[TOKYO] = answer("the reason from the store")
    on = over(shelf)
    async with on.app.run_test(size=(100, 30)) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("home")
        before = title(on)
        await pilot.press("]")
        await until(pilot, lambda: (RUN, TOKYO) in shelf.asked)
        await pilot.pause()
        assert title(on) == before
        shelf.may_answer.set()
        await until(pilot, lambda: "the reason from the store" in screen_text(on.app))
        assert "tokyo_forecast" in title(on)


async def test_a_case_whose_result_takes_long_is_drawn_without_it_meanwhile() -> None:
    shelf = SlowShelf()
    on = over(shelf)
    async with on.app.run_test(size=(100, 30)) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("]")
        await until(pilot, lambda: "tokyo_forecast" in title(on))
        assert (RUN, TOKYO) in shelf.asked
        shelf.may_answer.set()


async def test_a_result_is_read_once() -> None:
    shelf = Shelf()
    shelf.results[TOKYO] = answer("once")
    on = over(shelf)
    async with on.app.run_test(size=(100, 30)) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("]")
        await until(pilot, lambda: "once" in screen_text(on.app))
        await pilot.press("down", "up", "down", "up")
        await pilot.pause()
    assert shelf.asked.count((RUN, TOKYO)) == 1


async def test_a_store_that_cannot_be_read_is_said_and_ends_nothing() -> None:
    on = over(BrokenShelf())
    async with on.app.run_test(size=(100, 30), notifications=True) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("]")
        await until(pilot, lambda: "tokyo_forecast [/]" in screen_text(on.app))
        await pilot.press("down")
        assert on.app.is_running


async def test_what_blocks_a_running_case_is_told_while_it_runs() -> None:
    on = stage()
    running = CaseKey(1, SUPPORT[0])
    async with on.app.run_test(size=(120, 40)) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("home")
        script = Script()
        script.add(Log, case=running, source="tenxgraph", text="holds the event loop at a.py:3")
        script.add(Log, case=running, text="asking the shop")
        script.add(Log, case=TOKYO, text="of another case")
        await play(pilot, on, script.events)
        await until(pilot, lambda: "printed   asking the shop" in screen_text(on.app))
        text = screen_text(on.app)
    assert "note      holds the event loop at a.py:3" in text
    assert "of another case" not in text


async def test_cases_that_have_not_finished_are_not_asked_for() -> None:
    shelf = Shelf()
    on = over(shelf)
    async with on.app.run_test(size=(100, 30)) as pilot:
        await play(pilot, on, SCRIPT[:1])
        on.app.screen.query_one(CaseView).look_at(TOKYO)
        await pilot.pause()
    assert shelf.asked == []


def test_only_the_last_results_are_kept() -> None:
    shelf = Shelf()
    keys = [CaseKey(0, str(n)) for n in range(KEPT + 1)]
    shelf.results = {key: answer(key.eval_id) for key in keys}
    reader = ResultReader(shelf)  # type: ignore[arg-type]  # a store in small
    for key in keys:
        reader.read(RUN, key)
    assert reader.cached(RUN, keys[0]) is None
    assert reader.cached(RUN, keys[-1]) is shelf.results[keys[-1]]


def test_without_a_store_there_are_no_results() -> None:
    assert ResultReader(None).read(RUN, TOKYO) is None
