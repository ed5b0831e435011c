from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.session.discovery import FoundSet
from tenxgraph_tui.tui.catalog import CaseId, Catalog, SetFile
from tenxgraph_tui.tui.lines.browser import (
    TreeContext,
    about,
    in_short,
    line,
    on_box,
    on_fold,
    tag_at,
)
from tenxgraph_tui.tui.outline import TAGS_KEY, Entry, Kind, Outline, Picked
from tests.tui.script import catalog, eval_set

WEATHER = "weather.evalset.json"
PROBLEM = "sets/bad.evalset.json:3:1: no JSON: expecting property name enclosed in quotes"


def context_of(
    over: Catalog, selected: set[CaseId] | None = None, unfolded: set[str] | None = None
) -> TreeContext:
    outline = Outline(over)
    return TreeContext(
        outline,
        outline.keys - {TAGS_KEY} if unfolded is None else unfolded,
        Picked(outline, selected or set()),
        status_of=lambda case: (
            CaseStatus.PASSED if case.eval_id == "london" else CaseStatus.WAITING
        ),
        tally=lambda files: (1, sum(len(file.cases) for file in files)),
    )


def drawn(context: TreeContext, width: int = 36) -> list[str]:
    entries = context.outline.entries(context.unfolded, width)
    lines = [line(entry, context, width) for entry in entries]
    assert {one.cell_length for one in lines} == {width}
    return [" ".join(one.plain.split()) for one in lines]


def tagged(**tags: tuple[str, ...]) -> Catalog:
    made = eval_set("weather", list(tags))
    for case in made.eval_cases:
        case.tags = list(tags[case.eval_id])
    return Catalog((SetFile.of(FoundSet(Path(WEATHER), made)),), "sets")


def test_sets_hold_their_cases() -> None:
    assert drawn(context_of(catalog(weather=["london", "paris"]))) == [
        "▾ sample_evalsets 1/2",
        "▾ weather 1/2",
        "✓ london",
        "· paris",
    ]


def test_a_folded_set_is_one_line() -> None:
    context = context_of(catalog(weather=["london", "paris"]), unfolded=set())
    assert drawn(context) == ["▾ sample_evalsets 1/2", "▸ weather 1/2"]


def test_boxes_stand_only_where_something_is_selected_and_say_how_much_is() -> None:
    over = catalog(weather=["london", "paris"], support=["refund"], travel=["rail"])
    selected = {CaseId("support.evalset.json", "refund"), CaseId(WEATHER, "paris")}
    assert drawn(context_of(over, selected)) == [
        "▾ [-] sample_evalsets 1/4",
        "▾ [-] weather 1/2",
        "✓ [ ] london",
        "· [x] paris",
        "▾ [x] support 1/1",
        "· [x] refund",
        "▾ [ ] travel 1/1",
        "· [ ] rail",
    ]


def test_a_folder_says_how_many_files_it_has_and_how_many_cannot_be_read() -> None:
    over = Catalog(
        (
            SetFile.of(FoundSet(Path("top.json"), eval_set("top", ["x"]))),
            SetFile.of(FoundSet(Path("evals/a.json"), eval_set("a", ["y"]))),
            SetFile("evals/b.json", problem="evals/b.json:7:1: no JSON"),
        )
    )
    assert drawn(context_of(over, unfolded=set()))[1:] == [
        "▸ top 1/1",
        "▸ evals 2 files, 1 not read 1/1",
    ]
    assert drawn(context_of(over))[3:] == [
        "▾ evals 2 files, 1 not read 1/1",
        "▾ a 1/1",
        "· y",
        "! b line 7",
        "7:1: no JSON",
    ]


def test_what_has_no_effect_in_a_file_is_marked_and_told() -> None:
    made = FoundSet(Path(WEATHER), eval_set("w", ["x"]), warnings=(f"{WEATHER}: tagz: no effect",))
    context = context_of(Catalog((SetFile.of(made),)))
    assert drawn(context)[1:] == ["▾ weather ! 1/1", "tagz: no effect", "· x"]


def test_a_problem_is_told_in_place_without_the_path_that_stands_above_it() -> None:
    lines = drawn(context_of(Catalog((SetFile("sets/bad.evalset.json", problem=PROBLEM),), "sets")))
    assert lines[1] == "! bad line 3"
    assert " ".join(lines[2:]) == "3:1: no JSON: expecting property name enclosed in quotes"


def test_a_problem_without_a_line_says_that_the_file_was_not_read() -> None:
    over = Catalog((SetFile("bad.evalset.json", problem="permission denied"),), "sets")
    assert drawn(context_of(over))[1] == "! bad not read"


