from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation.events import CaseInfo, SetInfo
from tenxgraph_tui.tui.filtering.completing import options
from tenxgraph_tui.tui.filtering.vocabulary import Vocabulary
from tests.tui.script import CRITERIA

VOCABULARY = Vocabulary.of(
    [
        SetInfo(
            eval_set_id="weather",
            file="weather.evalset.json",
            criteria=CRITERIA,
            cases=(CaseInfo(eval_id="a", tags=("smoke", "Slow", "multi turn", "\x1b[2J", 'a"b')),),
        )
    ]
)


def completed(text: str) -> list[str]:
    """The text with each option in it; `|` is where the cursor stands."""
    cursor = text.index("|")
    bare = text.replace("|", "")
    return [one.applied(bare, cursor)[0] for one in options(bare, cursor, VOCABULARY)]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("st|", ["status:"]),
        ("t|", ["tag:", "tokens", "time", "turns"]),
        ("-st|", ["-status:"]),
        ("status:f|", ["status:failed"]),
        ("status:failed,e|", ["status:failed,error"]),
        ("Status:PA|", ["Status:passed"]),
        ("tag:s|", ["tag:smoke", "tag:Slow"]),
        ("tag:m|", ['tag:"multi turn"']),
        ('tag:"mu|', ['tag:"multi turn"']),
        ("crit:to|", ["crit:tool_name_match"]),
        ("set:|", ["set:weather"]),
        ("change:r|", ["change:regressed"]),
        ("oslo st| tag:smoke", ["oslo status: tag:smoke"]),
        ("status:failed|", []),
        ("st|atus", []),
        ("case:o|", []),
        ("nothing:o|", []),
    ],
)
def test_a_word_goes_on_as(text: str, shown: list[str]) -> None:
    assert completed(text) == shown


def test_an_empty_filter_offers_every_key() -> None:
    assert "status:" in completed("|")
    assert "oslo tokens" in completed("oslo |")


def test_no_tag_is_offered_that_could_not_be_typed() -> None:
    shown = [one.shown for one in options("tag:", 4, VOCABULARY)]
    assert shown == ["smoke", "Slow", "multi turn"]


def test_the_cursor_stands_behind_what_was_put_in() -> None:
    (status,) = options("st", 2, VOCABULARY)
    assert status.applied("st tag:x", 2) == ("status: tag:x", 7)
