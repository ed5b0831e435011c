"""Why a case failed can be read off the pane, at any size."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from textual.content import Content

from tenxgraph_tui.evaluation.dataset import EvalCase, ToolCall
from tenxgraph_tui.evaluation.events import CaseInfo, CaseStatus, VerdictPreview
from tenxgraph_tui.evaluation.results import (
    CaseKey,
    CriterionResult,
    EvalCaseResult,
    Score,
    Verdict,
)
from tenxgraph_tui.tui.panes import why
from tenxgraph_tui.tui.panes.frame import case_line
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.words import LONGEST_TEXT

Progress = Callable[..., DetailModel]
TRACEBACK = """Traceback (most recent call last):
  File "/usr/lib/python3.11/asyncio/runners.py", line 3, in run
    go()
  File "/home/ana/agents.py", line 41, in forecast
    raise ValueError(f"days must be at most 5, not {days}")
ValueError: days must be at most 5, not 7
"""


def shown(model: DetailModel, width: int = 120, height: int = 40) -> list[str]:
    return [line.plain.rstrip() for line in why.lines(model, width, height)]


def underlined(lines: list[Content]) -> list[str]:
    return [
        line.plain[span.start : span.end]
        for line in lines
        for span in line.spans
        if "underline" in str(span.style)
    ]


def of(result: EvalCaseResult, case: EvalCase | None = None) -> DetailModel:
    case = case or EvalCase.single_turn(result.eval_id, "What now?", "Expected words")
    return DetailModel(CaseKey(0, result.eval_id), case, result)


def test_a_wide_pane_puts_expected_beside_actual(tokyo: DetailModel) -> None:
    lines = shown(tokyo, 110)
    at = lines.index("✗ trajectory         0.33  needs 1.00   first divergence: call 2, city")
    assert [re.split(r"  +", line.strip()) for line in lines[at + 1 : at + 6]] == [
        ["expected", "actual"],
        ["1", 'get_weather(city="Tokyo")', 'get_weather(city="Tokyo")', "= same"],
        ["2", *(f'get_forecast(city="{city}", days=1)' for city in ("Tokyo", "Kyoto")), "≠ city"],
        ["3", 'get_alerts(city="Tokyo")', "–", "- missing"],
        ["4", "–", 'search_web(query="kyoto umbrella")', "+ extra"],
    ]
    assert lines[at + 1].index("actual") == lines[at + 3].rindex("get_forecast")


def test_a_narrow_pane_shows_the_first_divergence_and_names_the_rest(tokyo: DetailModel) -> None:
    lines = shown(tokyo, 80, 22)
    at = lines.index("✗ trajectory         0.33  needs 1.00   first divergence: call 2, city")
    assert lines[at + 1 : at + 4] == [
        'expected  get_forecast(city="Tokyo", days=1)',
        'actual    get_forecast(city="Kyoto", days=1)',
        "          - missing get_alerts   + extra search_web",
    ]


def test_where_calls_are_only_missing_or_extra_a_narrow_pane_lists_them_alike(
    tokyo: DetailModel,
) -> None:
    assert tokyo.result is not None
    assert tokyo.case is not None
    expected = tokyo.case.conversation[0].expected_tool_trajectory
    expected[1:] = [
        ToolCall(name="get_alerts", args={"city": "Tokyo"}),
        ToolCall(name="get_wind", args={"city": "Tokyo"}),
    ]
    tokyo.result.actual_tool_calls[1:] = []
    lines = shown(tokyo, 80, 22)
    at = next(at for at, line in enumerate(lines) if line.startswith("✗ trajectory"))
    assert lines[at + 1 : at + 3] == [
        'missing   get_alerts(city="Tokyo")',
        '          get_wind(city="Tokyo")',
    ]
    expected += [ToolCall(name=f"look_{number}") for number in range(3)]
    lines = shown(replace(tokyo), 80, 22)
    at = next(at for at, line in enumerate(lines) if line.startswith("✗ trajectory"))
    assert lines[at + 3] == "          … 3 more, 2 shows them"


def test_what_is_missing_and_what_is_extra_are_told_apart(tokyo: DetailModel) -> None:
    assert tokyo.result is not None
    made = tokyo.result.actual_tool_calls
    made[:] = [made[0], ToolCall(name="get_wind"), ToolCall(name="get_tides")]
    lines = shown(tokyo, 80, 22)
    at = lines.index('missing   get_forecast(city="Tokyo", days=1)')
    assert lines[at + 1 : at + 4] == [
        '          get_alerts(city="Tokyo")',
        "extra     get_wind()",
        "          get_tides()",
    ]


def test_only_what_differs_is_underlined(tokyo: DetailModel) -> None:
    marked = underlined(why.lines(tokyo, 120, 40))
    assert marked[:2] == ['"Tokyo"', '"Kyoto"']
    assert " ".join(marked[2:]) == (
        "Yes, likely Tokyo take an with you. No, unlikely Kyoto leave the at home."
    )


def test_a_failing_score_never_looks_like_its_threshold(tokyo: DetailModel) -> None:
    assert "✗ rouge_match        0.59  needs 0.60   7 of 14 words differ" in shown(tokyo)


def test_what_passed_or_was_not_evaluated_is_one_line_at_the_end(tokyo: DetailModel) -> None:
    assert shown(tokyo)[-3:] == [
        "– contains_keywords  –   not evaluated: no keywords to look for",
        "✓ tool_name_match    1.00  needs 0.60",
        "✓ node_order         1.00  needs 1.00",
    ]


def test_the_turn_that_went_wrong_is_the_one_that_is_shown(moved: DetailModel) -> None:
    lines = shown(moved, 80, 30)
    assert lines[:2] == [
        "before    Can you change the address on order A-1077?",
        "turn 2/3  Seestrasse 12, 8004 Zürich.",
    ]
    assert "expected  I will change it to Seestrasse 12, 8004 Zürich." in lines
    assert "actual    I will change it to Bahnhofstrasse 3." in lines


def test_texts_with_hardly_a_word_in_common_are_not_marked() -> None:
    result = EvalCaseResult.success(
        "a",
        [CriterionResult.judged("rouge_match", Score(0.1, "most words differ"), 0.6)],
        actual_response="something else entirely here",
    )
    lines = why.lines(of(result), 100, 30)
    assert "mostly different" in [line.plain.strip() for line in lines]
    assert underlined(lines) == []


def test_the_same_words_are_shown_once() -> None:
    verdict = CriterionResult.judged("exact_match", Score(0.0, "differs from character 1 on"), 1)
    result = EvalCaseResult.success("a", [verdict], actual_response="expected WORDS!")
    assert [line for line in shown(of(result)) if "xpected" in line] == [
        "actual    expected WORDS!"
    ]


def test_an_empty_answer_is_said_to_be_one() -> None:
    verdict = CriterionResult.judged("rouge_match", Score(0.0, "no response"), 0.6)
    lines = shown(of(EvalCaseResult.success("a", [verdict])))
    assert "actual    no answer" in lines


def test_an_exception_names_type_message_file_line_and_source() -> None:
    result = EvalCaseResult.failure("a", "ValueError: days must be at most 5, not 7")
    result.metadata = {"traceback": TRACEBACK, "location": "/home/ana/agents.py:41"}
    result.actual_tool_calls = [ToolCall(name="get_forecast", args={"days": 7})]
    assert shown(of(result))[2:] == [
        "error     ValueError: days must be at most 5, not 7",
        "at        /home/ana/agents.py:41 in forecast",
        '          raise ValueError(f"days must be at most 5, not {days}")',
        "",
        "so far    get_forecast(days=7)",
    ]


def test_what_we_say_of_an_answer_did_not_happen_in_our_code() -> None:
    result = EvalCaseResult.failure("c", "TypeError: the agent returned None")
    result.metadata = {
        "traceback": """Traceback (most recent call last):
  File "/venv/tenxgraph_tui/adapters/replies.py", line 42, in _messages
    raise TypeError(
TypeError: the agent returned None
"""
    }
    assert shown(of(result))[2:] == ["error     TypeError: the agent returned None"]


def test_what_we_say_of_a_server_happened_in_no_library_that_called_us() -> None:
    result = EvalCaseResult.failure("c", "EndpointError: answered 500: boom")
    library = '  File "/venv/site-packages/tenacity/__init__.py", line 130, in call\n'
    ours = '  File "/venv/tenxgraph_tui/targets/http_client.py", line 148, in _refused\n'
    told = "EndpointError: answered 500: boom\n"
    result.metadata = {"traceback": f"Traceback (most recent call last):\n{library}{ours}{told}"}
    assert shown(of(result))[2:] == ["error     EndpointError: answered 500: boom"]
    result.metadata = {"traceback": f"Traceback (most recent call last):\n{ours}{library}{told}"}
    assert shown(of(result))[3].startswith("at        /venv/site-packages/tenacity/")


def test_a_judge_that_is_not_available_is_an_error_and_not_a_score(tokyo: DetailModel) -> None:
    assert tokyo.result is not None
    broken = CriterionResult.failure("final_response_match_v2", "judge not available", 0.7)
    tokyo.result.criterion_results.append(broken)
    tokyo.result.error = "final_response_match_v2: judge not available"
    lines = shown(replace(tokyo, progress=None))
    assert lines[2] == "! llm_judge          –   judge not available"
    assert "0.00" not in "".join(lines)


def test_arguments_that_did_not_count_are_not_marked(tokyo: DetailModel) -> None:
    assert tokyo.result is not None
    verdict = tokyo.result.criterion_results[1]
    reason = "missing: get_alerts"
    verdict.details = {"match_type": "IN_ORDER", "check_args": False, "reason": reason}
    lines = shown(tokyo)
    assert not any("≠" in line for line in lines)
    assert any("- missing" in line for line in lines)


def test_calls_are_drawn_once_where_they_were_compared_closest(tokyo: DetailModel) -> None:
    assert tokyo.result is not None
    named = CriterionResult.judged("tool_name_match_score", Score(0.6, "missing: get_alerts"), 1.0)
    tokyo.result.criterion_results[0] = named
    lines = shown(tokyo)
    at = lines.index("✗ tool_name_match    0.60  needs 1.00   missing: get_alerts")
    assert lines[at + 2].startswith("✗ trajectory")
    assert lines[at + 3].split() == ["expected", "actual"]
    assert sum("get_weather" in line for line in lines) == 1


def test_a_known_failure_gives_its_reason(tokyo: DetailModel) -> None:
    assert tokyo.result is not None
    tokyo.result.metadata["xfailed"] = "the model confuses the cities, bug 12"
    model = replace(tokyo, progress=None)
    assert "known     the model confuses the cities, bug 12" in shown(model)
    assert case_line(model, 100).plain.startswith("✗ failed (known)")


def test_an_unexpected_pass_asks_to_take_the_mark_out(tokyo: DetailModel) -> None:
    assert tokyo.result is not None
    tokyo.result.metadata["unexpected_pass"] = "bug 12"
    assert any("Take xfail out of the file" in line for line in shown(tokyo, 160))


def test_a_running_case_says_what_it_does_right_now(unfinished: Progress) -> None:
    seen = VerdictPreview(
        criterion="rouge_match",
        verdict=Verdict.FAILED,
        score=0.3,
        threshold=0.6,
        reason="9 of 14 words differ",
    )
    model = unfinished(
        CaseStatus.RUNNING,
        node="TOOL",
        step='get_forecast(city="Tokyo")',
        steps=4,
        tokens=214,
        started_at=1_800_000_000.0 - 2.8,
        verdicts={"rouge_match": seen},
        info=CaseInfo(eval_id="tokyo_forecast", turns=3),
    )
    assert shown(model, 100, 12)[1:] == [
        'now       TOOL ▸ get_forecast(city="Tokyo")',
        "so far    4 steps   214 tok",
        "✗ rouge_match      0.30  needs 0.60   9 of 14 words differ",
    ]
    line = case_line(model, 100).plain
    assert line.startswith("▸ running  turn 1 of 3")
    assert line.endswith("214 tok   2.8s")


@pytest.mark.parametrize(
    ("status", "info", "told"),
    [
        pytest.param(CaseStatus.WAITING, None, "Waiting for its turn.", id="waiting"),
        pytest.param(CaseStatus.CANCELLED, None, "The run was stopped", id="cancelled"),
        pytest.param(
            CaseStatus.SKIPPED,
            CaseInfo(eval_id="tokyo_forecast", skip="needs a key"),
            "needs a key",
            id="skipped",
        ),
    ],
)
def test_a_case_without_a_verdict_says_why(
    unfinished: Progress, status: CaseStatus, info: CaseInfo | None, told: str
) -> None:
    model = unfinished(status, **({"info": info} if info else {}))
    assert any(told in line for line in shown(model))


def test_a_case_that_was_cancelled_before_it_ran_took_no_time(unfinished: Progress) -> None:
    model = unfinished(CaseStatus.CANCELLED, started_at=1_800_000_000.0, duration_seconds=0.0)
    assert case_line(model, 100).plain.strip() == "■ cancelled"


def test_a_case_that_nobody_has_run_says_how_to_run_it() -> None:
    model = DetailModel(CaseKey(0, "a"), EvalCase.single_turn("a", "Hello?"))
    assert shown(model)[-1].strip() == "This case has not run yet. r runs it."


def test_verdicts_are_shown_even_where_the_details_are_gone(unfinished: Progress) -> None:
    seen = VerdictPreview(criterion="rouge_match", verdict=Verdict.PASSED, score=0.9)
    lines = shown(unfinished(CaseStatus.PASSED, verdicts={"rouge_match": seen}))
    assert "✓ rouge_match      0.90  needs 0.00" in lines
    assert lines[-1].strip() == "The details of this case are not in the store."


def test_a_case_that_left_its_file_says_so(tokyo: DetailModel) -> None:
    lines = shown(replace(tokyo, case=None))
    assert "not in its file any more" in lines[0]
    assert "✗ trajectory         0.33  needs 1.00   first divergence: call 2, city" in lines


def test_a_passed_case_shows_its_answer() -> None:
    verdict = CriterionResult.judged("rouge_match", Score(1.0, "the same words"), 0.6)
    result = EvalCaseResult.success("a", [verdict], actual_response="Expected words")
    model = of(result)
    assert "answer    Expected words" in shown(model)
    assert case_line(model, 80).plain.startswith("✓ passed  1 of 1 criterion")


def test_an_answer_without_a_blank_is_looked_at_only_as_far_as_it_is_shown() -> None:
    case = EvalCase.single_turn("a", "Hello?", "中" * 5_000_000)
    model = DetailModel(CaseKey(0, "a"), case)
    assert len(model.expected(0) or "") < LONGEST_TEXT + 100


def test_the_answer_is_shown_too_where_only_the_calls_were_wrong(tokyo: DetailModel) -> None:
    assert tokyo.result is not None
    right = CriterionResult.judged("rouge_match", Score(1.0, "", {}), 0.6)
    results = [r for r in tokyo.result.criterion_results if r.criterion != "rouge_match"]
    result = tokyo.result.model_copy(update={"criterion_results": [*results, right]})
    lines = shown(replace(tokyo, result=result))
    at = next(index for index, line in enumerate(lines) if line.startswith("answer "))
    assert lines[at].endswith(tokyo.result.actual_response)
    assert any(line.startswith("✓ rouge_match") for line in lines[:at])


def test_the_answer_stands_once_where_it_is_compared(tokyo: DetailModel) -> None:
    assert not any(line.startswith("answer ") for line in shown(tokyo))
