"""Which judge the criteria of this context ask, and who is told that they do."""

from __future__ import annotations

import contextvars
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache

from tenxgraph_tui.evaluation.judging.port import Judge

Announce = Callable[[str, int, int], None]
"""Told before each sample: the criterion's name, which sample (from 1), of how many."""


def new_marker() -> str:
    """A random text that nobody can guess and every model can copy."""
    return secrets.token_hex(8)


def _tell_nobody(criterion: str, sample: int, of: int) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Bench:
    """The judge of a run, its marker, and the model that is asked instead of the criteria's own.

    `eval_id` is the case that is judged, as far as that is known.
    """

    judge: Judge
    marker: str = field(default_factory=new_marker)
    model: str | None = None
    eval_id: str = ""
    announce: Announce = _tell_nobody


_BENCH: contextvars.ContextVar[Bench] = contextvars.ContextVar("tenxgraph_judge")


def bench() -> Bench:
    """The bench of this context; outside of a run one that asks models, as the environment says."""
    return _BENCH.get(None) or _of_the_process()


@contextmanager
def judged_by(chosen: Bench | Judge) -> Iterator[Bench]:
    """Within it, criteria ask this judge."""
    used = chosen if isinstance(chosen, Bench) else Bench(chosen)
    token = _BENCH.set(used)
    try:
        yield used
    finally:
        _BENCH.reset(token)


@contextmanager
def judging(eval_id: str, announce: Announce, on: Bench | None = None) -> Iterator[None]:
    """Within it, one case is judged, on the bench of its run or else of the context."""
    with judged_by(replace(on or bench(), eval_id=eval_id, announce=announce)):
        yield


@cache
def _of_the_process() -> Bench:
    from tenxgraph_tui.evaluation.judging.asking import bench_of, options_from

    return bench_of(options_from())
