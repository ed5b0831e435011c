from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation.config import CriterionConfig, CustomCriterion, Rubric
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.tui.draft import ALL_SLOTS, Draft
from tenxgraph_tui.tui.lines.criteria import (
    WHAT,
    about,
    arrow_at,
    criterion_line,
    field_line,
    heading,
    note_line,
    value_of,
)
from tenxgraph_tui.tui.presets import Preset

WIDTH = 72


def draft() -> Draft:
    made = EvalPresets.tool_usage().with_rubrics([Rubric.create("kind", "Is kind.", 2)])
    made.custom.append(CustomCriterion(criterion="checks:Pol[/]ite\x1b[2J"))
    return Draft(Preset("mine", "mine", made))


def at(slot: str) -> int:
    return ALL_SLOTS.index(slot)


def test_a_criterion_says_what_it_was_and_what_it_needs_now() -> None:
    one = draft()
    one.step(at("trajectory"), "threshold", -1)
    line = criterion_line(one.row(at("trajectory")), WIDTH, at_cursor=True).plain
    assert line.split() == ["[x]", "trajectory", "exact,", "args", "1.00", "‹", "0.95", "›"]


def test_a_criterion_that_is_off_was_nothing() -> None:
    line = criterion_line(draft().row(at("llm_judge")), WIDTH).plain
    assert line.split() == ["[", "]", "llm_judge", "judge", "–", "0.80"]


def test_columns_stand_under_their_names() -> None:
    names = heading(WIDTH).plain
    line = criterion_line(draft().row(at("trajectory")), WIDTH).plain
    assert names.index("criterion") == line.index("trajectory")
    assert names.index("how") == line.index("exact")
    assert names.rindex("was") + 3 == line.index("1.00") + 4
    assert names.rindex("needs") + 5 == line.rindex("1.00") + 4


def test_arrows_are_where_they_are_drawn() -> None:
    line = criterion_line(draft().row(0), WIDTH, at_cursor=True).plain
    assert arrow_at(line.index("‹"), WIDTH) == -1
    assert arrow_at(line.index("›"), WIDTH) == 1
    assert arrow_at(line.rindex("1.00"), WIDTH) == 0
    assert arrow_at(0, WIDTH) == 0


def test_settings_are_words() -> None:
    now = CriterionConfig(check_args=True, keywords=["rain", "sun"])
    assert [value_of(now, field) for field in ("match_type", "check_args", "per_turn")] == [
        "exact",
        "compared",
        "the whole conversation",
    ]
    assert value_of(now, "keywords") == "rain, sun"
    assert value_of(now, "judge_model") == "gemini-2.5-flash"
    assert value_of(CriterionConfig(), "keywords") == "none yet"


def test_rubrics_are_shown_with_their_weight() -> None:
    line = field_line(draft().row(at("rubric_based")), "rubrics", WIDTH, at_cursor=True).plain
    assert line.split() == ["rubrics", "kind", "(weight", "2)"]


def test_only_what_has_a_next_value_has_arrows() -> None:
    row = draft().row(at("llm_judge"))
    assert "‹" in field_line(row, "num_samples", WIDTH, at_cursor=True).plain
    assert "‹" not in field_line(row, "num_samples", WIDTH).plain
    assert "‹" not in field_line(row, "judge_model", WIDTH, at_cursor=True).plain


def test_every_criterion_says_what_it_looks_at() -> None:
    one = draft()
    assert set(WHAT) == set(ALL_SLOTS)
    assert "of this project" in about(one.row(len(one) - 1), WIDTH).plain


def test_what_was_typed_wrong_comes_before_what_is_missing() -> None:
    assert note_line("", [], WIDTH).plain.strip() == ""
    assert "space switches it off" in note_line("", ["safety"], WIDTH).plain
    assert "space switches them off" in note_line("", ["safety", "llm_judge"], 99).plain
    assert note_line("no", ["safety"], WIDTH).plain.strip() == "! no"


@pytest.mark.parametrize("width", [1, 2, 7, 15, 24, 30, 40, 72, 300])
def test_every_line_fills_its_width(width: int) -> None:
    one = draft()
    lines = [heading(width), note_line("[/] \x1b[2J 中文" * 9, ["safety"], width)]
    for index in range(len(one)):
        row = one.row(index)
        lines += [criterion_line(row, width, at_cursor=True), about(row, width)]
        lines += [field_line(row, field, width, at_cursor=True) for field in row.fields]
    assert {line.cell_length for line in lines} == {width}
    assert not any("\x1b" in line.plain for line in lines)
