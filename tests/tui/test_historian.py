"""What earlier sessions left is shown when the next one opens, and is never taken for new."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.tui.asking import failed_ids
from tenxgraph_tui.tui.catalog import CaseId, Catalog
from tenxgraph_tui.tui.changes import Against, Change
from tenxgraph_tui.tui.results import ResultReader
from tests.tui.kept import keep
from tests.tui.script import NOW, Script, Stage, catalog, play, screen_text, stage, until

HOURS = 3600.0
IDS = ("a", "b", "c", "d")
A, B, C, D = (CaseId("weather.evalset.json", eval_id) for eval_id in IDS)


@pytest.fixture
def over() -> Catalog:
    return catalog(weather=IDS)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.db"


def opened(path: Path, over: Catalog, *, at: float = NOW + 2 * HOURS) -> Stage:
    store = RunStore(path, clock=lambda: at)
    return stage(over, at=at, store=store, reader=ResultReader(store))


def line_of(on: Stage, eval_id: str) -> str:
    """The row of a case in the table, from its status on."""
    lines = screen_text(on.app).splitlines()
    first = next(index for index, line in enumerate(lines) if "status " in line)
    row = next(line for line in lines[first:] if f" {eval_id} " in line)
    return row[lines[first].index("status") :]


async def test_a_new_session_shows_how_every_case_did_last(path: Path, over: Catalog) -> None:
    keep(path, over, {"b": CaseStatus.FAILED, "c": CaseStatus.ERROR})
    on = opened(path, over)
    async with on.app.run_test(size=(160, 45)) as pilot:
        await until(pilot, lambda: on.desk.last is not None)
        await pilot.pause()
        text = screen_text(on.app)

        assert "ready  4 cases in 1 set   last run #1: 2/4 passed, 2 h ago   r Run 4" in text
        assert "4 cases, as they last did" in text
        assert "✓ passed" in line_of(on, "a")
        assert "✗ failed" in line_of(on, "b")
        assert "✗0.33" in line_of(on, "b")
        assert "! error" in line_of(on, "c")
        assert on.desk.standings.passed_in("weather.evalset.json") == 2
        assert not on.desk.is_busy
        assert on.desk.state.started_at is None


async def test_a_last_run_that_was_cancelled_says_so(path: Path, over: Catalog) -> None:
    keep(path, over, {"d": CaseStatus.CANCELLED}, was_cancelled=True)
    on = opened(path, over)
    async with on.app.run_test(size=(160, 45)) as pilot:
        await until(pilot, lambda: on.desk.last is not None)
        told = "last run #1 cancelled: 3/4 passed, 2 h ago"
        await until(pilot, lambda: told in screen_text(on.app))


async def test_the_case_that_is_looked_at_says_which_run_it_is_from(
    path: Path, over: Catalog
) -> None:
    keep(path, over, {"a": CaseStatus.FAILED})
    on = opened(path, over)
    async with on.app.run_test(size=(160, 45)) as pilot:
        await until(pilot, lambda: "needs 1.00" in screen_text(on.app))
        assert "in run #1" in screen_text(on.app)
        await pilot.press("enter")
        await until(pilot, lambda: "in run #1" in screen_text(on.app).splitlines()[1])


async def test_what_failed_in_the_last_session_is_run_again_by_f(path: Path, over: Catalog) -> None:
    keep(path, over, {"b": CaseStatus.FAILED, "d": CaseStatus.ERROR})
    on = opened(path, over)
    async with on.app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: on.desk.standings.has_failed)
        await pilot.press("f")
        await until(pilot, lambda: bool(on.children))
        assert on.children[0].request.sets[0].ids == ("b", "d")
        assert "✓ passed" in line_of(on, "a"), "what does not run again stays as it was"
        assert "· waiting" in line_of(on, "b")


async def test_a_run_says_what_changed_since_its_baseline(path: Path, over: Catalog) -> None:
    keep(path, over, {"b": CaseStatus.FAILED, "c": CaseStatus.FAILED})
    wider = catalog(weather=(*IDS, "e"))
    on = opened(path, wider)
    script = Script().begin(wider, number=2)
    for eval_id, status in zip(
        "abcde", ("failed", "passed", "failed", "passed", "passed"), strict=True
    ):
        script.finish(CaseKey(0, eval_id), CaseStatus(status))
    async with on.app.run_test(size=(160, 45)) as pilot:
        await play(pilot, on, script.end().events)
        await until(pilot, lambda: on.desk.comparison.baseline is not None)
        await pilot.pause()
        text = screen_text(on.app)

        changes = {key.eval_id: on.desk.change_of(key) for key in on.desk.board.cases}
        assert changes == {
            "a": Change.REGRESSED,
            "b": Change.FIXED,
            "c": Change.SAME,
            "d": Change.SAME,
            "e": Change.NEW,
        }
        assert on.desk.against(CaseKey(0, "a")) == Against(Change.REGRESSED, CaseStatus.PASSED, 1)
        assert "baseline #1" in text
        assert "▼ 1 regressed   ▲ 1 fixed" in text
        assert "▼ passed in #1" in text, "the line of the case under the cursor"
        await pilot.press("enter")
        await until(pilot, lambda: "▼ passed in #1" in screen_text(on.app).splitlines()[1])


async def test_the_baseline_is_looked_up_while_the_run_goes_on(path: Path, over: Catalog) -> None:
    keep(path, over)
    on = opened(path, over)
    script = Script().begin(over, number=2)
    async with on.app.run_test(size=(160, 45)) as pilot:
        await play(pilot, on, script.events)
        await until(pilot, lambda: on.desk.comparison.number == 1)
        script.finish(CaseKey(0, "b"), CaseStatus.ERROR, (), error="timed out")
        await play(pilot, on, script.events[1:])
        assert on.desk.comparison.counts == {Change.REGRESSED: 1}
        assert "regressed" not in screen_text(on.app).splitlines()[1], "not before the end"


async def test_a_past_run_that_is_opened_stands_alone_beside_its_own_baseline(
    path: Path, over: Catalog
) -> None:
    keep(path, over)
    keep(path, catalog(weather=("a", "b")), {"a": CaseStatus.FAILED})
    keep(path, over, {"b": CaseStatus.FAILED})
    on = opened(path, over)
    store = RunStore(path)
    async with on.app.run_test(size=(160, 45)) as pilot:
        await until(pilot, lambda: on.desk.last is not None)
        on.app.open_run(store.resolve("2"), 2)
        await until(pilot, lambda: on.desk.comparison.baseline is not None)
        assert [key.eval_id for key in on.desk.board.cases] == ["a", "b"]
        assert on.desk.comparison.number == 1
        assert on.desk.change_of(CaseKey(0, "a")) is Change.REGRESSED


async def test_files_that_were_read_again_bring_what_is_known_of_new_cases(
    path: Path, over: Catalog
) -> None:
    keep(path, over, {"d": CaseStatus.FAILED})
    on = opened(path, catalog(weather=("a", "b", "c")))
    async with on.app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: on.desk.last is not None)
        assert failed_ids(on.desk) == []
        on.desk.reread(over, on.desk.choices.presets)
        on.app.changed.publish(None)
        await until(pilot, lambda: failed_ids(on.desk) == [D])


@pytest.fixture
def damaged(path: Path) -> Path:
    path.write_text("no database", encoding="utf-8")
    return path


async def test_a_store_that_cannot_be_read_is_named_and_the_cases_wait(
    damaged: Path, over: Catalog
) -> None:
    on = opened(damaged, over)
    async with on.app.run_test(size=(160, 45), notifications=True) as pilot:
        await until(pilot, lambda: "Earlier runs are not shown" in screen_text(on.app))
        assert "runs.db: it is no run store" in screen_text(on.app)
        assert "· waiting" in line_of(on, "a")
