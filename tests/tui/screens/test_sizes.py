from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation.events import Reply
from tenxgraph_tui.tui.catalog import Catalog
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen
from tenxgraph_tui.tui.screens.drawer import Drawer
from tests.tui.script import NOW, RUN, SCRIPT, play, screen_text, stage, until

SIZES = [
    (1, 1),
    (3, 2),
    (20, 3),
    (20, 5),
    (39, 8),
    (40, 7),
    (40, 8),
    (40, 10),
    (65, 20),
    (400, 120),
]
DEEDS = {
    "the dashboard": [],
    "a case": ["]", "enter"],
    "the drawer": ["b"],
    "the help": ["?"],
    "the trajectory": ["]", "enter", "2"],
}


@pytest.mark.parametrize("deed", DEEDS.values(), ids=DEEDS.keys())
async def test_any_terminal_size_is_drawn(deed: list[str]) -> None:
    on = stage()
    async with on.app.run_test(size=(120, 40)) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press(*deed)
        await pilot.pause(0.1)
        for width, height in SIZES:
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            lines = screen_text(on.app).splitlines()
            assert len(lines) <= max(1, height)
        await pilot.resize_terminal(120, 40)
        await until(pilot, lambda: "q Quit" in screen_text(on.app) or bool(deed))


@pytest.mark.parametrize("size", [(60, 20), (100, 30), (160, 45)], ids=lambda s: f"{s[0]}x{s[1]}")
async def test_the_first_frame_is_laid_out_like_the_last(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    frames: list[str] = []
    paint = DashboardScreen._compositor_refresh

    def noted(screen: DashboardScreen) -> None:
        paint(screen)
        frames.append(screen_text(screen.app))

    monkeypatch.setattr(DashboardScreen, "_compositor_refresh", noted)
    on = stage()
    async with on.app.run_test(size=size) as pilot:
        await pilot.pause(0.1)
        last = screen_text(on.app)
    first = frames[0]
    for words in ("london_now", "status      case", "b Eval sets ─", "What about london_now?"):
        assert (words in first) is (words in last), words


async def test_a_drawer_closes_when_its_panes_have_room_beside_the_cases() -> None:
    on = stage()
    async with on.app.run_test(size=(100, 30)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(on.app.screen, Drawer))
        await pilot.resize_terminal(39, 7)
        await until(pilot, lambda: "Terminal too small" in screen_text(on.app))
        assert "Eval sets" not in screen_text(on.app)
        await pilot.resize_terminal(160, 45)
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))


@pytest.mark.parametrize("size", [(1, 1), (39, 20), (100, 7)], ids=lambda s: f"{s[0]}x{s[1]}")
async def test_a_start_in_a_terminal_too_small_recovers(size: tuple[int, int]) -> None:
    on = stage()
    async with on.app.run_test(size=size) as pilot:
        await play(pilot, on, SCRIPT)
        if size[0] > 20:
            assert "Terminal too small" in screen_text(on.app)
            assert "needs 40×8" in screen_text(on.app)
        await pilot.resize_terminal(120, 40)
        await until(pilot, lambda: "Cases" in screen_text(on.app))
        assert "Terminal too small" not in screen_text(on.app)


@pytest.mark.parametrize("size", [(1, 1), (40, 8), (80, 24)], ids=lambda s: f"{s[0]}x{s[1]}")
async def test_an_empty_project_is_drawn_at_any_size(size: tuple[int, int]) -> None:
    on = stage(Catalog((), "nothing", ("/nowhere",)))
    async with on.app.run_test(size=size) as pilot:
        await pilot.pause()
        assert on.app.is_running


@pytest.mark.parametrize(
    "size", [(1, 1), (40, 8), (80, 24), (160, 45)], ids=lambda s: f"{s[0]}x{s[1]}"
)
async def test_trouble_is_drawn_at_any_size(size: tuple[int, int]) -> None:
    on = stage()
    async with on.app.run_test(size=size) as pilot:
        error = "agents.py:3: SyntaxError: invalid syntax"
        reply = Reply(seq=0, at=NOW, run_id=RUN, request="run", error=error, exit_code=5)
        await play(pilot, on, [reply])
        if size[0] >= 80:
            assert "SyntaxError" in screen_text(on.app)


async def test_the_detail_goes_where_it_has_no_room() -> None:
    on = stage()
    async with on.app.run_test(size=(120, 40)) as pilot:
        await play(pilot, on, SCRIPT)
        for size, has_detail, has_side in (
            ((120, 40), True, True),
            ((119, 40), True, False),
            ((80, 24), True, False),
            ((79, 24), False, False),
            ((120, 17), False, True),
        ):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            text = screen_text(on.app)
            assert ("1 Why" in text) is has_detail, size
            assert ("b Eval sets ─" in text) is has_side, size
