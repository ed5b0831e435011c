from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.events import CaseStatus, Reply, RunEvent
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.protocol import WorkerRequest
from tenxgraph_tui.tui.asking import failed_ids, has_cases_to_run
from tenxgraph_tui.tui.catalog import CaseId, Catalog
from tenxgraph_tui.tui.choices import Choices, chosen, presets
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.pump import WorkerEnded
from tenxgraph_tui.tui.telling import config_name, facts, run_label
from tests.tui.script import NOW, RUN, Script, catalog, live

LONDON = CaseKey(0, "london_now")


@pytest.fixture
def desk() -> Desk:
    return desk_over(catalog())


def desk_over(over: Catalog) -> Desk:
    entries = presets(over)
    return Desk(over, Choices(entries, chosen(entries, None)), Path())


def asked(desk: Desk, run_id: str = RUN) -> None:
    desk.asked(WorkerRequest(root=".", run_id=run_id), NOW)


def play(desk: Desk, events: list[RunEvent]) -> None:
    for event in events:
        desk.apply(event)


def test_before_a_run_every_case_of_the_catalog_waits(desk: Desk) -> None:
    assert len(desk.state.cases) == len(desk.catalog) == 18
    assert {case.status for case in desk.state.cases.values()} == {CaseStatus.WAITING}
    assert [c.slot for c in desk.state.sets[0].criteria] == [
        "tool_name_match",
        "trajectory",
        "rouge_match",
    ]


def test_choosing_a_preset_changes_the_columns_of_what_has_not_run(desk: Desk) -> None:
    quick = next(p for p in desk.choices.presets if p.name == "quick_check")
    desk.choose(quick)
    assert [c.slot for c in desk.state.sets[0].criteria] == ["rouge_match"]


def test_choosing_a_preset_leaves_a_run_alone(desk: Desk) -> None:
    asked(desk)
    play(desk, live())
    before = desk.state
    desk.choose(desk.choices.presets[1])
    assert desk.state is before


def test_events_of_another_run_are_too_late(desk: Desk) -> None:
    asked(desk, "run-2")
    play(desk, live())
    assert desk.is_starting
    assert desk.state.started_at is None


def test_a_run_is_busy_until_it_says_it_is_over(desk: Desk) -> None:
    asked(desk)
    assert desk.is_busy
    assert desk.is_starting
    play(desk, live())
    assert desk.is_busy
    assert not desk.is_starting
    play(desk, Script().end().events)
    assert not desk.is_busy


def test_what_did_not_pass_is_remembered_over_runs(desk: Desk) -> None:
    play(desk, live())
    assert [case.eval_id for case in failed_ids(desk)] == [
        "tokyo_forecast",
        "osaka_weekend",
        "seven_day_table",
    ]
    part = catalog(weather=["tokyo_forecast", "osaka_weekend", "seven_day_table"])
    asked(desk, "run-2")
    again = Script("run-2").begin(part, number=19)
    again.finish(CaseKey(0, "tokyo_forecast"))
    again.finish(CaseKey(0, "osaka_weekend"), CaseStatus.FAILED, (0.0, 0.0, 0.0))
    play(desk, again.events)
    failed = {case.eval_id for case in failed_ids(desk)}
    # kobe_wind was never reached by the first run, which gave way to the second
    assert {"osaka_weekend", "kobe_wind"} <= failed
    assert not failed & {"tokyo_forecast", "seven_day_table"}
    assert desk.standings.passed_in("weather.evalset.json") == 4


def test_a_case_is_found_again_in_a_run_that_numbers_its_sets_anew(desk: Desk) -> None:
    play(desk, live())
    case = CaseId("support.evalset.json", "closes_the_account")
    assert desk.key_of(case) == CaseKey(1, "closes_the_account")
    asked(desk)
    play(desk, Script().begin(catalog(support=["closes_the_account"])).events)
    assert desk.key_of(case) == CaseKey(0, "closes_the_account")
    assert desk.key_of(CaseId("weather.evalset.json", "london_now")) == CaseKey(1, "london_now")
    assert desk.key_of(CaseId("weather.evalset.json", "never_heard_of")) is None


