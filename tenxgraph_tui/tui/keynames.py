"""What keys are called: as people write them, as Textual knows them, as the screen shows them."""

from __future__ import annotations

import unicodedata

from textual.keys import KEY_NAME_REPLACEMENTS, Keys, format_key

MODIFIERS = ("ctrl", "alt", "shift", "super", "hyper", "meta")
OTHER_NAMES = {
    "esc": "escape",
    "return": "enter",
    "del": "delete",
    "ins": "insert",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "pgdown": "pagedown",
    "spacebar": "space",
    "control": "ctrl",
    "option": "alt",
    "cmd": "super",
}
SHOWN = {
    "escape": "esc",
    "pageup": "pgup",
    "pagedown": "pgdn",
    "delete": "del",
    "insert": "ins",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "comma": ",",
}
SAME_TO_A_TERMINAL = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+h": "backspace"}
NAMED = frozenset(key.value for key in Keys) - {"<any>"}
REPLACED = frozenset(KEY_NAME_REPLACEMENTS.values())


def normal(written: str) -> str:
    """A key as Textual calls it: `Ctrl+R` is `ctrl+r`, `?` is `question_mark`, `esc` is `escape`.

    Raises:
        ValueError: there is no such key; the message says what to write instead.
    """
    text = written.strip()
    if not text:
        raise ValueError("no key is named")
    if len(text) == 1:
        return _of_character(text)
    if text.endswith("++"):
        text = f"{text[:-1]}plus"
    *modifiers, base = text.split("+")
    held = [OTHER_NAMES.get(name.lower().strip(), name.lower().strip()) for name in modifiers]
    unknown = [name for name in held if name not in MODIFIERS]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is no modifier; there are {', '.join(MODIFIERS)}")
    base = _base(base.strip(), written)
    if held == ["shift"] and len(base) == 1 and base.isalpha():
        return base.upper()
    key = "+".join([*(name for name in MODIFIERS if name in held), base])
    if key in SAME_TO_A_TERMINAL:
        raise ValueError(f"terminals send {SAME_TO_A_TERMINAL[key]!r} for {key!r}")
    return key


def _base(name: str, written: str) -> str:
    if len(name) == 1:
        return _of_character(name.lower())
    name = OTHER_NAMES.get(name.lower(), name.lower())
    if name in NAMED or name in REPLACED or _is_character(name):
        return name
    raise ValueError(f"{written.strip()!r} is no key; write it as 'f5', 'ctrl+r', 'escape' or '?'")


def _is_character(name: str) -> bool:
    try:
        return unicodedata.lookup(name.replace("_", " ").upper()).isprintable()
    except KeyError:
        return False


def _of_character(character: str) -> str:
    if character.isalnum():
        return character
    name = unicodedata.name(character, character).lower().replace("-", "_").replace(" ", "_")
    return KEY_NAME_REPLACEMENTS.get(name, name)


def shown(key: str) -> str:
    """A key that Textual calls `key`, as the screen shows it: `ctrl+p`, `?`, `esc`."""
    *modifiers, base = key.split("+")
    if base not in SHOWN and (base in NAMED or len(base) == 1):
        return "+".join([*modifiers, base])
    return "+".join([*modifiers, SHOWN.get(base) or format_key(base)])
