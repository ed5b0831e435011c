"""Command lines that do, without the dashboard, what was done or seen in it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from tenxgraph_tui.evaluation.events import SetInfo
from tenxgraph_tui.evaluation.presets import PRESETS
from tenxgraph_tui.evaluation.secrets import shown_spec
from tenxgraph_tui.session.project import project_root
from tenxgraph_tui.session.protocol import SetRequest, WorkerRequest
from tenxgraph_tui.tui.catalog import Catalog
from tenxgraph_tui.tui.folders import as_typed

PROGRAM = "tenxgraph-tui"
MOST_FILES = 3


def command_of(request: WorkerRequest, files: Iterable[str] = ()) -> str:
    """`tenxgraph-tui run …` for what was asked for, or for some of its files only.

    It need not be the same cases: that of a few files is enough to see an error again. A config
    that exists nowhere but in the request cannot be named, and is left out.
    """
    if request.kind == "rescore":
        return _rejudge_command(request)
    places = _places([*files] or [one.path for one in request.sets])
    return shlex.join([PROGRAM, "run", *places, *_flags(request)])


def rerun_command(request: WorkerRequest, catalog: Catalog) -> str:
    """`tenxgraph-tui run …` for exactly the cases of a request, but for `unnamed` criteria."""
    if request.kind == "rescore":
        return _rejudge_command(request)
    return shlex.join([PROGRAM, "run", *_cases(request.sets, catalog), *_flags(request)])


def _rejudge_command(request: WorkerRequest) -> str:
    """`tenxgraph-tui rejudge …` for what was judged again: always all of that run."""
    return shlex.join([PROGRAM, "rejudge", str(request.judged_from), *_flags(request)])


def unnamed(request: WorkerRequest) -> str:
    """What the criteria of a request are called that no flag can name; "" where one can."""
    return request.config_name or "the criteria" if isinstance(request.config, dict) else ""


def reopen_command(run: int | str, root: Path) -> str:
    """`tenxgraph-tui open …` for a run of the project at `root`, from wherever we are."""
    command = shlex.join([PROGRAM, "open", str(run)])
    if project_root(Path.cwd()) == root.resolve():
        return command
    return f"cd {shlex.quote(str(root.resolve()))} && {command}"


def blamed_in(error: str, sets: Iterable[SetInfo]) -> SetInfo | None:
    """The first set whose target an error is about; its file is enough to see it again."""
    return next((info for info in sets if info.target and info.target in error), None)


def _flags(request: WorkerRequest) -> Iterator[str]:
    if request.target is not None:
        yield from ("--target", shown_spec(request.target))
    if isinstance(request.config, str):
        is_preset = request.config in PRESETS
        yield "--preset" if is_preset else "--config"
        yield request.config if is_preset else as_typed(request.config)
    if request.options.judge_model is not None:
        yield from ("--judge-model", request.options.judge_model)
    if request.options.judge_base_url is not None:
        yield from ("--judge-base-url", request.options.judge_base_url)


def _cases(sets: Iterable[SetRequest], catalog: Catalog) -> Iterator[str]:
    """Whole files where all of their cases are wanted, else every case by its name."""
    files = {file.path: file for file in catalog.files}
    for one in sets:
        file, place = files[one.path], as_typed(one.path)
        if one.ids is None or (len(one.ids) == len(file.cases) and not file.is_part):
            yield place
        else:
            yield from (f"{place}::{eval_id}" for eval_id in one.ids)


def _places(files: list[str]) -> list[str]:
    """As people would type them: relative, and a folder for many."""
    if len(files) > MOST_FILES:
        return [as_typed(os.path.commonpath([Path(file).absolute() for file in files]))]
    return [as_typed(file) for file in files]
