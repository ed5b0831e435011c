"""What a headless run tells on standard error while it goes on: a line as each thing happens."""

from __future__ import annotations

from typing import TextIO

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.events import (
    CaseFinished,
    CaseRestarted,
    CaseStatus,
    Log,
    RunEvent,
    RunStarted,
)
from tenxgraph_tui.evaluation.reporters.look import Look, can_write, look_of
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.evaluation.visible import visible

REASON = 160
COLOURS = {CaseStatus.PASSED: "32", CaseStatus.FAILED: "31", CaseStatus.ERROR: "33"}
NOBODY = "agent"


class Narration:
    """An observer that writes to `output`; texts of agents are made safe first."""

    def __init__(self, output: TextIO) -> None:
        self._output = output
        self._look: Look = look_of(output)
        self._bar = "│" if can_write(output, "│") else "|"
        self._sets: tuple[str, ...] = ()

    def __call__(self, event: RunEvent) -> None:
        match event:
            case RunStarted():
                self._sets = tuple(info.eval_set_id for info in event.sets)
                self._write(self._beginning(event))
            case CaseFinished():
                self._write(self._ending(event))
            case CaseRestarted(case=key, reason=reason):
                self._write(f"{self._name(key)} starts again: {visible(reason)}")
            case Log():
                for line in visible(event.text, multiline=True).splitlines() or [""]:
                    self._write(f"{self._who(event)}{line}")
            case _:
                pass

    def _beginning(self, event: RunStarted) -> str:
        cases = numbers.plural(sum(len(info.cases) for info in event.sets), "case")
        sets = numbers.plural(len(event.sets), "set")
        number = f" as run #{event.number}" if event.number is not None else ""
        if event.judged_from is not None:
            return f"judging #{event.judged_from.number} again: {cases} of {sets}{number}"
        return f"running {cases} of {sets}{number}"

    def _ending(self, event: CaseFinished) -> str:
        status = self._look.status(event.status)
        line = f"{status:<11} {self._name(event.case)}"
        if event.status in COLOURS:
            line += f"  {numbers.seconds(event.duration_seconds)}"
            if self._look.colour:
                line = f"\x1b[{COLOURS[event.status]}m{line[:11]}\x1b[0m{line[11:]}"
        for told, word in ((event.known, "known failure"), (event.unexpected, "unexpected pass")):
            line += f"  {word}" if told else ""
        reason = visible(event.reason or event.error or "")
        return f"{line}  {reason[:REASON]}" if reason else line

    def _who(self, line: Log) -> str:
        if line.case is None and line.source == "tenxgraph":  # no agent says it: we do
            return f"{line.level}: " if line.level == "warning" else ""
        return f"{self._name(line.case)} {self._bar} "

    def _name(self, key: CaseKey | None) -> str:
        if key is None:
            return NOBODY
        name = visible(key.eval_id)
        several = len(self._sets) > 1 and key.set_index < len(self._sets)
        return f"{visible(self._sets[key.set_index])}/{name}" if several else name

    def _write(self, line: str) -> None:
        self._output.write(f"{line}\n")
        self._output.flush()
