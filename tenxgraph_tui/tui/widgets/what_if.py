"""The two panes of What if: the criteria with their thresholds, and what comes of them."""

from __future__ import annotations

from typing import ClassVar

from textual.content import Content
from textual.geometry import Size

from tenxgraph_tui.tui.glyphs import MUTED
from tenxgraph_tui.tui.kit import BLANK, KEY, join, rule, text
from tenxgraph_tui.tui.lines.criteria import Tried, criterion_line, heading
from tenxgraph_tui.tui.lines.what_if import Shown, lines, what_if_rule
from tenxgraph_tui.tui.whatif.model import WhatIf
from tenxgraph_tui.tui.widgets.criteria import CriteriaList
from tenxgraph_tui.tui.widgets.line_pane import LinePane

NOTHING_SCORED = "No criterion gave a score."


class TriedCriteria(CriteriaList):
    """The criteria that gave scores, and how many cases flip because of each."""

    HAS_FLIPS: ClassVar[bool] = True

    def __init__(self, model: WhatIf, *, id: str | None = None) -> None:
        super().__init__(model.draft, id=id)
        self._model = model

    def try_on(self, model: WhatIf) -> None:
        """Other cases, or the same with other results."""
        self._model = model
        self.edit(model.draft)

    def row_count(self) -> int:
        return len(self._model)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - the interface is Textual's
        return self.HEAD + max(1, self.row_count())

    def head_line(self, index: int, width: int) -> Content:
        if index:
            return heading(width, has_flips=True)
        focused = self.has_focus
        name = text(f"  {self._model.preset.name}", MUTED)
        return rule(join(text("Preset", KEY if focused else "bold"), name), width, focused=focused)

    def row_line(self, index: int, width: int) -> Content:
        model = self._model
        tried = Tried(model.was(index), *model.flips(index))
        at_cursor = index == self.cursor
        return criterion_line(model.row(index), width, at_cursor=at_cursor, tried=tried)

    def below(self, index: int, width: int) -> Content:  # noqa: ARG002 - it is short
        return text(NOTHING_SCORED, MUTED) if not index and not self.row_count() else BLANK


class OutcomePane(LinePane):
    """What comes of the thresholds as they are."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: Shown | None = None

    def tell(self, shown: Shown) -> None:
        """Draw another outcome; the reader stays where he is."""
        self._shown = shown
        self.show(self._draw, top=self.scroll_offset.y)

    def _draw(self, width: int, height: int) -> list[Content]:
        if self._shown is None:
            return []
        head = what_if_rule(self._shown, width, focused=self.has_focus)
        return [head, *lines(self._shown, width, height - 1)]

    def on_focus(self) -> None:
        self.redraw()

    def on_blur(self) -> None:
        self.redraw()
