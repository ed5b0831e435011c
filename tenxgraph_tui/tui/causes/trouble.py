"""What a case that broke has in common with others: the kind of error and where it was raised."""

from __future__ import annotations

import re
from pathlib import PurePath

from tenxgraph_tui.session.evidence import Evidence
from tenxgraph_tui.tui.causes.finding import Finding, Parts, cut, named

TURN = re.compile(r"turn \d+: ")
KIND = re.compile(r"([^\W\d]\w*(?:\.\w+)*)(?:: |$)")
TIMED_OUT, NOTHING = "timed out after ", "nothing to check"
PLACE = re.compile(r"(.+):(\d+)")


def breakdown(error: str, found: Evidence | None = None) -> Finding:
    """The finding of a case in error; `error` is how its event tells it.

    Errors of a kind that were raised at one place are alike; others where they say the same.
    """
    told = TURN.sub("", error, count=1)
    if told.startswith(TIMED_OUT):
        return Finding(("timed out", told), cut(told), actual=_last_call(found))
    if told.startswith(NOTHING):
        return Finding(("error", told), NOTHING, actual=_text(told.removeprefix(f"{NOTHING}: ")))
    kind, place = KIND.match(told), PLACE.fullmatch(found.place) if found is not None else None
    if kind is None or place is None:
        return Finding(("error", told), cut(told) or "it broke without a word")
    title = f"{named(kind[1])} in {named(PurePath(place[1]).name)} line {place[2]}"
    return Finding(("raised", kind[1], place[0]), title, actual=_text(told[kind.end() :]))


def _text(said: str) -> Parts:
    said = cut(said)
    return (("", said),) if said else ()


def _last_call(found: Evidence | None) -> Parts:
    """What an agent that took too long had asked for last."""
    return (
        (("", f"after {named(found.calls[-1].name)}"),) if found is not None and found.calls else ()
    )
