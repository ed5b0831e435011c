from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.events import CaseStatus, Reply, RunEvent
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.discovery import FoundSet
from tenxgraph_tui.session.protocol import SetRequest
from tenxgraph_tui.session.workers import WorkerExit
from tenxgraph_tui.tui.catalog import CaseId, Catalog, SetFile
from tenxgraph_tui.tui.pump import WorkerEnded
from tenxgraph_tui.tui.screens.case import CaseScreen
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen
from tenxgraph_tui.tui.screens.drawer import Drawer
from tenxgraph_tui.tui.widgets.browser import Browser
from tenxgraph_tui.tui.widgets.case_table import CaseTable
from tenxgraph_tui.tui.widgets.detail import CaseDetail
from tenxgraph_tui.tui.widgets.preset_panel import PresetPanel
from tests.tui.script import (
    NOW,
    RUN,
    SCRIPT,
    SUPPORT,
    WEATHER,
    Script,
    Stage,
    catalog,
    eval_set,
    play,
    screen_text,
    stage,
    until,
)

WIDE, MEDIUM, SMALL, NARROW = (160, 45), (100, 30), (80, 24), (60, 20)
SHORT_IDS = [name for name in (*WEATHER, *SUPPORT) if len(name) < 24]


def table(on: Stage) -> CaseTable:
    return on.app.screen.query_one(CaseTable)


def rows(on: Stage) -> list[str]:
    """The lines of the case table, from its header on, without the line of its scrollbar."""
    lines = [line.rstrip("┃│ ") for line in screen_text(on.app).splitlines()]
    first = next(index for index, line in enumerate(lines) if "status " in line)
    return lines[first:]


@pytest.mark.parametrize("size", [WIDE, MEDIUM, SMALL], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_nothing_that_is_read_first_is_cut(size: tuple[int, int]) -> None:
    on = stage()
    async with on.app.run_test(size=size) as pilot:
        await play(pilot, on, SCRIPT)
        text = screen_text(on.app)
        shown = "\n".join(rows(on))
    for header in ("status", "case", "tools", "traj", "rouge", "tok", "time"):
        assert header in shown
    for word in ("▸ running", "✓ passed", "✗ failed", "· waiting"):
        assert word in shown
    for key in ("enter Open", "] Next failed", "r Run 18", "? Help", "q Quit"):
        assert key in text
    # as many rows as the pane has: the running cases, then those of the first file
    visible = ["refund_denied_by_policy", "escalates_angry_customer", *SHORT_IDS[:3]]
    for eval_id in visible:
        assert eval_id in shown
    assert "✗0.33" in shown
    assert "6/18" in text


async def test_rows_read_as_status_case_scores_tokens_and_time() -> None:
    on = stage()
    async with on.app.run_test(size=SMALL) as pilot:
        await play(pilot, on, SCRIPT)
        read = [line.split() for line in rows(on)]
    assert read[0] == ["status", "case", "tools", "traj", "rouge", "tok", "time"]
    assert read[1] == ["▸", "running", "refund_denied_by_policy", "MAIN", "6.8s"]
    assert read[4] == ["✓", "passed", "london_now", "1.00", "1.00", "0.91", "412", "1.2s"]
    assert read[5] == ["✗", "failed", "tokyo_forecast", "1.00", "✗0.33", "✗0.41", "412", "1.9s"]


async def test_an_error_has_its_reason_where_the_scores_would_be() -> None:
    on = stage()
    async with on.app.run_test(size=(100, 45)) as pilot:
        await play(pilot, on, SCRIPT)
        line = next(line for line in rows(on) if "seven_day_table" in line)
    assert line.split()[:2] == ["!", "error"]
    assert "timed out after" in line


async def test_a_narrow_table_names_the_worst_criterion() -> None:
    on = stage()
    async with on.app.run_test(size=NARROW) as pilot:
        await play(pilot, on, SCRIPT)
        read = [line.split() for line in rows(on)]
    assert read[0] == ["status", "case", "worst", "time"]
    assert read[5] == ["✗", "failed", "tokyo_forecast", "traj", "✗0.33", "1.9s"]


async def test_running_cases_stand_on_top_and_the_cursor_stays_on_its_case() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("home")
        key = table(on).key
        assert key == CaseKey(1, "refund_denied_by_policy")
        finished = Script().finish(key, CaseStatus.FAILED, (0.0, 0.0, 0.0)).events[1:]
        await play(pilot, on, finished)
        assert table(on).key == key
        assert table(on).cursor > 3
        assert "refund_denied_by_policy   1 Why" in screen_text(on.app)


async def test_next_failed_goes_around_the_end() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        visited = []
        for key in ("]", "]", "]", "]", "["):
            await pilot.press(key)
            visited.append(table(on).key)
    names = [key.eval_id for key in visited if key]
    assert names[:3] == ["tokyo_forecast", "osaka_weekend", "seven_day_table"]
    assert names[3:] == ["tokyo_forecast", "seven_day_table"]


async def test_enter_opens_the_case_and_escape_comes_back_to_the_one_looked_at_last() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("]", "enter")
        await until(pilot, lambda: isinstance(on.app.screen, CaseScreen))
        assert "sample_evalsets › weather › tokyo_forecast" in screen_text(on.app)
        assert "[ 1 of 3 not passed ]" in screen_text(on.app)
        await pilot.press("]")
        assert "› osaka_weekend" in screen_text(on.app)
        await pilot.press("[", "[")
        assert "› seven_day_table" in screen_text(on.app)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))
        await until(pilot, lambda: table(on).key == CaseKey(0, "seven_day_table"))


