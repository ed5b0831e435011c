"""Finding cases: what is typed into the filter, the orders, and the columns."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.events import MouseScrollDown

from tenxgraph_tui.evaluation.events import CaseInfo, CaseStatus, RunStarted
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.settings import Loaded, Settings
from tenxgraph_tui.tui.screens.columns import ColumnsScreen
from tenxgraph_tui.tui.sorting import order_named
from tenxgraph_tui.tui.widgets.case_table import CaseTable
from tenxgraph_tui.tui.widgets.cases_pane import CasesPane
from tenxgraph_tui.tui.widgets.filter_bar import FilterBar
from tests.tui.screens.test_nasty import NASTY
from tests.tui.script import (
    SCRIPT,
    SUPPORT,
    WEATHER,
    Script,
    Stage,
    catalog,
    play,
    screen_text,
    stage,
    until,
)

WIDE, MEDIUM, SMALL = (160, 45), (100, 30), (80, 24)


def bar(on: Stage) -> FilterBar:
    return on.app.screen.query_one(FilterBar)


def table(on: Stage) -> CaseTable:
    return on.app.screen.query_one(CaseTable)


def rule(on: Stage) -> str:
    """What the rule above the cases says."""
    line = next(line for line in screen_text(on.app).splitlines() if " Cases " in line)
    return " ".join(line.partition(" Cases ")[2].strip("─━ ").split())


def listed(on: Stage) -> list[str]:
    return [case.key.eval_id for case in table(on)._listing.rows]


def typed(text: str) -> list[str]:
    """The keys that type a text."""
    named = {":": "colon", "<": "less_than_sign", ">": "greater_than_sign", " ": "space"}
    named |= {"_": "underscore", '"': "quotation_mark", ".": "full_stop", ",": "comma"}
    return [named.get(character, character) for character in text]


async def test_a_filter_shows_what_it_finds_while_it_is_typed() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("slash", *typed("status:fail"))
        await until(pilot, lambda: bar(on).is_open)
        assert len(listed(on)) == 18, "half a word hides nothing"
        await pilot.press(*typed("ed"))
        assert listed(on) == ["tokyo_forecast", "osaka_weekend"]
        told = "2 of 18 cases, running first status:failed"
        await until(pilot, lambda: rule(on).startswith(told))
        await pilot.press("enter")
        await until(pilot, lambda: table(on).has_focus)
        assert not bar(on).is_open
        assert "status:failed" in rule(on)
        await until(pilot, lambda: "esc Clear filter" in screen_text(on.app))
        await pilot.press("escape")
        await until(pilot, lambda: rule(on).startswith("18 cases"))


async def test_escape_clears_what_was_typed_and_then_closes() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("slash", *typed("tokyo"))
        await until(pilot, lambda: listed(on) == ["tokyo_forecast"])
        await pilot.press("escape")
        await until(pilot, lambda: len(listed(on)) == 18)
        assert bar(on).is_open
        await pilot.press("escape")
        await until(pilot, lambda: table(on).has_focus)
        assert not bar(on).is_open


async def test_what_is_wrong_with_a_filter_is_said_below_it() -> None:
    on = stage()
    async with on.app.run_test(size=SMALL) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("slash", *typed("statsu:failed"))
        await until(
            pilot, lambda: "! no filter statsu: did you mean status:?" in screen_text(on.app)
        )
        assert len(listed(on)) == 18
        await pilot.press("enter")
        assert bar(on).is_open, "it is not kept as it is"


async def test_a_filter_that_finds_nothing_says_so_in_place_of_the_cases() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("slash", *typed("nowhere"), "enter")
        told = "No case matches nowhere. esc clears."
        await until(pilot, lambda: told in screen_text(on.app))
        await until(pilot, lambda: "enter Open" not in screen_text(on.app))
        await pilot.press("enter", "space", "up", "down", "ctrl+a", "pagedown")
        assert not on.desk.choices.selected
        assert table(on).key is None
        await pilot.press("escape")
        await until(pilot, lambda: len(listed(on)) == 18)


async def test_a_word_that_may_become_a_key_hides_nothing() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("slash", *typed("statu"))
        await until(pilot, lambda: "how it ended" in screen_text(on.app))
        assert len(listed(on)) == 18


@pytest.mark.parametrize("key", ["tab", "right"])
async def test_a_key_completes_what_was_begun(key: str) -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("slash", "s", "t")
        await until(pilot, lambda: bar(on).input._suggestion == "status:")
        await pilot.press(key)
        await until(pilot, lambda: bar(on).input.value == "status:")
        await until(pilot, lambda: "failed  error  passed" in screen_text(on.app))
        await pilot.press("f")
        await until(pilot, lambda: bar(on).input._suggestion == "status:failed")
        await pilot.press(key)
        await until(pilot, lambda: listed(on) == ["tokyo_forecast", "osaka_weekend"])


async def test_up_and_down_choose_among_the_completions_and_a_click_takes_one() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("slash", *typed("status:"))
        await until(pilot, lambda: "failed  error" in screen_text(on.app))
        await pilot.press("down", "down", "down", "up", "tab")
        await until(pilot, lambda: bar(on).input.value == "status:passed")
        await pilot.press("escape", *typed("status:"))
        await until(pilot, lambda: "failed  error" in screen_text(on.app))
        await pilot.click(bar(on).hint, offset=(bar(on).hint.line().plain.index("error"), 0))
        await until(pilot, lambda: bar(on).input.value == "status:error")
        assert listed(on) == ["seven_day_table"]


async def test_enter_takes_the_only_way_to_go_on_and_then_keeps_the_filter() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("slash", *typed("status:er"), "enter")
        await until(pilot, lambda: bar(on).input.value == "status:error")
        await until(pilot, lambda: listed(on) == ["seven_day_table"])
        await pilot.press("enter")
        await until(pilot, lambda: not bar(on).is_open)


async def test_tab_without_a_completion_leaves_the_filter_as_it_is() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("slash", *typed("tokyo"))
        await until(pilot, lambda: listed(on) == ["tokyo_forecast"])
        await pilot.press("tab")
        await until(pilot, lambda: not bar(on).is_open)
        assert table(on).has_focus
        assert listed(on) == ["tokyo_forecast"]


async def test_keys_that_are_typed_are_not_offered_as_keys() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("slash")
        await until(pilot, lambda: "enter Keep" in screen_text(on.app).splitlines()[-1])
        footer = screen_text(on.app).splitlines()[-1]
        for key in ("r Run", "] Next failed", "s Sort", "q Quit", "? Help", "/ Filter", "space"):
            assert key not in footer
        await pilot.press("r", "q", "question_mark", "slash")
        assert bar(on).input.value == "rq?/"
        assert not on.children


async def test_a_filter_goes_on_finding_while_cases_finish() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("slash", *typed("status:failed"), "enter")
        await until(pilot, lambda: len(listed(on)) == 2)
        script = Script().finish(CaseKey(1, SUPPORT[0]), CaseStatus.FAILED, (0.0, 0.0, 0.0))
        await play(pilot, on, script.events[1:])
        assert listed(on) == ["tokyo_forecast", "osaka_weekend", SUPPORT[0]]


async def test_only_what_is_shown_is_selected_and_runs() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, [*SCRIPT, *Script().end().events])
        await pilot.press("slash", *typed("status:failed"), "enter")
        await until(pilot, lambda: not bar(on).is_open)
        await pilot.press("ctrl+a")
        await until(pilot, lambda: "r Run 2 selected" in screen_text(on.app))
        await pilot.press("r")
        (request,) = on.children[0].request.sets
        assert request.ids == ("tokyo_forecast", "osaka_weekend")


async def test_escape_clears_the_selection_before_the_filter() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("slash", *typed("status:failed"), "enter")
        await until(pilot, lambda: not bar(on).is_open)
        await pilot.press("ctrl+a", "escape")
        assert not on.desk.choices.selected
        assert len(listed(on)) == 2
        await pilot.press("escape")
        await until(pilot, lambda: len(listed(on)) == 18)


async def test_the_cursor_comes_back_to_its_case_when_the_filter_goes() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        table(on).put_cursor(CaseKey(0, "münchen_umlaut"))
        await pilot.press("slash", *typed("status:failed"), "enter")
        await until(pilot, lambda: not bar(on).is_open)
        assert table(on).key == CaseKey(0, "osaka_weekend")
        await pilot.press("escape")
        await until(pilot, lambda: table(on).key == CaseKey(0, "münchen_umlaut"))


async def test_next_failed_stays_among_what_is_shown() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM, notifications=True) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("slash", *typed("osaka or london"), "enter")
        await until(pilot, lambda: not bar(on).is_open)
        await pilot.press("]", "]")
        assert table(on).key == CaseKey(0, "osaka_weekend")
        await pilot.press("escape", "slash", *typed("london"), "enter")
        await until(pilot, lambda: listed(on) == ["london_now"])
        await pilot.press("]")
        await until(pilot, lambda: "Nothing to go to" in screen_text(on.app))
        assert "No case that is shown failed" in screen_text(on.app)


async def test_s_goes_through_the_orders_and_the_rule_names_each() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, [*SCRIPT, *Script().end().events])
        assert rule(on) == "18 cases / Filter"
        seen = []
        for _ in range(7):
            await pilot.press("s")
            await pilot.pause()
            seen.append(rule(on).removesuffix(" / Filter").removeprefix("18 cases").strip(", "))
        assert seen == [
            "worst first",
            "lowest tools first",
            "lowest traj first",
            "lowest rouge first",
            "most tokens first",
            "slowest first",
            "",
        ]


async def test_a_click_on_a_header_sorts_by_it_and_another_turns_it_around() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, [*SCRIPT, *Script().end().events])
        header = next(line for line in screen_text(on.app).splitlines() if "status " in line)
        at = (header.index("time") - 1, 1)
        await pilot.click(CaseTable, offset=at)
        await until(pilot, lambda: "slowest first" in rule(on))
        assert listed(on)[:2] == ["paris_then_rome_then_home", "seven_day_table"]
        await until(pilot, lambda: "time↓" in screen_text(on.app))
        await pilot.click(CaseTable, offset=at)
        await until(pilot, lambda: "fastest first" in rule(on))
        assert listed(on)[4:6] == ["seven_day_table", "paris_then_rome_then_home"]
        await pilot.click(CaseTable, offset=at)
        await until(pilot, lambda: "first" not in rule(on))
        await pilot.click(CaseTable, offset=(header.index("/") if "/" in header else 60, 0))
        await until(pilot, lambda: bar(on).is_open)


async def test_cursor_and_view_stay_with_their_case_while_others_are_sorted_in() -> None:
    on = stage()
    async with on.app.run_test(size=(100, 20)) as pilot:
        await play(pilot, on, SCRIPT)
        on.app.screen.query_one(CasesPane).sort(order_named("time"))
        table(on).put_cursor(CaseKey(0, WEATHER[10]))
        await pilot.pause()
        table(on).scroll_to(y=table(on).cursor - 1, animate=False, immediate=True)
        await pilot.pause()
        before = [line for line in screen_text(on.app).splitlines() if WEATHER[10] in line]
        at = screen_text(on.app).splitlines().index(before[0])
        script = Script().finish(CaseKey(1, SUPPORT[0]), duration_seconds=500.0)
        await play(pilot, on, script.events[1:])
        assert table(on).key == CaseKey(0, WEATHER[10])
        assert WEATHER[10] in screen_text(on.app).splitlines()[at]


async def test_the_wheel_moves_the_view_and_leaves_the_cursor() -> None:
    on = stage()
    async with on.app.run_test(size=SMALL) as pilot:
        await play(pilot, on, SCRIPT)
        key = table(on).key
        turned = MouseScrollDown(
            table(on), 3, 5, delta_x=0, delta_y=1, button=0, shift=False, meta=False, ctrl=False
        )
        table(on).post_message(turned)
        await until(pilot, lambda: table(on).scroll_offset.y > 0)
        assert table(on).key == key
        top = table(on).scroll_offset.y
        await play(pilot, on, Script().finish(CaseKey(0, "kobe_wind")).events)
        assert table(on).scroll_offset.y == top


async def test_a_new_order_is_shown_from_its_first_case() -> None:
    on = stage()
    async with on.app.run_test(size=SMALL) as pilot:
        await play(pilot, on, [*SCRIPT, *Script().end().events])
        await pilot.press("end", "s")
        await until(pilot, lambda: "worst first" in rule(on))
        assert table(on).key == CaseKey(0, "seven_day_table")
        assert table(on).scroll_offset.y == 0


async def test_running_cases_stay_on_top_in_any_order() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("s")
        assert listed(on)[:3] == list(SUPPORT[:3])
        assert listed(on)[3] == "seven_day_table"


async def test_columns_are_switched_off_and_on_while_the_table_shows_it() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("C")
        await until(pilot, lambda: isinstance(on.app.screen, ColumnsScreen))
        await until(pilot, lambda: "[x] traj" in screen_text(on.app))
        assert "[x] cost" in screen_text(on.app)
        assert "no price is known" in screen_text(on.app)
        await pilot.press("down", "space")
        await until(pilot, lambda: "[ ] traj" in screen_text(on.app))
        await pilot.press("escape")
        await until(pilot, lambda: "traj" not in header(on))
        assert "rouge" in header(on)
        assert on.app._shared.remembered.columns == ("-trajectory",)
        await pilot.press("C", "down", "enter", "escape")
        await until(pilot, lambda: "traj" in header(on))


def header(on: Stage) -> str:
    return next(line for line in screen_text(on.app).splitlines() if "status " in line)


async def test_the_way_cases_are_listed_is_remembered() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("s", "slash", *typed("status:failed"), "enter")
        await until(pilot, lambda: not bar(on).is_open)
        remembered = on.app._shared.remembered
        assert (remembered.sort, remembered.filter) == ("status", "status:failed")
        await pilot.press("escape")
        await until(pilot, lambda: remembered.filter == "")


async def test_the_palette_shows_only_failed_cases_and_sorts() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, SCRIPT)
        pane = on.app.screen.query_one(CasesPane)
        commands = {command.text: command.run for command in pane.commands()}
        commands["Show only failed cases"]()
        bad = ["tokyo_forecast", "osaka_weekend", "seven_day_table"]
        await until(pilot, lambda: listed(on) == bad)
        commands["Sort cases: slowest first"]()
        await until(pilot, lambda: listed(on)[0] == "seven_day_table")
        commands = {command.text: command.run for command in pane.commands()}
        commands["Sort cases: fastest first"]()
        await until(pilot, lambda: listed(on)[0] == "osaka_weekend")
        commands["Show all cases"]()
        await until(pilot, lambda: len(listed(on)) == 18)


async def test_in_full_screen_the_next_failed_case_is_the_next_that_is_listed() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        await play(pilot, on, [*SCRIPT, *Script().end().events])
        pane = on.app.screen.query_one(CasesPane)
        pane.sort(order_named("-trajectory"))
        pane.want("status:failed")
        await until(pilot, lambda: listed(on) == ["osaka_weekend", "tokyo_forecast"])
        await pilot.press("home", "enter")
        await until(pilot, lambda: "[ 1 of 2 not passed ]" in screen_text(on.app))
        assert "› osaka_weekend" in screen_text(on.app)
        await pilot.press("]")
        await until(pilot, lambda: "› tokyo_forecast" in screen_text(on.app))
        assert "[ 2 of 2 not passed ]" in screen_text(on.app)
        await pilot.press("]", "[")
        await until(pilot, lambda: "› tokyo_forecast" in screen_text(on.app))


async def test_settings_choose_the_columns_and_an_unknown_name_is_told() -> None:
    settings = Loaded(Path(), Settings(columns=("traj", "tokns")))
    on = stage(settings=settings)
    async with on.app.run_test(size=MEDIUM, notifications=True) as pilot:
        await play(pilot, on, SCRIPT)
        assert header(on).split() == ["status", "case", "traj"]
        await until(pilot, lambda: "no column tokns: did you mean tokens?" in screen_text(on.app))


@pytest.mark.parametrize("size", [WIDE, MEDIUM, SMALL, (40, 12)], ids=lambda s: f"{s[0]}x{s[1]}")
async def test_anything_can_be_a_tag_and_anything_can_be_typed(size: tuple[int, int]) -> None:
    over = catalog(nasty=["one", "two"])
    on = stage(over)
    (begun,) = Script().begin(over).events
    assert isinstance(begun, RunStarted)
    (info,) = begun.sets
    cases = tuple(CaseInfo(eval_id=case.eval_id, tags=tuple(NASTY)) for case in info.cases)
    sets = (info.model_copy(update={"cases": cases}),)
    begun = begun.model_copy(update={"sets": sets})
    async with on.app.run_test(size=size) as pilot:
        await play(pilot, on, [begun])
        await pilot.press("slash", *typed("tag:"))
        for text in NASTY:
            bar(on).input.value = f"tag:{text}"
            await pilot.pause()
            shown = screen_text(on.app)
            assert not set(shown) & set("\x1b\x07\x9b\x08\r\x00\t")
            assert {cell_len(line) for line in shown.splitlines()} == {size[0]}
        await pilot.press("escape", *typed("tag:"), "down", "tab", "enter")
        await pilot.pause()
        assert {cell_len(line) for line in screen_text(on.app).splitlines()} == {size[0]}
