"""The nodes as a widget: keys, the mouse, what is kept, and what is picked."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from textual.events import MouseScrollDown, MouseScrollUp
from textual.widget import Widget

from tenxgraph_tui.evaluation.events import CaseInfo, StepStarted
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.widgets.node_pane import NodePane
from tenxgraph_tui.tui.widgets.view_pane import ViewPane
from tests.tui.panes.test_detail import Bench, has, until
from tests.tui.story import START, Story, call, kyoto, looked_at


def pane(app: Bench) -> NodePane:
    return app.query_one(NodePane)


def opened(model: DetailModel) -> Bench:
    app = Bench()

    def show() -> None:
        app.detail.show(model)
        app.detail.action_view("Nodes")
        app.detail.pane.focus()

    app.call_later(show)
    return app


def turned(
    kind: type[MouseScrollDown | MouseScrollUp], over: Widget, x: int, y: int
) -> MouseScrollDown | MouseScrollUp:
    return kind(over, x, y, 0, 1, 0, shift=False, meta=False, ctrl=False)


def long_story(calls: int) -> DetailModel:
    story = Story().user("Look at all pages")
    for page in range(calls):
        story.ask(call("look", page=page), result=["a", "b"])
    case = replace(kyoto()).case
    assert case is not None
    return looked_at(case, story.model("done").result())


async def test_3_opens_it_on_the_call_where_it_went_wrong() -> None:
    app = Bench()
    async with app.run_test(size=(120, 30)) as pilot:
        app.detail.show(kyoto())
        app.detail.pane.focus()
        await pilot.press("3")
        await until(pilot, lambda: has(app, 'expected   get_forecast(city="Tokyo"'))
        assert app.focused is pane(app)


async def test_arrows_move_the_cursor_over_the_calls() -> None:
    app = opened(kyoto())
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: pane(app).position.selected == 2)
        await pilot.press("down", "j", "k")
        assert pane(app).position.selected == 3
        await pilot.press("end", "down")
        assert pane(app).position.selected == 4
        assert has(app, "No, rain is unlikely in Kyoto.")
        await pilot.press("home", "up")
        assert pane(app).position.selected == 0


async def test_a_click_on_a_call_selects_it_and_one_on_the_details_does_not() -> None:
    app = opened(kyoto())
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: has(app, "✗ failed") and has(app, "Messages in"))
        await pilot.click(NodePane, offset=(3, 2))
        assert pane(app).position.selected == 1
        await pilot.click(NodePane, offset=(80, 4))
        assert pane(app).position.selected == 1


async def test_page_down_scrolls_the_call_and_never_beyond_its_end() -> None:
    app = opened(long_story(12))
    async with app.run_test(size=(80, 16)) as pilot:
        await until(pilot, lambda: has(app, "Messages in"))
        await pilot.press("end", *["pagedown"] * 9)
        await until(pilot, lambda: has(app, "assistant  done"))
        furthest = pane(app).position.offset
        assert 0 < furthest < 40
        await pilot.press("pageup")
        assert pane(app).position.offset < furthest
        await pilot.press("up")
        assert pane(app).position.offset == 0


async def test_the_wheel_moves_over_the_list_and_scrolls_the_details() -> None:
    app = opened(long_story(12))
    async with app.run_test(size=(120, 9)) as pilot:
        await pilot.press("end")
        last = pane(app).position.selected
        pane(app).post_message(turned(MouseScrollUp, pane(app), 4, 3))
        await until(pilot, lambda: pane(app).position.selected == last - 1)
        await pilot.press("end")
        pane(app).post_message(turned(MouseScrollDown, pane(app), 90, 5))
        await until(pilot, lambda: pane(app).position.offset > 0)
        assert pane(app).position.selected == last


async def test_where_the_reader_was_is_kept_while_the_result_is_the_same() -> None:
    model = kyoto()
    app = opened(model)
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: pane(app).position.selected == 2)
        await pilot.press("end", "1", "3")
        assert pane(app).position.selected == 4
        app.detail.show(replace(model, now=START + 60))
        await pilot.pause()
        assert pane(app).position.selected == 4


async def test_the_cursor_goes_along_with_a_case_that_runs() -> None:
    case = kyoto().case
    progress = CaseProgress(kyoto().key, CaseInfo("tokyo_forecast"))
    progress.begin(START)
    assert progress.live is not None
    app = opened(DetailModel(progress.key, case, None, progress, now=START))
    async with app.run_test(size=(120, 30)) as pilot:
        for number in range(4):
            step = StepStarted(seq=number, at=START, run_id="r", case=progress.key, node="MAIN")
            progress.live.started(step, 0)
            app.detail.show(DetailModel(progress.key, case, None, progress, now=START + number))
            await until(pilot, partial(lambda at: pane(app).position.selected == at, number))
        app.detail.show(replace(kyoto(), progress=None))
        await until(pilot, lambda: has(app, 'expected   get_forecast(city="Tokyo"'))


async def test_y_and_enter_ask_for_everything_of_the_selected_call() -> None:
    asked: dict[int, ViewPane.CopyAsked | ViewPane.Opened] = {}
    app = opened(kyoto())

    def note(message: object) -> None:
        """A message is seen wherever it bubbles to."""
        if isinstance(message, ViewPane.CopyAsked | ViewPane.Opened):
            asked[id(message)] = message

    async with app.run_test(size=(120, 30), message_hook=note) as pilot:
        await until(pilot, lambda: pane(app).position.selected == 2)
        await pilot.press("y", "down", "enter")
        await until(pilot, lambda: len(asked) == 2)
    assert [message.picked.name for message in asked.values()] == ["MAIN 2", "TOOL 2, get_forecast"]
