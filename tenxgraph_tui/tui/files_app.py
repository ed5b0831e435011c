"""What has to do with files: reading the project again, editing it, copying out of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import SuspendNotSupported
from textual.binding import Binding, BindingType

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.tui import copying, editors, toasts
from tenxgraph_tui.tui.commands import Command
from tenxgraph_tui.tui.editing import Call, Place, call_of, editor_of, found_at, place_of_case
from tenxgraph_tui.tui.filtering.terms import quoted
from tenxgraph_tui.tui.folders import FolderSuggester, place_typed, why_not_open
from tenxgraph_tui.tui.intents import Copy, EditCase, EditFile, TagChosen
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.rereading import Reread, Rereader, changes
from tenxgraph_tui.tui.touring import TouringApp
from tenxgraph_tui.tui.widgets.cases_pane import CasesPane

NO_EDITOR = "Set $EDITOR, or editor in the settings, to the command that opens it."


class FilesApp(TouringApp):
    """Works on every screen. `rereader` reads all that the dashboard was opened on once more."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ctrl+r,f5",
            "reread",
            "Refresh",
            show=False,
            tooltip="Read the eval sets again",
            id="browser.refresh",
        ),
    ]
    rereader: Rereader
    going_to: Path | None = None
    """The folder that is to be opened once this dashboard was left."""

    def action_reread(self) -> None:
        """Read the files of the project again, and say what is different."""
        self.reread(is_asked_for=True)

    def reread(self, *, is_asked_for: bool) -> None:
        """Read the files of the project again; where nobody asked for it, only news are told."""
        take = partial(self._take_reading, is_asked_for)
        self.rereader.start(lambda found: self.call_later(take, found))

    def _take_reading(self, is_asked_for: bool, found: Reread) -> None:
        if found.reading is None:
            toasts.warn(self, "Not read again", found.problem)
            return
        told = changes(self.desk.catalog, found.reading.catalog)
        near = [file.near for file in self.desk.catalog.files]
        if told or near != [file.near for file in found.reading.catalog.files]:
            self.desk.reread(found.reading.catalog, found.reading.presets)
            self.changed.publish(None)
        if told:
            toasts.done(self, "Read again", told)
        elif is_asked_for:
            toasts.said(self, "Nothing has changed", "The files are as they were.")

    def commands(self) -> Iterator[Command]:
        """What the palette offers beyond the bindings."""
        yield from super().commands()
        yield Command("Open another folder", "app", "", self.action_open_folder)

    def action_open_folder(self) -> None:
        """Leave for another project, or for a part of this one."""
        if self.desk.is_busy:
            toasts.said(self, "Not now", f"A run goes on. {word('run.cancel')} cancels it.")
            return
        from tenxgraph_tui.tui.screens.ask import AskScreen

        ask = AskScreen(
            "Open a folder",
            "",
            self._accept_folder,
            hint="a folder, or an eval set in one; right completes",
            verb="Open",
            suggester=FolderSuggester(),
        )
        self.push_screen(ask, self._leave_for_folder)

    def _accept_folder(self, typed: str) -> str:
        problem = why_not_open(typed)
        if not problem:
            self.going_to = place_typed(typed)
        return problem

    async def _leave_for_folder(self, is_sure: bool | None) -> None:
        if is_sure and self.going_to is not None:
            await self.action_quit()

    @on(Copy)
    def _copy(self, message: Copy) -> None:
        copying.copy(self, message.name, message.text, self.conductor.folder)

    @on(EditCase)
    def _edit_case(self, message: EditCase) -> None:
        path, eval_id = message.case
        self._edit(place_of_case(found_at(path, self.desk.root), eval_id))

    @on(EditFile)
    def _edit_file(self, message: EditFile) -> None:
        self._edit(Place(found_at(message.file, self.desk.root), message.line))

    def _edit(self, place: Place) -> None:
        editor = editor_of(self._shared.settings.values.editor, os.environ)
        if editor is None:
            toasts.warn(self, "No editor is set", NO_EDITOR)
            return
        try:
            self._open(call_of(editor, place), place)
        except UsageError as error:
            toasts.warn(self, "The editor did not open", f"{error}. {NO_EDITOR}")
        except SuspendNotSupported:
            toasts.warn(self, "No terminal to lend", f"{editor} needs the terminal for itself.")

    def _open(self, call: Call, place: Place) -> None:
        if call.has_window:
            closed = partial(self.reread, is_asked_for=False)
            editors.leave_open(call.command, lambda: self.call_later(closed))
            toasts.done(self, f"Opened {place.file.name}", "It is read again when it is closed.")
            return
        with self.suspend():
            problem = editors.wait_for(call.command)
        if problem:
            raise UsageError(problem)
        self.reread(is_asked_for=False)

    @on(TagChosen)
    def _show_tag(self, message: TagChosen) -> None:
        dashboard = self.to_dashboard()
        if dashboard is not None:
            dashboard.query_one(CasesPane).want(f"tag:{quoted(message.tag)}")
            dashboard.action_to_cases()
