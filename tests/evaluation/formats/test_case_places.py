from __future__ import annotations

import json
from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.formats import read_eval_set
from tenxgraph_tui.evaluation.formats.case_places import case_line

SAMPLES = Path(__file__).parents[3] / "sample_evalsets"
TEXT = r"""{
  "eval_set_id": "paris",
  "metadata": {"eval_id": "paris", "eval_cases": [{"eval_id": "paris"}]},
  "eval_cases": [
    {
      "conversation": [{"user_content": "say \"eval_id\": \"paris\" and {"}],
      "eval_id": "london",
      "session_input": {"state": {"eval_id": "paris"}}
    },
    {"conversation": []},
    {
      "metadata": {
        "eval_id": "paris"
      },
      "eval_id"
      : "paris"
    },
    { "eval_id": "m\u00fcnchen" }, { "eval_id": "rome", "name": "x",
      "eval_id": "milan" }
  ],
  "name": "paris"
}
"""


@pytest.mark.parametrize(
    ("eval_id", "line"),
    [
        pytest.param("london", 7, id="the key, wherever in the case it stands"),
        pytest.param("paris", 15, id="not the same word in metadata, in a text or in a state"),
        pytest.param("case-2", 10, id="a case that is called after its place"),
        pytest.param("münchen", 18, id="written with an escape"),
        pytest.param("milan", 19, id="the last of two ids, which counts"),
        pytest.param("rome", None, id="not the one that does not count"),
        pytest.param("oslo", None, id="no such case"),
        pytest.param("case-1", None, id="a case with an id has no other name"),
    ],
)
def test_a_case_is_found_where_its_id_stands(eval_id: str, line: int | None) -> None:
    assert case_line(TEXT, eval_id) == line


def test_every_case_of_the_samples_is_found() -> None:
    for file in SAMPLES.glob("[!b]*.evalset.json"):
        text = file.read_text(encoding="utf-8")
        for case in read_eval_set(file).eval_set.eval_cases:
            line = case_line(text, case.eval_id)
            assert line is not None
            assert json.dumps(case.eval_id, ensure_ascii=False) in text.splitlines()[line - 1]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{",
        '{"eval_cases": {"eval_id": "x"}}',
        '{"eval_cases": [',
        '{"eval_cases": [{"eval_id": "a"}, {"eval_id": "x"',
        '{"eval_cases" [{"eval_id": "x"}]}',
        '{"eval_cases": ' + "[" * 100_000,
    ],
)
def test_a_text_that_is_no_eval_set_has_no_line_to_open(text: str) -> None:
    assert case_line(text, "x") is None
