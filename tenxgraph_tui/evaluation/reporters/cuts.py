"""Long texts in reports for people: cut, and what is missing is said.

Texts must be `visible` already: lone surrogates have no bytes.
"""

from __future__ import annotations

ELSEWHERE = "see JSON"


def at_bytes(text: str, limit: int) -> str:
    """At most `limit` bytes of UTF-8; what is left out is counted in a last line."""
    encoded = text.encode()
    if len(encoded) <= limit:
        return text
    kept = encoded[:limit].decode(errors="ignore")
    left = len(encoded) - len(kept.encode())
    return f"{kept}\n… truncated, {left} bytes, {ELSEWHERE}"


def at_characters(text: str, limit: int) -> str:
    """At most `limit` characters; what is left out is counted in a last line."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n… truncated, {len(text) - limit} characters, {ELSEWHERE}"


def one_line(text: str, limit: int) -> str:
    """At most `limit` bytes of UTF-8, the last of them `…` if something is missing."""
    encoded = text.encode()
    if len(encoded) <= limit:
        return text
    return f"{encoded[: limit - len('…'.encode())].decode(errors='ignore')}…"
