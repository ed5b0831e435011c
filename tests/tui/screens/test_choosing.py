from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tenxgraph_tui.evaluation.config import CustomCriterion, EvalConfig
from tenxgraph_tui.evaluation.formats import read_config
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.session.models import Price
from tenxgraph_tui.tui.judges import Judges
from tenxgraph_tui.tui.presets import Preset
from tenxgraph_tui.tui.scout import ConfigScout
from tenxgraph_tui.tui.screens.ask import AskScreen
from tenxgraph_tui.tui.screens.criteria import CriteriaScreen
from tenxgraph_tui.tui.screens.drawer import Drawer
from tenxgraph_tui.tui.screens.help import HelpScreen
from tenxgraph_tui.tui.screens.palette import PaletteScreen
from tenxgraph_tui.tui.widgets.criteria import CriteriaList, FieldList
from tenxgraph_tui.tui.widgets.preset_panel import PresetPanel
from tests.tui.script import Stage, screen_text, stage, until

WIDE, MEDIUM, SMALL = (160, 45), (100, 30), (80, 24)
PANEL_TO_TOOL_USAGE = ("p", "down", "down")


def toasts_of(on: Stage) -> str:
    """What toasts say, however they were broken into lines."""
    said = "\n".join(f"{one.title}: {one.message}" for one in on.app._notifications)
    return " ".join(said.split())


def files_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def panel_of(on: Stage) -> PresetPanel:
    return on.app.screen.query_one(PresetPanel)


async def open_form(pilot: Pilot[Any], on: Stage, *keys: str) -> CriteriaScreen:
    await pilot.press(*keys)
    await until(pilot, lambda: isinstance(on.app.screen, CriteriaScreen))
    await pilot.pause()
    assert isinstance(on.app.screen, CriteriaScreen)
    return on.app.screen


async def ask(pilot: Pilot[Any], on: Stage, *keys: str) -> AskScreen:
    await pilot.press(*keys)
    await until(pilot, lambda: isinstance(on.app.screen, AskScreen))
    assert isinstance(on.app.screen, AskScreen)
    return on.app.screen


async def closed(pilot: Pilot[Any], on: Stage, screen: type) -> None:
    await until(pilot, lambda: not isinstance(on.app.screen, screen))
    await pilot.pause()


async def test_a_preset_whose_judge_cannot_be_asked_is_refused_when_it_is_picked() -> None:
    on = stage()
    on.desk.choices.judges = Judges({})
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        before = on.desk.choices.preset
        await pilot.press("p", "end", "up", "enter")
        await until(pilot, lambda: "relaxed needs a model for response_match" in toasts_of(on))
        assert "Use offline, quick_check or tool_usage." in toasts_of(on)
        assert on.desk.choices.preset is before


async def test_space_combines_presets_and_takes_one_out_again() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("p", "down", "enter", "down", "space")
        assert on.desk.choices.preset.name == "quick_check + tool_usage"
        await until(pilot, lambda: "preset quick_check + tool_usage" in screen_text(on.app))
        await pilot.press("r")
        request = on.children[0].request
        assert request.config_name == "quick_check + tool_usage"
        assert isinstance(request.config, dict)
        assert {s for s, c in request.config["criteria"].items() if c} == {
            "tool_name_match",
            "trajectory",
            "rouge_match",
        }
        await pilot.press("p", "up", "space")
        assert on.desk.choices.preset.name == "tool_usage"
        await pilot.press("down", "space")
        await until(pilot, lambda: "tool_usage stays in use" in toasts_of(on))
        assert on.desk.choices.preset.name == "tool_usage"


async def test_a_combination_with_a_judged_preset_is_refused() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("p", "down", "down", "down", "space")
        await until(pilot, lambda: "offline + response_quality needs a model" in toasts_of(on))
        assert on.desk.choices.preset.name == "offline"


async def test_below_the_list_is_what_a_combination_checks() -> None:
    on = stage()
    async with on.app.run_test(size=SMALL) as pilot:
        await pilot.press("p", "down", "down", "space")
        await until(pilot, lambda: "offline + tool_usage" in screen_text(on.app))
        shown = screen_text(on.app).replace(" ", "")
        assert "trajectoryexact,args" in shown
        assert "rouge_match≥0.50" in shown


