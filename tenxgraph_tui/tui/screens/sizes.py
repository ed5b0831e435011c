"""From which sizes on the screens change their layout; the styles carry the same names."""

from __future__ import annotations

from textual.geometry import Size

WIDTHS = [(0, "-cramped-width"), (40, "-narrow"), (80, "-medium"), (120, "-wide")]
HEIGHTS = [(0, "-cramped-height"), (8, "-tiny"), (18, "-short"), (28, "-mid"), (40, "-tall")]
WIDE_FROM = 120
DETAIL_FROM = (80, 18)


def classes_at(size: Size) -> dict[str, bool]:
    """The classes that a screen of that size has, and those that it does not.

    Textual sets them when a screen is resized, and so only after it has been drawn once.
    """
    found: dict[str, bool] = {}
    for cells, breakpoints in ((size.width, WIDTHS), (size.height, HEIGHTS)):
        reached = max(least for least, _ in breakpoints if least <= cells)
        found.update({name: least == reached for least, name in breakpoints})
    return found
