"""A value as lines that fold: whatever it holds, and however much of it there is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from tenxgraph_tui.tui.lines.value import value_line
from tenxgraph_tui.tui.value.document import AT_FIRST, LARGE, Document
from tenxgraph_tui.tui.value.layout import Part, broken
from tenxgraph_tui.tui.value.node import GROUP, read_json
from tenxgraph_tui.tui.value.search import AT_ONCE, Found, search
from tests.tui.screens.test_nasty import NASTY

WEATHER = {
    "city": "Kyoto",
    "days": [{"sky": "dry", "rain": 0.1}, {"sky": "wet", "rain": None}],
    "note": "first line\nsecond line",
    "none": {},
}


def laid_out(value: Any, width: int = 60) -> Document:
    document = Document(value)
    document.begin(width)
    if document.is_large:
        document.take(document.laid_out(width), width)
    return document


def shown(document: Document) -> list[str]:
    return [value_line(line, document.width).plain.rstrip() for line in document.lines]


def at(document: Document, words: str) -> int:
    """The first line with those words."""
    return next(place for place, line in enumerate(shown(document)) if words in line)


def test_json_reads_as_one_would_write_it() -> None:
    assert shown(laid_out(WEATHER)) == [
        "▾ {",
        '    "city": "Kyoto"',
        '  ▾ "days": [',
        "    ▾ 0: {",
        '        "sky": "dry"',
        '        "rain": 0.1',
        "      }",
        "    ▾ 1: {",
        '        "sky": "wet"',
        '        "rain": null',
        "      }",
        "    ]",
        '  ▸ "note": 22 characters  first line\\nsecond line',
        '    "none": {}',
        "  }",
    ]


def test_what_is_folded_says_what_is_in_it() -> None:
    document = laid_out(WEATHER)
    document.toggle(at(document, '"days"'))
    document.toggle(0)
    assert shown(document) == ["▸ { 4 keys: city, days, note, none }"]
    document.toggle(0)
    assert '  ▸ "days": [ 2 items ]' in shown(document), "what is in it stays as it was"


def test_a_fold_is_closed_from_its_last_line_too() -> None:
    document = laid_out(WEATHER)
    last = at(document, "    ]")
    assert document.toggle(last) == at(document, '"days"')
    assert len(document.lines) == 6


def test_a_text_within_is_unfolded_into_its_lines() -> None:
    document = laid_out(WEATHER)
    document.toggle(at(document, '"note"'))
    assert shown(document)[-5:-1] == [
        '  ▾ "note": 22 characters',
        "    first line",
        "    second line",
        '    "none": {}',
    ]


def test_a_text_alone_is_its_lines() -> None:
    text = "Take an umbrella with you, it is going to rain.\n\nBye."
    assert shown(laid_out(text, 30)) == [
        "Take an umbrella with you, it",
        "is going to rain.",
        "",
        "Bye.",
    ]
    assert shown(laid_out("", 30)) == [""]
    assert shown(laid_out(7, 30)) == ["  7"]


def test_many_entries_stand_in_groups() -> None:
    document = laid_out(list(range(GROUP * 1000 + 1)))
    assert shown(document)[:3] == ["▾ [", "  ▸ … 0 to 999,999", "  ▸ … 1,000,000 to 1,000,000"]
    document.toggle(1)
    assert shown(document)[2] == "    ▸ … 0 to 999"
    document.toggle(2)
    assert len(document.lines) < 3 * GROUP
    assert shown(document)[4] == "        1: 1"
    assert document.lines[2].node.data == list(range(GROUP))


def test_keys_of_a_large_object_are_found_in_their_group() -> None:
    large = {f"key {number}": number for number in range(3 * GROUP)}
    document = laid_out(large)
    node = document.find(["key 2500"])
    assert node.value == 2500
    place = document.place(node)
    assert place is not None
    assert shown(document)[place].strip() == '"key 2500": 2500'
    assert node.parent is not None
    assert node.parent.data == {f"key {n}": n for n in range(2 * GROUP, 3 * GROUP)}


def test_of_a_very_long_text_the_first_lines_are_there_at_once() -> None:
    text = "some words that go on and on " * (LARGE // 20)
    document = Document(text)
    document.begin(80)
    assert len(document.lines) == AT_FIRST
    document.take(document.laid_out(80), 80)
    assert len(document.lines) > AT_FIRST
    inner = laid_out({"text": text})
    inner.toggle(1)
    assert len(inner.lines) == AT_FIRST + 2


@settings(max_examples=150, deadline=None)
@given(text=st.text(alphabet="ab \n中e\u0301👨\u200d", max_size=80), room=st.integers(1, 20))
def test_nothing_of_a_text_is_lost_and_no_line_is_too_long(text: str, room: int) -> None:
    lines = [text[start:end] for start, end in broken(text, room)]
    assert "".join(lines).replace(" ", "") == text.replace(" ", "").replace("\n", "")
    for line in lines:
        assert cell_len(line) <= max(room, 2)


@pytest.mark.parametrize("text", NASTY)
@pytest.mark.parametrize("width", [1, 2, 7, 40, 160])
def test_whatever_a_value_holds_fits_and_acts_on_nothing(text: str, width: int) -> None:
    for value in (text, {text: text}, [text, {"a": [text]}], {text: {text: f"{text}\n" * 300}}):
        document = laid_out(value, width)
        for place in range(len(document.lines) - 1, -1, -1):
            if document.lines[place].part is Part.HEAD and not document.lines[place].node.is_open:
                document.toggle(place)
        for line in document.lines:
            drawn = value_line(line, width)
            assert drawn.cell_length == width
            assert not set(drawn.plain) & set("\x1b\x07\x9b\x08\r\x00\t\n")


@pytest.mark.parametrize(
    ("given", "value"),
    [
        pytest.param('{"a": [1]}', {"a": [1]}, id="JSON is read"),
        pytest.param(" [1, 2]", [1, 2], id="blanks before it"),
        pytest.param('{"a": ', '{"a": ', id="what only looks like it stays a text"),
        pytest.param("[" * 100_000, "[" * 100_000, id="nor does depth break anything"),
        pytest.param("3", "3", id="a number in words is a text"),
        pytest.param({"a": 1}, {"a": 1}, id="a value is a value"),
    ],
)
def test_a_text_that_holds_json_is_what_it_holds(given: Any, value: Any) -> None:
    assert read_json(given) == value


def test_words_are_found_in_keys_numbers_and_texts_in_the_order_of_the_lines() -> None:
    found = search(WEATHER, "N")
    assert [(one.path, one.offset) for one in found] == [
        (("days", 0, "rain"), 0),
        (("days", 1, "rain"), 0),
        (("days", 1, "rain"), 0),
        (("note",), 0),
        (("note",), 8),
        (("note",), 15),
        (("note",), 20),
        (("none",), 0),
    ]


def test_a_place_that_was_found_is_unfolded() -> None:
    document = laid_out(WEATHER, 30)
    for words in ('"days"', "{"):
        document.toggle(at(document, words))
    (found,) = search(WEATHER, "second")
    place = document.place(document.find(found.path), found.offset)
    assert place is not None
    assert shown(document)[place] == "    second line"


def test_a_search_goes_over_the_seams_of_what_is_looked_through_at_once() -> None:
    text = "x" * (AT_ONCE - 2) + "needle" + "y" * AT_ONCE + "needle"
    assert search(text, "NEEDLE") == [Found((), AT_ONCE - 2), Found((), 2 * AT_ONCE + 4)]


def test_words_are_looked_for_as_they_stand() -> None:
    assert search("a.c abc [/", "a.c") == [Found((), 0)]
    assert search("a.c abc [/", "[/") == [Found((), 8)]
    assert search("abc", "") == []


def test_a_search_that_nobody_waits_for_ends() -> None:
    asked = []

    def is_wanted() -> bool:
        asked.append(1)
        return len(asked) < 3

    assert search(list(range(100_000)), "99999", is_wanted) == []
    assert len(asked) == 3


def test_deep_values_are_searched_too() -> None:
    value: Any = "deep"
    for _ in range(5_000):
        value = [value]
    (found,) = search(value, "deep")
    assert len(found.path) == 5_000
