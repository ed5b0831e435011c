"""From which sizes on the screens change their layout; the styles carry the same names."""

from __future__ import annotations

WIDTHS = [(0, "-cramped-width"), (40, "-narrow"), (80, "-medium"), (120, "-wide")]
HEIGHTS = [(0, "-cramped-height"), (8, "-tiny"), (18, "-short"), (28, "-mid"), (40, "-tall")]
WIDE_FROM = 120
DETAIL_FROM = (80, 18)
