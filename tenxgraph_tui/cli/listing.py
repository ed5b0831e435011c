"""`tenxgraph-tui list`: what would be run, found out without running anything."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from tenxgraph_tui.cli import selection
from tenxgraph_tui.cli.compose import Composer
from tenxgraph_tui.cli.printing import put
from tenxgraph_tui.cli.verdict import BROKEN, MET
from tenxgraph_tui.errors import EvalSetError, TenxError
from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.prepared import skip_reason
from tenxgraph_tui.evaluation.visible import visible
from tenxgraph_tui.session.discovery import FoundSet
from tenxgraph_tui.session.terms import Terms


def execute(arguments: argparse.Namespace) -> int:
    """Print the selection; the answer is the exit code that `run` would have before its start."""
    settings = selection.settings_of(arguments)
    discovery = selection.found(arguments, settings)
    request = selection.requested(arguments, discovery, Terms.of(settings))
    composer = Composer(request, selection.listed_confevals(discovery, settings))
    listing = _Listing()
    for warning in settings.warnings:
        put(f"warning: {warning}", to_errors=True)
    for found in discovery.sets:
        listing.show(found, composer)
    for note in discovery.notes:
        put(f"warning: {note}", to_errors=True)
    for problem in discovery.problems:
        listing.complain(problem.text, EvalSetError.exit_code)
    if not discovery.total:
        listing.complain(selection.none_matches(arguments, discovery) or "no cases", BROKEN)
    return listing.code


class _Listing:
    """Prints sets to standard output and what is wrong with them to standard error."""

    def __init__(self) -> None:
        self.code = MET

    def show(self, found: FoundSet, composer: Composer) -> None:
        eval_set = found.eval_set
        put(f"{visible(eval_set.name or eval_set.eval_set_id)}  {found.file}")
        plan = composer.plan
        target = self._ask(lambda: composer.target(found.file, eval_set)[1])
        config = self._ask(lambda: composer.config(found.file, eval_set).name)
        put(f"  target {visible(target)}, config {visible(config)}")
        if target != "?" and config != "?":
            self._ask(lambda: plan(found.request, eval_set).file)
        for case in found.cases:
            put(_case(case))
        put(f"  {numbers.plural(len(found.cases), 'case')}\n")
        for warning in found.warnings:
            put(f"warning: {warning}", to_errors=True)

    def complain(self, text: str, code: int) -> None:
        put(text, to_errors=True)
        self.code = max(self.code, code)

    def _ask(self, question: Callable[[], str]) -> str:
        try:
            return question()
        except TenxError as error:
            self.complain(str(error), error.exit_code)
            return "?"


def _case(case: EvalCase) -> str:
    parts = [f"  {visible(case.eval_id)}"]
    if case.name and case.name != case.eval_id:
        parts.append(visible(case.name))
    if case.tags:
        parts.append(f"[{', '.join(map(visible, case.tags))}]")
    reason = skip_reason(case)
    if reason is not None:
        parts.append(f"(skipped: {visible(reason)})")
    return "  ".join(parts)
