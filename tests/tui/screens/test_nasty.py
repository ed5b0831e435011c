"""What agents and files may hold: it is shown as it is, moves nothing and acts on nothing."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from tenxgraph_tui.evaluation.events import CaseStatus, Log, Reply
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.pump import WorkerEnded
from tenxgraph_tui.tui.screens.case import CaseScreen
from tests.tui.script import NOW, RUN, Script, catalog, play, screen_text, stage, until

MARKUP = [
    "[/]",
    "[/INST]",
    "[/home/u/run.sh]",
    "[data: /m?id=1-2-]",
    "}, [/* deps */]);",
    "[/",
    "[link=x]y[/link]",
    "ends with [/",
    "ZRANGE [b + should",
]
CONTROL = "A\x1b[2J\x1b]0;owned\x07\x1b]52;c;ZWNobyBoaQ==\x07\x9b31m\x08\rZ\x00"
WIDE = [
    "❤️ heart",
    "👨‍👩‍👧 family",
    "🇩🇪",
    "中文测试",
    "e\u0301",
    "a\tb",
    "zero\u200bwidth",
    "שלום",
    "x" * 300,
]
NASTY = [*MARKUP, CONTROL, *WIDE, "two\nlines"]


@pytest.mark.parametrize("size", [(160, 45), (80, 24), (60, 20)], ids=lambda s: f"{s[0]}x{s[1]}")
async def test_anything_can_be_an_id_a_step_or_an_error(size: tuple[int, int]) -> None:
    over = catalog(nasty=NASTY)
    on = stage(over)
    script = Script().begin(over)
    for index, text in enumerate(NASTY):
        key = CaseKey(0, text)
        if index % 2:
            script.finish(key, CaseStatus.ERROR, (), error=text)
        else:
            script.finish(key, CaseStatus.FAILED, (0.0, 0.0, 0.0), reason=text, response=text)
    script.add(Log, case=CaseKey(0, NASTY[0]), text=CONTROL)
    async with on.app.run_test(size=size) as pilot:
        await play(pilot, on, script.events)
        for pressed in ("home", "pagedown", "down", "pagedown", "end", "up"):
            await pilot.press(pressed)
            text = screen_text(on.app)
            assert not set(text) & set("\x1b\x07\x9b\x08\r\x00\t")
            assert {cell_len(line) for line in text.splitlines()} == {size[0]}
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(on.app.screen, CaseScreen))
        for _ in range(6):
            await pilot.press("]")


async def test_markup_is_shown_and_not_obeyed() -> None:
    over = catalog(nasty=MARKUP)
    on = stage(over)
    async with on.app.run_test(size=(160, 45)) as pilot:
        await play(pilot, on, Script().begin(over).events)
        text = screen_text(on.app)
    for shown in MARKUP:
        assert shown in text


async def test_errors_of_the_worker_are_shown_as_they_are() -> None:
    on = stage()
    async with on.app.run_test(size=(100, 30)) as pilot:
        for index, text in enumerate(NASTY):
            on.desk.trouble, on.desk.is_busy = None, True
            told = (
                Reply(seq=0, at=NOW, run_id=RUN, request="run", error=text, exit_code=5)
                if index % 2
                else WorkerEnded(RUN, 1, (text,))
            )
            await play(pilot, on, [told])
            shown = screen_text(on.app)
            assert {cell_len(line) for line in shown.splitlines()} == {100}, ascii(text)
            assert not set(shown) & set("\x1b\x07\x9b\x08\r\x00\t"), ascii(text)