async def test_the_views_of_a_case_are_changed_with_their_numbers() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("]", "enter")
        await until(pilot, lambda: isinstance(on.app.screen, CaseScreen))
        detail = on.app.screen.query_one(CaseDetail)
        await pilot.press("2")
        assert detail.view == "Trajectory"
        await pilot.press("1")
        assert detail.view == "Why"
        await pilot.press("d")
        assert detail.view == "Trajectory"


async def test_r_asks_for_everything_and_shows_that_it_starts() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        assert "ready  18 cases in 2 sets" in screen_text(on.app)
        await pilot.press("r")
        assert "starting" in screen_text(on.app)
        assert "x Cancel run" in screen_text(on.app)
        (child,) = on.children
        assert child.request.sets == (
            SetRequest(path="weather.evalset.json"),
            SetRequest(path="support.evalset.json"),
        )
        assert child.request.config is None


async def test_what_a_worker_tells_is_shown_as_it_comes() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await pilot.press("r")
        (child,) = on.children
        for event in Script(child.request.run_id).begin(on.desk.catalog, number=7).events:
            child.on_event(event)
        await until(pilot, lambda: "run #7" in screen_text(on.app))
        for event in Script(child.request.run_id).finish(CaseKey(0, "london_now")).end().events:
            child.on_event(event)
        child.on_exit(WorkerExit(0, True, False))
        await until(pilot, lambda: "1/18 passed" in screen_text(on.app))
        assert on.desk.trouble is None


async def test_space_selects_and_only_the_selection_runs() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await pilot.press("space", "space")
        assert "2 of 18 cases selected" in screen_text(on.app)
        await pilot.press("r")
        assert on.children[0].request.sets == (
            SetRequest(path="weather.evalset.json", ids=("london_now", "tokyo_forecast")),
        )


async def test_f_runs_again_what_did_not_pass() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        assert "f Rerun failed" not in screen_text(on.app)
        await play(pilot, on, SCRIPT)
        assert "f Rerun failed" in screen_text(on.app)
        await pilot.press("f")
        failed = ("tokyo_forecast", "osaka_weekend", "seven_day_table")
        assert on.children[0].request.sets == (SetRequest(path="weather.evalset.json", ids=failed),)


async def test_x_cancels_and_only_while_something_runs() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await pilot.press("x")
        assert on.children == []
        await pilot.press("r", "x")
        assert on.children[0].calls == ["cancel"]
        assert "stopping" in screen_text(on.app)
        events = Script(on.children[0].request.run_id).begin(on.desk.catalog)
        await play(pilot, on, events.end(was_cancelled=True).events)
        assert "■ cancelled" in screen_text(on.app)
        assert "x Cancel run" not in screen_text(on.app)