def test_a_case_that_its_file_has_no_more_is_gone_with_the_next_run(desk: Desk) -> None:
    play(desk, live())
    desk.reread(catalog(weather=["london_now", "paris_now"]), desk.choices.presets)
    assert len(desk.board.cases) == 18, "the run that is shown stays as it is"
    asked(desk, "run-2")
    assert {desk.id_of(key).eval_id for key in desk.board.cases} == {"london_now", "paris_now"}
    part = catalog(weather=["paris_now"])
    play(desk, Script("run-2").begin(part, number=19).finish(CaseKey(0, "paris_now")).events)
    assert {key.eval_id for key in desk.board.cases} == {"london_now", "paris_now"}


def test_a_refusal_is_trouble_and_ends_the_wait(desk: Desk) -> None:
    asked(desk)
    error = "judge not available: response_match needs a model"
    desk.apply(Reply(seq=0, at=NOW, run_id=RUN, request="run", error=error, exit_code=4))
    assert not desk.is_busy
    assert desk.trouble is not None
    assert "judge not available" in desk.trouble.message


def test_the_next_run_clears_the_trouble(desk: Desk) -> None:
    asked(desk)
    desk.apply(Reply(seq=0, at=NOW, run_id=RUN, request="run", error="no", exit_code=4))
    asked(desk, "run-2")
    assert desk.trouble is None


def test_a_worker_that_dies_in_a_run_is_trouble_and_open_cases_are_cancelled(desk: Desk) -> None:
    asked(desk)
    play(desk, live())
    desk.apply(WorkerEnded(RUN, -11, ("Fatal Python error: Segmentation fault",)))
    assert desk.trouble is not None
    assert "was killed by SIGSEGV" in desk.trouble.headline
    assert "6 of 18" in desk.trouble.headline
    assert desk.trouble.output == ("Fatal Python error: Segmentation fault",)
    assert desk.state.counts[CaseStatus.CANCELLED] == 12
    assert not desk.is_busy


def test_a_worker_that_dies_before_a_run_is_trouble(desk: Desk) -> None:
    asked(desk)
    desk.apply(WorkerEnded(RUN, 1, ("ImportError: no",)))
    assert desk.trouble is not None
    assert "no case was run" in desk.trouble.headline


def test_a_worker_that_was_told_to_stop_is_no_trouble(desk: Desk) -> None:
    asked(desk)
    play(desk, live())
    desk.is_stopping = True
    desk.apply(WorkerEnded(RUN, -15))
    assert desk.trouble is None
    assert desk.state.was_cancelled
    assert not desk.is_busy


def test_a_worker_that_ends_after_its_run_is_expected(desk: Desk) -> None:
    asked(desk)
    play(desk, [*live(), *Script().end().events])
    desk.apply(WorkerEnded(RUN, 0))
    assert desk.trouble is None


def test_a_run_that_breaks_off_before_any_case_is_trouble(desk: Desk) -> None:
    asked(desk)
    play(desk, Script().begin(desk.catalog).end(error="runs.db: disk full").events)
    assert desk.trouble is not None
    assert "disk full" in desk.trouble.message


def test_a_run_that_breaks_off_later_keeps_its_cases_on_the_screen(desk: Desk) -> None:
    asked(desk)
    play(desk, Script().begin(desk.catalog).finish(LONDON).end(error="disk full").events)
    assert desk.trouble is None
    assert desk.state.error == "disk full"


def test_names_of_a_run_are_those_it_was_started_with(desk: Desk) -> None:
    assert desk.target_name() == "agents.py:assistant"
    assert config_name(desk) == "offline"
    play(desk, live())
    assert config_name(desk) == "offline (default)"


def test_a_preset_that_was_asked_for_is_not_called_one_twice(desk: Desk) -> None:
    play(desk, live())
    named = {"config": "tool_usage (preset)"}
    desk.state.sets = tuple(info.model_copy(update=named) for info in desk.state.sets)
    assert ("preset", "tool_usage") in facts(desk)


