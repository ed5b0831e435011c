from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tenxgraph_tui.tui.causes.failure import failures
from tenxgraph_tui.tui.causes.grouping import Cause, causes
from tenxgraph_tui.tui.causes.looking import Lookout
from tenxgraph_tui.tui.results import ResultReader
from tests.tui.failing import CASES, catalog_of, kept, shown
from tests.tui.script import Stage


def looked(on: Stage) -> Lookout:
    lookout = Lookout(on.desk, on.app._shared.reader)
    wanted = lookout.missing(failures(on.desk.board))
    lookout.take(wanted, lookout.look(wanted))
    return lookout


def grouped(on: Stage, lookout: Lookout) -> list[Cause]:
    return causes(failures(on.desk.board), lookout.findings)


def test_causes_are_found_out_of_what_the_store_has(tmp_path: Path) -> None:
    on = shown(kept(tmp_path))
    assert [(one.title, len(one.members)) for one in grouped(on, looked(on))] == [
        ("get_forecast got another city", 3),
        ("get_alerts was not called", 1),
        ("rouge_match less than 0.10 below the threshold", 1),
        ("KeyError in agents.py line 31", 1),
    ]


def test_what_was_looked_at_is_not_read_again(tmp_path: Path) -> None:
    on = shown(kept(tmp_path))
    lookout = looked(on)
    assert lookout.missing(failures(on.desk.board)) == []


def test_files_that_were_read_again_may_expect_something_else(tmp_path: Path) -> None:
    on = shown(kept(tmp_path))
    lookout = looked(on)
    now_expected = [
        replace(one, expected=one.calls) if one.eval_id == "kobe_wind" else one for one in CASES
    ]
    on.desk.reread(catalog_of(now_expected), on.desk.choices.presets)
    wanted = lookout.missing(failures(on.desk.board))
    assert len(wanted) == 6
    lookout.take(wanted, lookout.look(wanted))
    assert "calls" in {one.title for one in grouped(on, lookout)}  # only the reason is left


def test_without_a_store_the_reasons_tell_the_causes(tmp_path: Path) -> None:
    on = shown(kept(tmp_path))
    lookout = Lookout(on.desk, ResultReader(None))
    wanted = lookout.missing(failures(on.desk.board))
    assert not lookout.look(wanted)
    lookout.take(wanted, [])
    assert next(one.title for one in grouped(on, lookout)) == "calls"
    assert not lookout.missing(failures(on.desk.board))


def test_what_a_run_has_not_written_yet_is_looked_at_later(tmp_path: Path) -> None:
    on = shown(kept(tmp_path))
    on.desk.state.finished_at = None
    lookout = Lookout(on.desk, ResultReader(None))
    wanted = lookout.missing(failures(on.desk.board))
    lookout.take(wanted, [])
    assert lookout.missing(failures(on.desk.board)) == wanted