def test_tags_stand_below_the_tree_with_how_many_carry_them() -> None:
    over = tagged(london=("smoke",), paris=("smoke", "multi_turn"))
    assert drawn(context_of(over))[-1] == "▸ tags smoke 2 multi_turn 1"
    unfolded = context_of(over, unfolded={TAGS_KEY})
    assert drawn(unfolded)[-3:] == ["▾ tags", "smoke 2", "multi_turn 1"]
    selected = context_of(over, {CaseId(WEATHER, "paris")}, unfolded={TAGS_KEY})
    assert drawn(selected)[-2:] == ["[-] smoke 2", "[x] multi_turn 1"]


def test_tags_that_do_not_fit_are_left_out_whole() -> None:
    over = tagged(london=("smoke", "a_long_tag_that_has_no_room"))
    assert drawn(context_of(over), 30)[-1] == "▸ tags smoke 1"


@pytest.mark.parametrize(
    ("x", "tag"),
    [(0, None), (7, None), (8, "smoke"), (14, "smoke"), (15, None), (18, "slow"), (99, None)],
)
def test_a_tag_is_clicked_where_it_stands(x: int, tag: str | None) -> None:
    over = tagged(london=("smoke", "slow"))
    assert tag_at(Entry(Kind.TAGS), context_of(over), 60, x) == tag
    assert tag_at(Entry(Kind.FILE, 1, over.files[0]), context_of(over), 60, x) is None


def test_triangles_and_boxes_are_where_they_are_drawn() -> None:
    over = catalog(weather=["london"])
    none, some = context_of(over), context_of(over, {CaseId(WEATHER, "london")})
    project, file, case = Outline(over).entries({WEATHER}, 40)
    shown = line(file, some, 40).plain
    assert [x for x in range(40) if on_fold(file, x)] == [2, 3] == [shown.index("▾"), 3]
    assert [x for x in range(40) if on_box(file, some, x)] == [4, 5, 6, 7]
    assert shown[4:8] == "[x] "
    assert [x for x in range(40) if on_box(file, none, x)] == []
    assert [x for x in range(40) if on_box(case, none, x)] == [4, 5]
    assert [x for x in range(40) if on_box(case, some, x)] == [4, 5, 6, 7, 8, 9]
    assert not any(on_fold(one, x) for one in (project, case) for x in range(40))


@pytest.mark.parametrize("width", [1, 5, 12, 36, 80])
@pytest.mark.parametrize("unfolded", [True, False])
def test_a_line_is_as_wide_as_the_pane(width: int, *, unfolded: bool) -> None:
    made = eval_set("x", ["👨‍👩‍👧" * 20, "x" * 99, "[/]\x1b"])
    made.name = "name " * 30
    for case in made.eval_cases:
        case.tags = ["中文" * 9, "[/]\x1b"]
    files = [
        SetFile.of(FoundSet(Path("中文" * 20 + ".json"), made, warnings=("[/]\x1b" * 9,))),
        SetFile("deep/[/]\x1b.json", problem="9:1: [/]\x1b" * 5),
    ]
    over = Catalog(tuple(files), "中文" * 20, modules=("x_eval.py",))
    keys = Outline(over).keys if unfolded else set()
    context = context_of(over, set(over), keys)
    for entry in context.outline.entries(keys, width):
        lines = [line(entry, context, width)]
        shown = over.case(entry.case) if entry.case else None
        lines += [*about(entry, shown, width), *in_short(entry, case, width, 2)]
        for one in lines:
            assert cell_len(one.plain) == one.cell_length <= width
            assert "\x1b" not in one.plain


def test_what_the_cursor_is_on_is_described() -> None:
    made = eval_set("weather", ["london"], target="agents.py:a")
    made.name, made.description = "Weather", "Asks for the weather."
    (case,) = made.eval_cases
    case.name, case.description, case.tags = "London now", "The simplest question.", ["smoke"]
    case.metadata["skip"] = "no key"
    file = SetFile.of(FoundSet(Path(WEATHER), made))

    def told(entry: Entry) -> list[str]:
        whole = case if entry.kind is Kind.CASE else None
        return [one.plain.rstrip() for one in about(entry, whole, 60)]

    assert told(Entry(Kind.CASE, 2, file, "london")) == [
        "London now",
        "1 turn  smoke",
        "The simplest question.",
        "skipped: no key",
    ]
    assert told(Entry(Kind.FILE, 1, file)) == [
        "Weather",
        "1 case  agents.py:a",
        "Asks for the weather.",
        WEATHER,
    ]
    short = [
        one.plain.rstrip() for one in in_short(Entry(Kind.CASE, 2, file, "london"), case, 12, 2)
    ]
    assert short == ["The simplest", "question."]
    case.description = "A question about everything that there is."
    short = [
        one.plain.rstrip() for one in in_short(Entry(Kind.CASE, 2, file, "london"), case, 12, 2)
    ]
    assert short == ["A question", "about every…"]
    assert [one.plain for one in in_short(Entry(Kind.PROJECT), None, 3, 2)] == ["   ", "   "]
    assert told(Entry(Kind.TAG, 1, name="smoke")) == ["enter shows these cases, space selects"]
    assert told(Entry(Kind.PROJECT)) == []