def test_of_a_past_run_only_its_own_cases_run_again(desk: Desk) -> None:
    part = catalog(weather=["tokyo_forecast", "gone_since"])
    play(desk, Script().begin(part).end().events)
    desk.scope_to_run()
    assert run_label(desk) == "Run 1"
    again = desk.choices.request(desk.catalog, root=".", store=None)
    assert [one.ids for one in again.sets] == [("tokyo_forecast",)]
    desk.choices.toggle([CaseId("weather.evalset.json", "london_now")])
    assert run_label(desk) == "Run 1 selected"


def test_a_past_run_whose_cases_are_gone_cannot_run_again(desk: Desk) -> None:
    play(desk, Script().begin(catalog(weather=["gone_since"])).end().events)
    desk.scope_to_run()
    assert not has_cases_to_run(desk)


def test_cases_that_do_not_run_again_keep_how_they_did(desk: Desk) -> None:
    play(desk, live())
    play(desk, Script().end().events)
    again = {CaseId("weather.evalset.json", "tokyo_forecast")}
    desk.choices.toggle(again)
    request = desk.choices.request(desk.catalog, root=".", store=None)
    desk.asked(request, NOW)
    assert waiting(desk) == ["tokyo_forecast"]
    part = catalog(weather=["tokyo_forecast"])
    play(desk, Script(request.run_id).begin(part, number=19).events)
    assert waiting(desk) == ["tokyo_forecast"]
    assert len(desk.state.cases) == 1
    assert len(desk.board.cases) == 18
    assert [desk.id_of(key) for key in desk.board.cases] == list(desk.catalog)
    for name, run in (("osaka_weekend", RUN), ("tokyo_forecast", request.run_id)):
        key = desk.key_of(CaseId("weather.evalset.json", name))
        assert key is not None
        assert desk.board.source(key).run_id == run
    support = desk.key_of(CaseId("support.evalset.json", "closes_the_account"))
    assert support is not None
    assert desk.board.source(support).key == CaseKey(1, "closes_the_account")


def test_a_run_that_cannot_start_leaves_what_was_known_before_it(desk: Desk) -> None:
    play(desk, live())
    play(desk, Script().end().events)
    before = desk.board
    asked(desk, "run-2")
    desk.apply(Reply(seq=0, at=NOW, run_id="run-2", request="run", error="no", exit_code=4))
    assert desk.board is before
    assert desk.state is before.state
    assert not desk.state.is_running


def test_a_run_that_gives_way_to_one_that_cannot_start_is_cancelled(desk: Desk) -> None:
    asked(desk)
    play(desk, live())
    asked(desk, "run-2")
    desk.apply(Reply(seq=0, at=NOW, run_id="run-2", request="run", error="no", exit_code=4))
    assert not desk.state.is_running
    assert desk.state.was_cancelled


def waiting(desk: Desk) -> list[str]:
    cases = desk.board.cases.values()
    return [case.key.eval_id for case in cases if case.status is CaseStatus.WAITING]


def test_files_that_were_read_again_change_nothing_of_a_run_that_is_shown(desk: Desk) -> None:
    play(desk, live())
    before, shown = desk.state, desk.board
    later = catalog(weather=["london_now", "quite_new"])
    desk.reread(later, presets(later))
    assert (desk.state, desk.board) == (before, shown)
    assert desk.standings.status_of(CaseId("weather.evalset.json", "london_now")) == "passed"
    assert desk.standings.status_of(CaseId("weather.evalset.json", "quite_new")) == "waiting"
    assert desk.standings.passed_in("weather.evalset.json") == 1
    assert failed_ids(desk) == []
    assert not desk.standings.has_failed


def test_before_a_run_files_that_were_read_again_are_the_cases_that_wait(desk: Desk) -> None:
    later = catalog(weather=["london_now", "quite_new"])
    desk.reread(later, presets(later))
    assert [key.eval_id for key in desk.state.cases] == ["london_now", "quite_new"]
