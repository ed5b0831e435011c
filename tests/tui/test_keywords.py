"""Sentences name the keys that work."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import tenxgraph_tui.tui
from tenxgraph_tui.session.watching.decision import Rerun
from tenxgraph_tui.settings import load
from tenxgraph_tui.tui import keywords
from tenxgraph_tui.tui.keymap import actions
from tenxgraph_tui.tui.keywords import USUAL, give, word
from tenxgraph_tui.tui.lines import watched
from tenxgraph_tui.tui.lines.armed import armed_lines
from tenxgraph_tui.tui.lines.export import FOOT, ExportStatus, foot_line
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen
from tenxgraph_tui.tui.watching.costs import cost_of
from tenxgraph_tui.tui.watching.question import Question
from tests.tui.script import SCRIPT, play, screen_text, stage, until

PACKAGE = Path(tenxgraph_tui.tui.__file__).parent


@pytest.fixture(autouse=True)
def _as_nobody_remapped_them() -> Iterator[None]:
    give({})
    yield
    give({})


@pytest.mark.parametrize("name", USUAL)
def test_the_usual_key_is_the_first_of_the_binding(name: str) -> None:
    assert USUAL[name] in {key.partition(",")[0] for key in actions()[name].keys}


def test_every_key_that_a_sentence_names_has_a_usual_one_and_no_other_is_kept() -> None:
    sources = (path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    named = {
        name for source in sources for name in re.findall(r"""\bword\(['"](.+?)['"]""", source)
    }
    assert named == set(USUAL)


def test_a_key_is_called_as_the_screen_calls_it() -> None:
    assert (word("notice.back"), word("cases.filter"), word("run.start")) == ("esc", "/", "r")
    give({"run.start": "f9,ctrl+g"})
    assert word("run.start") == "f9"


SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if path.name != "tour.py")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_sentence_has_a_key_of_its_own(path: Path) -> None:
    verbs = "runs|tries|cancels|clears|shows|goes|opens|chooses|groups"
    told = re.compile(rf"""["'. ](?:[a-z0-9]|esc|enter|space) (?:{verbs}) """)
    code = re.sub(r'""".*?"""', "", path.read_text(encoding="utf-8"), flags=re.S)
    strings = re.findall(r'"[^"\n]*"', code)
    assert [text for text in strings if told.search(f"{text} ") and "what r runs" not in text] == []


FIXED = {("enter", "Run")}
"""What no binding of ours does, and no setting changes: the line that is typed is sent off."""


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_row_of_keys_has_a_key_of_its_own(path: Path) -> None:
    offered = re.compile(
        r"""\(\s*"(esc|enter|space|tab|ctrl\+.|[a-z!?/])", "([A-Z][^"]*)"\s*[,)]"""
    )
    code = re.sub(r"(Binding|Tab)\([^)]*\)", "", path.read_text(encoding="utf-8"))
    assert {*offered.findall(code)} <= FIXED


def test_rows_of_keys_name_those_of_the_settings() -> None:
    give({"export.begin": "f9", "export.close": "f10", "watched.edit": "f8", "armed.all": "f7"})
    assert foot_line(ExportStatus(), FOOT - 1, 60).plain.split() == [
        *("f9", "Export", "space", "On,", "off", "f10", "Close")
    ]
    assert watched.foot_line("", watched.FOOT - 1, 60).plain.startswith("f8 Open in the editor")
    question = Question(Rerun(None), cost_of(desk := stage().desk, desk.catalog))
    drawn = "\n".join(line.plain for line in armed_lines(question, 100, 30))
    assert "f7 Rerun all" in drawn


async def test_sentences_name_the_keys_of_the_settings(tmp_path: Path) -> None:
    keys = '"run.start" = "f9"\n"dashboard.sets" = "B"\n"cases.filter" = "F"'
    (tmp_path / "tenxgraph-tui.toml").write_text(f"[keys]\n{keys}\n")
    on = stage(settings=load(tmp_path, {}, {}))
    async with on.app.run_test(size=(160, 45), notifications=True) as pilot:
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: "No case has run yet. f9 runs them." in screen_text(on.app))
        text = " ".join(screen_text(on.app).split())
        assert "This case has not run yet. f9 runs it." in text
        assert "B Eval sets" in text
        assert "F Filter" in text
    assert keywords.word("run.start") == "f9"


async def test_the_next_dashboard_has_its_own_keys() -> None:
    give({"run.start": "f9"})
    on = stage()
    async with on.app.run_test(size=(160, 45)) as pilot:
        await play(pilot, on, SCRIPT)
        assert isinstance(on.app.screen, DashboardScreen)
    assert word("run.start") == "r"
