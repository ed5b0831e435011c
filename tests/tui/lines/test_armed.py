from __future__ import annotations

import pytest

from tenxgraph_tui.session.watching.decision import Rerun
from tenxgraph_tui.session.watching.estimate import Bill, Estimate, Payer
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.lines.armed import armed_lines, choices
from tenxgraph_tui.tui.watching.question import Answer, Question

AT = 1_800_000_000.0
BILLS = (
    Bill(Payer.AGENT, "gpt-4o-mini", 36, 0.029, "mean of earlier runs"),
    Bill(Payer.JUDGE, "gemini-2.5-flash", 108, 0.034, "3 calls a case"),
)


def question(cases: int = 36, bad: int = 9, bills: tuple[Bill, ...] = BILLS) -> Question:
    return Question(
        Rerun(None, ("prompts/system.md changed: everything, failed cases first",)),
        Estimate(cases, bills, ("llm_judge",)),
        [CaseId("a", str(n)) for n in range(bad)],
        Estimate(bad, tuple(Bill(one.payer, one.model, 9, 0.008, "") for one in bills)),
        offline_cost=0.029,
        seconds=25.0,
        spent=0.41,
        since=AT,
        now=AT,
    )


def plain(asked: Question, width: int, height: int = 45) -> list[str]:
    return [line.plain.rstrip() for line in armed_lines(asked, width, height)]


def test_it_asks_with_its_size_its_reason_and_its_cost() -> None:
    lines = plain(question(), 160)
    assert lines[1].startswith(" Rerun 36 cases?  prompts/system.md changed: everything")
    assert lines[1].endswith("● armed")
    assert "36 × gpt-4o-mini" in lines[3]
    assert "≈ $0.0290   mean of earlier runs" in lines[3]
    assert "108 × gemini-2.5-flash" in lines[4]
    assert "about 25.0s" in lines[5]
    assert "≈ $0.0630" in lines[5]
    assert "$0.4100 spent since" in lines[5]
    assert lines[7] == (
        " enter Rerun all   f Only the 9 not passed, ≈ $0.0160   "
        "o Only offline criteria, ≈ $0.0290   esc Not now   ! Stop asking"
    )


@pytest.mark.parametrize("width", [80, 79, 60, 40])
def test_every_answer_is_in_sight(width: int) -> None:
    shown = "\n".join(plain(question(), width))
    for words in ("enter Rerun all", "9 not passed", "Offline", "esc Not now", "! Stop asking"):
        assert words in shown
    assert (len(choices(question(), width - 2)) == 1) is (width >= 76)


def test_at_eighty_columns_they_stand_in_one_row() -> None:
    assert plain(question(), 80)[-1] == (
        " enter Rerun all   f 9 not passed   o Offline   esc Not now   ! Stop asking"
    )


@pytest.mark.parametrize(
    ("bad", "offered"),
    [
        pytest.param(0, False, id="all passed"),
        pytest.param(9, True, id="some did not"),
        pytest.param(36, False, id="none did, which is all of it"),
    ],
)
def test_a_part_that_is_nothing_or_all_is_not_offered(bad: int, offered: bool) -> None:
    assert (Answer.NOT_PASSED in question(bad=bad).answers) is offered


def test_a_price_that_is_not_known_is_a_dash_and_so_is_the_total() -> None:
    unknown = Bill(Payer.JUDGE, "house/model", 36, None, "1 call a case")
    lines = plain(question(bills=(unknown,)), 120)
    assert "–   1 call a case" in lines[3]
    assert "–" in lines[4]
    assert "$0.0" not in lines[4].partition("spent")[0].replace("$0.4100", "")


def test_many_models_are_counted() -> None:
    bills = tuple(Bill(Payer.JUDGE, f"model-{n}", 1, 0.1, "") for n in range(9))
    lines = plain(question(bills=bills), 120)
    assert sum("model-" in line for line in lines) == 3
    assert any("6 more models" in line for line in lines)


@pytest.mark.parametrize("width", [1, 20, 40, 80, 200])
@pytest.mark.parametrize("height", [8, 24, 45])
def test_every_line_is_as_wide_as_it_was_asked_to_be(width: int, height: int) -> None:
    bills = (Bill(Payer.JUDGE, "\x1b中文" * 20, 1, 0.1, "[/b]" * 20),)
    lines = armed_lines(question(bills=bills), width, height)
    assert {line.cell_length for line in lines} == {width}
