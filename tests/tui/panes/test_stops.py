"""Where the cursor goes in a pane of running text."""

from __future__ import annotations

import pytest

from tenxgraph_tui.tui.kit import text
from tenxgraph_tui.tui.panes.items import Item
from tenxgraph_tui.tui.panes.picked import Picked
from tenxgraph_tui.tui.panes.stops import Stops

SIGHT = range(10, 20)


def stops(*lengths: int) -> Stops:
    """Items of that many lines; of a negative number those that take no cursor."""
    picked = Picked("it", lambda _: "it")
    return Stops([Item((text("x"),) * abs(n), picked if n > 0 else None) for n in lengths])


def test_only_what_can_be_had_takes_the_cursor() -> None:
    found = stops(-2, 3, -1, 1)
    assert len(found) == 2
    assert [found.at_line(line) for line in range(8)] == [None, None, 0, 0, 0, None, 1, None]
    assert found.item(5).lines == ()


@pytest.mark.parametrize(
    ("lengths", "at", "step", "goes"),
    [
        pytest.param([-11, 1, 1], 0, 1, 1, id="to the next"),
        pytest.param([-11, 1, 1], 1, -1, 0, id="to the one before"),
        pytest.param([-11, 1, -9, 4], 0, 1, 1, id="to one just out of sight"),
        pytest.param([-11, 1, -40, 4], 0, 1, None, id="not to one far away: the text is scrolled"),
        pytest.param([-11, 1], 0, 1, None, id="nor beyond the last"),
        pytest.param([1, -10, 1, 1], 0, 1, 1, id="from out of sight to the first that is seen"),
        pytest.param([1, -10, 1, 1, -30, 1], 3, -1, 2, id="or the last, when one goes up"),
        pytest.param([1, -60, 1], 0, 1, None, id="where nothing is seen the text is scrolled"),
        pytest.param([], 0, 1, None, id="where there is nothing too"),
    ],
)
def test_one_step(lengths: list[int], at: int, step: int, goes: int | None) -> None:
    assert stops(*lengths).after(at, step, SIGHT) == goes


@pytest.mark.parametrize(
    ("lengths", "at", "top"),
    [
        pytest.param([-11, 1], 0, 10, id="what is seen stays"),
        pytest.param([-11, 1, -9, 4], 1, 15, id="as far down as needed"),
        pytest.param([1, 1, -10, 1], 1, 1, id="as far up as needed"),
        pytest.param([-3, 1, -10, 1], 0, 0, id="to the very top with the first"),
        pytest.param([-11, 1, -9, 40], 1, 21, id="to the beginning of what is too long"),
    ],
)
def test_it_scrolls_as_little_as_it_can(lengths: list[int], at: int, top: int) -> None:
    assert stops(*lengths).top_for(at, SIGHT) == top
