"""The HTML page is one file that shows everything and runs nothing that an agent said (B66)."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.config import MatchType
from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.evaluation.reporters.html import HTMLReporter
from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult, EvalReport
from tenxgraph_tui.evaluation.visible import visible
from tests.evaluation.reporters.samples import (
    HOSTILE,
    failing,
    known,
    passing,
    scored,
    surprising,
    telling,
)

VOID = {"meta", "input", "rect", "line"}
HARMLESS = re.compile(
    r"lang|charset|http-equiv|content|name|id|class|title|role|for|type|value|hidden|checked"
    r"|placeholder|autocomplete|spellcheck|aria-\w+|data-(status|find|label)"
    r"|[xy][12]?|width|height|preserveaspectratio"
)
"""No attribute of ours loads, links or runs anything."""


class Reader(HTMLParser):
    """What a browser makes of a page, as far as the standard library can tell."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.pieces: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)

    def unknown_attributes(self) -> list[str]:
        return [name for _, facts in self.tags for name in facts if not HARMLESS.fullmatch(name)]

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def texts(self) -> list[str]:
        """The texts between tags, without the space around them."""
        return [stripped for piece in self.pieces if (stripped := piece.strip())]

    def of(self, tag: str, kind: str = "") -> list[dict[str, str]]:
        return [
            facts
            for name, facts in self.tags
            if name == tag and (not kind or kind in facts.get("class", "").split())
        ]


def page(report: EvalReport, **switches: bool) -> str:
    return HTMLReporter(**switches).to_html(report)


def read(*results: EvalCaseResult) -> Reader:
    return Reader(page(EvalReport.create("s", list(results))))


def compared(*expected: ToolCall, calls: list[ToolCall], match: MatchType) -> EvalCaseResult:
    """A failed case whose result knows which calls were expected."""
    result = failing()
    how = {"match_type": match.value, "check_args": True}
    result.criterion_results = [scored("tool_trajectory_avg_score", 0.5, 1.0, "why", **how)]
    result.actual_tool_calls = calls
    result.turn_results = [{"expected_tool_calls": [call.model_dump() for call in expected]}]
    return result


def test_every_tag_is_closed_and_the_page_loads_nothing(report: EvalReport) -> None:
    report.metadata |= {"skipped": {"later": "why"}, "cancelled": ["x"]}
    found = Reader(page(report))
    assert found.open == []
    assert found.unknown_attributes() == []
    assert not [facts for tag, facts in found.tags if tag in {"a", "link", "img", "iframe"}]
    assert "url(" not in page(report)
    assert "@import" not in page(report)