async def test_a_refusal_takes_the_place_of_the_cases_until_it_was_read() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await pilot.press("r")
        run_id = on.children[0].request.run_id
        error = "judge not available: response_match needs a model"
        reply = Reply(seq=0, at=NOW, run_id=run_id, request="run", error=error, exit_code=4)
        await play(pilot, on, [reply])
        text = screen_text(on.app)
        assert "judge not available" in text
        assert "no case was run" in text
        assert "esc Back to the cases" in text
        await pilot.press("escape")
        await until(pilot, lambda: "london_now" in screen_text(on.app))
        await pilot.press("down")
        assert table(on).has_focus


async def test_a_crash_shows_the_last_lines_of_the_worker() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await pilot.press("r")
        run_id = on.children[0].request.run_id
        started = Script(run_id).begin(on.desk.catalog).events
        said = ("Fatal Python error: Segmentation fault", "[/] not markup")
        await play(pilot, on, [*started, WorkerEnded(run_id, -11, said)])
        text = screen_text(on.app)
    assert "was killed by SIGSEGV" in text
    assert "Fatal Python error: Segmentation fault" in text
    assert "[/] not markup" in text


async def test_r_again_waits_for_the_first_run_to_stop() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await pilot.press("r", "r")
        assert [child.calls for child in on.children] == [["stop"]]
        on.children[0].on_exit(WorkerExit(-2, False, True))
        await until(pilot, lambda: len(on.children) == 2)
        assert on.desk.trouble is None


async def test_tab_goes_through_the_panes() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await play(pilot, on, SCRIPT)
        visited = []
        for _ in range(4):
            await pilot.press("tab")
            visited.append(type(on.app.focused).__name__)
    assert visited == ["WhyPane", "Browser", "PresetPanel", "CaseTable"]


async def test_b_and_p_go_to_their_panes_where_there_is_room() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await pilot.press("b")
        assert isinstance(on.app.focused, Browser)
        await pilot.press("p")
        assert isinstance(on.app.focused, PresetPanel)


@pytest.mark.parametrize(
    ("key", "pane"), [("b", Browser), ("p", PresetPanel)], ids=["eval sets", "preset"]
)
async def test_a_drawer_opens_where_there_is_none_and_its_key_closes_it(
    key: str, pane: type[Browser | PresetPanel]
) -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await pilot.press(key)
        await until(pilot, lambda: isinstance(on.app.screen, Drawer))
        assert isinstance(on.app.focused, pane)
        await pilot.press(key)
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))


async def test_a_case_is_opened_from_the_drawer() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await pilot.press("b", "down", "down", "down", "enter")
        await until(pilot, lambda: isinstance(on.app.screen, CaseScreen))
        assert "weather › tokyo_forecast" in screen_text(on.app)


async def test_a_run_is_started_from_the_drawer() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await pilot.press("b", "down", "space", "r")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))
        (request,) = on.children[0].request.sets
        assert request.path == "weather.evalset.json"


async def test_choosing_a_preset_is_what_the_next_run_takes() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await pilot.press("p", "down", "down", "enter")
        assert "preset tool_usage" in screen_text(on.app)
        await pilot.press("r")
        assert on.children[0].request.config == "tool_usage"


async def test_presets_say_what_they_need() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        text = screen_text(on.app)
        for name in ("offline", "quick_check", "tool_usage", "comprehensive", "strict", "relaxed"):
            assert name in text
        await pilot.press("p", "end", "up")
        assert "GEMINI_API_KEY not set" in screen_text(on.app)


async def test_the_browser_counts_what_passed_and_folds() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await play(pilot, on, SCRIPT)
        assert "3/18" in screen_text(on.app)
        await pilot.press("b", "down", "enter")
        assert "kobe_wind" not in screen_text(on.app).split("Cases")[0]
        browser = on.app.screen.query_one(Browser)
        assert browser.row_count() == 3
        await pilot.press("right")
        assert browser.row_count() == 16
        await pilot.press("down", "left")
        assert browser.row_count() == 3


async def test_the_cursor_of_the_browser_leads_that_of_the_table() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("b", "down", "down", "down")
        assert table(on).key == CaseKey(0, "tokyo_forecast")


