from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tenxgraph_tui.evaluation.events import CaseInfo, CaseStatus, SetInfo, VerdictPreview
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import CaseKey, Verdict
from tenxgraph_tui.tui.changes import Change
from tenxgraph_tui.tui.lines.around_cases import cases_rule, no_match
from tenxgraph_tui.tui.lines.cases import RowContext, longest_name, row
from tenxgraph_tui.tui.lines.columns import Wanted, columns
from tests.tui.script import CRITERIA, verdict

WEATHER = SetInfo(eval_set_id="w", file="weather.evalset.json", criteria=CRITERIA)
WANTED = Wanted(CRITERIA)
SUPPORT = SetInfo(eval_set_id="s", file="support.evalset.json", criteria=CRITERIA)

SETS, LABELS = (WEATHER, SUPPORT), ("weather", "support")


def case(
    name: str = "tokyo", *, set_index: int = 0, attempt: int = 0, **fields: Any
) -> CaseProgress:
    info = fields.pop("info", CaseInfo(eval_id=name))
    return CaseProgress(CaseKey(set_index, name, attempt), info, **fields)


def verdicts(*scores: float | None) -> dict[str, VerdictPreview]:
    return {c.name: verdict(c, score) for c, score in zip(CRITERIA, scores, strict=True)}


def read(one: CaseProgress, width: int = 100, *, selected: bool = False, now: float = 0.0) -> str:
    context = RowContext(columns(width, WANTED, longest=24), SETS, LABELS, now)
    line = row(one, context, is_selected=selected)
    assert line.cell_length == width
    return " ".join(line.plain.split())


@pytest.mark.parametrize(
    ("one", "shown"),
    [
        pytest.param(case(), "· waiting tokyo", id="a case that waits says nothing more"),
        pytest.param(
            case(
                status=CaseStatus.PASSED,
                verdicts=verdicts(1, 1, 0.914),
                tokens=412,
                duration_seconds=1.24,
            ),
            "✓ passed tokyo 1.00 1.00 0.91 412 1.2s",
            id="a passed case has its scores",
        ),
        pytest.param(
            case(status=CaseStatus.FAILED, verdicts=verdicts(1, 0.5999, None)),
            "✗ failed tokyo 1.00 ✗0.59 –",
            id="a failing score is cut, what was not evaluated is a dash",
        ),
        pytest.param(
            case(status=CaseStatus.ERROR, error="timed out\\nafter 10 s", duration_seconds=10.0),
            "! error tokyo timed out\\nafter 10 s 10.0s",
            id="an error says why",
        ),
        pytest.param(
            case(status=CaseStatus.SKIPPED, info=CaseInfo(eval_id="tokyo", skip="no key")),
            "∙ skipped tokyo no key",
            id="a skipped case says why",
        ),
        pytest.param(
            case(status=CaseStatus.RUNNING, node="TOOL", step='find(city="Paris")', started_at=-2),
            '▸ running tokyo TOOL ▸ find(city="Paris") 2.0s',
            id="a running case says what it does",
        ),
        pytest.param(
            case(status=CaseStatus.RUNNING, turn=1, info=CaseInfo(eval_id="tokyo", turns=3)),
            "▸ running tokyo turn 2/3 starting",
            id="and in which turn",
        ),
        pytest.param(
            case(status=CaseStatus.CANCELLED, duration_seconds=0.0),
            "■ cancelled tokyo",
            id="a cancelled case that never ran has no time",
        ),
        pytest.param(
            case(status=CaseStatus.PASSED, known=True, verdicts=verdicts(1, 0, 1)),
            "✗ failed tokyo (known) 1.00 ✗0.00 1.00",
            id="a known failure says so",
        ),
        pytest.param(
            case(status=CaseStatus.PASSED, unexpected=True, verdicts=verdicts(1, 1, 1)),
            "✓ passed tokyo (unexpected) 1.00 1.00 1.00",
            id="an unexpected pass says so",
        ),
        pytest.param(case(attempt=1), "· waiting tokyo #2", id="a second attempt is numbered"),
    ],
)
def test_a_row_says(one: CaseProgress, shown: str) -> None:
    assert read(one) == shown


def test_a_selected_case_has_a_mark() -> None:
    assert read(case(), selected=True) == "· waiting ● tokyo"
    # the longest status does not touch the mark, nor the mark the name
    assert read(case(status=CaseStatus.CANCELLED), selected=True) == "■ cancelled ● tokyo"


def test_a_wide_table_names_the_set_and_the_reason() -> None:
    failed = verdicts(1, 0.5, 1)
    traj = failed[CRITERIA[1].name]
    failed[CRITERIA[1].name] = replace(traj, reason="missing: get_alerts\\nmore")
    one = case("tokyo", set_index=1, status=CaseStatus.FAILED, verdicts=failed)
    context = RowContext(columns(150, WANTED, longest=40), SETS, LABELS, 0)
    shown = " ".join(row(one, context).plain.split())
    assert shown == "✗ failed support/tokyo 1.00 ✗0.50 1.00 missing: get_alerts\\nmore"


