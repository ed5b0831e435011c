"""Nothing that an agent says may act on the terminal."""

from __future__ import annotations

import unicodedata

import pytest

from tenxgraph_tui.evaluation.visible import visible

HOSTILE = "A\x1b[2J\x1b]0;owned\x07\x1b]52;c;ZWNobyBoaQ==\x07\x9b31m\x08\rZ\x00"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("plain [/b] text", "plain [/b] text", id="printable text stays"),
        pytest.param("你好 🚚 café", "你好 🚚 café", id="other scripts and emoji stay"),
        pytest.param("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧", id="joined emoji stay joined"),
        pytest.param("cafe\u0301", "cafe\u0301", id="combining marks stay"),
        pytest.param("\x1b[2J", r"\x1b[2J", id="escape sequences are written out"),
        pytest.param("\x9b31m", r"\x9b31m", id="so are the one-byte ones"),
        pytest.param("a\nb\tc\rd", r"a\nb\tc\rd", id="a value cannot fake another row"),
        pytest.param("user\u202etxt.exe", r"user\u202etxt.exe", id="no reversed text"),
        pytest.param("\u2066x\u2069", r"\u2066x\u2069", id="nor isolated text"),
        pytest.param("\ud83d", r"\ud83d", id="a lone surrogate can be encoded again"),
        pytest.param("a\u2028b", r"a\u2028b", id="a line separator is no new row"),
        pytest.param("\ufeffx\ufffe", r"\ufeffx\ufffe", id="marks that nobody sees are seen"),
        pytest.param("", "", id="nothing is nothing"),
    ],
)
def test_one_line(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("one\ntwo", "one\ntwo", id="line breaks stay"),
        pytest.param("one\r\ntwo", "one\ntwo", id="a Windows line break is one"),
        pytest.param("10%\r20%", r"10%\r20%", id="a carriage return overwrites nothing"),
        pytest.param("a\tb", "a    b", id="a tab takes the room it needs"),
        pytest.param("\x1b[31mred\n", "\\x1b[31mred\n", id="colours are written out"),
    ],
)
def test_several_lines(text: str, shown: str) -> None:
    assert visible(text, multiline=True) == shown


@pytest.mark.parametrize("multiline", [False, True])
def test_no_control_character_of_any_kind_survives(*, multiline: bool) -> None:
    everything = "".join(map(chr, range(0x3000))) + HOSTILE
    left = {unicodedata.category(c) for c in visible(everything, multiline=multiline) if c != "\n"}
    assert "Cc" not in left
    assert not left & {"Zl", "Zp", "Cs"}


def test_a_single_line_has_no_break_for_any_splitter() -> None:
    everything = "".join(map(chr, range(0x3000)))
    assert len(visible(everything).splitlines()) == 1