async def test_a_file_that_cannot_be_read_says_why_in_its_place() -> None:
    good = catalog(weather=WEATHER[:5]).files
    problem = "sets/bad.evalset.json:3:1: no JSON: a comma is missing"
    over = Catalog((*good, SetFile("sets/bad.evalset.json", problem=problem)), "sets")
    on = stage(over)
    async with on.app.run_test(size=WIDE):
        text = screen_text(on.app)
    assert "! bad" in text
    assert "line 3" in text
    assert "a comma is" in text


async def test_a_project_without_eval_sets_says_where_it_looked_and_what_to_do() -> None:
    on = stage(Catalog((), "weather-agent", ("/home/mira/weather-agent",)))
    async with on.app.run_test(size=SMALL) as pilot:
        text = screen_text(on.app)
        assert "No eval sets here yet" in text
        assert "Looked in /home/mira/weather-agent and below for" in text
        assert "*.evalset.json" in text
        assert "r Run" not in text
        await pilot.press("r", "f", "x")
        assert on.children == []


@pytest.mark.parametrize("key", ["q", "ctrl+c", "ctrl+q"])
async def test_quitting_leaves_with_success(key: str) -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await pilot.press("r", key)
        await pilot.pause()
    assert on.app.return_code == 0


async def test_a_case_that_runs_again_is_found_in_the_next_run() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        table(on).put_cursor(CaseKey(1, "closes_the_account"))
        part = catalog(support=["escalates_angry_customer", "closes_the_account"])
        await play(pilot, on, Script(RUN).begin(part).events)
        assert table(on).key == CaseKey(0, "closes_the_account")


async def test_one_click_goes_to_a_case_and_two_open_it() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.click(CaseTable, offset=(20, 6))
        assert table(on).cursor == 4
        assert isinstance(on.app.screen, DashboardScreen)
        await pilot.double_click(CaseTable, offset=(20, 7))
        await until(pilot, lambda: isinstance(on.app.screen, CaseScreen))


async def test_a_selected_case_is_marked_in_the_table() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        on.desk.choices.toggle([CaseId("weather.evalset.json", "london_now")])
        await play(pilot, on, SCRIPT)
        line = next(line for line in rows(on) if "london_now" in line)
    assert "●" in line


async def test_the_views_below_the_table_change_without_leaving_it() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        detail = on.app.screen.query_one(CaseDetail)
        await pilot.press("2")
        assert detail.view == "Trajectory"
        assert table(on).has_focus
        await pilot.press("1")
        assert detail.view == "Why"
        await pilot.press("d")
        assert detail.view == "Trajectory"


async def test_a_run_that_is_cancelled_while_it_waits_for_the_last_one_leaves_the_app_ready() -> (
    None
):
    on = stage()
    async with on.app.run_test(size=SMALL) as pilot:
        await pilot.press("r", "r", "x")
        await until(pilot, lambda: not on.desk.is_busy)
        assert "ready" in screen_text(on.app)
        on.children[0].on_exit(WorkerExit(0, False, False, ()))
        await pilot.press("r")
        await until(pilot, lambda: len(on.children) == 2)


@pytest.mark.parametrize("pane", ["#why", "Browser", "PresetPanel", "CaseTable"])
async def test_the_next_failed_case_is_one_key_away_from_every_pane(pane: str) -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await play(pilot, on, SCRIPT)
        on.app.screen.query_one(pane).focus()
        await pilot.press("]", "]")
        assert table(on).key == CaseKey(0, WEATHER[2])
        await pilot.press("[")
        assert table(on).key == CaseKey(0, WEATHER[1])
        await until(pilot, lambda: f"─ {WEATHER[1]} " in screen_text(on.app).replace("━", "─"))


async def test_the_help_fits_into_a_small_terminal_without_scrolling() -> None:
    on = stage()
    async with on.app.run_test(size=SMALL) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("question_mark")
        await until(pilot, lambda: "Previous failed" in screen_text(on.app))
        text = screen_text(on.app)
        sheet = on.app.screen.query_one("#help")
    assert "– not evaluated" in text
    assert sheet.max_scroll_y == 0


async def test_an_empty_project_offers_no_key_of_a_case() -> None:
    on = stage(Catalog((), "nothing", ("/nowhere",)))
    async with on.app.run_test(size=SMALL) as pilot:
        await until(pilot, lambda: "q Quit" in screen_text(on.app))
        footer = screen_text(on.app).splitlines()[-1]
    assert footer.split()[:5] == ["o", "Open", "a", "folder", "?"]


