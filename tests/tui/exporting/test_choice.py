"""What is chosen for an export, and what a worker is asked for it."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from tenxgraph_tui.evaluation.config import ReporterConfig
from tenxgraph_tui.session.protocol import Detail
from tenxgraph_tui.settings import Loaded, load
from tenxgraph_tui.tui.exporting.choice import (
    DETAILS,
    FORMATS,
    OPENS,
    WORDS,
    ExportChoice,
    export_rows,
    why_no_folder,
)


def test_everything_that_a_report_can_leave_out_is_offered() -> None:
    switches = {name for name in ReporterConfig.model_fields if name.startswith("include_")}
    assert {f"include_{name}" for name in get_args(Detail)} == switches
    assert set(WORDS) == {*FORMATS, *DETAILS, OPENS}


def test_boxes_are_switched_one_by_one_and_keep_their_order() -> None:
    choice = ExportChoice()
    assert [name for name in FORMATS if choice.has(name)] == ["json", "html"]
    choice = choice.toggled("markdown").toggled("json").toggled("junit").toggled("details")
    assert choice.formats == ("html", "junit", "markdown")
    assert choice.without == ("details",)
    assert choice.toggled("details").without == ()
    assert choice.toggled("actual_response").without == ("details", "actual_response")


def test_a_page_is_opened_only_where_one_is_written() -> None:
    choice = ExportChoice().toggled(OPENS)
    assert choice.has(OPENS)
    assert not choice.toggled("html").has(OPENS)
    assert choice.toggled("html").toggled("html").has(OPENS)


def test_without_a_format_there_is_nothing_to_do() -> None:
    choice = ExportChoice().toggled("json")
    assert choice.problem() == ""
    assert choice.toggled("html").problem() == "choose a format: space switches one on"


def settings(root: Path, text: str) -> Loaded:
    (root / "tenxgraph-tui.toml").write_text(text)
    return load(root, {}, {})


def test_the_settings_say_where_and_the_user_says_it_better(project: Path) -> None:
    said = settings(project, 'output_dir = "build/evals"\ntimestamp_files = false')
    options = ExportChoice(without=("details",)).options(said)
    assert options.folder == str(project / "build" / "evals")
    assert (options.formats, options.without) == (("json", "html"), ("details",))
    assert options.timestamp_files is False
    assert ExportChoice().folder_in(said) == "build/evals"
    assert ExportChoice(folder="out").options(said).folder == str(project / "out")
    assert ExportChoice().options(Loaded(project)).folder == str(project / "eval_reports")


def test_the_home_folder_can_be_typed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(project / "home"))
    options = ExportChoice(folder="~/reports").options(Loaded(project))
    assert options.folder == str(project / "home" / "reports")


def test_a_folder_that_is_typed_need_not_be_there_but_must_be_one(project: Path) -> None:
    (project / "file").touch()
    assert why_no_folder("new/deep") == ""
    assert why_no_folder("  ") == "type the path of a folder"
    assert why_no_folder("file") == "file is a file: type the path of a folder"


def test_it_is_remembered_as_json_and_what_is_unknown_is_left_out() -> None:
    choice = ExportChoice(folder="out", opens=True).toggled("junit").toggled("trajectory")
    assert ExportChoice.model_validate_json(choice.model_dump_json()) == choice
    assert ExportChoice.model_validate({"later": 1}) == ExportChoice()


def test_the_rows_are_grouped() -> None:
    rows = [*export_rows(ExportChoice(), "out")]
    assert [row.group for row in rows if row.group] == ["write", "into", "with", "then"]
    (folder,) = (row for row in rows if row.value is not None)
    assert (folder.name, folder.value) == ("folder", "out")
    assert [row.name for row in rows if row.is_on] == ["json", "html", *DETAILS]
