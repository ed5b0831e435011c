"""Any text as GitHub-flavoured Markdown that shows exactly that text, and nothing else happens.

Agents say `|`, backticks, `<script>`, `@someone` and `#12`; none of it may become a table cell, a
tag, a mention or a link.
"""

from __future__ import annotations

import re

from tenxgraph_tui.evaluation.visible import visible

_HARD_FOR_CODE = re.compile(r"[`|]|^\s|\s$")
_SPECIAL = re.compile(
    r"[^\w\s.,:;()'\"=/%+-]"  # punctuation that Markdown or GitHub read
    r"|(?<!\w)_|_(?!\w)"  # emphasis; within a word it is none
    r"|:(?=/)|(?<=www)\.",  # addresses that become links
    re.ASCII,
)
_REFERENCES = "@#"
_APART = "<!-- -->"
"""Keeps GitHub from reading the rest of a word as a name or a number."""


def text(value: str) -> str:
    """One line of prose."""
    return _SPECIAL.sub(_as_entity, visible(value))


def code(value: str) -> str:
    """One line in a monospaced face; safe in a table too, where a backslash would not be."""
    shown = visible(value)
    if not shown or _HARD_FOR_CODE.search(shown):
        return f"<code>{_SPECIAL.sub(_as_entity, shown)}</code>"
    return f"`{shown}`"


def block(value: str) -> str:
    """Lines as they are, in a fence longer than any within."""
    shown = visible(value, multiline=True)
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{shown}\n{fence}"


def _as_entity(found: re.Match[str]) -> str:
    character = found.group()
    if not character.isascii():
        return character
    entity = f"&#{ord(character)};"
    return entity + _APART if character in _REFERENCES else entity
