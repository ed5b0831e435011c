"""What is exported: formats, folder and parts, as the user chose them the last time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from pydantic import BaseModel, ConfigDict

from tenxgraph_tui.evaluation.config import ReporterConfig
from tenxgraph_tui.session.protocol import Detail, ExportOptions
from tenxgraph_tui.settings import Loaded
from tenxgraph_tui.settings.model import Report
from tenxgraph_tui.tui.folders import as_typed, place_typed

FOLDER, OPENS = "folder", "opens"
FORMATS: tuple[Report, ...] = get_args(Report)
DETAILS: tuple[Detail, ...] = get_args(Detail)
USUAL: tuple[Report, ...] = ("json", "html")
NO_PAGE = "there is no page to open without HTML"


class ExportChoice(BaseModel):
    """`folder` is as it was typed, None for where the settings put reports."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)

    formats: tuple[Report, ...] = USUAL
    without: tuple[Detail, ...] = ()
    folder: str | None = None
    opens: bool = False

    def has(self, name: str) -> bool:
        """Whether a format is written, a part goes into it, or the page is opened."""
        if name == OPENS:
            return self.opens and "html" in self.formats
        return name in self.formats or (name in DETAILS and name not in self.without)

    def toggled(self, name: str) -> ExportChoice:
        """The same with one of them switched."""
        if name == OPENS:
            return self.model_copy(update={"opens": not self.opens})
        is_on = self.has(name)
        if name in FORMATS:
            formats = [one for one in FORMATS if (one in self.formats) != (one == name)]
            return self.model_copy(update={"formats": tuple(formats)})
        rest = [one for one in DETAILS if one in self.without and one != name]
        added = [one for one in DETAILS if one == name and is_on]
        return self.model_copy(update={"without": (*rest, *added)})

    def problem(self) -> str:
        """Why nothing can be exported like this; "" if something can."""
        return "" if self.formats else "choose a format: space switches one on"

    def options(self, settings: Loaded) -> ExportOptions:
        """What a worker is asked for."""
        return ExportOptions(
            formats=self.formats,
            folder=str(place_typed(self.folder_in(settings))),
            without=self.without,
            timestamp_files=settings.values.timestamp_files,
        )

    def folder_in(self, settings: Loaded) -> str:
        """The folder as one would type it here."""
        if self.folder is not None:
            return self.folder
        return as_typed(settings.path("output_dir") or usual_folder())


@dataclass(frozen=True, slots=True)
class ExportRow:
    """A line of the sheet. `value` is what was typed; a box has `is_on`."""

    name: str
    title: str
    about: str
    group: str = ""
    is_on: bool = False
    value: str | None = None


WORDS: dict[str, tuple[str, str]] = {
    "json": ("JSON", "for programs; no text is cut"),
    "html": ("HTML", "a page to read, without a network"),
    "junit": ("JUnit", "for CI servers"),
    "markdown": ("Markdown", "for a pull request or a job summary"),
    "details": ("reasons", "why a criterion came to its score"),
    "trajectory": ("steps", "nodes and tools, in order"),
    "node_responses": ("model calls", "what went in, and what each said"),
    "actual_response": ("answers", "also where something quotes them"),
    "tool_call_details": ("tool calls", "arguments and results; names stay"),
    OPENS: ("open HTML", "in the browser, when it is written"),
}


def export_rows(choice: ExportChoice, folder: str) -> Iterator[ExportRow]:
    """The sheet from top to bottom; the first of every group names it."""
    for group, names in (("write", FORMATS), ("into", (FOLDER,)), ("with", DETAILS)):
        for place, name in enumerate(names):
            yield _row(choice, name, folder, "" if place else group)
    yield _row(choice, OPENS, folder, "then")


def why_no_folder(typed: str) -> str:
    """What is wrong with a folder that was typed; it need not be there yet."""
    if not typed.strip():
        return "type the path of a folder"
    path = place_typed(typed)
    return f"{path.name} is a file: type the path of a folder" if path.is_file() else ""


def usual_folder() -> Path:
    """Where reports go if nobody says anything else."""
    return Path(ReporterConfig().output_dir)


def _row(choice: ExportChoice, name: str, folder: str, group: str) -> ExportRow:
    if name == FOLDER:
        return ExportRow(name, folder, "", group, value=folder)
    title, about = WORDS[name]
    return ExportRow(name, title, about, group, choice.has(name))
