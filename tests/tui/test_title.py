from __future__ import annotations

import io
import sys

import pytest

from tenxgraph_tui.evaluation.events import CaseStatus, Reply, RunFinished
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.catalog import Catalog
from tenxgraph_tui.tui.pump import Fact
from tenxgraph_tui.tui.title import TerminalTitle, has_title, title_kept, title_of
from tests.tui.script import NOW, RUN, SCRIPT, WEATHER, Script, Stage, catalog, play, stage


def told(on: Stage, *events: Fact) -> str:
    for event in events:
        on.desk.apply(event)
    return title_of(on.desk)


def test_before_a_run_the_project_is_named() -> None:
    assert told(stage()) == "tenxgraph: sample_evalsets"


def test_while_a_run_goes_on_its_progress_comes_first() -> None:
    on = stage()
    on.desk.is_busy = True
    assert told(on, *SCRIPT) == "▸ 6/18 sample_evalsets"


@pytest.mark.parametrize(
    ("statuses", "title"),
    [
        ([CaseStatus.PASSED, CaseStatus.FAILED], "✗ 1 failed sample_evalsets"),
        ([CaseStatus.PASSED, CaseStatus.ERROR], "! 1 error sample_evalsets"),
        ([CaseStatus.PASSED, CaseStatus.PASSED], "✓ 2 passed sample_evalsets"),
    ],
    ids=["failed", "an error", "passed"],
)
def test_after_a_run_its_outcome_comes_first(statuses: list[CaseStatus], title: str) -> None:
    over = catalog(weather=WEATHER[:2])
    script = Script().begin(over)
    for name, status in zip(WEATHER, statuses, strict=False):
        script.finish(CaseKey(0, name), status)
    assert told(stage(over), *script.end().events) == title


def test_a_cancelled_run_is_no_success() -> None:
    over = RunFinished(seq=99, at=NOW + 9, run_id=RUN, was_cancelled=True)
    assert told(stage(), *SCRIPT, over) == "■ cancelled sample_evalsets"


def test_what_could_not_start_is_an_error() -> None:
    refused = Reply(seq=0, at=NOW, run_id=RUN, request="run", error="no agent", exit_code=5)
    assert told(stage(), refused) == "! error sample_evalsets"


def test_a_name_can_neither_end_the_title_nor_begin_a_command() -> None:
    on = stage(Catalog((), "a\x07\x1b]52;c;AAAA\x07" + "x" * 300, ()))
    title = title_of(on.desk)
    assert not set(title) & set("\x07\x1b")
    assert len(title) < 90


async def test_the_terminal_is_told_of_changes_only() -> None:
    written: list[str] = []
    on = stage()
    title = TerminalTitle(on.desk, write=written.append)
    async with on.app.run_test(size=(80, 24)) as pilot:
        title.begin(on.app)
        title.tick(on.app)
        await play(pilot, on, SCRIPT)
        title.tick(on.app)
        title.end(on.app)
    assert written[0] == "\x1b]0;tenxgraph: sample_evalsets\x07"
    assert len(written) == 2


async def test_a_terminal_without_unicode_gets_a_title_in_ascii() -> None:
    written: list[str] = []
    on = stage(Catalog((), "münchen", ()))
    on.desk.is_busy = True
    title = TerminalTitle(on.desk, ascii_only=True, write=written.append)
    async with on.app.run_test(size=(80, 24)):
        title.begin(on.app)
    assert written == ["\x1b]0;> 0/0 m?nchen\x07"]


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_title_is_given_back_whatever_ended_the_dashboard(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = Screen()
    monkeypatch.setattr(sys, "__stdout__", out)
    with pytest.raises(RuntimeError), title_kept():
        raise RuntimeError
    assert out.getvalue() == "\x1b[22;0t\x1b[23;0t"


@pytest.mark.parametrize("term", ["dumb", "linux", "vt100"])
def test_a_terminal_without_a_title_is_told_nothing(
    term: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = Screen()
    monkeypatch.setattr(sys, "__stdout__", out)
    monkeypatch.setenv("TERM", term)
    with title_kept():
        assert not has_title()
    assert out.getvalue() == ""
