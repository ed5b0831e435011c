"""How numbers read on every screen and in every report: short, and never nicer than they are."""

from __future__ import annotations

import math
import time

EXACT_TOKENS = 10_000
MILLIONS = 999_500
ALMOST_A_SECOND = 0.9995
MINUTE, HOUR, DAY = 60, 3600, 86_400
SMALLEST_PRICE = 0.0001


def score(value: float, *, passed: bool) -> str:
    """Two decimals; a failing score is cut, not rounded, so it never looks like its threshold."""
    return f"{value if passed else math.floor(value * 100 + 1e-9) / 100:.2f}"


def threshold(value: float) -> str:
    """Two decimals, or as many as it has."""
    return f"{value:.2f}" if math.isclose(round(value, 2), value) else f"{value:g}"


def seconds(value: float | None) -> str:
    """A duration: `780ms`, `4.2s`, `1m04s`, `1h02m`."""
    if value is None:
        return "–"
    if value < ALMOST_A_SECOND:
        return f"{max(0.0, value) * 1000:.0f}ms"
    if round(value, 1) < MINUTE:
        return f"{value:.1f}s"
    minutes, rest = divmod(round(value), MINUTE)
    if minutes < MINUTE:
        return f"{minutes}m{rest:02d}s"
    return f"{minutes // MINUTE}h{minutes % MINUTE:02d}m"


def clock(value: float | None) -> str:
    """Elapsed time and eta: `0:14`, `1:02:09`."""
    if value is None:
        return "–"
    whole = max(0, int(value))
    hours, rest = divmod(whole, HOUR)
    minutes, left = divmod(rest, MINUTE)
    return f"{hours}:{minutes:02d}:{left:02d}" if hours else f"{minutes}:{left:02d}"


def ago(seconds: float) -> str:
    """How long something is over: `just now`, `5 min ago`, `2 h ago`, `3 days ago`."""
    if seconds < MINUTE:
        return "just now"
    if seconds < HOUR:
        return f"{seconds // MINUTE:.0f} min ago"
    if seconds < DAY:
        return f"{seconds // HOUR:.0f} h ago"
    return f"{plural(int(seconds // DAY), 'day')} ago"


def moment(at: float, now: float) -> str:
    """A time of today as `14:32`, of another day with its date; both in Unix seconds."""
    then, today = time.localtime(at), time.localtime(now)
    is_today = then[:3] == today[:3]
    return time.strftime("%H:%M" if is_today else "%Y-%m-%d %H:%M", then)


def tokens(count: int) -> str:
    """Exact to 9999, then `24.1k`, `1.31M`."""
    if count < EXACT_TOKENS:
        return str(count)
    return f"{count / 1000:.1f}k" if count < MILLIONS else f"{count / 1e6:.2f}M"


def money(dollars: float | None) -> str:
    """`$0.0014` below a dollar, `$12.40` above; `$0` is free, `–` an unknown price."""
    if dollars is None:
        return "–"
    if dollars == 0:
        return "$0"
    if dollars < SMALLEST_PRICE:
        return f"<${SMALLEST_PRICE}"
    return f"${dollars:.4f}" if round(dollars, 4) < 1 else f"${dollars:.2f}"


def percent(share: float) -> str:
    """`75.0 %`; anything short of everything stays below `100.0 %`."""
    return f"{math.floor(share * 1000 + 1e-9) / 10:.1f} %"


def plural(count: int, noun: str, many: str = "") -> str:
    """`1 case`, `2 cases`."""
    return f"{count} {noun if count == 1 else many or noun + 's'}"
