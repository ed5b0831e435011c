"""Words in any script, as `rouge_match`, `contains_keywords` and the dashboard see them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_ASCII_WORD = re.compile(r"[A-Za-z0-9]+(?:(?<=\d)[.,](?=\d)[A-Za-z0-9]+)*")

# Over kinds of characters, see _Kinds: letters and digits with their marks, and points between
# digits; a letter of a script without spaces; a symbol.
_WORD = re.compile(r"(?:[wd]m*|(?<=d)[.,](?=d))+|um*|s")

# Thai, Lao, Burmese, Khmer, Tai, kana, bopomofo and Han write no spaces. Hangul does, so a Korean
# word stays a word.
_UNSPACED = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x1950, 0x19DF),
    (0x2E80, 0x2FDF),
    (0x3005, 0x3007),
    (0x3021, 0x3029),
    (0x3031, 0x312F),
    (0x31A0, 0x31BF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xA9E0, 0xA9FF),
    (0xAA60, 0xAA7F),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),
    (0x1B000, 0x1B16F),
    (0x20000, 0x3FFFF),
)


def words(text: str) -> list[str]:
    """The words of `text`, folded (NFC and casefold), in order.

    Letters with their marks and digits form words, also `3.14` and `1,000`. A character of a script
    without spaces, an emoji and a symbol are a word each; everything else separates.
    """
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    return [word for word, _, _ in spans(text)]


def spans(text: str) -> list[tuple[str, int, int]]:
    """(folded word, start, end) of every word of `text`."""
    if text.isascii():
        return [(found.group(), *found.span()) for found in _ASCII_WORD.finditer(text.lower())]
    places = (found.span() for found in _WORD.finditer(text.translate(_KINDS)))
    return [(fold(text[start:end]), start, end) for start, end in places]


def shared(left: Iterable[str], right: Iterable[str]) -> int:
    """How many words two texts share, each occurrence counted once."""
    counts: dict[str, int] = {}
    for word in left:
        counts[word] = counts.get(word, 0) + 1
    total = 0
    for word in right:
        if counts.get(word):
            counts[word] -= 1
            total += 1
    return total


def fold(text: str) -> str:
    """`text` in the form in which words are compared: case and Unicode form do not matter."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFC", text).casefold()
    return unicodedata.normalize("NFC", folded)


class _Kinds(dict[int, str]):
    """Code point → one letter for what the character is, found out when it is first met.

    w letter or other number, u letter of a script without spaces, d digit, m mark, s symbol; points
    and commas stand for themselves, a space for the rest.
    """

    def __missing__(self, code: int) -> str:
        category = unicodedata.category(chr(code))
        if chr(code) in ".,":
            kind = chr(code)
        elif category == "Nd":
            kind = "d"
        elif category[0] in "LN":
            kind = "u" if any(first <= code <= last for first, last in _UNSPACED) else "w"
        elif category[0] == "M":
            kind = "m"
        else:
            kind = "s" if category == "So" else " "
        self[code] = kind
        return kind


_KINDS = _Kinds()
