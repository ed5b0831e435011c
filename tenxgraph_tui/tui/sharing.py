"""What leaves the dashboard: a case or a run as a command line, as a test, and as report files."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial

from textual import on

from tenxgraph_tui.errors import TenxError
from tenxgraph_tui.tui import copying, toasts
from tenxgraph_tui.tui.commands import Command
from tenxgraph_tui.tui.copies import Copies, What
from tenxgraph_tui.tui.intents import CopyCase
from tenxgraph_tui.tui.lines.copies import CopyRow
from tenxgraph_tui.tui.rejudging import RejudgingApp

LONGEST_PREVIEW = 1000
AS_TEST = "A test that runs the case as its run did, and fails as long as the agent does."
NAMELESS = "{} is in no file, so the command says nothing of it. S on the presets saves it."


class SharingApp(RejudgingApp):
    """Copies on request, of the case that is looked at."""

    def commands(self) -> Iterator[Command]:
        """What the palette offers beyond the bindings."""
        yield from super().commands()
        key = self._case_in_sight()
        if key is not None and key in self.desk.board.cases:
            copies = Copies(self.desk, key)
            for what in copies.offered:
                name = f"Copy {copies.name(what)}"
                yield Command(name, "copy", "", partial(self._copy_of, copies, what))

    @on(CopyCase)
    def _choose_copy(self, message: CopyCase) -> None:
        copies = Copies(self.desk, message.key)
        rows = [CopyRow(what, copies.name(what), _preview(copies, what)) for what in copies.offered]
        if not rows:
            toasts.said(self, "Nothing to copy", f"{message.key.eval_id} is in no file any more.")
            return
        from tenxgraph_tui.tui.screens.copies import CopyScreen

        self.push_screen(CopyScreen(rows), partial(self._copy_of, copies))

    def _copy_of(self, copies: Copies, what: What | None) -> None:
        if copies.key not in self.desk.board.cases:
            toasts.said(self, "Not copied", "The case is not part of what is shown any more.")
        elif what is What.TEST:
            self.run_worker(self._copy_test(copies), exit_on_error=False, group="copy")
        elif what is not None:
            self._copy_text(copies.name(what), copies.command(what))
            if left_out := copies.left_out(what):
                toasts.warn(self, "Not all of it", NAMELESS.format(left_out))

    async def _copy_test(self, copies: Copies) -> None:
        source = self.desk.board.source(copies.key)
        read = self._shared.reader.config
        try:
            config = await asyncio.to_thread(read, source.run_id, source.key.set_index)
        except TenxError as error:
            toasts.warn(self, "Not copied", str(error))
            return
        if config is None:
            toasts.warn(self, "Not copied", "What the case was checked with is not kept.")
            return
        self._copy_text(copies.name(What.TEST), copies.test(config))

    def _copy_text(self, name: str, text: str) -> None:
        copying.copy(self, name, text, self.conductor.folder)


def _preview(copies: Copies, what: What) -> str:
    return AS_TEST if what is What.TEST else copies.command(what)[:LONGEST_PREVIEW]
