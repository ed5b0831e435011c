"""What the cases of a desk are called and ask, for a filter to look through."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.filtering.texts import folded

LONGEST_TEXT = 2000
"""Characters of a case's question that are looked through."""


class CaseTexts:
    """Each is read once, as reading it takes a while, and kept until they are dropped."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._texts: dict[CaseKey, str] = {}
        self._of: object = None
        self._unread: Iterator[CaseKey] | None = None

    def follow(self) -> None:
        """Drop those of cases that are not shown any more."""
        if self._of is not self._desk.board.cases:
            self.drop()

    def drop(self) -> None:
        """Nobody types a filter now, and none looks through texts."""
        self._texts, self._of, self._unread = {}, self._desk.board.cases, None

    def read_ahead(self, count: int) -> bool:
        """Get some more of them; tells whether any are left."""
        self.follow()
        if self._unread is None:
            self._unread = iter(tuple(self._desk.board.cases))
        keys = tuple(islice(self._unread, count))
        for key in keys:
            self.of(key)
        return len(keys) == count

    def of(self, key: CaseKey) -> str:
        """The text of a case, its letters as a filter compares them."""
        text = self._texts.get(key)
        if text is None:
            case, info = self._desk.case_of(key), self._desk.board.cases[key].info
            parts = [key.eval_id, info.name]
            if case is not None:
                parts += [case.description, *(t.user_content.get_text() for t in case.conversation)]
            text = self._texts[key] = folded("\n".join(parts)[:LONGEST_TEXT])
        return text
