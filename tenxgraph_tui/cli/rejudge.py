"""`tenxgraph-tui rejudge`: new verdicts on what agents did in a run; no agent is run."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from tenxgraph_tui.cli import selection
from tenxgraph_tui.cli.descriptors import StandardStreams
from tenxgraph_tui.cli.modules import heard, read_any
from tenxgraph_tui.cli.narration import Narration
from tenxgraph_tui.cli.printing import table
from tenxgraph_tui.cli.rescoring import rescored
from tenxgraph_tui.cli.run import HeadlessRun
from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.evaluation.reporters.look import encodable, look_of
from tenxgraph_tui.evaluation.stream import EventStream
from tenxgraph_tui.evaluation.visible import visible
from tenxgraph_tui.session.disagreement import Disagreement, Disagreements, disagreements
from tenxgraph_tui.session.discovery import Discovery
from tenxgraph_tui.session.project import store_place
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.session.terms import Terms
from tenxgraph_tui.settings.env_file import add_env_file


def execute(arguments: argparse.Namespace) -> int:
    """Judge the run that is named; the answer is the exit code, as that of `run`."""
    arguments.paths, arguments.target = [], None
    settings = selection.settings_of(arguments)
    streams = StandardStreams()
    try:
        for warning in settings.warnings:
            streams.tell(f"warning: {warning}")
        terms = Terms.of(settings)
        if terms.env_file and (missing := add_env_file(Path(terms.env_file), os.environ)):
            streams.tell(f"warning: {missing}")
        place = store_place(settings.root).path
        asked = selection.requested(arguments, Discovery(settings.root), terms, store=str(place))
        request = asked.model_copy(update={"kind": "rescore", "judged_from": arguments.run})
        root = Path(request.root)
        with heard(EventStream(Narration(streams.err), run_id=request.run_id)):
            planned = rescored(request, read=lambda path: read_any(path, root))
        for note in planned.notes:
            streams.tell(note)
        code = HeadlessRun(request, planned, arguments, settings, streams).execute()
        if planned.judged_from is not None:
            found = disagreements(RunStore(place), request.run_id, planned.judged_from.run_id)
            output = streams.err if arguments.events == "-" else streams.out
            _print(found, f"#{planned.judged_from.number}", output)
        return code
    finally:
        streams.close()


def _print(found: Disagreements, other: str, output: TextIO) -> None:
    for line in in_lines(found, other, arrow="→" if look_of(output).unicode else "->"):
        output.write(f"{encodable(visible(line), output)}\n")
    output.flush()


def in_lines(found: Disagreements, other: str, *, arrow: str = "→") -> Iterator[str]:
    """How many cases the two runs disagree about, and a line for each verdict that differs."""
    if not found.cases:
        yield f"no case has verdicts in both this run and {other}"
        return
    cases = plural(found.cases, "case")
    if not found.found:
        yield f"the same verdicts as in {other} on {cases}"
        return
    yield f"other verdicts than in {other} on {found.differing} of {cases}:"
    rows = [
        (_name(one), one.criterion or "case", one.before, arrow, one.now) for one in found.found
    ]
    yield from (f"  {row}" for row in table(rows))


def _name(one: Disagreement) -> str:
    name = f"{one.set_id}/{one.eval_id}"
    return f"{name} (attempt {one.attempt + 1})" if one.attempt else name
