"""News of a save, made of what was saved and of what flipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tenxgraph_tui.session.watching.flips import Flips, Kind
from tenxgraph_tui.tui.watching.news import News
from tenxgraph_tui.tui.watching.state import Saved


def news_of(saved: Sequence[Saved], cases: int) -> News:
    """The news while the run goes on."""
    names = list(dict.fromkeys(name for one in saved for name in one.names))
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    at = saved[-1].at if saved else 0.0
    return News(f"{names[0]}{more}" if names else "", at, cases)


def with_flips(news: News, found: Flips, seconds: float) -> News:
    """The news once the run is over."""
    kinds = {kind: tuple(one.name[1] for one in found.of(kind)) for kind in Kind}
    still = len(kinds[Kind.STILL_FAILING])
    return replace(
        news,
        rerun=len(found.cases),
        seconds=seconds,
        broke=kinds[Kind.BROKE],
        errored=kinds[Kind.ERRORED],
        fixed=kinds[Kind.FIXED],
        new=kinds[Kind.NEW],
        unchanged=len(kinds[Kind.UNCHANGED]) + still,
        still_failing=still,
    )
