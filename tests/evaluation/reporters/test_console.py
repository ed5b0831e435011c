"""The console says what happened, to any stream and whatever the agent said."""

from __future__ import annotations

import io

import pytest

from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.reporters.console import ConsoleReporter, print_report
from tenxgraph_tui.evaluation.reporters.look import Look
from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult, EvalReport
from tests.evaluation.reporters.samples import failing, passing, scored

TERMINAL = Look(unicode=True, colour=False, width=100)
HOSTILE = "A\x1b[2J\x1b]0;owned\x07\x9b31m\x08\rZ\x00"


class Terminal(io.StringIO):
    """A terminal, as far as colour is concerned."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def printed(
    report: EvalReport, *, look: Look | None = None, verbose: bool = False, answers: bool = False
) -> str:
    out = io.StringIO()
    reporter = ConsoleReporter(
        output=out, look=look, verbose=verbose, include_actual_response=answers
    )
    reporter.report(report)
    return out.getvalue()


def row(text: str, name: str) -> list[str]:
    return next(line.split() for line in text.splitlines() if name in line)


def test_a_line_for_each_case(report: EvalReport) -> None:
    text = printed(report)
    assert row(text, "status") == ["status", "case", "traj", "rouge", "tok", "time"]
    assert row(text, "london_now") == ["[PASS]", "london_now", "1.00", "0.91", "412", "1.2s"]
    assert row(text, "tokyo") == ["[FAIL]", "tokyo", "x0.33", "x0.59", "655", "1.9s"]
    assert row(text, "no_words") == ["[PASS]", "no_words", "1.00", "-", "0", "0ms"]
    assert row(text, "boom") == ["[ERROR]", "boom", "-", "-", "0", "100ms"]


def test_on_a_terminal_the_same_in_glyphs(report: EvalReport) -> None:
    text = printed(report, look=TERMINAL)
    assert row(text, "tokyo") == ["✗", "failed", "tokyo", "✗0.33", "✗0.59", "655", "1.9s"]
    assert row(text, "no_words") == ["✓", "passed", "no_words", "1.00", "–", "0", "0ms"]
    assert row(text, "boom")[:3] == ["!", "error", "boom"]


def test_what_was_expected_stands_above_what_was_called() -> None:
    result = failing()
    wanted = [{"name": "get_weather", "args": {"city": "Tokyo"}}, {"name": "get_alerts"}]
    result.turn_results = [{"expected_tool_calls": wanted}]
    lines = [line.strip() for line in printed(EvalReport.create("s", [result])).splitlines()]
    at = lines.index('expected: get_weather(city="Tokyo"), get_alerts(…)')
    assert lines[at + 1] == 'called: get_weather(city="Kyoto")'
    result.turn_results = []
    assert "expected: " not in printed(EvalReport.create("s", [result]))


def test_a_call_that_failed_is_told_with_its_error() -> None:
    result = failing()
    result.actual_tool_calls[0].error = "TimeoutError: no answer\nwithin 3 s"
    told = 'called: get_weather(city="Kyoto") (failed: TimeoutError: no answer'
    assert told in printed(EvalReport.create("s", [result]))


def test_an_exception_is_told_with_its_place() -> None:
    result = EvalCaseResult.failure("boom", "KeyError: 'city'")
    result.metadata["location"] = "agents.py:12"
    assert "at: agents.py:12" in printed(EvalReport.create("s", [result]))


@pytest.mark.parametrize(
    "told",
    [
        pytest.param("trajectory 0.33, needs 1.00: first divergence: call 2, city", id="why"),
        pytest.param("rouge_match 0.59, needs 0.60: 9 of 15 words differ", id="each criterion"),
        pytest.param('called: get_weather(city="Kyoto")', id="what was called"),
        pytest.param("answer: 12 degrees in Kyoto", id="what was said"),
        pytest.param("see weather.evalset.json::tokyo", id="where to look"),
        pytest.param("ValueError: kaboom", id="the error"),
        pytest.param("2/4 passed, 50.0 %, 1 failed, 1 error, 1067 tokens", id="the counts"),
    ],
)
def test_below_the_table_stands(report: EvalReport, told: str) -> None:
    assert told in printed(report)


def test_a_passing_report_is_a_table_and_a_line() -> None:
    lines = printed(EvalReport.create("calm", [passing("a"), passing("b")])).splitlines()
    assert [line.split()[0] for line in lines if line] == [
        "calm",
        "status",
        "[PASS]",
        "[PASS]",
        "2/2",
    ]


def test_nothing_to_report_is_said() -> None:
    assert "0 cases evaluated" in printed(EvalReport.create("empty", []))


def test_a_criterion_in_error_is_told_once() -> None:
    broken = CriterionResult.failure("safety_v1", "the judge is gone", 0.8)
    report = EvalReport.create("s", [EvalCaseResult.success("a", [broken])])
    text = printed(report)
    assert "safety error: the judge is gone" in text
    assert text.count("the judge is gone") == 1


def test_left_out_cases_are_named_with_their_reason(report: EvalReport) -> None:
    report.metadata |= {"skipped": {"later": "needs the new tool"}, "cancelled": ["x", "y"]}
    text = printed(report)
    assert "skipped: later (needs the new tool)" in text
    assert "cancelled: x, y" in text
    assert "1 skipped, 2 cancelled" in text


def test_a_known_failure_passes_and_says_so() -> None:
    known = EvalCaseResult(
        eval_id="a",
        passed=True,
        criterion_results=[scored("rouge_match", 0.1, 0.5, "other words")],
        metadata={"xfailed": "bug 7"},
    )
    text = printed(EvalReport.create("s", [known]))
    assert row(text, "[PASS]")[-2:] == ["known", "failure"]
    assert "known failure: bug 7" in text


def test_an_unexpected_pass_says_what_to_do() -> None:
    surprise = passing("a")
    surprise.metadata = {"unexpected_pass": "bug 7"}
    assert "unexpected pass: take xfail out of its metadata" in printed(
        EvalReport.create("s", [surprise])
    )


@pytest.mark.parametrize("look", [None, TERMINAL])
@pytest.mark.parametrize("field", ["eval_id", "name", "answer", "reason", "error", "set"])
def test_no_text_of_an_agent_drives_the_terminal(look: Look | None, field: str) -> None:
    result = failing("a")
    match field:
        case "eval_id" | "name":
            setattr(result, field, HOSTILE)
        case "answer":
            result.actual_response = HOSTILE
        case "reason":
            result.criterion_results[0].details["reason"] = HOSTILE
        case "error":
            result.error = HOSTILE
    text = printed(EvalReport.create(HOSTILE if field == "set" else "s", [result]), look=look)
    assert not [c for c in text if (ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0]
    assert r"\x1b[2J" in text


@pytest.mark.parametrize("text", ["[/]", "[/INST]", "[link=x]y[/link]", ":smile:", "[red]x"])
def test_brackets_are_text(text: str) -> None:
    assert f"answer: {text}" in printed(EvalReport.create("s", [failing(answer=text)]))


@pytest.mark.parametrize("width", [20, 40, 60, 80, 100, 160])
@pytest.mark.parametrize("name", ["short", "x" * 300, "中文测试" * 30, "👨‍👩‍👧 family"])
def test_columns_stay_aligned(width: int, name: str) -> None:
    from rich.cells import cell_len

    report = EvalReport.create("s", [passing(name), failing("other"), passing("e\u0301")])
    text = printed(report, look=Look(unicode=True, width=width))
    table = text.split("\n\n")[1].splitlines()
    assert len({cell_len(line) for line in table}) == 1


def test_where_the_criteria_do_not_fit_the_worst_one_stands_for_all(report: EvalReport) -> None:
    text = printed(report, look=Look(width=50))
    assert row(text, "status") == ["status", "case", "worst", "tok", "time"]
    assert row(text, "tokyo")[2:4] == ["traj", "x0.33"]


def test_a_large_set_lists_what_did_not_pass() -> None:
    many = [passing(f"case_{number}") for number in range(200)]
    text = printed(EvalReport.create("s", [*many, failing()]))
    assert "case_7" not in text
    assert "and 200 cases that passed" in text
    assert row(text, "tokyo")[0] == "[FAIL]"


def test_a_long_reason_is_cut_after_some_lines() -> None:
    """EDGE-CASES B69."""
    result = EvalCaseResult.failure("a", "\n".join(f"line {number}" for number in range(50)))
    text = printed(EvalReport.create("s", [result]))
    assert "line 5" in text
    assert "line 6" not in text
    assert "..." in text


def test_colour_is_for_terminals(report: EvalReport, monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn(*, use_color: bool = True) -> str:
        out = Terminal()
        ConsoleReporter(output=out, use_color=use_color).report(report)
        return out.getvalue()

    assert "\x1b[" in drawn()
    assert "\x1b[" not in drawn(use_color=False)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in drawn()
    assert "✗0.33" in drawn()
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert "\x1b[" not in drawn()
    assert "x0.33" in drawn()


def test_an_encoding_without_the_characters_is_no_error() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    ConsoleReporter(output=out, look=TERMINAL).report(EvalReport.create("s", [failing("日本")]))
    out.flush()
    assert rb"\u65e5\u672c" in raw.getvalue()


def test_verbose_gives_the_reasons_of_what_passed() -> None:
    report = EvalReport.create("s", [EvalCaseResult.success("a", [scored("r", 0.9, 0.5, "alike")])])
    assert "alike" not in printed(report)
    assert "r 0.90: alike" in printed(report, verbose=True)


def test_answers_of_all_cases_on_request() -> None:
    report = EvalReport.create("s", [passing()])
    assert "answer: Sunny" not in printed(report)
    assert "answer: Sunny" in printed(report, answers=True)


def test_print_report_goes_to_standard_output(
    report: EvalReport, capsys: pytest.CaptureFixture[str]
) -> None:
    print_report(report)
    assert "2/4 passed" in capsys.readouterr().out


def test_generate_writes_no_file(report: EvalReport) -> None:
    assert ConsoleReporter(output=io.StringIO()).generate(report) is None
    assert ConsoleReporter().name == "ConsoleReporter"


def test_usage_of_a_case_is_shown_short() -> None:
    result = passing()
    result.token_usage = TokenUsage(24_000, 100)
    assert row(printed(EvalReport.create("s", [result])), "london_now")[-2] == "24.1k"
