"""The documented names of terminal colours, for people who print reports of their own."""

from __future__ import annotations


class Colors:
    """ANSI sequences to put around a text; end with `RESET`.

    They are plain constants: unlike `ConsoleReporter` they know nothing of terminals. After
    `disable()` all of them are empty, in the whole process.
    """

    RESET = "\x1b[0m"
    BOLD = "\x1b[1m"
    DIM = "\x1b[2m"
    RED = "\x1b[31m"
    GREEN = "\x1b[32m"
    YELLOW = "\x1b[33m"
    BLUE = "\x1b[34m"
    MAGENTA = "\x1b[35m"
    CYAN = "\x1b[36m"
    WHITE = "\x1b[37m"
    BG_RED = "\x1b[41m"
    BG_GREEN = "\x1b[42m"

    @classmethod
    def disable(cls) -> None:
        """Make every colour the empty text, for good."""
        for name in vars(Colors).copy():
            if name.isupper():
                setattr(Colors, name, "")