async def test_a_threshold_is_changed_before_a_run_and_the_run_says_so() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await open_form(pilot, on, *PANEL_TO_TOOL_USAGE, "t")
        await pilot.press("down", "left", "left", "m")
        await until(pilot, lambda: "tool_usage (edited)" in screen_text(on.app))
        await pilot.press("enter")
        await closed(pilot, on, CriteriaScreen)
        assert on.desk.choices.preset.name == "tool_usage (edited)"
        assert "● tool_usage (edited)" in screen_text(on.app)
        await pilot.press("r")
        request = on.children[0].request
        assert request.config_name == "tool_usage (edited)"
        assert isinstance(request.config, dict)
        trajectory = request.config["criteria"]["trajectory"]
        assert (trajectory["threshold"], trajectory["match_type"]) == (0.9, "IN_ORDER")


async def test_an_edited_preset_is_as_it_was_after_a_reset() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        original = on.desk.choices.presets[2]
        await open_form(pilot, on, *PANEL_TO_TOOL_USAGE, "t")
        await pilot.press("left", "enter")
        await closed(pilot, on, CriteriaScreen)
        await open_form(pilot, on, "t")
        await pilot.press("0", "enter")
        await closed(pilot, on, CriteriaScreen)
        assert on.desk.choices.preset is original
        assert "(edited)" not in screen_text(on.app)


async def test_leaving_the_form_changes_nothing() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        before = on.desk.choices.presets, on.desk.choices.preset
        await open_form(pilot, on, *PANEL_TO_TOOL_USAGE, "right")
        await pilot.press("left", "space", "escape")
        await closed(pilot, on, CriteriaScreen)
        assert (on.desk.choices.presets, on.desk.choices.preset) == before


async def test_custom_opens_the_form_and_becomes_what_is_switched_on() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        form = await open_form(pilot, on, "p", "end", "enter")
        assert not any(form._draft.row(i).is_on for i in range(len(form._draft)))
        await pilot.press("enter")
        await until(pilot, lambda: "custom checks nothing" in screen_text(on.app))
        await pilot.press("down", "space", "a", "enter")
        await closed(pilot, on, CriteriaScreen)
        assert on.desk.choices.preset.name == "custom"
        config = on.desk.choices.preset.config
        assert config is not None
        assert [slot for slot, _ in config.criteria.enabled()] == ["trajectory"]
        assert config.criteria.trajectory is not None
        assert config.criteria.trajectory.check_args


async def test_judged_criteria_are_switched_off_in_the_form() -> None:
    on = stage()
    on.desk.choices.judges = Judges({})
    async with on.app.run_test(size=WIDE) as pilot:
        form = await open_form(pilot, on, "p", "end", *["up"] * 3, "t")
        await pilot.press("enter")
        told = "no model can be asked for response_match: space switches it off"
        await until(pilot, lambda: told in screen_text(on.app))
        assert on.app.screen is form
        await pilot.press(*["down"] * 4, "space", "enter")
        await closed(pilot, on, CriteriaScreen)
        assert on.desk.choices.preset.name == "default (edited)"
        assert on.desk.choices.preset.kind == "offline"


async def test_settings_are_reached_with_tab_and_typed() -> None:
    on = stage()
    async with on.app.run_test(size=SMALL) as pilot:
        form = await open_form(pilot, on, *PANEL_TO_TOOL_USAGE, "t")
        await pilot.press("down", "tab")
        assert isinstance(on.app.focused, FieldList)
        sheet = await ask(pilot, on, "enter")
        sheet.query_one(Input).value = "1.2"
        await pilot.press("enter")
        told = "threshold must be between 0.0 and 1.0, not 1.2"
        await until(pilot, lambda: told in screen_text(on.app))
        sheet.query_one(Input).value = "0.66"
        await pilot.press("enter")
        await closed(pilot, on, AskScreen)
        assert form._draft.row(1).now.threshold == 0.66
        await pilot.press("down", "enter", "down", "right", "down", "space")
        now = form._draft.row(1).now
        assert (now.match_type, now.check_args, now.per_turn) == ("IN_ORDER", False, True)
        await pilot.press("left")
        assert not form._draft.row(1).now.per_turn


