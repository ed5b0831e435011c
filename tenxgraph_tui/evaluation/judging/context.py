"""Which judge the criteria of this context ask, and who is told that they do."""

from __future__ import annotations

import contextvars
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tenxgraph_tui.evaluation.judging.answers import Answers
from tenxgraph_tui.evaluation.judging.port import Judge

Announce = Callable[[str, int, int], None]
"""Told before each sample: the criterion's name, which sample (from 1), of how many."""


def new_marker() -> str:
    """A random text that nobody can guess and every model can copy."""
    return secrets.token_hex(8)


@dataclass(frozen=True, slots=True)
class Bench:
    """The judge of a run, its marker, and the model that is asked instead of the criteria's own.

    `prompts_dir` is a folder with prompts of the project's own; paths of prompts go from `cwd`,
    wherever an agent may go. `answers` are those of earlier runs, which are taken where there are
    some; with None every question is asked. `problem` says why a model cannot be asked, "" if it
    can.
    """

    judge: Judge
    marker: str = field(default_factory=new_marker)
    model: str | None = None
    prompts_dir: str | None = None
    cwd: Path = field(default_factory=Path.cwd)
    answers: Answers | None = None
    problem: Callable[[str], str] = lambda _: ""


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """The case that criteria look at, and who hears of every sample that they ask for."""

    eval_id: str = ""
    announce: Announce | None = None
    attempt: int = 0


_BENCH: contextvars.ContextVar[Bench] = contextvars.ContextVar("tenxgraph_judge")
_CASE: contextvars.ContextVar[JudgedCase] = contextvars.ContextVar("tenxgraph_judged_case")
_NO_CASE = JudgedCase()


def bench() -> Bench:
    """The bench of this context; outside of a run one that asks models, as the environment says."""
    return _BENCH.get(None) or _of_the_process()


def judged_case() -> JudgedCase:
    """The case that is judged in this context; outside of a run nothing is known of it."""
    return _CASE.get(_NO_CASE)


@contextmanager
def judged_by(chosen: Bench | Judge) -> Iterator[Bench]:
    """Within it, criteria ask this judge."""
    used = chosen if isinstance(chosen, Bench) else Bench(chosen)
    token = _BENCH.set(used)
    try:
        yield used
    finally:
        _BENCH.reset(token)


class judging:  # noqa: N801 - used as a statement, `with judging(case, bench):`
    """Within it `case` is judged, on the bench of its run, or with None on that of the context."""

    def __init__(self, case: JudgedCase, on: Bench | None = None) -> None:
        self._case, self._on = case, on

    def __enter__(self) -> None:
        self._case_before = _CASE.set(self._case)
        self._bench_before = _BENCH.set(self._on) if self._on is not None else None

    def __exit__(self, *error: object) -> None:
        _CASE.reset(self._case_before)
        if self._bench_before is not None:
            _BENCH.reset(self._bench_before)


@cache
def _of_the_process() -> Bench:
    from tenxgraph_tui.evaluation.judging.asking import bench_of, options_from

    return bench_of(options_from())
