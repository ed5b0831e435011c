"""What every adapter does around a turn of its agent."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tenxgraph_tui.adapters.port import Observer
from tenxgraph_tui.adapters.threads import as_error, is_cancelled


@contextmanager
def ordinary_errors() -> Iterator[None]:
    """Within it, what would end a loop or a program is raised as a `RuntimeError`.

    So is a cancellation that the agent raised by itself; a real one goes through.
    """
    try:
        yield
    except asyncio.CancelledError as error:
        if is_cancelled():
            raise
        raise as_error(error) from error
    except (SystemExit, KeyboardInterrupt) as error:
        raise as_error(error) from error


def warn_of_unknown(state: Mapping[str, Any], fields: Iterable[str], observer: Observer) -> None:
    """Say which fields of `session_input.state` the state of a graph with `fields` has not."""
    known = set(fields)
    if unknown := sorted(set(state) - known):
        observer.warn(
            f"session_input.state has {', '.join(unknown)}, which the graph's state has not; "
            f"its fields are: {', '.join(sorted(known)) or 'none'}"
        )
