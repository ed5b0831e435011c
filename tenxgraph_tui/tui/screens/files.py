"""The sheet of the files that watch mode follows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.getters import query_one

from tenxgraph_tui.tui.intents import EditFile
from tenxgraph_tui.tui.lines.watched import (
    FOOT,
    WatchedFile,
    foot_line,
    watched_line,
    watched_title,
)
from tenxgraph_tui.tui.screens.front import Sheet, is_beside
from tenxgraph_tui.tui.watching.state import Watch
from tenxgraph_tui.tui.widgets.line_list import LineList

NOT_SAVED = "Not saved since watch mode began."
NONE = "No file is followed: w begins to watch."


class WatchedList(LineList):
    """The files, those that were saved last on top."""

    GUTTER = 0
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,o", "edit", "Open", key_display="enter", id="watched.edit"),
    ]

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self._watch = watch
        self._files: Sequence[WatchedFile] = ()

    def show(self, files: Sequence[WatchedFile]) -> None:
        self._files = files
        self.styles.height = max(1, len(files)) + self.HEAD + self.foot
        self.rows_changed()

    @property
    def foot(self) -> int:
        return FOOT

    def row_count(self) -> int:
        return len(self._files)

    def head_line(self, index: int, width: int) -> Content:  # noqa: ARG002 - there is one
        return watched_title(self._files, self._watch.mode, width, is_all=self._is_all)

    def row_line(self, index: int, width: int) -> Content:
        return watched_line(self._files[index], width)

    def foot_line(self, index: int, width: int) -> Content:
        return foot_line(self._about(), index, width, is_all=self._is_all)

    @property
    def _is_all(self) -> bool:
        return self._watch.lists_all or not self._watch.is_on

    def _about(self) -> str:
        if self._watch.note:
            return self._watch.note
        if not self._files:
            return NONE
        saved = self._files[self.cursor].saved
        return saved.told if saved is not None else NOT_SAVED

    def row_clicked(self, index: int) -> None:
        self.post_message(EditFile(self._files[index].path))

    def action_edit(self) -> None:
        if self._files:
            self.row_clicked(self.cursor)


class WatchedFilesScreen(Sheet[None]):
    """`files` gives them as they are now."""

    AUTO_FOCUS = "WatchedList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,W", "dismiss(None)", "Close", key_display="esc", id="watched.close"),
        Binding("w", "app.watch", "Watch", show=False, id="run.watch"),
    ]

    sheet = query_one(WatchedList)

    def __init__(self, watch: Watch, files: Callable[[], Sequence[WatchedFile]]) -> None:
        super().__init__()
        self._watch, self._files = watch, files

    def compose(self) -> ComposeResult:
        with Vertical(id="watched"):
            yield WatchedList(self._watch)

    def on_mount(self) -> None:
        self.draw()

    def draw(self) -> None:
        """Show the files as they are now."""
        self.sheet.show(self._files())

    def on_click(self, event: events.Click) -> None:
        if is_beside(self, event):
            self.dismiss(None)
