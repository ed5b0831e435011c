"""Watch mode of the dashboard with scripted workers: what runs, what counts, what is told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tenxgraph_tui.evaluation.dataset import MessageContent
from tenxgraph_tui.evaluation.events import CaseStatus, RunEvent
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.discovery import FoundSet
from tenxgraph_tui.tui.catalog import CaseId, Catalog, SetFile
from tenxgraph_tui.tui.pump import EventPump, WorkerEnded
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen
from tenxgraph_tui.tui.watching.state import WatchMode
from tests.tui.saves import armed, of_run, run_by_save, save, watching
from tests.tui.scenes import REFUSED, done, flipped
from tests.tui.script import Script, Stage, catalog, eval_set, play, screen_text, stage, until

SIZE = (160, 45)
PASSED, FAILED, ERROR = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR


def small() -> Catalog:
    return catalog(weather=["oslo", "paris", "rome"])


def edited(name: str) -> Catalog:
    """The same catalog, with another question in one case."""
    one = eval_set("weather", ["oslo", "paris", "rome"], target="agents.py:assistant")
    case = next(case for case in one.eval_cases if case.eval_id == name)
    case.conversation[0].user_content = MessageContent.user("And tomorrow?")
    file = SetFile.of(FoundSet(Path("weather.evalset.json"), one))
    return Catalog((file,), "sample_evalsets", ("sample_evalsets",))


def run(statuses: Sequence[CaseStatus], number: int, *, until_case: int = 9) -> list[RunEvent]:
    """A run of the small catalog, as far as that case."""
    script = Script().begin(small(), number)
    for eval_id, status in list(zip(("oslo", "paris", "rome"), statuses, strict=False))[
        :until_case
    ]:
        fields = {"error": "timed out"} if status is ERROR else {}
        script.finish(CaseKey(0, eval_id), status, (1.0, 1.0, 0.9), **fields)
    return script.end().events if until_case == 9 else script.events


async def gone(pilot: Pilot[Any], on: Stage, child: int = -1) -> None:
    """A worker ended."""
    run_id = on.children[child].request.run_id
    on.app.post_message(EventPump.Drained((WorkerEnded(run_id, 0),)))
    await pilot.pause()


def statuses(on: Stage) -> dict[str, CaseStatus]:
    return {case.key.eval_id: case.status for case in on.desk.board.cases.values()}


def asked(on: Stage, child: int = -1) -> list[str] | None:
    """The cases that a worker was asked for, None for all."""
    sets = on.children[child].request.sets
    return [name for one in sets for name in one.ids or ()] if sets[0].ids is not None else None


def dashboard(on: Stage) -> DashboardScreen:
    screen = on.app.screen
    assert isinstance(screen, DashboardScreen)
    return screen


async def test_w_switches_it_on_and_off_and_the_first_row_says_so() -> None:
    on = stage(small())
    async with on.app.run_test(size=SIZE) as pilot:
        assert "· watch off" in screen_text(on.app)
        await watching(pilot, on)
        assert "● watching" in screen_text(on.app)
        assert "w Watch off" in screen_text(on.app)
        assert on.remembered.watch is True
        await pilot.press("w")
        await until(pilot, lambda: not on.watchers[0].is_on)
        assert "· watch off" in screen_text(on.app)
        assert on.remembered.watch is False


async def test_a_save_reruns_everything_with_what_did_not_pass_first_and_tells_what_flipped() -> (
    None
):
    on = stage(small())
    async with on.app.run_test(size=SIZE) as pilot:
        await play(pilot, on, run([PASSED, FAILED, PASSED], 18))
        await watching(pilot, on)
        await save(pilot, on, "agents.py")
        request = on.children[-1].request
        assert asked(on) is None
        assert request.options.first == (("weather.evalset.json", "paris"),)
        assert "agents.py changed: everything, failed cases first" in screen_text(on.app)
        await play(pilot, on, of_run(on, run([FAILED, PASSED, ERROR], 19)))
        shown = screen_text(on.app)
    assert "agents.py saved" in shown
    assert "▼ 1 broke     oslo" in shown
    assert "! 1 errored   rome" in shown
    assert "▲ 1 fixed     paris" in shown
    assert "flipped first" in shown


async def test_flipped_cases_stand_first_until_the_next_run() -> None:
    on = stage(catalog(weather=["a", "b", "c", "d"]))
    over = on.desk.catalog
    async with on.app.run_test(size=SIZE) as pilot:
        await play(pilot, on, done(over))
        await run_by_save(pilot, on, flipped(over))
        rows = [row.key.eval_id for row in on.app._shared.listing.rows]
        assert rows == ["d", "a", "b", "c"]  # broke, errored, fixed twice
        await pilot.press("r")
        rows = [row.key.eval_id for row in on.app._shared.listing.rows]
    assert rows == ["a", "b", "c", "d"]


async def test_an_edited_case_runs_alone_and_the_others_keep_their_results() -> None:
    before = after = small()
    on = stage(before, read=lambda: after)
    async with on.app.run_test(size=SIZE) as pilot:
        await play(pilot, on, run([PASSED, FAILED, PASSED], 18))
        await watching(pilot, on)
        after = edited("paris")
        await save(pilot, on, "weather.evalset.json")
        assert asked(on) == ["paris"]
        assert statuses(on)["oslo"] is PASSED
        script = Script().begin(catalog(weather=["paris"]), 19)
        script.finish(CaseKey(0, "paris"), PASSED)
        await play(pilot, on, of_run(on, script.end().events))
        assert statuses(on) == {"oslo": PASSED, "paris": PASSED, "rome": PASSED}
        assert "▲ 1 fixed     paris" in screen_text(on.app)


async def test_a_save_during_a_run_ends_it_and_what_it_told_does_not_count() -> None:
    on = stage(small())
    async with on.app.run_test(size=SIZE) as pilot:
        await play(pilot, on, run([PASSED, PASSED, PASSED], 18))
        await watching(pilot, on)
        await save(pilot, on, "agents.py")
        await play(pilot, on, of_run(on, run([FAILED, FAILED, PASSED], 19, until_case=2)))
        assert statuses(on)["oslo"] is FAILED
        for name in ("agents.py", "tools.py", "agents.py", "prompts.py"):
            await save(pilot, on, name)
        assert on.children[0].calls == ["stop"]
        assert len(on.children) == 1
        await gone(pilot, on, 0)
        await until(pilot, lambda: len(on.children) == 2)
        assert on.desk.watch.news is not None
        assert on.desk.watch.news.changed == "agents.py and 2 more"
        await play(pilot, on, of_run(on, run([PASSED, PASSED, PASSED], 20)))
        assert statuses(on) == dict.fromkeys(("oslo", "paris", "rome"), PASSED)
        shown = screen_text(on.app)
    assert "nothing flipped, 3 unchanged" in shown  # against what counted, not what was stopped
    assert len(on.children) == 2


async def test_a_touch_runs_nothing() -> None:
    on = stage(small())
    async with on.app.run_test(size=SIZE) as pilot:
        await watching(pilot, on)
        await save(pilot, on, "weather.evalset.json")
        assert on.children == []
        saved = on.desk.watch.saves["weather.evalset.json"]
    assert saved.told == "weather.evalset.json changed, no case did"


async def test_an_agent_that_cannot_be_loaded_is_told_beside_the_last_results() -> None:
    on = stage(small())
    async with on.app.run_test(size=SIZE) as pilot:
        await play(pilot, on, run([PASSED, FAILED, PASSED], 18))
        await run_by_save(pilot, on, [REFUSED])
        shown = screen_text(on.app)
        assert "SyntaxError" in shown
        assert "runs again when" in shown
        assert "passed      oslo" in shown
        assert statuses(on) == {"oslo": PASSED, "paris": FAILED, "rome": PASSED}
        assert dashboard(on).table.has_focus
        await save(pilot, on, "agents.py")
        assert on.desk.trouble is None
        await until(pilot, lambda: len(on.children) == 1 or bool(on.children[0].calls))
        await gone(pilot, on, 0)
        await until(pilot, lambda: len(on.children) == 2)
        await play(pilot, on, of_run(on, run([PASSED, PASSED, PASSED], 19)))
        assert "▲ 1 fixed     paris" in screen_text(on.app)


async def test_escape_goes_from_the_error_to_the_details_again() -> None:
    on = stage(small())
    async with on.app.run_test(size=SIZE) as pilot:
        await play(pilot, on, run([PASSED, FAILED, PASSED], 18))
        await run_by_save(pilot, on, [REFUSED])
        await pilot.press("escape")
        await pilot.pause()
        assert "SyntaxError" not in screen_text(on.app)
        assert "1 Why" in screen_text(on.app)


async def test_escape_dismisses_the_news_before_it_clears_the_selection() -> None:
    on = stage(small())
    async with on.app.run_test(size=SIZE) as pilot:
        await play(pilot, on, run([PASSED, FAILED, PASSED], 18))
        await run_by_save(pilot, on, run([FAILED, FAILED, PASSED], 19))
        await pilot.press("space", "escape")
        await pilot.pause()
        assert "broke" not in screen_text(on.app)
        assert on.desk.choices.selected
        await pilot.press("escape")
        assert not on.desk.choices.selected


async def test_a_selection_is_all_that_a_save_of_the_agent_runs() -> None:
    on = stage(small())
    async with on.app.run_test(size=SIZE) as pilot:
        await pilot.press("space")
        await watching(pilot, on)
        await save(pilot, on, "agents.py")
        assert asked(on) == ["oslo"]


@pytest.mark.parametrize(("key", "cases"), [("r", None), ("f", ["paris"])])
async def test_r_and_f_stop_what_goes_on_and_run_just_what_they_say(
    key: str, cases: list[str] | None
) -> None:
    on = stage(small())
    async with on.app.run_test(size=SIZE) as pilot:
        await play(pilot, on, run([PASSED, FAILED, PASSED], 18))
        await watching(pilot, on)
        await save(pilot, on, "weather.py")
        failed = of_run(on, run([FAILED, FAILED, PASSED], 19, until_case=0))
        await play(pilot, on, failed)
        on.desk.standings.finish(CaseId("weather.evalset.json", "paris"), FAILED)
        await pilot.press(key)
        assert on.children[0].calls == ["stop"]
        await gone(pilot, on, 0)
        await until(pilot, lambda: len(on.children) == 2)
        assert asked(on) == cases
        assert on.desk.watch.reason == ""


@pytest.mark.parametrize("key", ["b", "p", "s", "g", "y", "t", "e", "W", "question_mark", "ctrl+p"])
async def test_other_keys_leave_the_run_alone(key: str) -> None:
    on = stage(small())
    async with on.app.run_test(size=SIZE) as pilot:
        await watching(pilot, on)
        await save(pilot, on, "agents.py")
        await play(pilot, on, of_run(on, run([PASSED, FAILED, PASSED], 19, until_case=2)))
        await pilot.press(key)
        await pilot.pause()
        assert on.children[0].calls == []
        assert len(on.children) == 1
        assert on.desk.is_busy


async def test_armed_it_waits_and_the_results_stay_in_sight() -> None:
    on = stage(small())
    async with on.app.run_test(size=SIZE) as pilot:
        await play(pilot, on, run([PASSED, FAILED, PASSED], 18))
        await armed(pilot, on)
        shown = screen_text(on.app)
        assert on.children == []
        assert "Rerun 3 cases?" in shown
        assert "passed      oslo" in shown
        assert "● armed" in shown
        await pilot.press("escape")
        await pilot.pause()
        assert on.desk.watch.mode is WatchMode.WATCHING
        assert "Rerun 3 cases?" not in screen_text(on.app)
        assert dashboard(on).table.has_focus
        await save(pilot, on, "tools.py")
        await until(pilot, lambda: on.desk.watch.question is not None)
        assert on.children == []


@pytest.mark.parametrize(
    ("key", "cases", "judged"),
    [
        pytest.param("enter", None, True, id="all of it"),
        pytest.param("f", ["paris"], True, id="what did not pass"),
        pytest.param("o", None, False, id="without judges"),
        pytest.param("exclamation_mark", None, True, id="and do not ask again"),
    ],
)
async def test_one_key_answers(key: str, cases: list[str] | None, judged: bool) -> None:
    on = stage(small())
    async with on.app.run_test(size=SIZE) as pilot:
        await play(pilot, on, run([PASSED, FAILED, PASSED], 18))
        await armed(pilot, on)
        await pilot.press(key)
        await until(pilot, lambda: len(on.children) == 1)
        assert asked(on) == cases
        config = on.children[0].request.config
        assert (config == "response_quality") is judged
        if isinstance(config, dict):
            assert not config["criteria"]["llm_judge"]["enabled"]
        assert on.desk.choices.preset.name == "response_quality"
        await play(pilot, on, of_run(on, run([PASSED, FAILED, PASSED], 19)))
        await gone(pilot, on)
        await save(pilot, on, "tools.py")
        asks_again = key != "exclamation_mark"
        await until(pilot, lambda: (on.desk.watch.question is not None) is asks_again)


async def test_the_question_does_not_take_the_keys_from_who_types() -> None:
    on = stage(small())
    async with on.app.run_test(size=SIZE) as pilot:
        await play(pilot, on, run([PASSED, FAILED, PASSED], 18))
        await watching(pilot, on)
        await pilot.press("slash")
        judged = next(one for one in on.desk.choices.presets if one.name == "response_quality")
        on.desk.choices.preset = judged
        await save(pilot, on, "agents.py")
        await until(pilot, lambda: on.desk.watch.question is not None)
        await pilot.press("o", "f")
        await pilot.pause()
        assert on.children == []
        assert "of" in screen_text(on.app).splitlines()[3]


async def test_every_row_of_the_watched_files_says_what_followed() -> None:
    on = stage(small())
    async with on.app.run_test(size=SIZE) as pilot:
        await watching(pilot, on)
        await save(pilot, on, "agents.py")
        await pilot.press("W")
        await pilot.pause()
        shown = screen_text(on.app)
    assert "agents.py" in shown
    assert "agents.py changed: everything, failed cases first" in shown


@pytest.mark.parametrize("state", ["idle", "running", "stopping", "armed", "trouble"])
async def test_it_can_be_left_in_every_state(state: str) -> None:
    on = stage(small())
    async with on.app.run_test(size=SIZE) as pilot:
        await play(pilot, on, run([PASSED, FAILED, PASSED], 18))
        if state == "armed":
            await armed(pilot, on)
        elif state == "trouble":
            await run_by_save(pilot, on, [REFUSED])
        else:
            await watching(pilot, on)
        if state in {"running", "stopping"}:
            await save(pilot, on, "agents.py")
        if state == "stopping":
            await play(pilot, on, of_run(on, run([PASSED], 19, until_case=1)))
            await save(pilot, on, "agents.py")
        await pilot.press("q")
        await until(pilot, lambda: not on.app.is_running or on.app._exit)
    assert not any(watcher.is_on for watcher in on.watchers)