def test_the_policy_allows_the_pages_own_script_and_style_only(report: EvalReport) -> None:
    text = page(report)
    (policy,) = [
        facts["content"]
        for facts in Reader(text).of("meta")
        if facts.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy.startswith("default-src 'none'; ")
    for tag in ("script", "style"):
        (inline,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("passed", [True, False])
def test_what_was_said_is_text(text: str, passed: bool) -> None:
    def report(said: str) -> EvalReport:
        made = EvalReport.create(said, [telling(said, passed=passed)], said, {said: said})
        made.metadata = {"file": said, "target": said, "skipped": {said: said}, "cancelled": ["x"]}
        return made

    found, calm = Reader(page(report(text))), Reader(page(report("calm" if text else "")))
    assert found.open == []
    if text.strip():
        assert [tag for tag, _ in found.tags if tag != "mark"] == [
            tag for tag, _ in calm.tags if tag != "mark"
        ]
        assert found.text.count(visible(text, multiline=True)) >= 10
    assert found.unknown_attributes() == []


def test_the_head_and_the_counts(report: EvalReport) -> None:
    found = Reader(page(report))
    for told in ("Weather", "weather.evalset.json", "agents.py:weather", "50.0 %", "1067"):
        assert told in found.texts
    assert "2027-01-15 08:00:00 UTC" in found.texts
    title = next(text for text in found.texts if "2/4 passed" in text)
    assert title.startswith("Weather: 2/4 passed, 50.0 % · 1 failed · 1 error")


def test_bars_are_as_long_as_the_counts_say(report: EvalReport) -> None:
    report.metadata |= {"skipped": {"later": "why"}}
    found = Reader(page(report))
    first = found.of("rect")[:5]
    assert [(bar["class"], bar.get("x", "0%"), bar["width"]) for bar in first] == [
        ("empty", "0%", "100%"),
        ("passed", "0.0%", "40.0%"),
        ("failed", "40.0%", "20.0%"),
        ("error", "60.0%", "20.0%"),
        ("skipped", "80.0%", "20.0%"),
    ]
    assert [bar["x1"] for bar in found.of("line")] == ["77.78%", "75.7%"]


def test_each_criterion_in_words_too(report: EvalReport) -> None:
    labels = [bar["aria-label"] for bar in Reader(page(report)).of("svg", "bar")]
    assert labels[1:] == [
        "trajectory: 2/3 passed, average 0.77",
        "rouge_match: 1/2 passed · 1 not evaluated, average 0.75",
    ]


def test_cases_can_be_filtered(report: EvalReport) -> None:
    report.metadata |= {"skipped": {"later": "why"}, "cancelled": ["x"]}
    found = Reader(page(report))
    rows = [facts for _, facts in found.tags if "data-status" in facts]
    assert [row["data-status"] for row in rows] == [
        *("passed", "failed", "passed", "error", "skipped", "cancelled")
    ]
    assert "first divergence: call 2, city" in rows[1]["data-find"]
    assert "kaboom" in rows[3]["data-find"]
    chips = [facts["value"] for facts in found.of("input") if facts["type"] == "radio"]
    assert chips == ["", "passed", "failed", "error", "skipped", "cancelled"]


def test_a_case_says_why(report: EvalReport) -> None:
    found = Reader(page(report))
    for told in (
        "0.33, needs 1.00",
        "0.59, needs 0.60",
        "9 of 15 words differ",
        "no expected response",
        "ValueError: kaboom",
        'get_weather(city="Kyoto")',
        "12 degrees in Kyoto",
    ):
        assert told in found.texts
    verdicts = [facts["class"] for facts in found.of("li") if facts.get("class")]
    assert verdicts[:6] == ["passed", "passed", "failed", "failed", "made", "passed"]


def test_expected_words_stand_beside_the_actual_ones() -> None:
    result = failing()
    turn = {
        "user_query": "Umbrella?",
        "expected_response": "Yes, take an umbrella with you today",
        "actual_response": "No, take an umbrella with you tomorrow",
    }
    result.turn_results = [turn, {**turn, "actual_response": turn["expected_response"]}]
    text = page(EvalReport.create("s", [result]))
    assert "<mark>Yes,</mark> take an umbrella with you <mark>today</mark>" in text
    assert "<mark>No,</mark> take an umbrella with you <mark>tomorrow</mark>" in text
    assert text.count("expected and actual") == 1


def test_where_most_words_differ_none_is_marked() -> None:
    result = failing()
    result.turn_results = [{"expected_response": "a b c d", "actual_response": "a x y z"}]
    found = read(result)
    assert not found.of("mark")
    assert {"a b c d", "a x y z"} <= set(found.texts)


def test_calls_stand_beside_the_expected_ones() -> None:
    result = compared(
        ToolCall(name="a", args={"x": 1}),
        ToolCall(name="b"),
        ToolCall(name="c"),
        calls=[
            ToolCall(name="a", args={"x": 2}, result=[1]),
            ToolCall(name="c", error="boom"),
            ToolCall(name="d"),
        ],
        match=MatchType.EXACT,
    )
    found = read(result)
    rows = [li["class"] for li in found.of("li") if li.get("class") not in {None, "failed"}]
    assert rows == ["head", "differs", "missing", "same", "extra"]
    for told in ("a(x=1)", "a(x=2)", "≠ x", "− missing", "= same", "+ extra", "raised boom", "[1]"):
        assert told in found.texts


def test_expected_nodes_stand_beside_the_visited_ones() -> None:
    result = failing()
    result.node_visits = ["MAIN", "END"]
    result.turn_results = [{"expected_node_order": ["MAIN", "TOOL"]}]
    assert {"MAIN → TOOL", "MAIN → END"} <= set(read(result).texts)


def test_notes_on_known_failures_and_unexpected_passes() -> None:
    found = read(known(), surprising())
    assert "known failure: bug 7" in found.texts
    assert "unexpected pass: take xfail out of its metadata" in found.texts


def test_an_error_of_a_criterion_and_its_reason() -> None:
    broken = CriterionResult.failure("safety_v1", "the judge is gone", 0.8)
    found = read(EvalCaseResult.success("a", [broken, scored("rouge_match", 1.0, 0.5)]))
    assert "the judge is gone" in found.texts
    assert "!" in found.texts


def test_long_texts_are_cut_and_it_is_said() -> None:
    result = failing(answer="x" * 1_000_000)
    result.actual_tool_calls[0].result = "y" * 1_000_000
    result.error = "z" * 1_000_000
    text = page(EvalReport.create("s", [result]))
    assert len(text) < 80_000
    assert "… truncated, 990000 characters, see JSON" in text
    assert text.count("… truncated, 998000 characters, see JSON") == 2


def test_a_long_trajectory_is_cut() -> None:
    from tenxgraph_tui.evaluation.dataset import TrajectoryStep

    result = passing()
    result.actual_trajectory = [TrajectoryStep.node("LOOP") for _ in range(600)]
    found = read(result)
    assert found.texts.count("LOOP") == 500
    assert "… 100 more, see JSON" in found.texts


def test_nothing_to_report_is_said() -> None:
    found = Reader(page(EvalReport.create("empty", [])))
    assert "0 cases evaluated" in found.texts
    assert found.open == []


def test_quick_save_writes_everything(report: EvalReport, tmp_path: Path) -> None:
    path = tmp_path / "exactly.html"
    HTMLReporter.quick_save(report, str(path))
    assert path.read_text(encoding="utf-8") == page(report)
