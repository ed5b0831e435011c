"""What can be copied of a case and of its run: command lines, and the case as a test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.protocol import WorkerRequest
from tenxgraph_tui.tui.as_test import Grounds, target_here, text_of
from tenxgraph_tui.tui.asking import has_cases_to_run, to_run
from tenxgraph_tui.tui.board import UNTOLD
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.reproducing import reopen_command, rerun_command, unnamed

OVER = frozenset(CaseStatus) - UNTOLD - {CaseStatus.CANCELLED, CaseStatus.SKIPPED}


class What(StrEnum):
    """In the order in which they are offered."""

    RERUN_CASE = "rerun this case"
    RERUN_CHOSEN = "rerun what r runs"
    REOPEN = "reopen its run"
    TEST = "as a test"


@dataclass(frozen=True, slots=True)
class Copies:
    """What is offered for one case, as the desk has it now."""

    desk: Desk
    key: CaseKey

    @property
    def offered(self) -> list[What]:
        """What there is; of a case whose file is gone only its run is left."""
        desk, wanted = self.desk, self.desk.choices.wanted
        case = desk.id_of(self.key)
        is_here = case in desk.catalog
        found = {
            What.RERUN_CASE: is_here,
            What.RERUN_CHOSEN: has_cases_to_run(desk) and wanted != {case},
            What.REOPEN: self._number is not None,
            What.TEST: is_here and desk.board.cases[self.key].status in OVER,
        }
        return [what for what, is_there in found.items() if is_there]

    def name(self, what: What) -> str:
        """What people call it."""
        match what:
            case What.RERUN_CASE:
                return f"the command that reruns {self.key.eval_id}"
            case What.RERUN_CHOSEN:
                count = numbers.plural(to_run(self.desk), "case")
                selected = "selected " if self.desk.choices.selected else ""
                return f"the command that runs the {selected}{count}"
            case What.REOPEN:
                return f"the command that reopens run #{self._number}"
            case What.TEST:
                return f"the pytest test of {self.key.eval_id}"

    def command(self, what: What) -> str:
        """The command line, for whatever is one."""
        if what is What.REOPEN:
            return reopen_command(self._number or "", self.desk.root)
        return rerun_command(self._request(what), self.desk.catalog)

    def left_out(self, what: What) -> str:
        """What the criteria are called that the command cannot name; "" if it says everything."""
        is_run = what in {What.RERUN_CASE, What.RERUN_CHOSEN}
        return unnamed(self._request(what)) if is_run else ""

    def test(self, config: Mapping[str, Any]) -> str:
        """The case as a test, with the config that it was run with."""
        desk, source = self.desk, self.desk.board.source(self.key)
        file = self.desk.id_of(self.key).path
        terms = desk.choices.terms
        return text_of(
            Grounds(
                case=desk.board.cases[self.key],
                number=source.number,
                target=target_here(source.info, Path(file), desk.root, said=desk.choices.target),
                file=file,
                config=config,
                root=desk.root,
                timeout=terms.options.timeout,
                env_file=terms.env_file,
                options=terms.options.targets,
            )
        )

    @property
    def _number(self) -> int | None:
        """Of the run that the case is shown of."""
        desk = self.desk
        if desk.board.cases[self.key].status in UNTOLD and self.key not in desk.board.earlier:
            return desk.state.number
        return desk.board.source(self.key).number

    def _request(self, what: What) -> WorkerRequest:
        desk = self.desk
        only = [desk.id_of(self.key)] if what is What.RERUN_CASE else None
        return desk.choices.request(desk.catalog, root=str(desk.root), store=None, only=only)
