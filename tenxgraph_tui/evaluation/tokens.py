"""Words in any script, as `rouge_match`, `contains_keywords` and the dashboard see them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, groupby

_ASCII = re.compile(r"[A-Za-z0-9]+(?:(?<=\d)[.,](?=\d)[A-Za-z0-9]+)*")

# Scripts that write no spaces: Thai, Lao, Burmese, Khmer, Tai, kana, bopomofo and Han. Hangul has
# spaces, so a Korean word stays a word.
_UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029"
    r"\u3031-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua9e0-\ua9ff\uaa60-\uaa7f"
    r"\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)


def words(text: str) -> list[str]:
    """The words of `text`, folded (NFC and casefold), in order.

    Letters with their marks and digits form words, also `3.14` and `1,000`. A character of a script
    without spaces, an emoji and a symbol are a word each; everything else separates.
    """
    if text.isascii():
        return _ASCII.findall(text.lower())
    return [fold(match[0]) for match in _unicode().finditer(text)]


def spans(text: str) -> list[tuple[str, int, int]]:
    """(folded word, start, end) of every word of `text`."""
    pattern = _ASCII if text.isascii() else _unicode()
    return [(fold(match[0]), *match.span()) for match in pattern.finditer(text)]


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


@cache
def _unicode() -> re.Pattern[str]:
    # Built on first use: it looks at every character's category, which takes some 20 ms.
    marks, symbols = _characters("M"), _characters("So")
    letter = rf"(?:(?![{_UNSPACED}])[^\W_]|\d)[{marks}]*"
    alone = rf"(?=[^\W\d_])[{_UNSPACED}][{marks}]*"
    return re.compile(rf"(?:{letter}|(?<=\d)[.,](?=\d))+|{alone}|[{symbols}]")


def _characters(category: str) -> str:
    """The inside of a character class: all characters whose category starts with `category`."""
    assigned = chain(range(0x80, 0x20000), range(0xE0100, 0xE01F0))
    codes = (code for code in assigned if unicodedata.category(chr(code)).startswith(category))
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in _runs(codes))


def _runs(codes: Iterator[int]) -> Iterator[tuple[int, int]]:
    for _, run in groupby(enumerate(codes), key=lambda pair: pair[1] - pair[0]):
        members = [code for _, code in run]
        yield members[0], members[-1]
