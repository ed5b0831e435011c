"""The Markdown report shows what agents said, and none of it acts (a parser is the judge)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tenxgraph_tui.evaluation.reporters import gfm
from tenxgraph_tui.evaluation.reporters.markdown import MarkdownReporter
from tenxgraph_tui.evaluation.results import EvalCaseResult, EvalReport
from tenxgraph_tui.evaluation.visible import visible
from tests.evaluation.reporters.samples import (
    HOSTILE,
    Endless,
    failing,
    known,
    passing,
    surprising,
    telling,
)

OURS = {"<code>", "</code>", "<!-- -->"}
PARSER = MarkdownIt("commonmark").enable("table")


def written(report: EvalReport) -> str:
    return MarkdownReporter().to_markdown(report)


def tokens(text: str) -> Iterator[Token]:
    for token in PARSER.parse(text):
        yield token
        yield from token.children or ()


def read(text: str) -> str:
    """What a person sees of one line of Markdown."""
    inline = next(token for token in PARSER.parse(text) if token.type == "inline")
    return "".join(child.content for child in inline.children or () if child.content not in OURS)


def rows(text: str) -> list[list[str]]:
    """The cells of the last table, as written."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_head_says_what_ran_and_how_it_went(report: EvalReport) -> None:
    head = written(report).split("\n\n")
    assert head[0] == "# Weather"
    assert head[1].startswith("**2/4 passed, 50.0 % · 1 failed · 1 error · 1067 tokens")
    assert head[2] == (
        "file `weather.evalset.json` · target `agents.py:weather` · 2027-01-15 08:00:00 UTC"
    )


def test_the_criteria(report: EvalReport) -> None:
    text = written(report)
    assert "| `tool_trajectory_avg_score` | 2/3 | 0.77 | 0 | 0 |" in text
    assert "| `rouge_match` | 1/2 | 0.75 | 0 | 1 |" in text


def test_a_row_for_each_case(report: EvalReport) -> None:
    assert rows(written(report))[-4:] == [
        ["✓ passed", "`london_now`", "1.00", "0.91", "412", "1.2s"],
        ["✗ failed", "`tokyo`", "**✗0.33**", "**✗0.59**", "655", "1.9s"],
        ["✓ passed", "`no_words`", "1.00", "–", "0", "0ms"],
        ["! error", "`boom`", "–", "–", "0", "100ms"],
    ]


@pytest.mark.parametrize(
    "told",
    [
        "### ✗ failed: `tokyo`",
        "- **trajectory** 0.33, needs 1.00: first divergence: call 2, city",
        "- **rouge_match** 0.59, needs 0.60: 9 of 15 words differ",
        '- called: `get_weather(city="Kyoto")`',
        "answer:\n\n```text\n12 degrees in Kyoto\n```",
        "### ! error: `boom`\n\n- ValueError: kaboom",
    ],
)
def test_below_stands_why(report: EvalReport, told: str) -> None:
    assert told in written(report)


def test_the_expected_answer_stands_before_the_actual_one() -> None:
    result = failing()
    result.criterion_results[1].details["expected_response"] = "12 degrees in Tokyo"
    text = written(EvalReport.create("s", [result]))
    assert "expected answer:\n\n```text\n12 degrees in Tokyo\n```\n\nactual answer:" in text


def test_known_failures_and_unexpected_passes_are_told() -> None:
    text = written(EvalReport.create("s", [known(), surprising()]))
    assert "| ✓ passed (known failure) | `wind` |" in text
    assert "- known failure: bug 7" in text
    assert "- unexpected pass: take xfail out of its metadata" in text


def test_skipped_and_cancelled_cases_are_listed(report: EvalReport) -> None:
    report.metadata |= {"skipped": {"later": "needs #12"}, "cancelled": ["x"]}
    text = written(report)
    assert "## Skipped\n\n- `later`: needs &#35;<!-- -->12\n" in text
    assert "## Cancelled\n\n- `x`\n" in text
    assert "1 skipped · 1 cancelled" in text


@pytest.mark.parametrize("text", HOSTILE)
def test_a_line_reads_as_what_was_said(text: str) -> None:
    shown = visible(text)
    assert read(f"x{gfm.text(text)}x") == f"x{shown}x"
    assert read(f"x{gfm.code(text)}x") == f"x{shown}x"
    if shown.strip():
        (fence,) = PARSER.parse(gfm.block(text))
        assert fence.type == "fence"
        assert fence.content == visible(text, multiline=True) + "\n"


@pytest.mark.parametrize("text", [*HOSTILE, "|", "\\|", "a\\", "`", "``` `", "www.x.org", "_a_"])
def test_nothing_that_was_said_acts(text: str) -> None:
    report = EvalReport.create(text, [telling(text), passing()], text)
    report.metadata = {"file": text, "target": text, "skipped": {text: text}, "cancelled": [text]}
    markdown = written(report)
    found = list(tokens(markdown))
    assert not {"link_open", "image", "html_block", "blockquote_open", "hr"} & {
        token.type for token in found
    }
    assert {t.content for t in found if t.type == "html_inline"} <= OURS
    heads = [token for token in found if token.type == "heading_open"]
    assert [head.tag for head in heads] == ["h1", "h2", "h2", "h2", "h3", "h2", "h2"]
    widths = [len([t for t in row if t.type == "td_open"]) for row in table_rows(found)]
    assert widths == [5] * (len(widths) - 2) + [7, 7]


def table_rows(found: list[Token]) -> Iterator[list[Token]]:
    row: list[Token] = []
    for token in found:
        row = [] if token.type == "tr_open" else [*row, token]
        if token.type == "tr_close" and any(each.type == "td_open" for each in row):
            yield row


@pytest.mark.parametrize(
    ("said", "raw"),
    [
        pytest.param("ask @someone", "@someone", id="a mention"),
        pytest.param("see #12", "#12", id="an issue"),
        pytest.param("http://evil.example", "http://", id="an address"),
        pytest.param("at www.evil.example", "www.evil", id="an address without a scheme"),
        pytest.param("<b>x</b>", "<b>", id="a tag"),
        pytest.param("*x* **y** _z_", "*x*", id="emphasis"),
    ],
)
def test_prose_gives_github_nothing_to_find(said: str, raw: str) -> None:
    assert raw not in gfm.text(said)
    assert read(gfm.text(said)) == said


def test_a_large_set_lists_what_did_not_pass() -> None:
    many = [passing(f"case_{number}") for number in range(200)]
    text = written(EvalReport.create("s", [*many, failing()]))
    assert "case_7" not in text
    assert "and 200 cases that passed" in text
    assert "`tokyo`" in text


def test_a_set_where_everything_fails_stays_small_enough_for_github() -> None:
    many = [
        EvalCaseResult.failure(f"case_{number}", "ValueError: " + "x" * 5000)
        for number in range(5000)
    ]
    text = written(EvalReport.create("s", many))
    assert len(text.encode()) < 1 << 20
    assert "and 4700 cases that did not pass, see JSON" in text
    assert "and 4900 cases more, see JSON" in text


def test_a_long_answer_is_cut() -> None:
    text = written(EvalReport.create("s", [failing(answer="x" * 10_000)]))
    assert "… truncated, 8500 characters, see JSON" in text


def test_nothing_to_report_is_said(tmp_path: Path) -> None:
    assert "**0 cases evaluated**" in written(EvalReport.create("s", []))
    assert "## Cases" not in "".join(MarkdownReporter().chunks(Endless(tmp_path, many=0)))
