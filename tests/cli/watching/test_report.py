"""What is printed of a rerun: flips first, reasons on one line, nothing that drives a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.cli.watching import footer, report
from tenxgraph_tui.cli.watching.prompt import Prompt
from tenxgraph_tui.cli.watching.report import Ran
from tenxgraph_tui.evaluation.events import CaseInfo, CaseStatus, Reply
from tenxgraph_tui.evaluation.progress import CaseProgress, RunState
from tenxgraph_tui.evaluation.reporters.look import Line, Look
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.told import of_reply
from tenxgraph_tui.session.watching.estimate import Bill, Estimate, Payer
from tenxgraph_tui.session.watching.flips import flips

PLAIN = Look(unicode=False, width=100)
RICH = Look(unicode=True, colour=True, width=100)
P, F, E = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR


def progress(eval_id: str, status: CaseStatus, reason: str = "because") -> CaseProgress:
    text = "" if status is P else f"{eval_id} {reason}"
    return CaseProgress(CaseKey(0, eval_id), CaseInfo(eval_id), status=status, reason=text)


def ran(
    before: dict[str, CaseStatus], now: dict[str, CaseStatus], reason: str = "", **fields: object
) -> Ran:
    cases = {("a.json", each): progress(each, status) for each, status in now.items()}
    flipped = flips({("a.json", each): was for each, was in before.items()}, cases.items())
    return Ran(flipped, cases, 7, 1.25, reason, **fields)  # type: ignore[arg-type]  # by name


def texts(lines: list[Line]) -> list[str]:
    return ["".join(text for text, _ in line) for line in lines]


def shown(what: Ran, look: Look = PLAIN, rows: int = 100) -> list[str]:
    return texts(report.results(what, look, name_of=lambda name: name[1], rows=rows))


def test_what_broke_comes_first_and_what_still_fails_last() -> None:
    before = {"same": F, "back": F, "gone": P, "boom": P, "fine": P}
    now = {"same": F, "fine": P, "back": P, "new": F, "boom": E, "gone": F}

    assert shown(ran(before, now, "agent.py changed")) == [
        "v broke        gone  gone because",
        "! errored      boom  boom because",
        "^ fixed        back",
        "x fails        new   new because",
        "x still fails  same  same because",
        "",
        "1 broke, 1 errored, 1 fixed, 2 unchanged   2/6 passed, 3 failed, 1 error",
        "6 cases in 1.2s, run #7, agent.py changed",
    ]


def test_a_green_run_is_two_lines() -> None:
    assert shown(ran({}, {"a": P, "b": P})) == ["2/2 passed", "2 cases in 1.2s, run #7"]


def test_only_so_many_cases_are_listed() -> None:
    lines = shown(ran({}, {f"case{number}": F for number in range(9)}), rows=4)

    assert lines[3] == "  and 6 more"
    assert len(lines) == 7


def test_a_long_name_leaves_room_for_the_reason() -> None:
    (line, *_) = shown(ran({}, {"x" * 300: F, "y": F}))
    (_, second, *_) = shown(ran({}, {"x" * 300: F, "y": F}))

    assert line.startswith(f"x fails        {'x' * 300}")
    assert second.index("because") < 100


def test_of_an_exception_the_line_is_told_once() -> None:
    what = ran({"a": P}, {"a": E})
    lines = report.results(
        what, PLAIN, name_of=lambda name: name[1], place_of=lambda _: "agent.py:3"
    )
    assert texts(lines)[0] == "! errored      a  agent.py:3  a because"


def test_text_of_agents_drives_no_terminal() -> None:
    case = progress("a", F, "\x1b[2J\nsecond")
    what = Ran(flips({}, [(("a", "\x1b]0;a\x07"), case)]), {("a", "a"): case}, None, 0.0, "\x1b[H")

    told = "\n".join(shown(what, RICH))

    assert "\x1b" not in told
    assert r"\x1b[2J\nsecond" in told


@pytest.mark.parametrize(
    ("threshold", "told"),
    [(1.0, ""), (0.5, "50.0 % meets 50.0 %"), (0.9, "50.0 % is below 90.0 %")],
)
def test_a_threshold_is_told_where_there_is_one(threshold: float, told: str) -> None:
    line = shown(ran({}, {"a": P, "b": F}, threshold=threshold))[-1]
    assert line == ", ".join(filter(None, ["2 cases in 1.2s", "run #7", told]))


def test_why_nothing_ran_is_told_with_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text("one\ndef broken(:\nthree\n")
    data = {"kind": "SyntaxError", "message": "invalid syntax", "file": str(path), "line": 2}
    reply = Reply(
        seq=0,
        at=0.0,
        run_id="r",
        request="run",
        error="target agent.py:a could not be imported: SyntaxError: invalid syntax",
        exit_code=5,
        data={**data, "column": 11, "end_column": 12},
    )
    lines = texts(report.trouble(of_reply(reply, tmp_path), "", {}, PLAIN))

    assert lines == [
        "target agent.py:a could not be imported",
        "SyntaxError: invalid syntax",
        "agent.py, line 2",
        "     1 | one",
        ">    2 | def broken(:",
        "       |            ^",
        "     3 | three",
        "",
        "nothing has run yet; runs when a file is saved",
    ]


def test_the_last_line_has_the_keys_and_they_fit_80_columns() -> None:
    (line,) = texts([footer.keys(footer.IDLE_KEYS, 80)])
    armed = texts([footer.keys(footer.ARMED_KEYS, 80)])[0]

    assert line == ("a all  f failed  p file filter  t case filter  enter again  v watched  q quit")
    assert len(line) < 80
    assert len(armed) < 80
    (narrow,) = texts([footer.keys(footer.IDLE_KEYS, 40)])
    assert narrow == "a all  f failed  p file filter  q quit"


def test_a_run_that_goes_on_says_how_far_it_is_and_why_it_began() -> None:
    state = RunState()
    assert texts(footer.running(state, 0, "first run", PLAIN, has_keys=True)) == [
        "> running, first run",
        "x stop this run  q quit",
    ]
    state.cases = {CaseKey(0, each): progress(each, F) for each in "abc"}
    state.counts.update([F])
    assert texts(footer.running(state, 0, "", PLAIN, has_keys=False)) == [
        "> running 1/3  1 not passed"
    ]


@pytest.mark.parametrize(
    ("dollars", "told"), [(0.0213, "about $0.0213"), (None, "at an unknown price")]
)
def test_a_question_tells_calls_and_cost(dollars: float | None, told: str) -> None:
    cost = Estimate(14, (Bill(Payer.JUDGE, "gemini-2.5-flash", 42, dollars, ""),))

    first, last = texts(footer.question(cost, "agent.py changed", PLAIN, has_keys=True))

    assert first == (
        f"armed  14 cases would make 42 calls of gemini-2.5-flash, {told}, agent.py changed"
    )
    assert last.startswith("enter run them")
    _, alone = texts(footer.question(cost, "", PLAIN, has_keys=False))
    assert "--no-confirm" in alone


def test_what_is_typed_can_be_corrected_and_left() -> None:
    prompt = Prompt("cases", "old")
    for key in ["\x15", *"toky", "\x7f", "y", "\x00", "o"]:
        prompt.press(key)
    assert prompt.text == "tokyo"
    assert "cases: tokyo" in texts(footer.asked(prompt))[0]
    prompt.press("\r")
    assert prompt.is_done
    assert not prompt.is_left
    other = Prompt("cases")
    other.press("\x1b")
    assert other.is_left
