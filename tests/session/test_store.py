"""What was finished must be there again, whoever asks and whatever happened to the writer."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from tenxgraph_tui.errors import StoreError, UsageError
from tenxgraph_tui.evaluation.events import CaseFinished, CaseStatus, RunFinished, RunStarted
from tenxgraph_tui.evaluation.progress import RunState
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.owner import Owner
from tenxgraph_tui.session.records import RunStatus

if TYPE_CHECKING:
    from tests.session.conftest import Scribe

LONG = 10.0
PROMISED = 0.1


def died(scribe: Scribe, run_id: str) -> None:
    """Make the store believe that the writer of `run_id` is gone."""
    gone = Owner.this_process().model_copy(update={"pid": 2**22 + 1}).model_dump_json()
    with sqlite3.connect(scribe.store.path) as database:
        database.execute("UPDATE runs SET owner = ? WHERE run_id = ?", (gone, run_id))
    database.close()


def test_a_result_comes_back_as_it_was_saved(scribe: Scribe) -> None:
    saved = scribe.result("a", 0.25, metadata={"ü": ["✗", None, 1.5]}, actual_response="no\n")
    with scribe.begun("r1", "a") as writer:
        writer.save(CaseKey(1, "a"), saved)
        writer.finished(scribe.over("r1"))

    assert scribe.store.result("r1", CaseKey(1, "a")) == saved
    assert scribe.store.result("r1", CaseKey(0, "a")) is None
    assert scribe.store.result("r1", CaseKey(1, "a", 1)) is None
    assert scribe.store.result("r2", CaseKey(1, "a")) is None


def test_a_run_is_told_again_in_the_order_of_finishing(scribe: Scribe) -> None:
    with scribe.begun("r1", "a", "b") as writer:
        for key in (CaseKey(1, "b"), CaseKey(0, "a"), CaseKey(1, "a")):
            writer.save(key, scribe.result(key.eval_id, 0.0 if key.set_index else 1.0))
        writer.finished(scribe.over("r1", passed=1, failed=2, skipped=1, cancelled=1))

    events = list(scribe.store.events("r1"))

    assert [event.seq for event in events] == list(range(6))
    assert isinstance(events[0], RunStarted)
    assert events[0].number == writer.number
    assert isinstance(events[-1], RunFinished)
    cases = [event for event in events if isinstance(event, CaseFinished)]
    assert [(event.case, event.status) for event in cases] == [
        (CaseKey(1, "skipped"), CaseStatus.SKIPPED),
        (CaseKey(1, "b"), CaseStatus.FAILED),
        (CaseKey(0, "a"), CaseStatus.PASSED),
        (CaseKey(1, "a"), CaseStatus.FAILED),
    ]
    assert cases[0].reason == "no key"
    assert cases[1].reason == "rouge_match: as it was"
    assert cases[1].usage.total_tokens == 15


def test_folding_a_stored_run_gives_the_picture_of_its_end(scribe: Scribe) -> None:
    with scribe.begun("r1", "a", "b") as writer:
        writer.save(CaseKey(0, "a"), scribe.result("a"))
        writer.finished(scribe.over("r1", passed=1, cancelled=3, skipped=1, was_cancelled=True))
    state = RunState()
    for event in scribe.store.events("r1"):
        state.apply(event)

    assert {status: count for status, count in state.counts.items() if count} == {
        CaseStatus.PASSED: 1,
        CaseStatus.CANCELLED: 3,
        CaseStatus.SKIPPED: 1,
    }
    assert state.was_cancelled
    assert state.number == writer.number


def test_a_run_whose_process_died_says_so_and_keeps_what_it_had(scribe: Scribe) -> None:
    writer = scribe.begun("r1", "a", "b")
    writer.save(CaseKey(0, "a"), scribe.result("a"))
    writer.save(CaseKey(0, "b"), scribe.result("b", 0.1))
    writer.close()
    died(scribe, "r1")

    *_, last = scribe.store.events("r1")

    assert isinstance(last, RunFinished)
    assert (last.passed, last.failed, last.skipped, last.cancelled) == (1, 1, 1, 2)
    assert (last.was_cancelled, last.error) == (True, "interrupted")
    assert last.usage.total_tokens == 30
    assert last.at == scribe.begin + 2  # when its last case finished
    assert [(run.status, run.passed, run.failed) for run in scribe.store.runs()] == [
        (RunStatus.INTERRUPTED, 1, 1)
    ]


def test_a_run_that_goes_on_has_no_end_yet(scribe: Scribe) -> None:
    with scribe.begun("r1", "a") as writer:
        writer.save(CaseKey(0, "a"), scribe.result("a"))

        assert [run.status for run in scribe.store.runs()] == [RunStatus.RUNNING]
        assert not any(isinstance(event, RunFinished) for event in scribe.store.events("r1"))


def test_a_result_can_be_read_by_others_soon_after_it_was_saved(scribe: Scribe) -> None:
    with scribe.begun("r1", "a", "b", "c") as writer:
        delays = []
        for each in ("a", "b", "c"):
            writer.save(CaseKey(0, each), scribe.result(each))
            since = time.monotonic()
            while scribe.store.result("r1", CaseKey(0, each)) is None:
                assert time.monotonic() < since + LONG
            delays.append(time.monotonic() - since)

    # The median, because the machine of a test may stop for a moment.
    assert sorted(delays)[1] < PROMISED


def test_every_thread_may_save(scribe: Scribe) -> None:
    ids = [f"case-{number}" for number in range(400)]
    with scribe.begun("r1", *ids) as writer:

        def save(part: int) -> None:
            for each in ids[part::4]:
                writer.save(CaseKey(0, each), scribe.result(each))

        threads = [threading.Thread(target=save, args=(part,)) for part in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(LONG)
        writer.finished(scribe.over("r1", passed=len(ids)))

    told = [event.case for event in scribe.store.events("r1") if isinstance(event, CaseFinished)]
    assert sorted(key.eval_id for key in told if key.set_index == 0) == sorted(ids)


def test_runs_are_listed_newest_first_with_what_people_want_to_know(scribe: Scribe) -> None:
    first, second = scribe.whole("r1", "a", "b"), scribe.whole("r2", "a")

    newest, oldest = scribe.store.runs()

    assert (newest.number, oldest.number) == (second, first)
    assert second > first
    assert (oldest.run_id, oldest.status) == ("r1", RunStatus.FINISHED)
    assert (oldest.planned, oldest.passed, oldest.skipped) == (5, 4, 1)
    assert oldest.finished_at == scribe.begin + 60
    assert [info.eval_set_id for info in oldest.sets] == ["first", "second"]
    assert oldest.sets[1].target == "agents.py:b"


def test_a_run_that_never_began_leaves_no_trace_but_its_number(scribe: Scribe) -> None:
    with scribe.store.writer("r1") as writer:
        lost = writer.number

    assert scribe.store.runs() == []
    assert scribe.whole("r2", "a") > lost


def test_two_processes_that_start_together_get_different_numbers(scribe: Scribe) -> None:
    code = (
        "import sys, uuid; from pathlib import Path\n"
        "from tenxgraph_tui.session.store import RunStore\n"
        "from tenxgraph_tui.evaluation.events import RunStarted\n"
        "for _ in range(10):\n"
        "    with RunStore(Path(sys.argv[1])).writer(str(uuid.uuid4())) as writer:\n"
        "        writer.started(RunStarted(seq=0, at=1.0, run_id=writer.run_id, sets=()))\n"
        "        print(writer.number)\n"
    )
    command = [sys.executable, "-c", code, str(scribe.store.path)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    numbers = [int(word) for each in both for word in each.communicate(timeout=60)[0].split()]

    assert sorted(numbers) == list(range(1, 21))


def test_there_is_nothing_to_read_before_the_first_run(scribe: Scribe) -> None:
    assert scribe.store.runs() == []
    assert not scribe.store.path.parent.exists()
    with pytest.raises(UsageError, match="nothing has been run here yet"):
        scribe.store.resolve("last")
    with pytest.raises(UsageError, match="no run 'r1'"):
        list(scribe.store.events("r1"))


def test_the_store_is_private_and_invisible_to_git(scribe: Scribe) -> None:
    scribe.whole("r1", "a")
    folder = scribe.store.path.parent

    assert (folder / ".gitignore").read_text() == "*\n"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert scribe.store.path.stat().st_mode & 0o777 == 0o600


def test_a_report_streams_one_set_in_file_order(scribe: Scribe) -> None:
    known = scribe.result("b", metadata={"xfailed": "bug 7"})
    with scribe.begun("r1", "c", "b", "a") as writer:
        writer.save(CaseKey(0, "a"), scribe.result("a"))
        for each in (known, scribe.result("c", 0.1)):
            writer.save(CaseKey(1, each.eval_id), each)
        writer.finished(scribe.over("r1"))

    report = scribe.store.report("r1", 1)

    assert [result.eval_id for result in report.iter_results()] == ["c", "b"]
    assert (report.eval_set_id, report.eval_set_name) == ("second", "")
    assert (report.summary.total_cases, report.summary.passed_cases) == (2, 1)
    assert report.config_used == {"which": "second"}
    assert report.timestamp == scribe.begin + 60
    assert report.metadata == {
        "run_id": "r1",
        "run_number": writer.number,
        "target": "agents.py:b",
        "skipped": {"skipped": "no key"},
        "cancelled": ["a"],
        "xfailed": {"b": "bug 7"},
    }


def test_a_report_of_a_run_that_goes_on_says_what_is_still_to_come(scribe: Scribe) -> None:
    writer = scribe.begun("r1", "a", "b")
    writer.save(CaseKey(0, "a"), scribe.result("a"))
    writer.close()

    metadata = scribe.store.report("r1", 0).metadata

    assert (metadata["unfinished"], "cancelled" in metadata) == (["b"], False)
    died(scribe, "r1")
    metadata = scribe.store.report("r1", 0).metadata
    assert (metadata["cancelled"], "unfinished" in metadata) == (["b"], False)


def test_what_each_set_was_checked_with_is_kept(scribe: Scribe) -> None:
    scribe.whole("r1", "a")
    assert scribe.store.configs("r1") == [{"which": "first"}, {"which": "second"}]
    with pytest.raises(UsageError, match="no run 'r9'"):
        scribe.store.configs("r9")


def test_a_report_of_a_set_that_is_not_there_is_refused(scribe: Scribe) -> None:
    scribe.whole("r1", "a")

    with pytest.raises(UsageError, match="run #1 has no set 2"):
        scribe.store.report("r1", 2)
    with pytest.raises(UsageError, match="no run 'r9'"):
        scribe.store.report("r9", 0)


def test_only_what_was_planned_can_be_saved_and_only_once(scribe: Scribe) -> None:
    writer = scribe.begun("r1", "a")
    with pytest.raises(StoreError, match="'b' is not part of run #1"):
        writer.save(CaseKey(0, "b"), scribe.result("b"))
    writer.save(CaseKey(0, "a"), scribe.result("a"))
    writer.save(CaseKey(0, "a"), scribe.result("a"))
    with pytest.raises(StoreError, match="UNIQUE"):
        writer.close()


def test_a_result_after_the_end_is_refused(scribe: Scribe) -> None:
    writer = scribe.begun("r1", "a")
    writer.finished(scribe.over("r1"))

    with pytest.raises(StoreError, match="after the end"):
        writer.save(CaseKey(0, "a"), scribe.result("a"))


def test_a_run_id_is_used_once(scribe: Scribe) -> None:
    scribe.whole("r1", "a")

    with pytest.raises(StoreError, match="cannot write"):
        scribe.store.writer("r1")
