from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.tui.catalog import Catalog, SetFile
from tenxgraph_tui.tui.folding import Folding
from tenxgraph_tui.tui.outline import TAGS_KEY, Outline
from tenxgraph_tui.tui.remembered import Remembered
from tests.tui.script import SUPPORT, WEATHER, catalog

ROOT = Path.cwd()
BOTH = {"weather": WEATHER, "support": SUPPORT}
FIRST, SECOND = "weather.evalset.json", "support.evalset.json"


@pytest.fixture
def remembered() -> Remembered:
    return Remembered()


def test_at_first_the_tree_decides(remembered: Remembered) -> None:
    assert Folding(remembered, ROOT).of(Outline(catalog(**BOTH))) == {FIRST}
    assert remembered.unfolded is None


def test_what_was_folded_is_found_in_the_next_session(remembered: Remembered) -> None:
    outline = Outline(catalog(**BOTH))
    folding = Folding(remembered, ROOT)
    folding.put(outline, FIRST, is_open=False)
    folding.put(outline, SECOND, is_open=True)
    folding.put(outline, TAGS_KEY, is_open=True)
    assert remembered.unfolded == frozenset({SECOND, TAGS_KEY})
    inside = Catalog((SetFile(str(ROOT / FIRST)), SetFile(str(ROOT / SECOND))))
    assert Folding(remembered, ROOT).of(Outline(inside)) == {str(ROOT / SECOND), TAGS_KEY}


def test_two_browsers_fold_alike(remembered: Remembered) -> None:
    outline = Outline(catalog(**BOTH))
    one, other = Folding(remembered, ROOT), Folding(remembered, ROOT)
    assert other.of(outline) == {FIRST}
    one.put(outline, SECOND, is_open=True)
    assert other.of(outline) == {FIRST, SECOND}
    assert other.of(outline) is other.of(outline)


def test_files_that_were_read_again_stay_as_they_were_folded(remembered: Remembered) -> None:
    folding = Folding(remembered, ROOT)
    folding.of(Outline(catalog(**BOTH)))
    assert folding.of(Outline(catalog(weather=["x"], support=["y"]))) == {FIRST}


def test_a_file_is_unfolded_when_it_turns_out_to_be_broken(remembered: Remembered) -> None:
    outline = Outline(catalog(**BOTH))
    folding = Folding(remembered, ROOT)
    folding.put(outline, FIRST, is_open=False)
    broken = Outline(Catalog((SetFile(FIRST, problem="no JSON"),)))
    assert folding.of(broken) == {FIRST}
    folding.put(broken, FIRST, is_open=False)
    assert folding.of(broken) == set()
    still = Outline(Catalog((SetFile(FIRST, problem="no JSON either"),)))
    assert folding.of(still) == set()
