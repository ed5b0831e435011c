"""Log: every line with its time and source, warnings that stand out, the traceback at the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from textual.content import Content

from tenxgraph_tui.evaluation.events import CaseStatus, Log
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.tui.panes import log
from tenxgraph_tui.tui.panes.journal import Entry, Journal, of_case, of_run
from tenxgraph_tui.tui.panes.log import Looking
from tenxgraph_tui.tui.panes.log_picked import of_all, of_entry
from tenxgraph_tui.tui.panes.log_reading import LogReading, Spot
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.value.search import pattern_of
from tests.tui.panes.conftest import START

Progress = Callable[..., DetailModel]
TRACEBACK = """Traceback (most recent call last):
  File "agents.py", line 16, in noisy
    raise RuntimeError("the tool is down")
RuntimeError: the tool is down
"""


def said(text: str, seq: int = 0, **fields: Any) -> Log:
    return Log(seq=seq, at=START + seq, run_id="run", text=text, **fields)


def many(count: int, **fields: Any) -> tuple[Log, ...]:
    return tuple(said(f"line {number}", number, **fields) for number in range(count))


def broken(tokyo: DetailModel, *lines: Log) -> DetailModel:
    result = EvalCaseResult.failure("a", "RuntimeError: the tool is down")
    result.metadata = {"traceback": TRACEBACK}
    return replace(tokyo, result=result, log=lines, progress=None)


def drawn(
    model: DetailModel, width: int = 100, height: int = 20, at: Looking | None = None
) -> list[str]:
    at = at or Looking()
    journal = of_run(model.run_log or ()) if at.is_run else of_case(model)
    return [line.plain.rstrip() for line in log.draw(journal, model, width, height, at).lines]


def styles(line: Content, shown: str) -> set[str]:
    start = line.plain.index(shown)
    return {str(span.style) for span in line.spans if span.start <= start < span.end}


def test_a_line_has_the_time_since_the_first_step_and_where_it_came_from(
    tokyo: DetailModel,
) -> None:
    lines = (
        said("calling get_weather", 0),
        said("httpx: GET /now 200", 1, source="logging", level="info"),
        said("weather.cache: no entry", 2, source="logging", level="warning"),
        said("agents.py:52: UserWarning: old", 3, source="warnings", level="warning"),
        said("it holds the loop", 100, source="tenxgraph", level="warning"),
    )
    assert drawn(replace(tokyo, log=lines)) == [
        "    at  from      source         text",
        " 0.00s  stdout                   calling get_weather",
        " 1.00s  info      httpx          GET /now 200",
        " 2.00s  ! warn    weather.cache  no entry",
        " 3.00s  ! warn    agents.py:52   UserWarning: old",
        "  1:40  ! note                   it holds the loop",
        "",
        "5 lines, 3 warnings.",
    ]


def test_where_there_is_no_room_for_a_source_it_stands_in_the_line(tokyo: DetailModel) -> None:
    model = replace(tokyo, log=(said("httpx: GET /now 200", source="logging"),))
    assert drawn(model, 60)[1] == " 0.00s  info      httpx: GET /now 200"
    assert drawn(model, 35)[1] == "info      httpx: GET /now 200"
    assert drawn(model, 29)[1] == "httpx: GET /now 200"


@pytest.mark.parametrize(
    ("text", "is_loud"),
    [
        ("WARNING:httpx:retrying", True),
        ("2026-01-01 ERROR no answer", True),
        ("agents.py:3: DeprecationWarning: search_web is old", True),
        ("ValueError: no such city", True),
        ("Traceback (most recent call last):", True),
        ("0 errors", False),
        ("the user asked for a storm warning", False),
        ("ERRORS.md", False),
    ],
)
def test_a_printed_line_that_calls_itself_a_warning_is_one(
    tokyo: DetailModel, text: str, is_loud: bool
) -> None:
    for source in ("stdout", "stderr", "process"):
        journal = of_case(replace(tokyo, log=(said(text, source=source),)))
        assert bool(journal.loud) is is_loud


def test_the_level_of_a_record_says_more_than_its_words(tokyo: DetailModel) -> None:
    record = said("app: ERROR is a word here", source="logging", level="info")
    assert not of_case(replace(tokyo, log=(record,))).loud


def test_what_is_there_for_completeness_is_muted_and_a_warning_is_coloured(
    tokyo: DetailModel,
) -> None:
    lines = (
        said("a: quiet", 0, source="logging", level="debug"),
        said("b: loud", 1, source="logging", level="error"),
    )
    model = replace(tokyo, log=lines)
    _, quiet, loud, *_ = log.draw(of_case(model), model, 100, 20, Looking(selected=9)).lines
    assert "$foreground-muted" in styles(quiet, "quiet")
    assert "$text-warning" in styles(loud, "! error")
    assert "$foreground-muted" not in styles(loud, "loud")


def test_the_traceback_of_an_error_stands_last_and_counts_as_one_warning(
    tokyo: DetailModel,
) -> None:
    assert drawn(broken(tokyo, said("asking"))) == [
        "    at  from      text",
        " 0.00s  stdout    asking",
        "        ! error   Traceback (most recent call last):",
        '                    File "agents.py", line 16, in noisy',
        '                      raise RuntimeError("the tool is down")',
        "                  RuntimeError: the tool is down",
        "",
        "1 line, 1 warning.",
    ]


def test_a_traceback_alone_is_no_line_that_was_printed(tokyo: DetailModel) -> None:
    assert drawn(broken(tokyo))[-1] == "1 warning."


def test_lines_that_were_left_out_are_counted_where_they_are_missing(tokyo: DetailModel) -> None:
    model = replace(tokyo, log=(said("the end", dropped=30),))
    assert drawn(model)[1:3] == [
        "                  … 30 lines left out",
        " 0.00s  stdout    the end",
    ]
    assert drawn(model)[-1] == "1 line."


def test_the_line_with_the_cursor_is_shown_whole(tokyo: DetailModel) -> None:
    model = replace(tokyo, log=(said("one " * 30), said("two " * 30, 1), said("three", 2)))
    lines = drawn(model, 60, at=Looking(selected=1))
    assert lines[1].endswith("…")
    assert [line[18:] for line in lines[2:5]] == [("two " * 10).strip()] * 3
    assert lines[5].endswith("three")


def test_a_line_that_never_ends_takes_at_most_half_of_the_pane(tokyo: DetailModel) -> None:
    model = replace(tokyo, log=(said("x" * 2000), *many(30)))
    lines = log.draw(of_case(model), model, 60, 20, Looking()).rows
    assert lines.count(0) == 8
    assert 1 in lines


@pytest.mark.parametrize("selected", [0, 5, 49, 99])
def test_the_row_with_the_cursor_is_always_in_sight(tokyo: DetailModel, selected: int) -> None:
    model = replace(tokyo, log=many(100))
    for height in range(1, 30):
        for top in (0, 40, 98):
            at = Looking(selected, top)
            shown = log.draw(of_case(model), model, 80, height, at)
            assert selected in shown.rows, (height, top)
            assert len(shown.lines) <= height


def test_the_window_stays_where_it_was_while_the_cursor_is_in_it(tokyo: DetailModel) -> None:
    model = replace(tokyo, log=many(100))
    assert log.draw(of_case(model), model, 80, 20, Looking(45, 40)).top == 40
    assert log.draw(of_case(model), model, 80, 20, Looking(30, 40)).top == 30
    assert log.draw(of_case(model), model, 80, 20, Looking(99, 40)).top == 83


def test_of_a_whole_run_every_line_has_its_case(tokyo: DetailModel) -> None:
    other = CaseKey(0, "osaka_weekend")
    lines = (said("mine", 0, case=tokyo.key), said("theirs", 1, case=other), said("whose", 2))
    model = replace(tokyo, run_log=lines)
    assert drawn(model, at=Looking(is_run=True)) == [
        "    at  from      case            text",
        " 0.00s  stdout    tokyo_forecast  mine",
        " 1.00s  stdout    osaka_weekend   theirs",
        " 2.00s  stdout                    whose",
        "",
        "3 lines of the whole run.",
    ]


def test_a_log_that_is_cut_still_says_how_much_there_is_and_a_low_pane_shows_lines_only(
    tokyo: DetailModel,
) -> None:
    model = replace(tokyo, log=many(30))
    assert drawn(model, height=12)[-1] == "30 lines."
    assert drawn(model, height=9)[-1].startswith(" 7.00s  stdout    line 7")
    assert [line[:24] for line in drawn(model, height=1)] == [" 0.00s  stdout    line 0"]


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (CaseStatus.WAITING, "This case has not run yet."),
        (CaseStatus.RUNNING, "Nothing was printed so far."),
        (CaseStatus.SKIPPED, "This case was skipped."),
        (CaseStatus.CANCELLED, "No output of this case was captured. m shows the whole run"),
    ],
)
def test_where_nothing_was_said_it_says_so(
    unfinished: Progress, status: CaseStatus, told: str
) -> None:
    assert drawn(unfinished(status))[0].strip().startswith(told)


def test_a_run_whose_log_is_not_there_yet_says_so(tokyo: DetailModel) -> None:
    at = Looking(is_run=True)
    assert drawn(tokyo, at=at)[0].strip() == "Reading what was said in the run."
    told = drawn(replace(tokyo, run_log=()), at=at)[0].strip()
    assert told == "No output of this run was captured. m goes back to the case."


def reading(model: DetailModel, spot: Spot | None = None) -> LogReading:
    made = LogReading()
    made.take(model, spot)
    return made


def test_a_reader_begins_at_the_top_or_at_what_an_error_says(tokyo: DetailModel) -> None:
    assert reading(replace(tokyo, log=many(5))).spot.selected == 0
    assert reading(broken(tokyo, *many(5))).spot.selected == 8


def test_while_a_case_runs_its_reader_goes_along_until_the_cursor_is_moved(
    unfinished: Progress,
) -> None:
    model = unfinished(CaseStatus.RUNNING)
    made = reading(replace(model, log=many(5)))
    assert made.spot.selected == 4
    made.take(replace(model, log=many(9)), made.spot)
    assert made.spot.selected == 8
    made.go(3)
    made.take(replace(model, log=many(12)), made.spot)
    assert made.spot.selected == 3


def test_warnings_are_gone_through_in_a_circle(tokyo: DetailModel) -> None:
    lines = [said(f"a: {n}", n, source="logging", level="warning" * (n % 3 == 1)) for n in range(6)]
    made = reading(replace(tokyo, log=tuple(lines)))
    found = []
    for _ in range(3):
        assert made.next_warning()
        found.append(made.spot.selected)
    assert found == [1, 4, 1]
    assert not reading(replace(tokyo, log=many(3))).next_warning()


def test_words_are_found_and_gone_through_both_ways(tokyo: DetailModel) -> None:
    made = reading(replace(tokyo, log=many(25)))
    made.go(5)
    made.look_for("LINE 1")
    assert (made.spot.selected, made.has_matches) == (10, True)
    made.next_match(-1)
    assert made.spot.selected == 1
    made.next_match(-1)
    assert made.spot.selected == 19
    made.next_match(1)
    assert made.spot.selected == 1
    made.look_for("nowhere")
    assert (made.spot.selected, made.has_matches) == (1, False)


def test_what_is_looked_for_stands_out_and_is_counted(tokyo: DetailModel) -> None:
    model = replace(tokyo, log=many(12))
    made = reading(model)
    made.look_for("line 1")
    shown = log.draw(made.journal, model, 80, 20, made.looking).lines
    assert "bold $primary" in styles(shown[2], "line 1")
    assert shown[-1].plain == "1 of 3 matches"
    missing = Looking(found=pattern_of("[/]"))
    assert drawn(model, at=missing)[-1] == "not found in 12 lines."


def test_a_search_goes_on_in_the_next_case(tokyo: DetailModel) -> None:
    made = reading(replace(tokyo, log=many(3)))
    made.look_for("end")
    assert not made.has_matches
    made.take(replace(tokyo, log=(said("the end"),)), None)
    assert made.has_matches


def had(entry: Entry, model: DetailModel) -> Any:
    """What is copied of a row."""
    picked = of_entry(entry)
    return picked.find(model) if picked is not None else None


def test_a_line_a_traceback_and_the_whole_can_be_had(tokyo: DetailModel) -> None:
    model = broken(tokyo, said("x: y", 0, source="logging"), said("b", 1, dropped=2))
    first, note, second, *traced = of_case(model).entries
    assert [had(one, model) for one in (first, note, second)] == ["x: y", None, "b"]
    assert {had(one, model) for one in traced} == {TRACEBACK}
    assert of_all(is_run=False).find(model) == (
        "x: y\n… 2 lines left out\nb\n" + TRACEBACK.rstrip()
    )
    whole = replace(model, run_log=many(2))
    assert of_all(is_run=True).find(whole) == "line 0\nline 1"


def test_nothing_is_made_anew_where_nothing_was_said(unfinished: Progress) -> None:
    model = replace(unfinished(CaseStatus.RUNNING), log=many(5))
    made = reading(model)
    before: Journal = made.journal
    made.take(replace(model, now=START + 60), made.spot)
    assert made.journal is before


def test_of_a_log_that_grows_only_the_new_lines_are_read(unfinished: Progress) -> None:
    model, lines = unfinished(CaseStatus.RUNNING), many(9)
    made = reading(replace(model, log=lines[:5]))
    before = list(made.journal.entries)
    made.take(replace(model, log=lines[2:]), made.spot)
    after = made.journal.entries
    assert [entry.text for entry in after] == [line.text for line in lines[2:]]
    assert [one is other for one, other in zip(before[2:], after, strict=False)] == [True] * 3
