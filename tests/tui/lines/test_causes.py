from __future__ import annotations

from collections import Counter

import pytest

from tenxgraph_tui.evaluation.events import VerdictPreview
from tenxgraph_tui.evaluation.results import CaseKey, Verdict
from tenxgraph_tui.tui.causes.finding import Finding
from tenxgraph_tui.tui.causes.grouping import Cause, Member
from tenxgraph_tui.tui.causes.view import CauseView
from tenxgraph_tui.tui.changes import Change
from tenxgraph_tui.tui.lines.causes import (
    Columns,
    cause_below,
    cause_line,
    cause_rule,
    causes_rule,
    facts,
    member_line,
    members_heading,
    none_line,
)
from tests.tui.screens.test_nasty import NASTY

TRAJECTORY = "tool_trajectory_avg_score"


def member(eval_id: str, set_index: int = 0, at: int = 2) -> Member:
    finding = Finding(
        ("arguments", "city"),
        "get_forecast got another city",
        "call",
        at,
        (("city", '"Tokyo"'),),
        (("city", '"Kyoto"'),),
    )
    return Member(CaseKey(set_index, eval_id), finding, VerdictPreview(TRAJECTORY, Verdict.FAILED))


def view(*members: Member, before: int | None = 17, **changes: int) -> CauseView:
    title = members[0].finding.title
    cause = Cause(("a",), title, members, (TRAJECTORY, "rouge_match"))
    sets = ("weather", "support")
    used = tuple(dict.fromkeys(sets[one.key.set_index] for one in members))
    counted = Counter({Change(word): count for word, count in changes.items()})
    return CauseView(cause, sets, used, counted, before, 18)


THREE = view(member("tokyo"), member("osaka"), member("kobe"), regressed=3)


def scored(eval_id: str = "one", reason: str = "8 of 15 words differ") -> CauseView:
    verdict = VerdictPreview("rouge_match", Verdict.FAILED, 0.4999, 0.5, reason)
    one = Member(CaseKey(0, eval_id), Finding(("x",), "less than 0.10 below"), verdict)
    return CauseView(
        Cause(("x",), "less than 0.10 below", [one], ("rouge_match",)), ("a",), ("a",), Counter()
    )


def test_a_cause_says_how_many_cases_it_has_and_what_they_share() -> None:
    line = cause_line(THREE, 3, 60, in_one=False).plain
    assert line.split() == ["3", "━━━━━━", *["get_forecast", "got", "another", "city"], "+", "new"]
    assert cause_below(THREE, 60).plain.split() == ["✗", "trajectory,", "rouge_match", "weather"]


def test_where_there_is_one_line_the_criterion_stands_behind() -> None:
    line = cause_line(THREE, 6, 80, in_one=True).plain
    assert "━━━ " in line
    assert "✗ trajectory" in line


def test_a_cause_is_new_where_none_of_its_cases_failed_before() -> None:
    assert THREE.is_new
    assert THREE.history == "all 3 passed in #17"
    some = view(member("a"), member("b"), regressed=1, same=1)
    assert not some.is_new
    assert some.history == "1 of 2 passed in #17"
    assert view(member("a"), new=1).history == "not in any run before #18"
    assert view(member("a"), same=1).history == "it did not pass in #17"
    assert view(member("a"), before=None).history == ""


def test_where_cases_part_from_what_was_expected() -> None:
    assert THREE.where == "call 2"
    assert view(member("a", at=4), member("b", at=1)).where == "calls 1 to 4"
    told = [line.plain.split() for line in facts(THREE, 60)]
    assert told == [
        ["shared", "call", "2", "✗", "trajectory,", "rouge_match", "weather"],
        ["since", "all", "3", "passed", "in", "#17"],
    ]


def test_cases_stand_below_each_other_with_what_differs() -> None:
    columns = Columns.of(THREE, 80, 5)
    head = members_heading(THREE, columns, 80).plain
    line = member_line(THREE, THREE.cause.members[0], columns).plain
    assert head.split() == ["case", "expected", "actual"]
    assert line.split() == ["✗", "tokyo", 'city="Tokyo"', 'city="Kyoto"']
    assert head.index("actual") == line.index('city="Kyoto"')


def test_cases_of_several_sets_are_told_apart() -> None:
    both = view(member("tokyo"), member("refund", set_index=1))
    columns = Columns.of(both, 90, 20)
    assert "support/refund" in member_line(both, both.cause.members[1], columns).plain
    assert both.name_of(both.cause.members[1].key) == "support/refund"


def test_a_failing_score_never_looks_like_its_threshold() -> None:
    one = scored()
    columns = Columns.of(one, 80, 10)
    assert member_line(one, one.cause.members[0], columns).plain.split()[2:4] == ["0.49", "0.50"]
    assert members_heading(one, columns, 80).plain.split() == ["case", "score", "needs", "reason"]


def test_the_rule_counts_cases_and_causes_and_what_is_left_to_read() -> None:
    assert "9 not passed, 5 causes" in causes_rule(9, 5, 0, 60, focused=True).plain
    assert "1 not passed, 1 cause, 300 to read" in causes_rule(1, 1, 300, 60, focused=True).plain
    assert none_line(36, 36, 40).plain.strip() == "✓ 36 of 36 passed. No causes."


@pytest.mark.parametrize("text", NASTY)
def test_every_line_is_as_wide_as_it_was_asked_to_be(text: str) -> None:
    finding = Finding((text,), text, "call", 1, ((text, text),), ((text, text),))
    told = Member(CaseKey(0, text), finding, VerdictPreview(text, Verdict.FAILED, reason=text))
    nasty = CauseView(Cause((text,), text, [told], (text,)), (text,), (text,), Counter(), 1, 2)
    for one in (nasty, scored(text, text)):
        for width in range(1, 130):
            columns = Columns.of(one, width, 300)
            lines = [
                cause_line(one, 1, width, in_one=True),
                cause_line(one, 1, width, in_one=False),
                cause_below(one, width),
                cause_rule(one, width, focused=False),
                *facts(one, width),
                members_heading(one, columns, width),
                member_line(one, one.cause.members[0], columns),
                none_line(0, 0, width),
                causes_rule(3, 2, 1, width, focused=True),
            ]
            assert {line.cell_length for line in lines} == {width}, (width, text)
