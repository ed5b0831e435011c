"""What the values of flags have to be, each as a type of argparse."""

from __future__ import annotations

import argparse
import math

REPORTS = ("json", "html", "junit", "markdown")
NO_REPORT = "none"
LAST_PORT = 65_535


def count(text: str) -> int:
    """A whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, not {text!r}")
    return int(text)


def port(text: str) -> int:
    """A port that can be named."""
    if not text.isdecimal() or not 1 <= int(text) <= LAST_PORT:
        raise argparse.ArgumentTypeError(f"must be from 1 to {LAST_PORT}, not {text!r}")
    return int(text)


def seconds(text: str) -> float:
    """A time above 0."""
    number = _number(text)
    if number <= 0:
        raise argparse.ArgumentTypeError(f"must be above 0 seconds, not {text!r}")
    return number


def share(text: str) -> float:
    """A rate from 0 to 1."""
    number = _number(text)
    if not 0.0 <= number <= 1.0:
        raise argparse.ArgumentTypeError(f"must be between 0 and 1, not {text!r}")
    return number


def reports(text: str) -> tuple[str, ...]:
    """`json`, or several with commas (`json,junit`), each once; `none` unsays the settings'."""
    if text.strip() == NO_REPORT:
        return ()
    kinds = tuple(dict.fromkeys(kind.strip() for kind in text.split(",")))
    for kind in kinds:
        if kind not in REPORTS:
            raise argparse.ArgumentTypeError(
                f"there is no {kind!r} report; there is {', '.join(REPORTS)}"
            )
    return kinds


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise argparse.ArgumentTypeError(f"must be a number, not {text!r}")
    return number
