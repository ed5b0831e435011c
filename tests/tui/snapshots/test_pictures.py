"""What the dashboard looks like, state by state and size by size, against pictures that are kept.

They are SVG files in which a row of the screen is a line. `pytest tests/tui/snapshots
--update-pictures` draws them anew; `git diff` then says which rows became different.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib.metadata import version
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tenxgraph_tui.tui.lines import notices
from tests.tui.script import Stage, until
from tests.tui.shoot import svg_of, text_in
from tests.tui.snapshots.states import STATES, Size, State

KEPT = Path(__file__).parent / "pictures"
SHOWN = 12
PICTURES = {
    f"{name}-{size[0]}x{size[1]}": (state, size)
    for name, state in STATES.items()
    for size in state.sizes
}


@pytest.fixture(autouse=True)
def _same_place_and_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Files are where nobody's are, clocks show the same hour, and Python has one version."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    monkeypatch.setattr(notices, "OUR_PYTHON", "Python 3.12.1")
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("name", PICTURES)
async def test_it_looks_as_it_did(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    state, size = PICTURES[name]
    for variable, value in state.environ.items():
        monkeypatch.setenv(variable, value)
    drawn, kept = await draw(state, size), KEPT / f"{name}.svg"
    if request.config.getoption("--update-pictures"):
        KEPT.mkdir(exist_ok=True)
        kept.write_text(drawn, encoding="utf-8", newline="\n")
        return
    expected = kept.read_text(encoding="utf-8") if kept.exists() else ""
    if drawn != expected:
        new = tmp_path / kept.name
        new.write_text(drawn, encoding="utf-8", newline="\n")
        pytest.fail(told(name, expected, drawn, new), pytrace=False)


def test_every_kept_picture_is_of_a_state() -> None:
    assert {path.stem for path in KEPT.iterdir()} == set(PICTURES)


async def draw(state: State, size: Size) -> str:
    """The picture of a state, once everything that it waits for has been read and drawn."""
    on = state.set_stage()
    async with on.app.run_test(size=size, notifications=True) as pilot:
        await pilot.pause()
        await state.happening(pilot, on)
        await settled(pilot, on)
        for key in state.keys:
            await pilot.press(key)
        await settled(pilot, on)
        before, drawn = "", svg_of(on.app)
        while drawn != before:
            await pilot.pause(0.05)
            before, drawn = drawn, svg_of(on.app)
        return drawn


async def settled(pilot: Pilot[Any], on: Stage) -> None:
    await until(pilot, lambda: not any(worker.is_running for worker in on.app.workers))
    await pilot.pause()


def told(name: str, expected: str, drawn: str, new: Path) -> str:
    """Which rows are different, in words where the words are."""
    if not expected:
        return f"there is no picture {name} yet; --update-pictures keeps {new}"
    pairs = zip_longest(expected.splitlines(), drawn.splitlines(), fillvalue="")
    lines = [f"{name} looks different; the new picture is {new}"]
    for row, (then, now) in enumerate(pairs):
        if then == now:
            continue
        words = text_in(then), text_in(now)
        lines += (
            [f"- {words[0]}", f"+ {words[1]}"]
            if words[0] != words[1]
            else [f"  line {row} of the file has other colours or another place: {words[0]}"]
        )
    lines = lines if len(lines) <= SHOWN else [*lines[:SHOWN], f"… {len(lines) - SHOWN} more"]
    versions = ", ".join(f"{one} {version(one)}" for one in ("textual", "rich"))
    return "\n".join([*lines, f"--update-pictures keeps what is drawn now, by {versions}"])