async def test_keywords_are_typed_with_commas() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        form = await open_form(pilot, on, *PANEL_TO_TOOL_USAGE, "t")
        await pilot.press(*["down"] * 4, "space", "enter")
        assert "no keywords that contains_keywords could look for" in screen_text(on.app)
        await pilot.press("tab", "down")
        sheet = await ask(pilot, on, "enter")
        sheet.query_one(Input).value = "rain, sun"
        await pilot.press("enter")
        await closed(pilot, on, AskScreen)
        assert form._draft.row(4).now.keywords == ["rain", "sun"]
        assert "2 words" in screen_text(on.app)


async def test_a_value_that_was_not_touched_stays_as_it_is() -> None:
    on = stage()
    taken: list[str] = []

    def take(typed: str) -> str:
        taken.append(typed)
        return ""

    async with on.app.run_test(size=MEDIUM) as pilot:
        await on.app.push_screen(AskScreen("Keywords", "a\tb\x1b", take))
        await pilot.press("enter")
        await closed(pilot, on, AskScreen)
    assert taken == ["a\tb\x1b"]


async def test_what_was_put_together_is_kept_as_a_file(tmp_path: Path) -> None:
    on = stage()
    on.desk.root = tmp_path
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await open_form(pilot, on, *PANEL_TO_TOOL_USAGE, "t")
        sheet = await ask(pilot, on, "left", "S")
        sheet.query_one(Input).value = "../ci"
        await pilot.press("enter")
        await until(pilot, lambda: "a name of letters" in screen_text(on.app))
        sheet.query_one(Input).value = "ci"
        await pilot.press("enter")
        await closed(pilot, on, AskScreen)
        path = tmp_path / "ci.evalconfig.json"
        kept = read_config(path).criteria.tool_name_match
        assert kept is not None
        assert kept.threshold == 0.95
        assert "Saved ci" in toasts_of(on)
        await pilot.press("enter")
        await closed(pilot, on, CriteriaScreen)
        assert on.desk.choices.preset.name == "ci"
        assert panel_of(on).cursor == 0
        assert [p.name for p in on.desk.choices.presets][:4] == [
            "ci",
            "offline",
            "quick_check",
            "tool_usage",
        ]
        await pilot.press("r")
        assert on.children[0].request.config == str(path)
        assert on.children[0].request.config_name == "ci.evalconfig.json (chosen)"


async def test_a_combination_is_kept_from_the_panel(tmp_path: Path) -> None:
    on = stage()
    on.desk.root = tmp_path
    EvalConfig.relaxed().to_file(str(tmp_path / "both.evalconfig.json"))
    async with on.app.run_test(size=MEDIUM, notifications=True) as pilot:
        sheet = await ask(pilot, on, *PANEL_TO_TOOL_USAGE, "space", "S")
        sheet.query_one(Input).value = "both"
        await pilot.press("enter")
        await until(pilot, lambda: "enter once more replaces it" in screen_text(on.app))
        assert read_config(tmp_path / "both.evalconfig.json") == EvalConfig.relaxed()
        await pilot.press("enter")
        await closed(pilot, on, AskScreen)
        kept = read_config(tmp_path / "both.evalconfig.json")
        assert kept == on.desk.choices.preset.config
        assert on.desk.choices.preset.name == "offline + tool_usage"
        assert "both" in screen_text(on.app)


async def test_esc_keeps_nothing(tmp_path: Path) -> None:
    on = stage()
    on.desk.root = tmp_path
    async with on.app.run_test(size=MEDIUM) as pilot:
        await ask(pilot, on, *PANEL_TO_TOOL_USAGE, "S")
        await pilot.press("escape")
        await closed(pilot, on, AskScreen)
    assert files_in(tmp_path) == []


async def test_what_has_no_criteria_is_not_kept() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("p", "end", "S")
        await until(pilot, lambda: "custom has no criteria" in toasts_of(on))


async def test_help_and_commands_of_the_form_are_its_own() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        form = await open_form(pilot, on, *PANEL_TO_TOOL_USAGE, "t")
        await pilot.press("down", "question_mark")
        await until(pilot, lambda: "Match type" in screen_text(on.app))
        await pilot.press("escape")
        await closed(pilot, on, HelpScreen)
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(on.app.screen, PaletteScreen))
        await pilot.press(*"match", "enter")
        await until(pilot, lambda: form._draft.row(1).now.match_type == "IN_ORDER")


