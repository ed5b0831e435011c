"""Agent text is data: the one function that makes it safe to show in a terminal."""

from __future__ import annotations

import re

TAB = " " * 4
LAST_BYTE = 0xFF
_OTHERS = (
    r"\x7f-\x9f"  # DEL and C1: they drive terminals, as C0 does
    r"\u2028\u2029"  # line separators that many splitters take for a new row
    r"\u202a-\u202e\u2066-\u2069"  # direction overrides: text that reads as another text
    r"\ud800-\udfff"  # lone surrogates: no encoding can write them
    r"\ufeff\ufff9-\ufffb\ufffe\uffff"  # marks and non-characters nobody can see
)
_UNSAFE = re.compile(rf"[\x00-\x1f{_OTHERS}]")
_UNSAFE_WITHIN_LINES = re.compile(rf"[\x00-\t\x0b-\x1f{_OTHERS}]")
"""Without the line break: to look at each of 100 000 takes long."""
_NAMED = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def visible(text: str, *, multiline: bool = False) -> str:
    r"""`text` with every character that could act on the terminal written out, like `\x1b`.

    By default the result is one line (a line break is written `\n`). With `multiline` line breaks
    stay, `\r\n` counts as one, and a tab becomes four spaces.
    """
    if text.isprintable():
        return text
    if not multiline:
        return _UNSAFE.sub(_written_out, text)
    return _UNSAFE_WITHIN_LINES.sub(_within_lines, text.replace("\r\n", "\n"))


def _written_out(found: re.Match[str]) -> str:
    character = found.group()
    if character in _NAMED:
        return _NAMED[character]
    code = ord(character)
    return f"\\x{code:02x}" if code <= LAST_BYTE else f"\\u{code:04x}"


def _within_lines(found: re.Match[str]) -> str:
    return TAB if found.group() == "\t" else _written_out(found)
