"""What earlier runs tell of cases: the last verdict of each, and the run to compare with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.evaluation.events import (
    CaseInfo,
    CaseStatus,
    RunFinished,
    RunStarted,
    SetInfo,
)
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.history import Baseline, Name, baseline, latest
from tenxgraph_tui.session.records import RunStatus
from tests.session.conftest import BEGIN, Scribe

FILE = "weather.evalset.json"
CONFIG = "offline (default)"


def named(*ids: str, file: str = FILE) -> list[Name]:
    return [(file, eval_id) for eval_id in ids]


def run(
    scribe: Scribe,
    scores: Mapping[str, float],
    *,
    file: str = FILE,
    config: str = CONFIG,
    planned: Iterable[str] = (),
    **end: Any,
) -> int:
    """A run of one file, in which each case has that score (0.5 passes); its number."""
    ids = [*scores, *planned]
    with scribe.store.writer(f"run of {ids} {scribe.store.now()}") as writer:
        info = SetInfo(
            eval_set_id="weather",
            file=file,
            config=config,
            cases=tuple(CaseInfo(eval_id=eval_id) for eval_id in ids),
        )
        begun = RunStarted(
            seq=0, at=BEGIN, run_id=writer.run_id, sets=(info,), number=writer.number
        )
        writer.started(begun)
        for eval_id, score in scores.items():
            writer.save(CaseKey(0, eval_id), scribe.result(eval_id, score))
        writer.finished(
            RunFinished.model_validate(
                {"seq": 9, "at": BEGIN + 9, "run_id": writer.run_id, "passed": len(scores), **end}
            )
        )
    return writer.number


def compared(scribe: Scribe, *ids: str, before: int = 99, config: str = CONFIG) -> Baseline | None:
    return baseline(scribe.store, named(*ids), before=before, configs=[config])


def test_without_a_store_nothing_is_known(tmp_path: Path) -> None:
    nowhere = Scribe(tmp_path / "runs.db").store

    history = latest(nowhere, named("a"))

    assert (history.last, history.good, history.cases) == (None, None, {})
    assert baseline(nowhere, named("a"), before=9) is None
    assert not nowhere.path.exists()


def test_every_case_has_the_verdict_of_the_newest_run_it_was_in(scribe: Scribe) -> None:
    first = run(scribe, {"a": 1.0, "b": 0.0, "c": 1.0})
    second = run(scribe, {"b": 1.0})

    known = latest(scribe.store, named("a", "b", "never")).cases

    told = {name[1]: (one.number, one.case.status) for name, one in known.items()}
    assert told == {"a": (first, CaseStatus.PASSED), "b": (second, CaseStatus.PASSED)}
    assert known[FILE, "a"].info.config == CONFIG
    assert [one.score for one in known[FILE, "a"].case.verdicts.values()] == [1.0]
    stored = scribe.store.result(known[FILE, "b"].run_id, known[FILE, "b"].case.key)
    assert stored is not None
    assert stored.eval_id == "b"


def test_cases_of_the_same_id_in_two_files_are_two(scribe: Scribe) -> None:
    run(scribe, {"a": 1.0})
    run(scribe, {"a": 0.0}, file="support.evalset.json")

    known = latest(scribe.store, named("a") + named("a", file="support.evalset.json")).cases

    assert {name: one.case.status for name, one in known.items()} == {
        (FILE, "a"): CaseStatus.PASSED,
        ("support.evalset.json", "a"): CaseStatus.FAILED,
    }


def test_a_file_is_the_same_however_a_run_named_it(scribe: Scribe) -> None:
    number = run(scribe, {"a": 0.0}, file="/project/weather.evalset.json")

    known = latest(scribe.store, named("a"), lambda file: Path(file).name).cases

    assert known[FILE, "a"].number == number
    assert known[FILE, "a"].info.file == "/project/weather.evalset.json"


def test_what_finished_in_a_cancelled_run_has_a_verdict(scribe: Scribe) -> None:
    good = run(scribe, {"a": 1.0, "b": 1.0})
    cancelled = run(scribe, {"a": 0.0}, planned=["b"], was_cancelled=True)

    history = latest(scribe.store, named("a", "b"))

    assert {name[1]: one.number for name, one in history.cases.items()} == {
        "a": cancelled,
        "b": good,
    }
    assert history.last is not None
    assert history.good is not None
    assert (history.last.number, history.last.status) == (cancelled, RunStatus.CANCELLED)
    assert history.good.number == good


def test_of_several_attempts_the_first_counts(scribe: Scribe) -> None:
    with scribe.begun("r1", "a") as writer:
        for attempt, score in enumerate((0.0, 1.0)):
            writer.save(CaseKey(0, "a", attempt), scribe.result("a", score))
        writer.finished(scribe.over("r1"))

    known = latest(scribe.store, [("a.evalset.json", "a")]).cases

    assert known["a.evalset.json", "a"].case.status is CaseStatus.FAILED


@pytest.mark.parametrize("count", [3, 1200])
def test_many_cases_are_found_as_few_are(scribe: Scribe, count: int) -> None:
    ids = [f"case_{index}" for index in range(count)]
    run(scribe, dict.fromkeys(ids, 1.0))

    known = latest(scribe.store, named(*ids, "never")).cases

    assert known.keys() == set(named(*ids))
    found = baseline(scribe.store, named(*ids, "never"), before=99)
    assert found is not None
    assert found.cases.keys() == set(named(*ids))
    assert found.first_time == set(named("never"))


def test_a_run_is_compared_with_the_one_before_it(scribe: Scribe) -> None:
    first = run(scribe, {"a": 1.0, "b": 1.0})
    second = run(scribe, {"a": 1.0, "b": 0.0})

    found = compared(scribe, "a", "b")

    assert found is not None
    assert found.number == second
    assert found.cases == {(FILE, "a"): CaseStatus.PASSED, (FILE, "b"): CaseStatus.FAILED}
    assert found.config == CONFIG
    earlier = compared(scribe, "a", "b", before=second)
    assert earlier is not None
    assert earlier.number == first
    assert compared(scribe, "a", "b", before=first) is None


def test_a_run_of_everything_is_not_compared_with_a_rerun_of_a_few(scribe: Scribe) -> None:
    ids = ("a", "b", "c", "d")
    everything = run(scribe, dict.fromkeys(ids, 0.0))
    rerun = run(scribe, {"b": 1.0})

    whole, few = compared(scribe, *ids), compared(scribe, "b")

    assert whole is not None
    assert whole.number == everything
    assert few is not None
    assert few.number == rerun, "a rerun is compared with what its cases did last"


def test_one_case_more_does_not_bring_back_a_run_of_long_ago(scribe: Scribe) -> None:
    ids = [f"case_{index}" for index in range(20)]
    run(scribe, dict.fromkeys([*ids, "was_skipped_since"], 1.0))
    newer = run(scribe, dict.fromkeys(ids, 1.0))

    found = compared(scribe, *ids, "was_skipped_since", "never")

    assert found is not None
    assert found.number == newer
    assert found.first_time == set(named("never")), "a case that ran before is not new"


@pytest.mark.parametrize("end", [{"was_cancelled": True}, {"error": "the store failed"}])
def test_nothing_is_compared_with_a_run_that_did_not_end_by_itself(
    scribe: Scribe, end: dict[str, Any]
) -> None:
    good = run(scribe, {"a": 1.0})
    run(scribe, {"a": 0.0}, **end)
    with scribe.begun("interrupted", "a") as writer:
        writer.save(CaseKey(0, "a"), scribe.result("a", 0.0))

    found = compared(scribe, "a")

    assert found is not None
    assert found.number == good


def test_a_run_is_compared_with_one_of_the_same_config_if_there_is_any(scribe: Scribe) -> None:
    same = run(scribe, {"a": 1.0})
    other = run(scribe, {"a": 0.0}, config="strict (preset)")

    alike, apart = compared(scribe, "a"), compared(scribe, "a", config="relaxed (preset)")

    assert alike is not None
    assert alike.number == same
    assert apart is not None
    assert (apart.number, apart.config) == (other, "strict (preset)")
