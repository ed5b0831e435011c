"""Where each binding of the dashboard is pressed: whoever adds a binding adds a row here.

A row is about one binding: the scene in which its keys are pressed, and what is pressed before.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from textual.pilot import Pilot

from tenxgraph_tui.tui.screens.settings import SettingList
from tests.tui.script import Stage, live, play

Name = tuple[str, str, str]
"""A binding by its class, its id and its action."""
WIDE, WITH_DRAWER, LOW = (160, 45), (100, 30), (80, 18)
TRAJECTORY, NODES = "the trajectory of a case", "the nodes of a case"


@dataclass(frozen=True, slots=True)
class Press:
    """Where the keys of a binding are pressed. `then` instead of a look at the screen."""

    scene: str
    keys: Sequence[str] = ()
    size: tuple[int, int] = WIDE
    then: Callable[[Stage], bool] | None = None
    before: Callable[[Pilot[Any], Stage], Awaitable[None]] | None = None


def ran(on: Stage) -> bool:
    return len(on.children) == 1


def ran_again(on: Stage) -> bool:
    """The run that was asked about began."""
    return on.desk.watch.question is None and on.desk.is_busy


def was_left(on: Stage) -> bool:
    return not on.app.is_running or on.app._exit


def was_cancelled(on: Stage) -> bool:
    return bool(on.children and on.children[-1].calls)


async def run_goes_on(pilot: Pilot[Any], on: Stage) -> None:
    """A run that was asked for here, in the middle of its work, with a running case at the top."""
    await pilot.press("r")
    run_id = on.children[-1].request.run_id
    told = [event.model_copy(update={"run_id": run_id}) for event in live(on.desk.catalog)]
    await play(pilot, on, told)
    await pilot.press("home")


async def to_what_can_be_changed(pilot: Pilot[Any], on: Stage) -> None:
    listed = on.app.screen.query_one(SettingList)
    while listed.row is not None and listed.row.change is None:
        await pilot.press("down")


async def to_what_a_file_says(pilot: Pilot[Any], on: Stage) -> None:
    listed = on.app.screen.query_one(SettingList)
    while listed.row is not None and listed.row.file is None:
        await pilot.press("down")


def rows(kind: str, scene: str, table: dict[str, Press | tuple[str, ...]]) -> dict[Name, Press]:
    """Rows about one class: `id action` → the keys before, or all about it."""
    found: dict[Name, Press] = {}
    for words, value in table.items():
        name, _, action = words.partition(" ")
        press = value if isinstance(value, Press) else Press(scene, value)
        found[kind, name, action] = press if press.scene else replace(press, scene=scene)
    return found


MOVES = {
    "list.up move(-1)": ("end",),
    "list.down move(1)": (),
    "list.page_up page(-1)": ("end",),
    "list.page_down page(1)": (),
    "list.home go(0)": ("end",),
    "list.end go(-1)": (),
}
TABLE: dict[Name, Press] = {
    **rows("AdjustableApp", "before a run", {"app.settings settings": ()}),
    **rows("GuidedApp", "before a run", {"app.help help": (), "app.palette palette": ()}),
    **rows("FilesApp", "before a run", {"browser.refresh reread": ()}),
    **rows("WatchingApp", "after a run", {"run.watch watch": (), "run.watched watched": ()}),
    **rows("WatchedList", "the watched files", {"watched.edit edit": ()}),
    **rows(
        "WatchedFilesScreen",
        "the watched files",
        {"watched.close dismiss(None)": (), "run.watch app.watch": ()},
    ),
    **rows(
        "ArmedSheet",
        "armed",
        {
            "armed.all answer('all')": Press("armed", then=ran_again),
            "armed.not_passed answer('not_passed')": Press("armed", then=ran_again),
            "armed.offline answer('offline')": Press("armed", then=ran_again),
            "armed.not_now answer('not_now')": (),
            "armed.stop_asking answer('stop_asking')": Press("armed", then=ran_again),
        },
    ),
    **rows("TouringApp", "the tour", {"tour.next tour_next": (), "tour.end tour_end": ()}),
    **rows(
        "TenxApp",
        "before a run",
        {
            "app.quit quit": Press("before a run", then=was_left),
            "app.interrupt quit": Press("before a run", then=was_left),
        },
    ),
    **rows(
        "RunApp",
        "before a run",
        {
            "run.start run": Press("before a run", then=ran),
            "run.failed rerun_failed": Press("after a run", then=ran),
            "run.failed nothing_failed": (),
            "run.cancel cancel_run": Press("before a run", ["r"], then=was_cancelled),
            "cases.cancel cancel_case": Press(
                "before a run", before=run_goes_on, then=was_cancelled
            ),
        },
    ),
    **rows(
        "RejudgingApp",
        "after a run",
        {
            "run.judge judge_again": Press("after a run", then=ran),
            "run.judge nothing_to_judge": Press("before a run"),
        },
    ),
    **rows(
        "DashboardScreen",
        "after a run",
        {
            "dashboard.sets side('browser')": (),
            "dashboard.preset side('presets')": (),
            "dashboard.back to_cases": ("b",),
            "news.dismiss dismiss_news": Press("what flipped"),
            "cases.next_failed next_failed(1)": (),
            "cases.previous_failed next_failed(-1)": (),
            "cases.next_failed none_failed": Press("before a run"),
            "cases.previous_failed none_failed": Press("before a run"),
            "detail.why view('Why')": ("2",),
            "detail.trajectory view('Trajectory')": (),
            "detail.nodes view('Nodes')": (),
            "detail.tokens view('Tokens')": (),
            "detail.chat view('Chat')": (),
            "detail.log view('Log')": (),
            "detail.divergence divergence": ("]",),
        },
    ),
    **rows(
        "CasesPane",
        "after a run",
        {
            "cases.filter filter": (),
            "cases.sort sort": (),
            "cases.select_shown select_shown": (),
            "cases.columns columns": (),
            "cases.causes causes": (),
            "cases.copy copy": (),
            "cases.what_if what_if": (),
        },
    ),
    **rows(
        "CaseTable",
        "after a run",
        {
            "cases.open open": (),
            "cases.select select": (),
            "cases.edit edit": (),
            "cases.clear clear_selection": ("space",),
            "cases.clear_filter clear_filter": ("slash", *"london", "enter"),
        },
    ),
    **rows("LineList", "after a run", dict(MOVES)),
    **rows(
        "FilterInput",
        "the filter",
        {
            "filter.keep keep": (),
            "filter.complete complete": (),
            "filter.leave leave": (),
            "filter.next choose(1)": Press("after a run", ["slash", *"status:"]),
            "filter.previous choose(-1)": Press("after a run", ["slash", *"status:", "down"]),
        },
    ),
    **rows(
        "Browser",
        "the eval sets",
        {
            "browser.open open": ("end",),
            "browser.select select": (),
            "browser.edit edit": ("down",),
            "browser.unfold fold(True)": ("end",),
            "browser.fold fold(False)": ("down",),
        },
    ),
    **rows(
        "PresetPanel",
        "the presets",
        {
            "presets.use use": ("down",),
            "presets.combine combine": ("down",),
            "presets.edit edit": (),
            "presets.save save": (),
        },
    ),
    **rows(
        "CaseScreen",
        "a case",
        {
            "case.back back": (),
            "case.edit edit": (),
            "case.next_failed next_failed(1)": (),
            "case.previous_failed next_failed(-1)": (),
        },
    ),
    **rows(
        "CaseDetail",
        "a case",
        {
            "detail.why view('Why')": ("2",),
            "detail.trajectory view('Trajectory')": (),
            "detail.nodes view('Nodes')": (),
            "detail.tokens view('Tokens')": (),
            "detail.chat view('Chat')": (),
            "detail.log view('Log')": (),
            "detail.divergence first_divergence": (),
        },
    ),
    **rows(
        "ItemPane",
        "a case",
        {
            "pane.up move(-1)": ("end",),
            "pane.down move(1)": (),
            "pane.page_up page(-1)": ("end",),
            "pane.page_down page(1)": (),
            "pane.home end(-1)": ("end",),
            "pane.end end(1)": (),
            "detail.fold fold": (),
        },
    ),
    **rows("ViewPane", "a case", {"detail.open open": ("down",), "detail.copy copy": ("down",)}),
    **rows(
        "LinePane",
        "the help",
        {
            name: Press("the help", keys, size=(80, 14))
            for name, keys in {
                "pane.up scroll_up": ("end",),
                "pane.down scroll_down": (),
                "pane.page_up page_up": ("end",),
                "pane.page_down page_down": (),
                "pane.home scroll_home": ("end",),
                "pane.end scroll_end": (),
            }.items()
        },
    ),
    **rows(
        "StepPane",
        "the trajectory of a case",
        {
            "steps.up move(-1)": ("end",),
            "steps.down move(1)": (),
            "steps.first move(-1000000)": ("end",),
            "steps.last move(1000000)": (),
            "steps.page_up scroll_step(-1)": Press(TRAJECTORY, ["home", "pagedown"], LOW),
            "steps.page_down scroll_step(1)": Press(TRAJECTORY, ["home"], LOW),
        },
    ),
    **rows(
        "NodePane",
        "the nodes of a case",
        {
            "nodes.up move(-1)": ("end",),
            "nodes.down move(1)": ("home",),
            "nodes.first move(-1000000)": ("end",),
            "nodes.last move(1000000)": ("home",),
            "nodes.page_up scroll_call(-1)": Press(NODES, ["pagedown"], LOW),
            "nodes.page_down scroll_call(1)": Press(NODES, size=LOW),
        },
    ),
    **rows(
        "TroubleView",
        "trouble",
        {"notice.back back": (), "notice.edit edit": (), "notice.log log": ()},
    ),
    **rows(
        "LogPane",
        "the log of a case",
        {
            "pane.up move(-1)": ("end",),
            "pane.down move(1)": (),
            "pane.page_up page(-1)": ("end",),
            "pane.page_down page(1)": (),
            "pane.home move(-1000000)": ("end",),
            "pane.end move(1000000)": (),
            "log.next_match next_match(1)": ("slash", *"line", "enter"),
            "log.previous_match next_match(-1)": ("slash", *"line", "enter"),
            "log.next_warning next_warning": (),
            "log.search search": (),
            "log.turn turn": (),
            "log.copy copy_all": (),
        },
    ),
    **rows(
        "SearchInput",
        "a search in a log",
        {"search.keep close(True)": (), "search.clear close(False)": ()},
    ),
    **rows("TokenPane", "the tokens of a case", {"tokens.unit unit": ()}),
    **rows(
        "ValuePane",
        "a value",
        {
            "value.toggle switch": (),
            "value.unfold unfold": ("left",),
            "value.fold fold": ("down", "down"),
            "value.copy copy": (),
        },
    ),
    **rows(
        "ValueScreen",
        "a value",
        {
            "case.back back": (),
            "value.search search": (),
            "value.next_match next_match(1)": ("slash", "e", "enter"),
            "value.previous_match next_match(-1)": ("slash", "e", "enter"),
        },
    ),
    **rows("CauseList", "the causes", {"causes.show show": ()}),
    **rows("MemberList", "the causes", {"causes.open open": ("tab",)}),
    **rows(
        "CausesScreen",
        "the causes",
        {
            "case.back dismiss(None)": (),
            "causes.edit edit": (),
            "cases.copy copy": (),
            "causes.rerun rerun": Press("the causes", then=ran),
            "causes.rerun none_to_rerun": Press("no causes"),
        },
    ),
    **rows("CopyList", "what can be copied", {"copies.choose choose": ()}),
    **rows("CopyScreen", "what can be copied", {"copies.close dismiss(None)": ()}),
    **rows("ExportingApp", "after a run", {"cases.export export": ()}),
    **rows("ExportList", "an export", {"export.toggle switch": ()}),
    **rows(
        "ExportScreen",
        "an export",
        {
            "export.begin begin": (),
            "export.stop stop": ("enter",),
            "export.close dismiss(None)": (),
        },
    ),
    **rows(
        "WhatIfScreen",
        "what if",
        {
            "case.back dismiss(None)": (),
            "cases.causes causes": (),
            "criteria.reset reset": ("left",),
            "criteria.save save": (),
        },
    ),
    **rows("EmptyView", "an empty project", {"notice.open_folder app.open_folder": ()}),
    **rows(
        "Drawer",
        "a drawer",
        {
            "case.back dismiss(None)": Press("the eval sets", size=WITH_DRAWER),
            "run.start app.run": Press("the eval sets", size=WITH_DRAWER, then=ran),
            "run.failed app.rerun_failed": Press("the eval sets", size=WITH_DRAWER, then=ran),
            "run.failed app.nothing_failed": Press("before a run", ["b"], WITH_DRAWER),
            "run.cancel app.cancel_run": Press(
                "before a run", ["r", "b"], WITH_DRAWER, then=was_cancelled
            ),
            "browser.refresh app.reread": Press("the eval sets", size=WITH_DRAWER),
            "run.watch app.watch": Press("the eval sets", size=WITH_DRAWER),
            "app.help app.help": Press("the eval sets", size=WITH_DRAWER),
            "app.palette app.palette": Press("the eval sets", size=WITH_DRAWER),
            "app.quit app.quit": Press("the eval sets", size=WITH_DRAWER, then=was_left),
            "dashboard.sets switch('Browser')": Press("the presets", size=WITH_DRAWER),
            "dashboard.preset switch('PresetPanel')": Press("the eval sets", size=WITH_DRAWER),
        },
    ),
    **rows(
        "HelpScreen",
        "the help",
        {
            "app.quit app.quit": Press("the help", then=was_left),
            "case.back dismiss(None)": (),
            "app.help dismiss(None)": (),
        },
    ),
    **rows(
        "PaletteScreen",
        "the palette",
        {
            "palette.close dismiss(None)": (),
            "app.palette dismiss(None)": (),
            "palette.next move(1)": (),
            "palette.previous move(-1)": ("down", "down"),
            "palette.page_down page(1)": (),
            "palette.page_up page(-1)": ("pagedown",),
        },
    ),
    **rows(
        "SettingsScreen",
        "the settings",
        {
            "settings.close dismiss(None)": (),
            "app.settings dismiss(None)": (),
            "settings.values tab('Settings')": ("2",),
            "settings.keys tab('Keys')": (),
            "settings.change change": Press("the settings", before=to_what_can_be_changed),
            "settings.edit edit": Press("the settings", before=to_what_a_file_says),
        },
    ),
    **rows("ThemeScreen", "the colours", {"themes.back dismiss(None)": ()}),
    **rows("ThemeList", "the colours", {"themes.choose choose": ("down",)}),
    **rows("ColumnList", "the columns", {"columns.toggle switch": ()}),
    **rows("ColumnsScreen", "the columns", {"columns.close dismiss(None)": ()}),
    **rows("AskScreen", "a name for a config", {"case.back dismiss(False)": ()}),
    **rows(
        "CriteriaScreen",
        "the criteria",
        {
            "case.back dismiss(None)": (),
            "criteria.match step_field('match_type')": ("down",),
            "criteria.args step_field('check_args')": ("down",),
            "criteria.reset reset": ("left",),
            "criteria.save save": (),
            "app.help app.help": (),
            "app.palette app.palette": (),
        },
    ),
    **rows(
        "CriteriaList",
        "the criteria",
        {
            "criteria.use use": (),
            "criteria.toggle switch": (),
            "criteria.lower step(-1)": (),
            "criteria.raise step(1)": ("left",),
        },
    ),
    **rows(
        "FieldList",
        "the criteria",
        {
            "criteria.write write": ("tab",),
            "criteria.lower step(-1)": ("tab",),
            "criteria.raise step(1)": ("left", "tab"),
        },
    ),
}