@pytest.mark.parametrize("size", [WIDE, SMALL])
async def test_names_from_files_are_never_markup(size: tuple[int, int]) -> None:
    on = stage()
    evil = "[/INST] \x1b[2J中文 \x1b]0;owned\x07[link=x]"
    own = CustomCriterion(criterion=f"checks:{evil}")
    config = EvalPresets.quick_check().model_copy(update={"custom": [own]})
    judged = EvalConfig.model_validate(
        {
            "criteria": {
                "llm_judge": {"judge_model": evil},
                "contains_keywords": {"keywords": [evil]},
            }
        }
    )
    on.desk.choices.put_files(
        [
            Preset(evil, "/p/a", config),
            Preset(f"b{evil}", "/p/b", judged),
            Preset(f"c{evil}", "/p/c", None, problem=evil),
        ]
    )
    async with on.app.run_test(size=size, notifications=True) as pilot:
        for keys in (("p", "home", "enter"), ("down", "enter"), ("down", "enter"), ("up", "space")):
            await pilot.press(*keys)
            await pilot.pause()
            assert not set(screen_text(on.app)) & set("\x1b\x07")
        await open_form(pilot, on, "t")
        await pilot.press("end", "space", "home", *["down"] * 4, "tab", "down")
        assert not set(screen_text(on.app)) & set("\x1b\x07")
        await ask(pilot, on, "enter")
        assert not set(screen_text(on.app)) & set("\x1b\x07")


async def test_the_panel_works_by_mouse() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        panel = panel_of(on)
        await pilot.click(panel, offset=(6, 2))
        await pilot.click(panel, offset=(6, 2))
        await until(pilot, lambda: on.desk.choices.preset.name == "quick_check")
        await pilot.click(panel, offset=(0, 3))
        await until(pilot, lambda: on.desk.choices.preset.name == "quick_check + tool_usage")
        await pilot.click(panel, offset=(6, panel.size.height - 2))
        await until(pilot, lambda: isinstance(on.app.screen, CriteriaScreen))


async def test_the_form_works_by_mouse() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        form = await open_form(pilot, on, *PANEL_TO_TOOL_USAGE, "t")
        criteria = form.query_one(CriteriaList)
        await pilot.click(criteria, offset=(1, 5))
        assert form._draft.row(3).is_on
        width = criteria.inner_width
        await pilot.click(criteria, offset=(width - 1, 5))
        assert form._draft.row(3).now.threshold == 0.55
        await pilot.click(criteria, offset=(width - 9, 5))
        await pilot.click(criteria, offset=(width - 9, 5))
        assert form._draft.row(3).now.threshold == 0.45
        await pilot.click(criteria, offset=(10, 3))
        assert criteria.cursor == 1
        assert form._draft.row(1).now.threshold == 1.0
        fields = form.query_one(FieldList)
        await pilot.click(fields, offset=(20, 3))
        await pilot.click(fields, offset=(20, 3))
        assert form._draft.row(1).now.match_type == "IN_ORDER"


@pytest.mark.parametrize("size", [MEDIUM, SMALL])
async def test_in_the_drawer_it_is_the_same(size: tuple[int, int]) -> None:
    on = stage()
    async with on.app.run_test(size=size) as pilot:
        await open_form(pilot, on, *PANEL_TO_TOOL_USAGE, "t")
        await pilot.press("left", "enter")
        await closed(pilot, on, CriteriaScreen)
        assert isinstance(on.app.screen, Drawer)
        assert "● tool_usage (edited)" in screen_text(on.app)


async def test_the_panel_says_what_a_judge_wants_and_costs() -> None:
    on = stage()
    on.desk.choices.judges = Judges({"GEMINI_API_KEY": "k"}, lambda *_: Price(0.3, 2.5))
    async with on.app.run_test(size=WIDE) as pilot:
        await pilot.press("p", "end", "up")
        await until(pilot, lambda: "$0.30 in, $2.50 out per 1M tokens" in screen_text(on.app))
        assert "judge gemini-2.5-flash   ✓ key set" in screen_text(on.app)
        await pilot.press("enter")
        assert on.desk.choices.preset.name == "relaxed"