NAMES = {
    "short": "tokyo",
    "long": "x" * 300,
    "wide": "中文测试" * 20,
    "joined": "👨‍👩‍👧" * 30,
    "hostile": "[/]\x1b[2J\n",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_a_row_is_as_wide_as_the_table(name: str) -> None:
    changed = Wanted(CRITERIA, cost=True, change=True)
    for status in CaseStatus:
        some = verdicts(1, 0, None)
        one = case(name, status=status, verdicts=some, error=name, node=name, step=name)
        for width in range(15, 160, 3):
            context = RowContext(columns(width, changed, longest=40), SETS, LABELS, 0)
            line = row(one, context, change=Change.REGRESSED)
            assert line.cell_length == width, (status, width)
            assert "\x1b" not in line.plain
            assert "\n" not in line.plain


def test_the_worst_criterion_is_the_one_furthest_below_its_threshold() -> None:
    one = case(status=CaseStatus.FAILED, verdicts=verdicts(0.9, 0.2, 0.4))
    assert read(one, 60) == "✗ failed tokyo traj ✗0.20"


def test_a_criterion_in_error_is_marked() -> None:
    broken = VerdictPreview(criterion=CRITERIA[0].name, verdict=Verdict.ERROR, threshold=1.0)
    one = case(status=CaseStatus.FAILED, verdicts={broken.criterion: broken})
    assert read(one) == "✗ failed tokyo !"


@pytest.mark.parametrize(
    ("change", "wide", "narrow"),
    [
        (Change.REGRESSED, "▼ regressed", "▼"),
        (Change.FIXED, "▲ fixed", "▲"),
        (Change.NEW, "+ new", "+"),
        (Change.SAME, "", ""),
        (None, "", ""),
    ],
)
def test_a_change_is_a_word_where_there_is_room_else_a_sign(
    change: Change | None, wide: str, narrow: str
) -> None:
    one = case(status=CaseStatus.PASSED, duration_seconds=1.0)
    for width, shown in ((120, wide), (90, wide), (89, narrow), (60, narrow)):
        context = RowContext(
            columns(width, Wanted(CRITERIA, change=True)), (WEATHER,), ("weather",), 0
        )
        line = row(one, context, change=change)
        assert line.cell_length == width
        assert line.plain.split("1.0s")[1].strip() == shown


@pytest.mark.parametrize(
    ("count", "order", "wanted", "width", "shown"),
    [
        pytest.param((36, 36), "", "", 80, "36 cases   / Filter", id="all"),
        pytest.param(
            (36, 36), "slowest first", "", 80, "36 cases, slowest first   / Filter", id="s"
        ),
        pytest.param((1, 1), "", "", 80, "1 case   / Filter", id="one"),
        pytest.param((12, 36), "", "tag:x", 80, "12 of 36 cases  tag:x   / Filter", id="filtered"),
        pytest.param((12, 36), "", "tag:x", 36, "12 of 36 cases  tag:x", id="the key goes first"),
        pytest.param(
            (12, 36), "worst first", "a" * 90, 44, "12 of 36 cases  aaaaaaaaaaa…", id="cut"
        ),
        pytest.param((12, 36), "", "tag:smoke", 30, "12 of 36 cases", id="then the filter"),
        pytest.param((12, 36), "", "tag:smoke", 18, "", id="at last the number"),
    ],
)
def test_the_rule_says_what_is_listed(
    count: tuple[int, int], order: str, wanted: str, width: int, shown: str
) -> None:
    line = cases_rule(count, order, wanted, width, focused=False)
    assert line.cell_length == width
    assert line.plain.removeprefix("─ Cases ").strip("─ ") == shown


def test_the_rule_says_how_many_cases_are_skipped_where_there_is_room() -> None:
    def told(width: int, count: tuple[int, int] = (55, 55)) -> str:
        return cases_rule(count, "", "", width, focused=False, skipped=1).plain

    assert "55 cases, 1 skipped" in told(100)
    assert "skipped" not in told(60)
    assert "skipped" not in told(100, (12, 55))


def test_the_rule_fits_any_width() -> None:
    for width in range(130):
        for wanted in ("", "[/]\x1b" * 30):
            line = cases_rule((1, 2), "slowest first", wanted, width, focused=True)
            assert line.cell_length == width
            assert no_match(wanted, width).cell_length == width


def test_a_filter_that_finds_nothing_says_how_to_leave_it() -> None:
    shown = no_match("status:failed tag:smoke", 80).plain.rstrip()
    assert shown == "No case matches status:failed tag:smoke. esc clears."


def test_the_longest_name_counts_its_set_when_there_are_several() -> None:
    weather = WEATHER.model_copy(update={"cases": (CaseInfo(eval_id="中文"),)})
    assert longest_name((weather,), ("weather",)) == 4
    assert longest_name((weather, SUPPORT), LABELS) == len("weather/") + 4
    assert longest_name((), ()) == 0
