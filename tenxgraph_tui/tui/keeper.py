"""What the user chose is put back at the start of a session, and noted while it goes on."""

from __future__ import annotations

from typing import Any

from textual.app import App

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.presets import find
from tenxgraph_tui.tui.remembered import CasePlace, Memory, Remembered, place_of
from tenxgraph_tui.tui.widgets.case_table import CaseTable
from tenxgraph_tui.tui.widgets.detail import CaseDetail


class Places:
    """The cases of a desk as they are remembered, and the other way round."""

    def __init__(self, desk: Desk) -> None:
        self._root = desk.root
        self._places = {file.path: place_of(file.path, desk.root) for file in desk.catalog.files}
        self._paths = {place: path for path, place in self._places.items()}

    def of(self, case: CaseId) -> CasePlace:
        place = self._places.get(case.path) or place_of(case.path, self._root)
        return CasePlace(place, case.eval_id)

    def case(self, place: CasePlace) -> CaseId | None:
        path = self._paths.get(place.file)
        return CaseId(path, place.eval_id) if path is not None else None


def restore_preset(desk: Desk, remembered: Remembered) -> None:
    """Choose the preset of the last session, if there still is one of that name."""
    found = find(desk.choices.presets, remembered.preset) if remembered.preset else None
    if found is not None:
        desk.choose(found)


def restore_selection(desk: Desk, remembered: Remembered) -> None:
    """Select what was selected, as far as it still exists."""
    places = Places(desk)
    found = (places.case(place) for place in remembered.selected)
    desk.choices.selected |= {c for c in found if c is not None and c in desk.catalog}


def restore_view(desk: Desk, remembered: Remembered, table: CaseTable, detail: CaseDetail) -> None:
    """Put the cursor back on its case, and the drill-down on its tab."""
    case = Places(desk).case(remembered.case) if remembered.case is not None else None
    key = desk.key_of(case) if case is not None and desk.state.started_at is None else None
    if key is not None:
        table.put_cursor(key)
    if remembered.tab is not None:
        detail.action_view(remembered.tab)


class Keeper:
    """Accompanies the application (see `companions`) and carries choices to its memory."""

    def __init__(self, memory: Memory, desk: Desk) -> None:
        self._memory, self._desk = memory, desk
        self._places, self._catalog = Places(desk), desk.catalog
        self._was_settled = not desk.files_to_come
        self._settle()

    def _settle(self) -> None:
        """What stands on the desk now was put there by the start, and is no news."""
        self._preset = self._desk.choices.preset
        self._selected = frozenset(self._desk.choices.selected)

    def begin(self, app: App[Any]) -> None:
        if self._memory.note:
            toasts.warn(app, "Not remembered", self._memory.note)

    def tick(self, app: App[Any]) -> None:
        self._note(app)
        try:
            self._memory.save()
        except StoreError as error:
            toasts.warn(app, "Not remembered", str(error))

    def end(self, app: App[Any]) -> None:
        self.tick(app)

    def forget(self, app: App[Any]) -> None:
        """The next session starts as if it were the first."""
        try:
            self._memory.forget()
        except StoreError as error:
            toasts.warn(app, "Not forgotten", str(error))
        else:
            toasts.done(app, "Forgotten", "The next start in this project is like the first.")

    def _note(self, app: App[Any]) -> None:
        values, choices = self._memory.values, self._desk.choices
        if self._desk.files_to_come:
            return
        if not self._was_settled:
            self._was_settled = True
            self._settle()
        if self._catalog is not self._desk.catalog:
            self._places, self._catalog = Places(self._desk), self._desk.catalog
        if choices.preset is not self._preset:
            self._preset = choices.preset
            values.preset = choices.preset.key
        if choices.selected != self._selected:
            self._selected = frozenset(choices.selected)
            values.selected = frozenset(self._places.of(case) for case in self._selected)
        if not app.screen_stack:
            return  # it is about to end
        first = app.screen_stack[0]
        for table in first.query(CaseTable):
            if table.key in self._desk.board.cases:  # else it has not followed the desk yet
                values.case = self._places.of(self._desk.id_of(table.key))
        for detail in first.query(CaseDetail):
            values.tab = detail.view
