"""Report files of a stored run: written as `run --report` writes them, and told about."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.cli.exporting import Export
from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.evaluation.events import (
    CaseInfo,
    Log,
    Reply,
    RunEvent,
    RunFinished,
    RunStarted,
    SetInfo,
)
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult, EvalCaseResult, Score
from tenxgraph_tui.evaluation.stream import parse_line
from tenxgraph_tui.session.protocol import ExportOptions, WorkerRequest
from tenxgraph_tui.session.store import RunStore
from tests.cli.conftest import Shell, WriteSet, case

AT = 1_700_000_000.0


def result(eval_id: str, **fields: Any) -> EvalCaseResult:
    verdict = CriterionResult.judged("rouge_match", Score(0.2, "it shares few words"), 0.5)
    return EvalCaseResult.success(eval_id, [verdict], actual_response="secret answer", **fields)


@pytest.fixture
def store(project: Path) -> RunStore:
    """A run of two sets with two cases each, of which only the first case of the first is over."""
    store = RunStore(project / "runs.db")
    sets = tuple(
        SetInfo(eval_set_id=name, cases=(CaseInfo(eval_id="a"), CaseInfo(eval_id="b")))
        for name in ("one", "two")
    )
    configs = [{"reporter": {"timestamp_files": False}}, {}]
    with store.writer("run", configs=configs) as writer:
        writer.started(RunStarted(seq=0, at=AT, run_id="run", sets=sets, number=1))
        writer.save(CaseKey(0, "a"), result("a"))
    return store


def finish(store: RunStore) -> None:
    """A second run, all of whose cases are over."""
    sets = (SetInfo(eval_set_id="one", cases=(CaseInfo(eval_id="a"), CaseInfo(eval_id="b"))),)
    with store.writer("whole", configs=[{"reporter": {"timestamp_files": False}}]) as writer:
        writer.started(RunStarted(seq=0, at=AT, run_id="whole", sets=sets, number=2))
        for name in ("a", "b"):
            writer.save(CaseKey(0, name), result(name))
        writer.finished(RunFinished(seq=9, at=AT, run_id="whole", failed=2))


def listed(folder: str) -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


def quiet(text: str) -> None:
    """Nobody listens."""


def export(
    store: RunStore, *formats: Any, run_id: str = "whole", folder: str = "out", **fields: Any
) -> dict[str, Any]:
    options = ExportOptions(formats=formats, folder=folder, **fields)
    return Export(store, run_id, options, quiet).write()


def test_every_format_is_written_and_named(store: RunStore, project: Path) -> None:
    finish(store)
    told = export(store, "json", "html", "junit", "markdown")
    names = ["one.json", "one.html", "one_junit.xml", "one.md"]
    assert told == {
        "files": [f"out/{name}" for name in names],
        "problems": [],
        "cases": 2,
        "unfinished": 0,
    }
    assert listed("out") == sorted(names)
    assert len(json.loads((project / "out/one.json").read_text())["results"]) == 2


def test_names_have_the_time_unless_the_config_or_the_settings_say_otherwise(
    store: RunStore,
) -> None:
    finish(store)
    (stamped,) = export(store, "json", timestamp_files=True)["files"]
    assert stamped.startswith("out/one_2023")
    (plain,) = export(store, "json")["files"]
    assert plain == "out/one.json"


@pytest.mark.parametrize("kind", ["json", "html", "junit", "markdown"])
def test_what_is_left_out_is_in_no_file(store: RunStore, kind: str) -> None:
    finish(store)
    (whole,) = export(store, kind, folder="whole")["files"]
    (file,) = export(store, kind, without=("actual_response", "details"))["files"]
    assert "shares few words" in Path(whole).read_text()
    text = Path(file).read_text()
    assert "secret answer" not in text
    assert "shares few words" not in text


def test_of_a_run_that_goes_on_what_is_over_is_written(store: RunStore) -> None:
    told = export(store, "json", "markdown", run_id="run", timestamp_files=False)
    assert (told["cases"], told["unfinished"]) == (1, 1)
    assert told["files"] == ["out/one.json", "out/one.md"]  # of the second set nothing is over
    assert json.loads(Path("out/one.json").read_text())["metadata"]["unfinished"] == ["b"]
    assert "## Unfinished" in Path("out/one.md").read_text()


def test_a_run_without_any_result_has_nothing_to_export(store: RunStore) -> None:
    with store.writer("new", configs=[{}]) as writer:
        info = SetInfo(eval_set_id="one", cases=(CaseInfo(eval_id="a"),))
        writer.started(RunStarted(seq=0, at=AT, run_id="new", sets=(info,), number=3))
        with pytest.raises(UsageError, match="no case of the run is over yet"):
            export(store, "json", run_id="new")
    with pytest.raises(UsageError, match="no run 'gone'"):
        export(store, "json", run_id="gone")


def test_a_folder_that_is_none_is_told_before_anything_is_read(
    store: RunStore, project: Path
) -> None:
    finish(store)
    (project / "file").touch()
    with pytest.raises(UsageError, match=r"^file: File exists"):
        export(store, "json", folder="file")
    with pytest.raises(UsageError, match=r"^file/below: Not a directory"):
        export(store, "json", folder="file/below")


def test_one_file_that_cannot_be_written_does_not_cost_the_others(
    store: RunStore, project: Path
) -> None:
    finish(store)
    (project / "out/one.html").mkdir(parents=True)
    told = export(store, "html", "json")
    assert told["files"] == ["out/one.json"]
    assert [problem.partition(":")[0] for problem in told["problems"]] == ["HTMLReporter"]


def test_where_no_file_could_be_written_that_is_the_answer(store: RunStore, project: Path) -> None:
    finish(store)
    (project / "out/one.json").mkdir(parents=True)
    with pytest.raises(UsageError, match=r"^JSONReporter: .*one\.json"):
        export(store, "json")


def test_an_export_that_is_given_up_leaves_no_file(store: RunStore) -> None:
    finish(store)
    options = ExportOptions(formats=("json", "html"), folder="out", timestamp_files=True)
    work = Export(store, "whole", options, quiet)
    work.cancel()
    with pytest.raises(UsageError, match="given up"):
        work.write()
    assert listed("out") == []


def test_its_progress_is_told_now_and_then(store: RunStore) -> None:
    finish(store)
    told: list[str] = []
    options = ExportOptions(formats=("json", "html"), folder="out")
    clock: Callable[[], float] = itertools.count(0.0, 0.06).__next__
    Export(store, "whole", options, told.append, clock=clock).write()
    assert told == ["50% written", "100% written"]


def test_a_worker_exports_what_a_run_left(shell: Shell, write_set: WriteSet, project: Path) -> None:
    path = write_set(case("a"), case("b", expected="something else"))
    done = shell("run", str(path), "--preset", "quick_check")
    assert done.code == 1, done.out + done.err
    store = RunStore(project / ".tenxgraph-tui" / "runs.db")
    request = WorkerRequest(
        kind="export",
        root=str(project),
        store=str(store.path),
        run_id=store.resolve("last"),
        export=ExportOptions(formats=("junit",), folder=str(project / "out")),
    )
    *_, reply = ask(request)
    assert isinstance(reply, Reply)
    assert (reply.error, reply.request) == (None, "export")
    assert reply.data["cases"] == 2
    (file,) = reply.data["files"]
    assert 'tests="2" failures="1" errors="0"' in Path(file).read_text()


def test_a_worker_says_why_it_cannot_export(project: Path, store: RunStore) -> None:
    finish(store)
    (project / "file").touch()
    request = WorkerRequest(
        kind="export",
        root=str(project),
        store=str(store.path),
        run_id="whole",
        export=ExportOptions(formats=("json",), folder="file"),
    )
    (reply,) = ask(request)
    assert isinstance(reply, Reply)
    assert (reply.error, reply.exit_code) == ("file: File exists", 2)
    (reply,) = ask(request.model_copy(update={"export": None}))
    assert isinstance(reply, Reply)
    assert reply.error == "an export needs a store, and what to write"


def ask(request: WorkerRequest) -> list[RunEvent]:
    """What a worker answers; what it says of its progress depends on the time and is left out."""
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "tenxgraph_tui", "worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(request.line())
        process.stdin.flush()  # and it stays open: its end would mean that nobody listens
        events = [parse_line(line) for line in process.stdout]
        assert process.stderr.read() == b""
    return [event for event in events if event is not None and not isinstance(event, Log)]
