"""Every filter that the README shows can be written so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.events import CaseInfo, SetInfo
from tenxgraph_tui.tui.filtering.language import parse
from tenxgraph_tui.tui.filtering.vocabulary import KEYS, STATUSES, Vocabulary
from tests.tui.script import CRITERIA

README = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
SECTION = README.partition("\n## Finding cases")[2].partition("\n## ")[0]
FILTERS = re.findall(r"`([^`]+)`", "".join(re.findall(r"^\| (`.+?) \|", SECTION, re.M)))
CASES = (CaseInfo(eval_id="a", tags=("smoke", "slow")),)
VOCABULARY = Vocabulary.of(
    [SetInfo(eval_set_id="w", file="weather.evalset.json", criteria=CRITERIA, cases=CASES)],
    ["nothing to check"],
)


@pytest.mark.parametrize("text", FILTERS)
def test_a_filter_of_the_readme_is_understood(text: str) -> None:
    parsed = parse(text, VOCABULARY)
    assert parsed.filter is not None
    assert parsed.told == ""


def test_the_readme_shows_every_kind_of_term() -> None:
    assert {key for key in KEYS if f"`{key}" not in SECTION} == set()
    assert {word for word in STATUSES[-2:] if f"`{word}`" not in SECTION} == set()
