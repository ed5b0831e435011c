"""What counts as a word."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenxgraph_tui.evaluation.tokens import shared, spans, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("The CAT, sat!", ["the", "cat", "sat"], id="letters"),
        pytest.param("3.14 1,000 v2.0", ["3.14", "1,000", "v2.0"], id="numbers with points"),
        pytest.param("3. ,5 a.b 1,b", ["3", "5", "a", "b", "1", "b"], id="points that end"),
        pytest.param(
            "foo_bar well-known don't", ["foo", "bar", "well", "known", "don", "t"], id="the rest"
        ),
        pytest.param("订单42已取消", ["订", "单", "42", "已", "取", "消"], id="Chinese and digits"),
        pytest.param("カタカナ ひら", ["カ", "タ", "カ", "ナ", "ひ", "ら"], id="kana"),
        pytest.param("สวัสดี", ["ส", "วั", "ส", "ดี"], id="Thai with its marks"),
        pytest.param("नमस्ते दुनिया", ["नमस्ते", "दुनिया"], id="Devanagari with its marks"),
        pytest.param("안녕 세계", ["안녕", "세계"], id="Korean has spaces"),
        pytest.param("๑๒ ٣.١٤", ["๑๒", "٣.١٤"], id="other digits"),
        pytest.param("STRASSE straße", ["strasse", "strasse"], id="casefold"),
        pytest.param("ok🚀❤\ufe0f18°C", ["ok", "🚀", "❤", "18", "°", "c"], id="symbols"),
        pytest.param("👨\u200d👩", ["👨", "👩"], id="joined emoji"),
        pytest.param("pay\u200bpal $5 = €5", ["pay", "pal", "5", "5"], id="what separates"),
        pytest.param(" \n", [], id="nothing"),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@settings(max_examples=200, deadline=None)
@given(text=st.text())
def test_spans_are_the_same_words_with_their_places(text: str) -> None:
    found = spans(text)

    assert [word for word, _, _ in found] == words(text)
    assert all(start < end for _, start, end in found)
    assert all(one[2] <= other[1] for one, other in pairwise(found))


@settings(max_examples=200, deadline=None)
@given(text=st.text(st.characters(codec="ascii")))
def test_ascii_has_the_same_words_beside_other_scripts(text: str) -> None:
    assert words(f"{text} é") == [*words(text), "é"]


@settings(max_examples=200, deadline=None)
@given(text=st.text(st.characters(categories=["Lu", "Ll", "Zs"], max_codepoint=0x24F)))
def test_the_unicode_form_does_not_matter(text: str) -> None:
    assert words(unicodedata.normalize("NFD", text)) == words(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize(
    ("left", "right", "count"),
    [("aab", "abb", 2), ("abc", "", 0), ("aaa", "a", 1), ("ab", "ba", 2)],
)
def test_shared_words_are_counted_once_each(left: str, right: str, count: int) -> None:
    assert shared(left, right) == shared(right, left) == count
