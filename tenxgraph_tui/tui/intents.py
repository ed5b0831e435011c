"""What several panes report alike: the screens, or the application, know what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textual.message import Message

from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.catalog import CaseId


@dataclass
class EditCase(Message):
    """The user wants the file of a case in an editor, at the case."""

    case: CaseId


@dataclass
class EditFile(Message):
    """The user wants a file in an editor; without `line` wherever the editor begins."""

    file: str
    line: int | None = None


@dataclass
class TagChosen(Message):
    """The user wants to see the cases that carry a tag."""

    tag: str


@dataclass
class Copy(Message):
    """The user wants a text in the clipboard; `name` is what people call it ("the answer")."""

    name: str
    text: str


@dataclass
class CopyCase(Message):
    """The user wants a case, or what it is of, in the clipboard: which of it is still open."""

    key: CaseKey


@dataclass
class ShowValue(Message):
    """The user wants to see all of a value; `name` is what people call it."""

    name: str
    value: Any
