"""A line of text that is typed into the last line of the page."""

from __future__ import annotations

from dataclasses import dataclass

from tenxgraph_tui.cli.watching.messages import ESCAPE

ENTER = ("\n", "\r")
BACKSPACE = ("\x7f", "\b")
CLEAR = "\x15"
LONGEST = 200


@dataclass(slots=True)
class Prompt:
    """`question` is what is asked, `text` what was typed so far.

    `is_done` once enter was pressed; `is_left` if escape was, and nothing is to change.
    """

    question: str
    text: str = ""
    is_done: bool = False
    is_left: bool = False

    def press(self, key: str) -> None:
        """Take one key."""
        if key in ENTER:
            self.is_done = True
        elif key == ESCAPE:
            self.is_left = True
        elif key in BACKSPACE:
            self.text = self.text[:-1]
        elif key == CLEAR:
            self.text = ""
        elif key.isprintable() and len(self.text) < LONGEST:
            self.text += key
