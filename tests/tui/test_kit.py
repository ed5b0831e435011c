"""Whatever is drawn is as wide as it was asked to be, and no character is cut in half."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.content import Content
from textual.style import Style

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.tui import kit, words
from tenxgraph_tui.tui.glyphs import STATUS, TO_ASCII, VERDICT

NASTY = [
    pytest.param("", id="nothing"),
    pytest.param("plain words, a few of them", id="plain words"),
    pytest.param("漢字かな交じり文", id="wide characters"),
    pytest.param("👨‍👩‍👧👍🏽🇩🇪🇫🇷⚠️", id="joined, toned and flagged emoji"),
    pytest.param("e\u0301e\u0301 नमस्ते", id="combining marks"),
    pytest.param("\u200d\u200d\u200b\ufe0f", id="nothing that has a width"),
    pytest.param("[bold]not markup[/] [/", id="what looks like markup"),
    pytest.param("\x1b[31mred\x1b[0m\x07\x9b2J\r\n\tx", id="escape sequences"),
    pytest.param("\u202egnp.exe\u2028\ud800", id="direction overrides and lone surrogates"),
    pytest.param("x" * 3000, id="one long word"),
]
ANY_TEXT = st.text(
    st.one_of(st.characters(), st.sampled_from("漢👍🏽\u200d\ufe0f🇩🇪e\u0301 \t\n[]")), max_size=40
)
CELLS = st.integers(-2, 60)


@pytest.mark.parametrize("value", NASTY)
@pytest.mark.parametrize("mode", ["end", "middle"])
def test_fit_fills_exactly_the_cells_it_is_given(value: str, mode: words.Cut) -> None:
    for room in range(60):
        assert cell_len(words.fit(value, room, "left", mode)) == room
        assert cell_len(words.fit(value, room, "right", mode)) == room


@given(ANY_TEXT, CELLS)
def test_every_primitive_keeps_its_width(value: str, room: int) -> None:
    width = max(0, room)
    assert kit.clip(value, room).cell_length <= width
    for line in (
        kit.cell(value, room),
        kit.pad(kit.text(value, "bold"), room),
        kit.flush(value, room),
        kit.highlight(value, room),
        kit.spread(value, value, room),
        kit.rule(value, room, value),
        kit.rule(value, room, focused=True),
        kit.hairline(room),
    ):
        assert line.cell_length == width
        assert cell_len(line.plain) == width


@given(ANY_TEXT, st.integers(1, 40))
def test_wrapped_lines_fit_and_lose_no_word(value: str, room: int) -> None:
    lines = words.wrap(value, room)
    assert all(cell_len(line) <= room for line in lines)
    whole = "".join(words.clean(value, multiline=True).split())
    shown = "".join("".join(lines).split())
    assert shown == whole or words.ELLIPSIS in shown


@given(ANY_TEXT)
def test_graphemes_cover_the_text_without_gaps(value: str) -> None:
    spans = words.graphemes(value)
    assert "".join(value[start:end] for start, end, _ in spans) == value


@pytest.mark.parametrize(
    ("value", "room", "shown"),
    [
        pytest.param("get_forecast", 8, "get_for…", id="at the end"),
        pytest.param("漢字漢字", 4, "漢…", id="before a wide character that does not fit"),
        pytest.param("🇩🇪🇫🇷🇮🇹", 4, "🇩🇪…", id="between two flags"),
        pytest.param("👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…", id="after a family"),
        pytest.param("e\u0301e\u0301e\u0301", 2, "e\u0301…", id="after an accent"),
    ],
)
def test_text_is_cut_between_characters(value: str, room: int, shown: str) -> None:
    assert words.shorten(value, room) == shown


def test_a_name_is_cut_in_the_middle() -> None:
    assert words.shorten("fahrenheit_for_us_cities", 17, "middle") == "fahrenheit…cities"


def test_markup_in_a_value_is_shown_as_it_is() -> None:
    line = kit.join("[bold]a[/]", kit.text("[@click=quit]b[/]"))
    assert line.plain == "[bold]a[/][@click=quit]b[/]"
    assert not line.spans


def test_escape_sequences_are_written_out() -> None:
    assert kit.text("\x1b[2J").plain == "\\x1b[2J"


def test_variation_selectors_go() -> None:
    assert words.clean("⚠\ufe0f!") == "⚠!"


def test_a_focused_rule_differs_in_shape_too() -> None:
    assert kit.rule("Cases", 16).plain == "─ Cases ────────"
    assert kit.rule("Cases", 16, focused=True).plain == "━ Cases ━━━━━━━━"


def test_a_rule_drops_what_stands_right_before_it_cuts_its_title() -> None:
    assert kit.rule("Cases", 20, "36 cases").plain == "─ Cases ─ 36 cases ─"
    assert kit.rule("Cases", 18, "36 cases").plain == "─ Cases ──────────"


def test_keys_are_dropped_from_the_right_and_never_cut() -> None:
    pairs = [("enter", "Open"), ("x", "Cancel run"), ("q", "Quit")]
    assert kit.keys(pairs).plain == "enter Open   x Cancel run   q Quit"
    assert kit.keys(pairs, 30).plain == "enter Open   x Cancel run"


def test_a_status_is_a_glyph_and_a_word() -> None:
    assert kit.status(CaseStatus.FAILED).plain == "✗ failed   "
    assert kit.status(CaseStatus.PASSED, None, known=True).plain == "✗ failed (known)"


def test_every_sign_is_one_cell_wide_and_has_an_ascii_stand_in() -> None:
    assert set(STATUS) == set(CaseStatus)
    for sign in [*STATUS.values(), *VERDICT.values()]:
        assert cell_len(sign.glyph) == 1
        assert sign.glyph.translate(TO_ASCII).isascii()
    assert all(cell_len(chr(code)) == 1 for code in TO_ASCII)


def test_a_strip_has_the_width_of_its_widget() -> None:
    strip = kit.strip(Content("漢字").stylize("bold"), 7, Style())
    assert strip.cell_length == 7
    assert strip.text == "漢字   "
