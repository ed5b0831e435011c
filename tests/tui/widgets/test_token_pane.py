"""The tokens as a widget: tokens or money, what is copied, what is kept."""

from __future__ import annotations

from dataclasses import replace

from tenxgraph_tui.session.models import Price
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.widgets.token_pane import TokenPane
from tests.tui.panes.test_detail import Bench, has, until
from tests.tui.story import Story, call, kyoto, looked_at

PRICED = {"gpt-4o": Price(2.5, 10.0, 1.25)}


def pane(app: Bench) -> TokenPane:
    return app.query_one(TokenPane)


def opened(model: DetailModel) -> Bench:
    app = Bench()

    def show() -> None:
        app.detail.show(model)
        app.detail.action_view("Tokens")
        app.detail.pane.focus()

    app.call_later(show)
    return app


async def test_4_opens_it_and_m_changes_between_tokens_and_money() -> None:
    app = Bench()
    async with app.run_test(size=(120, 30)) as pilot:
        app.detail.show(replace(kyoto(), prices=PRICED))
        app.detail.pane.focus()
        await pilot.press("4")
        await until(pilot, lambda: has(app, "longest bar 212 tok"))
        await pilot.press("m")
        await until(pilot, lambda: has(app, "longest bar $0.0007"))
        await pilot.press("m")
        await until(pilot, lambda: has(app, "longest bar 212 tok"))


async def test_money_stays_money_in_the_next_case() -> None:
    app = opened(replace(kyoto(), prices=PRICED))
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: has(app, "longest bar 212 tok"))
        await pilot.press("m")
        app.detail.show(replace(kyoto(), prices=PRICED))
        await until(pilot, lambda: has(app, "longest bar $0.0007"))


async def test_a_price_that_is_found_later_is_drawn_then() -> None:
    model = kyoto()
    app = opened(model)
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: has(app, "longest bar 212 tok"))
        assert not has(app, "$0.0005")
        app.detail.show(replace(model, prices=PRICED))
        await until(pilot, lambda: has(app, "$0.0005"))


async def test_it_scrolls_and_the_place_is_kept() -> None:
    story = Story().user("Look at all pages")
    for page in range(30):
        story.ask(call("look", page=page))
    case = kyoto().case
    assert case is not None
    app = opened(looked_at(case, story.model("done").result()))
    async with app.run_test(size=(100, 20)) as pilot:
        await until(pilot, lambda: has(app, "✓ passed") and has(app, "MAIN 1 "))
        await pilot.press("end")
        await until(pilot, lambda: has(app, "There is no price"))
        await pilot.press("1", "4")
        await until(pilot, lambda: has(app, "There is no price"))


async def test_the_whole_table_is_what_is_copied() -> None:
    app = opened(kyoto())
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: has(app, "longest bar 212 tok"))
        picked = pane(app).picked
        assert picked is not None
        assert picked.name == "the table of tokens"
        assert picked.find(kyoto()).splitlines()[1] == "MAIN 1\t100\t0\t20\t"
        app.detail.show(None)
        assert pane(app).picked is None