async def test_the_next_failed_case_is_offered_once_there_is_one() -> None:
    on = stage()
    async with on.app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        assert "Next failed" not in screen_text(on.app)
        await play(pilot, on, SCRIPT)
        await until(pilot, lambda: "] Next failed" in screen_text(on.app))
        error = Reply(seq=0, at=NOW, run_id=RUN, request="run", error="no", exit_code=5)
        await play(pilot, on, [error])
        await until(pilot, lambda: "esc Back to the cases" in screen_text(on.app))
        assert "Next failed" not in screen_text(on.app)


@pytest.mark.parametrize("size", [WIDE, SMALL], ids=["beside the cases", "in a drawer"])
@pytest.mark.parametrize(
    ("key", "pane"), [("b", Browser), ("p", PresetPanel)], ids=["eval sets", "preset"]
)
async def test_from_an_error_one_key_leads_to_a_pane_and_escape_to_the_cases(
    size: tuple[int, int], key: str, pane: type[Browser | PresetPanel]
) -> None:
    on = stage()
    async with on.app.run_test(size=size) as pilot:
        await pilot.press("r")
        await play(pilot, on, [refusal(on)])
        await pilot.press(key)
        await until(pilot, lambda: isinstance(on.app.focused, pane))
        await until(pilot, lambda: on.app.focused is not None and on.app.focused.size.height > 0)
        assert "no case was run" not in screen_text(on.app)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))
        await until(pilot, lambda: table(on).has_focus)
        assert "london_now" in screen_text(on.app)


async def test_escape_leaves_an_error_whatever_has_the_focus() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await pilot.press("r")
        await play(pilot, on, [refusal(on)])
        on.app.screen.set_focus(None)
        await pilot.press("escape")
        await until(pilot, lambda: table(on).has_focus)
        assert on.desk.trouble is None


async def test_f_runs_again_what_was_cancelled_too() -> None:
    over = catalog(weather=["passes", "fails", "waits"])
    on = stage(over)
    async with on.app.run_test(size=WIDE) as pilot:
        script = Script().begin(over).finish(CaseKey(0, "passes"))
        script.finish(CaseKey(0, "fails"), CaseStatus.FAILED, (0.0, 0.0, 0.0))
        await play(pilot, on, script.end(was_cancelled=True).events)
        await pilot.press("f")
    assert on.children[0].request.sets == (
        SetRequest(path="weather.evalset.json", ids=("fails", "waits")),
    )


@pytest.mark.parametrize(
    ("key", "title"),
    [
        pytest.param("f", "Nothing to rerun", id="to run again"),
        pytest.param("]", "Nothing to go to", id="to go to"),
        pytest.param("[", "Nothing to go to", id="to go back to"),
    ],
)
@pytest.mark.parametrize(
    ("has_run", "told"),
    [
        pytest.param(False, "No case has run yet. r runs them.", id="before a run"),
        pytest.param(True, "No case failed in this run.", id="after one without failures"),
    ],
)
async def test_a_key_that_finds_nothing_that_failed_says_so(
    key: str, title: str, told: str, *, has_run: bool
) -> None:
    over = catalog(weather=["passes"])
    on = stage(over)
    async with on.app.run_test(size=MEDIUM, notifications=True) as pilot:
        if has_run:
            await play(pilot, on, Script().begin(over).finish(CaseKey(0, "passes")).end().events)
        await pilot.press(key)
        await until(pilot, lambda: title in screen_text(on.app))
        assert told in screen_text(on.app)
        assert on.children == []


async def test_strip_and_browser_leave_out_what_is_skipped_alike() -> None:
    weather = eval_set("weather", ["a", "b", "c"])
    weather.eval_cases[0].metadata["skip"] = "no key"
    over = Catalog((SetFile.of(FoundSet(Path("weather.evalset.json"), weather)),), "sets")
    on = stage(over)
    async with on.app.run_test(size=WIDE) as pilot:
        script = Script().begin(over).finish(CaseKey(0, "a"), CaseStatus.SKIPPED, ())
        script.finish(CaseKey(0, "b")).finish(CaseKey(0, "c"))
        await play(pilot, on, script.end().events)
        lines = screen_text(on.app).splitlines()
    assert any("passed" in line and "2/2 passed" in line for line in lines)
    assert sum("2/2" in line for line in lines) == 3  # the strip, the project and its file


