from __future__ import annotations

import pytest
from rich.cells import cell_len

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.tui.catalog import CaseId, Catalog, SetFile
from tenxgraph_tui.tui.lines.browser import Entry, TreeContext, entries, line
from tests.tui.script import catalog

WEATHER = "weather.evalset.json"
PROBLEM = "sets/bad.evalset.json:3:1: no JSON: expecting property name enclosed in quotes"


def tree(over: Catalog, *, selected: set[CaseId] | None = None, opened: bool = True) -> list[str]:
    unfolded = {file.path for file in over.files} if opened else set()
    context = TreeContext(
        over,
        unfolded,
        selected or set(),
        status_of=lambda case: (
            CaseStatus.PASSED if case.eval_id == "london" else CaseStatus.WAITING
        ),
        tally=lambda entry: (1, len(list(entry.cases(over)))),
    )
    lines = [line(entry, context, 36) for entry in entries(over, unfolded, 36)]
    assert {one.cell_length for one in lines} == {36}
    return [" ".join(one.plain.split()) for one in lines]


def test_sets_hold_their_cases() -> None:
    assert tree(catalog(weather=["london", "paris"])) == [
        "▾ sample_evalsets 1/2",
        "▾ weather 1/2",
        "✓ london",
        "· paris",
    ]


def test_a_folded_set_is_one_line() -> None:
    assert tree(catalog(weather=["london", "paris"]), opened=False) == [
        "▾ sample_evalsets 1/2",
        "▸ weather 1/2",
    ]


def test_boxes_stand_only_where_something_is_selected() -> None:
    over = catalog(weather=["london", "paris"], support=["refund"])
    lines = tree(over, selected={CaseId("support.evalset.json", "refund")})
    assert lines == [
        "▾ [ ] sample_evalsets 1/3",
        "▾ [ ] weather 1/2",
        "✓ [ ] london",
        "· [ ] paris",
        "▾ [x] support 1/1",
        "· [x] refund",
    ]


def test_a_problem_is_told_in_place_without_the_path_that_stands_above_it() -> None:
    over = Catalog((SetFile("sets/bad.evalset.json", problem=PROBLEM),), "sets")
    lines = tree(over)
    assert lines[1] == "! bad line 3"
    assert " ".join(lines[2:]) == ("3:1: no JSON: expecting property name enclosed in quotes")


def test_a_problem_without_a_line_says_that_the_file_was_not_read() -> None:
    over = Catalog((SetFile("bad.evalset.json", problem="permission denied"),), "sets")
    assert tree(over)[1] == "! bad not read"


@pytest.mark.parametrize("width", [1, 5, 12, 36, 80])
def test_a_line_is_as_wide_as_the_pane(width: int) -> None:
    over = catalog(**{"中文" * 20: ["👨‍👩‍👧" * 20, "x" * 99, "[/]\x1b"]})
    paths = {file.path for file in over.files}
    selected = set(over)
    context = TreeContext(over, paths, selected, lambda _: CaseStatus.FAILED, lambda _: (1, 10**6))
    for entry in entries(over, paths, width):
        shown = line(entry, context, width).plain
        assert cell_len(shown) == width


def test_an_entry_knows_the_cases_below_it() -> None:
    over = catalog(weather=["london", "paris"], support=["refund"])
    assert list(Entry().cases(over)) == list(over)
    assert list(Entry(over.files[0]).cases(over)) == [
        CaseId(WEATHER, "london"),
        CaseId(WEATHER, "paris"),
    ]
    assert list(Entry(over.files[0], "paris").cases(over)) == [CaseId(WEATHER, "paris")]
