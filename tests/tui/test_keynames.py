from __future__ import annotations

import re

import pytest

from tenxgraph_tui.tui.keynames import normal, shown


@pytest.mark.parametrize(
    ("written", "key", "as_shown"),
    [
        ("r", "r", "r"),
        ("R", "R", "R"),
        ("shift+r", "R", "R"),
        ("Ctrl+R", "ctrl+r", "ctrl+r"),
        ("shift+ctrl+f5", "ctrl+shift+f5", "ctrl+shift+f5"),
        (" F5 ", "f5", "f5"),
        ("?", "question_mark", "?"),
        ("question_mark", "question_mark", "?"),
        ("ctrl+]", "ctrl+right_square_bracket", "ctrl+]"),
        ("+", "plus", "+"),
        ("ctrl++", "ctrl+plus", "ctrl++"),
        ("comma", "comma", ","),
        ("esc", "escape", "esc"),
        ("Return", "enter", "enter"),
        ("pgdn", "pagedown", "pgdn"),
        ("up", "up", "↑"),
        ("ö", "ö", "ö"),
    ],
)
def test_a_key_may_be_written_in_the_usual_ways(written: str, key: str, as_shown: str) -> None:
    assert normal(written) == key
    assert shown(key) == as_shown
    assert normal(key) == key


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("", "no key is named"),
        ("f99", "'f99' is no key; write it as 'f5', 'ctrl+r', 'escape' or '?'"),
        ("strg+r", "'strg' is no modifier; there are ctrl, alt, shift, super, hyper, meta"),
        ("ctrl+i", "terminals send 'tab' for 'ctrl+i'"),
        ("ctrl+", "'ctrl+' is no key"),
    ],
)
def test_what_is_no_key_is_told_with_what_to_write(written: str, told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        normal(written)
