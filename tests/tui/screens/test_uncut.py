"""What is read first is never cut: headers, short case ids, statuses, keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.tui.glyphs import STATUS
from tenxgraph_tui.tui.results import ResultReader
from tests.tui.kept import keep
from tests.tui.scenes import done
from tests.tui.script import NOW, SUPPORT, WEATHER, Stage, catalog, live, play, screen_text, stage

SIZES = [(160, 45), (100, 30), (80, 24)]
LONG = 24
"""Cells from which on an id may be cut in its middle."""
HEADERS = frozenset(
    ("status", "case", "tools", "traj", "rouge", "worst", "reason", "tok", "cost", "time")
) | {"Δ", "vs", "#1"}
SORTED = str.maketrans("", "", "↑↓")
HEAD = re.compile(r"status\W+case\b.*time")
GLYPHS = "".join(sign.glyph for sign in STATUS.values())
WORDS = {sign.word for sign in STATUS.values()}
ROW = re.compile(rf"[{re.escape(GLYPHS)}] (?P<status>\S+) +●? ?(?P<case>\S+)")


def table_of(on: Stage) -> Iterator[str]:
    """The lines of the case table from its header on."""
    lines = screen_text(on.app).splitlines()
    top = next(place for place, line in enumerate(lines) if HEAD.search(line))
    left = lines[top].index("status")
    for line in lines[top:]:
        if line[left:].startswith("─"):
            return
        yield line[left:].rstrip("▁▂▃▄▅▆▇█ ")


def assert_uncut(on: Stage) -> None:
    head, *rows = table_of(on)
    assert set(head.translate(SORTED).split()) <= HEADERS, head
    found = [match for row in rows if (match := ROW.match(row))]
    assert found
    for match in found:
        assert match["status"] in WORDS, match[0]
        name = match["case"].rpartition("/")[2]
        if name not in (*WEATHER, *SUPPORT):
            begin, cut, end = name.partition("…")
            meant = [one for one in (*WEATHER, *SUPPORT) if one.startswith(begin)]
            assert cut, name
            assert any(one.endswith(end) and len(one) >= LONG for one in meant), name
    footer = screen_text(on.app).splitlines()[-1]
    assert "…" not in footer
    assert footer.rstrip().endswith("q Quit")


@pytest.fixture
def on(tmp_path: Path) -> Stage:
    """A dashboard over an earlier run, so that there is something to compare with."""
    keep(tmp_path / "runs.db", catalog(), {"kobe_wind": CaseStatus.FAILED})
    store = RunStore(tmp_path / "runs.db", clock=lambda: NOW)
    return stage(store=store, reader=ResultReader(store))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "{}x{}".format(*size))
@pytest.mark.parametrize("state", ["before a run", "a run", "after a run"])
async def test_nothing_that_is_read_first_is_cut(
    on: Stage, state: str, size: tuple[int, int]
) -> None:
    async with on.app.run_test(size=size) as pilot:
        await pilot.pause()
        if state != "before a run":
            over = on.desk.catalog
            await play(pilot, on, live(over) if state == "a run" else done(over))
        for keys in ([], ["space"], ["end"], ["escape", "s"]):
            await pilot.press(*keys)
            await pilot.pause()
            assert_uncut(on)