async def test_the_footer_says_how_many_cases_r_runs_and_escape_clears_a_selection() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await until(pilot, lambda: "r Run 18" in footer(on))
        assert "Clear selection" not in footer(on)
        await pilot.press("space", "space")
        await until(pilot, lambda: "r Run 2 selected" in footer(on))
        assert "esc Clear selection" in footer(on)
        await pilot.press("escape")
        await until(pilot, lambda: "r Run 18" in footer(on))
        assert "Clear selection" not in footer(on)
        await pilot.press("r")
    assert [one.ids for one in on.children[0].request.sets] == [None, None]


async def test_a_selection_in_the_drawer_is_counted_there() -> None:
    on = stage()
    async with on.app.run_test(size=SMALL) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(on.app.screen, Drawer))
        await pilot.press("down", "space")
        await until(pilot, lambda: f"r Run {len(WEATHER)} selected" in footer(on))


async def test_a_small_footer_has_what_is_hidden_until_there_is_something_to_run_again() -> None:
    on = stage()
    async with on.app.run_test(size=SMALL) as pilot:
        for key in ("enter Open", "r Run 18", "b Eval sets", "p Preset", "? Help", "q Quit"):
            assert key in footer(on)
        await play(pilot, on, [*SCRIPT, *Script().end().events])
        await until(pilot, lambda: "] Next failed" in footer(on))
        for key in ("enter Open", "r Run 18", "f Rerun failed", "? Help", "q Quit"):
            assert key in footer(on)


async def test_the_other_rows_keep_their_scores_while_a_selection_runs() -> None:
    on = stage()
    async with on.app.run_test(size=(100, 45)) as pilot:
        await play(pilot, on, [*SCRIPT, *Script().end().events])
        await pilot.press("home", "space", "r")
        london = next(line for line in rows(on) if "london_now" in line)
        tokyo = next(line for line in rows(on) if "tokyo_forecast" in line)
        assert "· waiting" in london
        assert "✗0.33" in tokyo
        part = catalog(weather=["london_now"])
        script = Script(on.children[0].request.run_id).begin(part, number=19)
        await play(pilot, on, script.finish(CaseKey(0, "london_now")).end().events)
        assert "1/1 passed" in screen_text(on.app)
        tokyo = next(line for line in rows(on) if "tokyo_forecast" in line)
        assert "✗0.33" in tokyo
        await pilot.press("]", "enter")
        await until(pilot, lambda: isinstance(on.app.screen, CaseScreen))
        await until(pilot, lambda: "run #18" in screen_text(on.app))


def footer(on: Stage) -> str:
    return screen_text(on.app).splitlines()[-1]


def refusal(on: Stage) -> Reply:
    """What a worker says that cannot begin."""
    return Reply(
        seq=0,
        at=NOW,
        run_id=on.children[-1].request.run_id,
        request="run",
        error="judge not available: response_match needs a model",
        exit_code=4,
    )


async def test_one_case_is_given_up_while_the_others_go_on() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("X")
        assert not on.children, "nothing runs, so nothing can be given up"
        await pilot.press("r")
        await play(pilot, on, asked_for(on, SCRIPT))
        table(on).put_cursor(CaseKey(1, SUPPORT[1]))
        await pilot.pause()
        await pilot.press("X")
        assert on.children[0].calls == [f"cancel {SUPPORT[1]}"]
        await until(pilot, lambda: "Cancel asked" in screen_text(on.app))
        table(on).put_cursor(CaseKey(0, WEATHER[0]))
        await pilot.pause()
        await pilot.press("X")
        assert len(on.children[0].calls) == 1, "that case is over"


def asked_for(on: Stage, events: list[RunEvent]) -> list[RunEvent]:
    """The events as the worker of the run that was asked for tells them."""
    assert on.desk.request is not None
    run_id = on.desk.request.run_id
    return [event.model_copy(update={"run_id": run_id}) for event in events]
