"""The drill-down as a widget: tabs, keys, the mouse, and what stays when its data change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from tenxgraph_tui.evaluation.dataset import EvalCase, ToolCall, TrajectoryStep
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult, EvalCaseResult, Score
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.theme import theme_named
from tenxgraph_tui.tui.widgets.detail import CaseDetail
from tenxgraph_tui.tui.widgets.step_pane import StepPane

SIZES = [(1, 1), (20, 3), (40, 10), (80, 9), (160, 45), (400, 120)]


class Bench(App[None]):
    """An app that has nothing but the drill-down."""

    AUTO_FOCUS = None

    def __init__(self, *, full_screen: bool = False) -> None:
        super().__init__()
        self.detail = CaseDetail(full_screen=full_screen)

    def compose(self) -> ComposeResult:
        yield self.detail

    def wear(self, name: str) -> None:
        """Draw in the colours with that name."""
        self.register_theme(theme_named(name))
        self.theme = name

    def on_mount(self) -> None:
        self.wear("tenx-dark")


def screen(app: App[None]) -> list[str]:
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


async def until(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    """Wait for a fact, not for a time."""
    for _ in range(200):
        if condition():
            return
        await pilot.pause(0.02)
    raise AssertionError("\n".join(screen(pilot.app)))


def has(app: App[None], words: str) -> bool:
    return any(words in line for line in screen(app))


def long_case() -> DetailModel:
    """More criteria and steps than a small pane can show."""
    calls = [ToolCall(name=f"tool_{number}") for number in range(30)]
    verdicts = [
        CriterionResult.judged(f"criterion_{number}", Score(0.1, "too low"), 0.5)
        for number in range(30)
    ]
    steps = [TrajectoryStep.tool(call.name) for call in calls]
    result = EvalCaseResult.success("long", verdicts, steps, calls)
    case = EvalCase.single_turn("long", "Call all tools", expected_tools=calls)
    return DetailModel(CaseKey(0, "long"), case, result)


async def test_it_opens_on_why_and_names_the_case(tokyo: DetailModel) -> None:
    app = Bench()
    async with app.run_test(size=(100, 24)) as pilot:
        app.detail.show(tokyo)
        await until(pilot, lambda: screen(app)[1].startswith("✗ failed  2 of 5 criteria"))
        lines = screen(app)
    assert lines[0].startswith("─ tokyo_forecast   1 Why  2 Trajectory  ")
    assert lines[1].endswith("655 tok   $0.0014   1.9s")
    assert lines[2].startswith("asked     Will I need an umbrella")


async def test_in_full_screen_the_screen_names_the_case(tokyo: DetailModel) -> None:
    app = Bench(full_screen=True)
    async with app.run_test(size=(100, 24)) as pilot:
        app.detail.show(tokyo)
        await until(pilot, lambda: has(app, "asked     Will I need"))
        lines = screen(app)
    assert lines[0].startswith("─ 1 Why  2 Trajectory  ")
    assert lines[1].startswith("asked     Will I need an umbrella")


async def test_the_rule_is_heavy_while_the_focus_is_in_it(tokyo: DetailModel) -> None:
    app = Bench()
    async with app.run_test(size=(100, 24)) as pilot:
        app.detail.show(tokyo)
        app.detail.pane.focus()
        await until(pilot, lambda: screen(app)[0].startswith("━ tokyo_forecast"))
        app.set_focus(None)
        await until(pilot, lambda: screen(app)[0].startswith("─ tokyo_forecast"))


async def test_1_and_2_change_the_view_and_keep_the_focus(tokyo: DetailModel) -> None:
    app = Bench()
    async with app.run_test(size=(100, 24)) as pilot:
        app.detail.show(tokyo)
        app.detail.pane.focus()
        await pilot.press("2")
        await until(pilot, lambda: app.detail.view == "Trajectory")
        assert any("get_alerts" in line and "- missing" in line for line in screen(app))
        assert app.focused is app.detail.pane
        await pilot.press("1")
        await until(pilot, lambda: app.detail.view == "Why")
        assert app.focused is app.detail.pane


async def test_a_click_on_a_tab_changes_the_view(tokyo: DetailModel) -> None:
    app = Bench()
    async with app.run_test(size=(100, 24)) as pilot:
        app.detail.show(tokyo)
        await until(pilot, lambda: has(app, "✗ failed") and has(app, "2 Trajectory"))
        await pilot.click(app.detail.rule, offset=(screen(app)[0].index("Trajectory"), 0))
        await until(pilot, lambda: app.detail.view == "Trajectory")


async def test_d_goes_to_the_first_divergence(tokyo: DetailModel) -> None:
    app = Bench()
    async with app.run_test(size=(100, 30)) as pilot:
        app.detail.show(tokyo)
        app.detail.pane.focus()
        await pilot.press("2", "home")
        assert app.query_one(StepPane).position.selected == 0
        await pilot.press("d")
        await until(
            pilot, lambda: any(line.startswith("─ Step 4  get_forecast") for line in screen(app))
        )


async def test_arrows_move_the_cursor_over_the_steps(tokyo: DetailModel) -> None:
    app = Bench()
    async with app.run_test(size=(100, 30)) as pilot:
        app.detail.show(tokyo)
        app.detail.pane.focus()
        await pilot.press("d", "down", "down", "down", "up")
        assert app.query_one(StepPane).position.selected == 5
        await pilot.press("end", "down")
        assert app.query_one(StepPane).position.selected == 7
        await pilot.press("home", "up")
        assert app.query_one(StepPane).position.selected == 0


async def test_a_click_on_a_step_selects_it(tokyo: DetailModel) -> None:
    app = Bench()
    async with app.run_test(size=(100, 30)) as pilot:
        app.detail.show(tokyo)
        app.detail.action_view("Trajectory")
        await until(pilot, lambda: has(app, "✗ failed") and has(app, "search_web"))
        row = next(y for y, line in enumerate(screen(app)) if "search_web" in line)
        await pilot.click(offset=(12, row))
        await until(
            pilot, lambda: any(line.startswith("─ Step 7  search_web") for line in screen(app))
        )


async def test_page_keys_scroll_the_selected_step(tokyo: DetailModel) -> None:
    assert tokyo.result is not None
    tokyo.result.actual_tool_calls[1].args |= {f"key {number}": number for number in range(40)}
    app = Bench()
    async with app.run_test(size=(100, 24)) as pilot:
        app.detail.show(tokyo)
        app.detail.pane.focus()
        await pilot.press("d", *["pagedown"] * 9)
        await until(pilot, lambda: has(app, "key 39"))
        await pilot.press("pageup")
        await until(pilot, lambda: not has(app, "key 39"))


async def test_scrolling_survives_new_data_of_the_same_case() -> None:
    model = long_case()
    app = Bench()
    async with app.run_test(size=(100, 20)) as pilot:
        app.detail.show(model)
        app.detail.pane.focus()
        await until(pilot, lambda: has(app, "✗ failed") and has(app, "criterion_0"))
        await pilot.press("pagedown")
        await until(pilot, lambda: not has(app, "criterion_0"))
        before = screen(app)[2:]
        app.detail.show(replace(model, result=model.result and model.result.model_copy()))
        await until(pilot, lambda: screen(app)[2:] == before)


async def test_another_case_starts_at_its_top_and_the_first_is_found_where_it_was(
    tokyo: DetailModel,
) -> None:
    model = long_case()
    app = Bench()
    async with app.run_test(size=(100, 20)) as pilot:
        app.detail.show(model)
        app.detail.pane.focus()
        await until(pilot, lambda: has(app, "✗ failed") and has(app, "criterion_0"))
        await pilot.press("pagedown")
        await until(pilot, lambda: not has(app, "criterion_0"))
        before = screen(app)[2:]
        app.detail.show(tokyo)
        await until(pilot, lambda: screen(app)[2].startswith("asked     Will I need an umbrella"))
        app.detail.show(model)
        await until(pilot, lambda: screen(app)[2:] == before)


async def test_nothing_is_shown_of_no_case(tokyo: DetailModel) -> None:
    app = Bench()
    async with app.run_test(size=(60, 14)) as pilot:
        app.detail.show(tokyo)
        app.detail.show(None)
        await until(
            pilot, lambda: not any("Tokyo" in line or "failed" in line for line in screen(app))
        )


@pytest.mark.parametrize("view", ["Why", "Trajectory"])
async def test_it_can_be_drawn_at_any_size(tokyo: DetailModel, view: str) -> None:
    app = Bench()
    async with app.run_test(size=(100, 30)) as pilot:
        app.detail.show(tokyo)
        app.detail.action_view(view)
        for width, height in SIZES:
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            assert app.size == (width, height)
        await pilot.resize_terminal(100, 30)
        await until(pilot, lambda: any("get_forecast" in line for line in screen(app)))


async def test_a_change_of_theme_changes_the_colours(tokyo: DetailModel) -> None:
    app = Bench()
    async with app.run_test(size=(100, 24)) as pilot:
        app.detail.show(tokyo)
        await until(pilot, lambda: has(app, "asked     Will I need"))
        before = app.detail.pane.render_line(0)
        app.wear("tenx-light")
        await until(pilot, lambda: list(app.detail.pane.render_line(0)) != list(before))
        assert app.detail.pane.render_line(0).text == before.text


@pytest.mark.parametrize("view", ["1", "2"])
async def test_without_a_case_nothing_of_the_last_one_is_left(
    tokyo: DetailModel, view: str
) -> None:
    app = Bench()
    async with app.run_test(size=(100, 24)) as pilot:
        app.detail.show(tokyo)
        app.detail.pane.focus()
        await pilot.press(view)
        await until(pilot, lambda: has(app, "get_forecast"))
        app.detail.show(None)
        await until(pilot, lambda: not has(app, "get_forecast"))
        assert [line for line in screen(app) if line][1:] == []
