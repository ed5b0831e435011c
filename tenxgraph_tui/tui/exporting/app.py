"""Exporting a run: choices on a sheet, a worker that writes, a toast that says where."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.tui import editors, toasts
from tenxgraph_tui.tui.commands import Command
from tenxgraph_tui.tui.conductor import Conductor
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.exporting.choice import (
    FOLDER,
    OPENS,
    ExportChoice,
    ExportRow,
    export_rows,
    why_no_folder,
)
from tenxgraph_tui.tui.exporting.job import Exporter, Written
from tenxgraph_tui.tui.exporting.pages import command_for, has_browser
from tenxgraph_tui.tui.exporting.runs import run_shown
from tenxgraph_tui.tui.folders import FolderSuggester, as_typed
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.lines.export import ExportStatus
from tenxgraph_tui.tui.sharing import SharingApp

if TYPE_CHECKING:  # loaded when it is asked for: the first frame does not wait for it
    from tenxgraph_tui.tui.screens.export import ExportList, ExportScreen

MOST_PAGES = 5
"""Of a run of many sets, as many tabs as one still looks at."""
HINT = "a folder; it is made if need be"


class ExportingApp(SharingApp):
    """Report files of the run that is shown, written in the background."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "export", "Export", tooltip="Export the run", id="cases.export"),
    ]

    def __init__(self, desk: Desk, conductor: Conductor) -> None:
        super().__init__(desk, conductor)
        self._exporter = Exporter(
            conductor.export, self.call_later, self._draw_export, self._exported
        )
        self._pages: list[Path] = []

    def commands(self) -> Iterator[Command]:
        """What the palette offers beyond the bindings."""
        yield from super().commands()
        if self._pages:
            yield Command("Open the exported HTML", "run", "", self._open_pages)

    def action_export(self) -> None:
        """Choose what is written of the run, and where."""
        from tenxgraph_tui.tui.screens.export import ExportScreen

        run = run_shown(self.desk)
        if run is None:
            toasts.said(self, "Nothing to export", f"No run is kept yet. {word('run.start')} runs.")
            return
        if not self._exporter.is_busy:
            self._exporter.problem = ""
        self.push_screen(ExportScreen(run, self._export_rows, self._export_status))

    @property
    def _choice(self) -> ExportChoice:
        return self._shared.remembered.export or ExportChoice()

    @property
    def _folder(self) -> str:
        return self._choice.folder_in(self._shared.settings)

    def _export_rows(self) -> list[ExportRow]:
        return [*export_rows(self._choice, self._folder)]

    def _export_status(self) -> ExportStatus:
        job = self._exporter
        if job.is_busy:
            return ExportStatus(f"run #{job.number}: {job.told}", is_busy=True)
        return ExportStatus(problem=job.problem or self._choice.problem())

    def _choose_export(self, choice: ExportChoice) -> None:
        self._exporter.problem = ""
        self._shared.remembered.export = choice
        self._draw_export()

    def on_export_list_switched(self, message: ExportList.Switched) -> None:
        from tenxgraph_tui.tui.screens.ask import AskScreen

        if message.name != FOLDER:
            self._choose_export(self._choice.toggled(message.name))
            return
        ask = AskScreen(
            "Folder for reports",
            self._folder,
            self._take_folder,
            hint=HINT,
            verb="Use",
            suggester=FolderSuggester(),
        )
        self.push_screen(ask)

    def _take_folder(self, typed: str) -> str:
        problem = why_no_folder(typed)
        if not problem:
            self._choose_export(self._choice.model_copy(update={"folder": typed.strip()}))
        return problem

    def on_export_screen_begun(self, message: ExportScreen.Begun) -> None:
        if not self._choice.problem():
            self._exporter.begin(message.run.number, self._choice.options(self._shared.settings))

    def on_export_screen_stopped(self) -> None:
        self._exporter.stop()

    def _draw_export(self) -> None:
        from tenxgraph_tui.tui.screens.export import ExportScreen

        for screen in self.screen_stack:
            if isinstance(screen, ExportScreen):
                screen.draw()

    def _exported(self, number: int, written: Written) -> None:
        from tenxgraph_tui.tui.screens.export import ExportScreen

        self._pages = [Path(file) for file in written.files if file.endswith(".html")]
        if isinstance(self.screen, ExportScreen):
            self.pop_screen()
        if written.files:
            toasts.done(self, f"Exported run #{number}", _where(written))
        for problem in written.problems[:1]:
            toasts.warn(self, "Not all of it was written", problem)
        if self._pages and self._choice.has(OPENS):
            self._open_pages()

    def _open_pages(self) -> None:
        """Open what was exported last in the browser, if there is one to look at it."""
        if not has_browser(os.environ):
            toasts.said(self, "There is no browser here", f"The page is {_typed(self._pages)}.")
            return
        try:
            for page in self._pages[:MOST_PAGES]:
                editors.leave_open(command_for(page), _leave)
        except UsageError as error:
            toasts.warn(self, "The browser did not open", str(error))


def _where(written: Written) -> str:
    """Where the files are, and what is not in them yet."""
    files = [Path(file) for file in written.files]
    folder = as_typed(files[0].parent)
    many = f"{len(files)} files in {folder}: {files[0].name}, …"
    told = as_typed(files[0]) if len(files) == 1 else many
    if not written.unfinished:
        return told
    missing = numbers.plural(written.unfinished, "case")
    return f"{missing} of it {'is' if written.unfinished == 1 else 'are'} not over yet. {told}"


def _typed(pages: list[Path]) -> str:
    rest = f", and {len(pages) - 1} more" if len(pages) > 1 else ""
    return f"{as_typed(pages[0])}{rest}"


def _leave() -> None:
    """Nobody waits for a browser."""