@pytest.mark.parametrize(
    "size", [(1, 1), (3, 2), (20, 3), (40, 10), (41, 9), (60, 18), (80, 24), (400, 120)]
)
async def test_form_and_sheet_fit_into_any_terminal(size: tuple[int, int]) -> None:
    on = stage()
    async with on.app.run_test(size=size) as pilot:
        await on.app.push_screen(CriteriaScreen(on.app._shared, on.desk.choices.presets[6]))
        await pilot.pause()
        for line in screen_text(on.app).splitlines():
            assert len(line) <= size[0]
        await on.app.push_screen(AskScreen("Save as config", "x" * 300, lambda _: "no" * 200))
        await pilot.press("enter")
        await pilot.pause()
        for line in screen_text(on.app).splitlines():
            assert len(line) <= size[0]


def project_with(root: Path, **configs: EvalConfig) -> None:
    for name, config in configs.items():
        config.to_file(str(root / f"{name}.evalconfig.json"))


async def test_config_files_of_the_project_are_offered_and_one_is_remembered(
    tmp_path: Path,
) -> None:
    project_with(tmp_path, ci=EvalPresets.quick_check(), nightly=EvalPresets.tool_usage())
    on = stage()
    on.desk.root = tmp_path
    async with on.app.run_test(size=WIDE) as pilot:
        ConfigScout(on.desk, "nightly").begin(on.app)
        await until(pilot, lambda: on.desk.choices.preset.name == "nightly")
        assert [p.name for p in on.desk.choices.presets][:3] == ["ci", "nightly", "offline"]
        await until(pilot, lambda: "● nightly" in screen_text(on.app))


async def test_the_cursor_stays_on_its_preset_when_files_come_in_front_of_it(
    tmp_path: Path,
) -> None:
    project_with(tmp_path, ci=EvalPresets.quick_check())
    on = stage()
    on.desk.root = tmp_path
    async with on.app.run_test(size=WIDE) as pilot:
        await pilot.press(*PANEL_TO_TOOL_USAGE)
        ConfigScout(on.desk).begin(on.app)
        await until(pilot, lambda: on.desk.choices.presets[0].name == "ci")
        await pilot.press("enter")
        assert on.desk.choices.preset.name == "tool_usage"


async def test_what_was_chosen_meanwhile_is_not_changed_by_what_is_remembered(
    tmp_path: Path,
) -> None:
    project_with(tmp_path, ci=EvalPresets.quick_check())
    on = stage()
    on.desk.root = tmp_path
    async with on.app.run_test(size=WIDE) as pilot:
        scout = ConfigScout(on.desk, "ci")
        on.desk.choose(next(p for p in on.desk.choices.presets if p.name == "tool_usage"))
        scout.begin(on.app)
        await until(pilot, lambda: on.desk.choices.presets[0].name == "ci")
        assert on.desk.choices.preset.name == "tool_usage"


async def test_a_broken_config_file_says_what_is_wrong_in_place(tmp_path: Path) -> None:
    (tmp_path / "ci.evalconfig.json").write_text('{"criteria": {"trajectry": {}}}')
    on = stage()
    on.desk.root = tmp_path
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        ConfigScout(on.desk).begin(on.app)
        await until(pilot, lambda: "broken" in screen_text(on.app))
        await pilot.press("p", "home", "enter")
        await until(pilot, lambda: "trajectory" in toasts_of(on))
        assert on.desk.choices.preset.name == "offline"


async def test_a_file_that_is_gone_is_not_offered_and_edits_of_others_stay() -> None:
    on = stage()
    choices = on.desk.choices
    files = [Preset(n, f"/p/{n}.evalconfig.json", EvalPresets.quick_check()) for n in ("a", "b")]
    choices.put_files(files)
    choices.replace(
        Preset("b (edited)", files[1].value, EvalPresets.tool_usage(), original=files[1])
    )
    choices.preset = next(p for p in choices.presets if p.key == "a")
    choices.put_files(files[1:])
    assert [p.name for p in choices.presets][:2] == ["b (edited)", "offline"]
    assert choices.preset.name == "offline"
