from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.session.discovery import FoundSet
from tenxgraph_tui.tui.catalog import CaseId, Catalog, SetFile
from tenxgraph_tui.tui.outline import (
    TAGS_KEY,
    Entry,
    Kind,
    Outline,
    Picked,
    in_folders,
    line_in,
)
from tests.tui.script import catalog, eval_set


def file(
    path: str, *ids: str, tags: tuple[str, ...] = (), warnings: tuple[str, ...] = ()
) -> SetFile:
    made = eval_set(Path(path).name, ids)
    for case in made.eval_cases:
        case.tags = list(tags)
    return SetFile.of(FoundSet(Path(path), made, warnings=warnings))


def shown(over: Catalog, unfolded: set[str] | None = None, width: int = 60) -> list[str]:
    outline = Outline(over)
    known = outline.unfolded_at_first() if unfolded is None else unfolded
    return [
        "  " * entry.depth
        + (entry.file.label if entry.kind is Kind.FILE and entry.file else entry.name)
        for entry in outline.entries(known, width)
    ]


def test_files_of_one_folder_stand_in_no_folder() -> None:
    over = Catalog((file("/p/evals/a.evalset.json", "x"), file("/p/evals/b.evalset.json")))
    assert shown(over) == ["", "  a", "    x", "  b"]


def test_files_of_several_folders_stand_in_them() -> None:
    over = Catalog(
        (
            file("/p/top.evalset.json"),
            file("/p/billing/a.evalset.json"),
            file("/p/billing/b.evalset.json"),
            file("/p/billing/deep/c.evalset.json"),
            file("/p/billing/deep/d.evalset.json"),
        )
    )
    assert shown(over) == [
        "",
        "  top",
        "  billing",
        "    a",
        "    b",
        "  billing/deep",
        "    c",
        "    d",
    ]


def test_a_file_that_is_alone_in_its_folder_needs_no_line_for_it() -> None:
    over = Catalog((file("/p/billing/a.evalset.json"), file("/p/travel/b.evalset.json")))
    entries = Outline(over).entries(set(), 60)
    assert [(entry.depth, entry.name) for entry in entries[1:]] == [(1, "billing"), (1, "travel")]


def test_a_large_project_shows_its_folders_and_the_first_file() -> None:
    files = [
        file(f"/p/{folder}/{name}.evalset.json", *(f"c{n}" for n in range(5)))
        for folder in ("a", "b", "c", "d")
        for name in ("one", "two", "three", "four")
    ]
    cases = [f"      c{n}" for n in range(5)]
    inside = ["    one", *cases, "    two", "    three", "    four"]
    assert shown(Catalog(tuple(files))) == ["", "  a", *inside, "  b", "  c", "  d"]


@pytest.mark.parametrize(
    ("paths", "folders"),
    [
        pytest.param(["a.json", "x/b.json"], ["", "x"], id="from here"),
        pytest.param(["../a.json", "x/b.json"], ["", "..", "x"], id="above here"),
        pytest.param(["/p/x/a.json", "/p/y/b.json"], ["", "x", "y"], id="in full"),
        pytest.param(["/p/a.json", "y/b.json"], ["", "/p", "y"], id="both ways"),
        pytest.param([], [""], id="none"),
    ],
)
def test_folders_are_called_from_the_one_that_holds_all(
    paths: list[str], folders: list[str]
) -> None:
    assert list(in_folders([SetFile(path) for path in paths])) == folders


def test_what_is_wrong_with_a_file_stands_below_it_without_its_path() -> None:
    path = "/p/bad.evalset.json"
    over = Catalog((SetFile(path, problem=f"{path}:3:1: a comma is missing"),))
    note = Outline(over).entries({path}, 20)[2:]
    assert [entry.name for entry in note] == ["3:1: a comma is", "missing"]
    assert {entry.line for entry in note} == {3}


@pytest.mark.parametrize("width", [0, 1, 6])
def test_a_pane_too_narrow_to_read_in_has_no_letter_a_line(width: int) -> None:
    over = Catalog((SetFile("w.json", problem="w.json:3:1: a comma is missing"),))

    notes = [e.name for e in Outline(over).entries({"w.json"}, width) if e.kind is Kind.NOTE]

    assert notes == ["3:1: a comma is", "missing"]


def test_what_has_no_effect_stands_above_the_cases_and_is_no_wall_of_text() -> None:
    path = "/p/a.evalset.json"
    over = Catalog((file(path, "x", warnings=tuple(f"{path}: key {n}" for n in range(9))),))
    assert shown(over)[2:] == [
        "    key 0",
        "    key 1",
        "    key 2",
        "    and 6 more like that",
        "    x",
    ]


@pytest.mark.parametrize(
    ("note", "line"),
    [
        pytest.param("41:3: a comma is missing", 41, id="as files say it"),
        pytest.param("not UTF-8, line 7", 7, id="in words"),
        pytest.param("2 cases are called x", None, id="a number that is no line"),
        pytest.param("the file is empty", None, id="no number"),
    ],
)
def test_the_line_of_a_note_is_known(note: str, line: int | None) -> None:
    assert line_in(note) == line


def test_the_tag_that_most_cases_carry_comes_first() -> None:
    over = Catalog(
        (
            file("/p/a.evalset.json", "x", tags=("slow", "slow")),
            file("/p/b.evalset.json", "y", "z", tags=("smoke",)),
        )
    )
    outline = Outline(over)
    assert {tag: len(cases) for tag, cases in outline.tags.items()} == {"smoke": 2, "slow": 1}
    assert [entry.kind for entry in outline.entries(set(), 60)][-1] is Kind.TAGS
    assert [entry.name for entry in outline.entries({TAGS_KEY}, 60)][-2:] == ["smoke", "slow"]


def test_modules_that_are_not_read_are_told_of() -> None:
    over = Catalog((file("/p/a.evalset.json"),), modules=("x_eval.py", "eval_y.py"))
    assert shown(over)[-1] == "  2 eval modules, not read yet"


def test_modules_without_anything_to_run_say_why() -> None:
    over = Catalog((file("/p/a.evalset.json"),), notes=("x_eval.py: no eval set",))
    assert shown(over)[-1] == "  x_eval.py: no eval set"


def test_every_line_knows_the_cases_below_it() -> None:
    files = (
        file("/p/a.evalset.json", "x", "y", tags=("smoke",)),
        file("/p/deep/b.evalset.json", "z"),
        file("/p/deep/c.evalset.json"),
    )
    outline = Outline(Catalog(files))
    a, b = files[0].path, files[1].path
    below = {
        (entry.kind, entry.name): [case.eval_id for case in outline.cases(entry)]
        for entry in outline.entries({a, b, TAGS_KEY, "deep/"}, 60)
    }
    assert below == {
        (Kind.PROJECT, ""): ["x", "y", "z"],
        (Kind.FILE, ""): [],
        (Kind.CASE, "x"): ["x"],
        (Kind.CASE, "y"): ["y"],
        (Kind.FOLDER, "deep"): ["z"],
        (Kind.CASE, "z"): ["z"],
        (Kind.TAGS, ""): [],
        (Kind.TAG, "smoke"): ["x", "y"],
    }
    assert list(outline.cases(Entry(Kind.FILE, 1, files[0]))) == [CaseId(a, "x"), CaseId(a, "y")]


def test_how_many_are_selected_is_known_on_every_level() -> None:
    files = (
        file("/p/a.evalset.json", "x", "y", tags=("smoke",)),
        file("/p/deep/b.evalset.json", "z", tags=("smoke",)),
        file("/p/deep/c.evalset.json", "w"),
    )
    outline = Outline(Catalog(files))
    picked = Picked(outline, {CaseId(files[0].path, "x"), CaseId(files[1].path, "z")})
    found = {
        (entry.kind, entry.name or (entry.file and entry.file.label)): picked.below(entry)
        for entry in outline.entries(outline.keys, 60)
    }
    assert found[Kind.PROJECT, None] == (2, 4)
    assert found[Kind.FOLDER, "deep"] == (1, 2)
    assert found[Kind.FILE, "a"] == (1, 2)
    assert found[Kind.CASE, "x"] == (1, 1)
    assert found[Kind.CASE, "y"] == (0, 1)
    assert found[Kind.TAG, "smoke"] == (2, 3)
    assert len(picked) == 2


def test_a_selected_case_whose_file_is_broken_is_not_counted() -> None:
    outline = Outline(catalog(weather=["london"]))
    gone = CaseId("support.evalset.json", "refund")
    assert len(Picked(outline, {gone})) == 0
