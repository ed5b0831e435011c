"""`run` as a shell sees it: what is printed where, which files it leaves, how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.events import CaseFinished, RunFinished, RunStarted
from tenxgraph_tui.evaluation.stream import parse_line, replay
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.session.watching.known_files import known_files
from tests.cli.conftest import Shell, WriteSet, case

COMMAND = [sys.executable, "-m", "tenxgraph_tui", "run"]
BLOCKING = """
import asyncio, time

async def slow(messages):
    await asyncio.sleep(60)

def stuck(messages):
    time.sleep(60)

async def some(messages):
    said = messages[-1]["content"]
    await asyncio.sleep(0.1 * int(said[-1]) if said.startswith("quick") else 60)
    return said
"""


def test_a_passing_run(shell: Shell, write_set: WriteSet) -> None:
    write_set(case("a"), case("b"))
    done = shell("run")
    assert done.code == 0
    assert "2/2 passed, 100.0 %" in done.out
    assert done.err.splitlines()[0] == "running 2 cases of 1 set as run #1"
    assert sorted(line.split()[1] for line in done.err.splitlines()[1:]) == ["a", "b"]


def test_what_a_case_printed_is_kept_however_quiet_the_run(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    write_set(case("a"), target="agents.py:noisy")
    assert shell("run", "--quiet").code == 0
    store = RunStore(project / ".tenxgraph-tui" / "runs.db")
    said = store.said(store.resolve("last"), 100)
    assert sorted((line.source, line.text) for line in said if line.case is not None) == [
        ("stderr", "no line end"),
        ("stdout", "thinking"),
    ]


def test_a_failing_run_says_why(shell: Shell, write_set: WriteSet) -> None:
    write_set(case("a"), case("b", "something else"))
    done = shell("run")
    assert done.code == 1
    assert "rouge_match 0.00, needs 0.50: " in done.out
    assert "see basic.evalset.json::b" in done.out


def test_an_agent_that_raises_is_an_error(shell: Shell, write_set: WriteSet) -> None:
    write_set(case("a"), target="agents.py:broken")
    done = shell("run", "--threshold", "0")
    assert done.code == 3
    assert "ValueError: kaboom" in done.out


@pytest.mark.parametrize(("threshold", "code"), [("1", 1), ("0.6", 1), ("0.5", 0), ("0", 0)])
def test_the_threshold_is_the_pass_rate_needed(
    shell: Shell, write_set: WriteSet, threshold: str, code: int
) -> None:
    write_set(case("a"), case("b", "something else"))
    assert shell("run", "--threshold", threshold).code == code


@pytest.mark.parametrize(
    ("words", "ran"),
    [
        pytest.param(["--case", "to*"], {"tokyo", "toulouse"}, id="a glob"),
        pytest.param(["--case", "oslo", "--case", "tokyo"], {"oslo", "tokyo"}, id="several globs"),
        pytest.param(["--tag", "asia"], {"tokyo"}, id="a tag"),
        pytest.param(["--tag", "asia", "--tag", "north"], {"tokyo", "oslo"}, id="several tags"),
        pytest.param(["--tag", "asia", "--case", "t*"], {"tokyo"}, id="both"),
        pytest.param(["basic.evalset.json::oslo"], {"oslo"}, id="an address"),
        pytest.param(["."], {"tokyo", "toulouse", "oslo"}, id="a folder"),
    ],
)
def test_only_the_selected_cases_run(
    shell: Shell, write_set: WriteSet, words: list[str], ran: set[str]
) -> None:
    write_set(case("tokyo", tags=["asia"]), case("toulouse"), case("oslo", tags=["north"]))
    done = shell("run", *words)
    assert done.code == 0
    assert {line.split()[1] for line in done.err.splitlines() if "[PASS]" in line} == ran


def test_a_filter_that_selects_nothing_is_not_green(shell: Shell, write_set: WriteSet) -> None:
    write_set(case("a"))
    done = shell("run", "--tag", "nope", "--case", "x")
    assert done.code == 3
    assert done.err == "0 cases evaluated: no case matches --case x --tag nope\n"


def test_neither_is_a_set_without_cases_or_with_skipped_ones(
    shell: Shell, write_set: WriteSet
) -> None:
    write_set()
    assert shell("run").code == 3
    write_set(case("a", metadata={"skip": "later"}))
    done = shell("run")
    assert done.code == 3
    assert "0 cases evaluated" in done.out
    assert "skipped: a (later)" in done.out


def test_a_set_without_cases_is_not_outweighed_by_one_that_passes(
    shell: Shell, write_set: WriteSet
) -> None:
    write_set(case("a"))
    write_set(name="empty")
    done = shell("run")
    assert done.code == 3
    assert "empty.evalset.json holds no cases: nothing in it can be checked" in done.err


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        pytest.param(["--preset", "tool_usge"], 4, "did you mean 'tool_usage'?", id="preset"),
        pytest.param(["--config", "gone.json"], 2, "gone.json", id="config"),
        pytest.param(["--preset", "default"], 4, "set GEMINI_API_KEY", id="judge"),
        pytest.param(["--target", "gone.py:x"], 5, "gone.py", id="target"),
        pytest.param(["--target", "agents.py:ecko"], 5, "did you mean 'echo'?", id="attribute"),
        pytest.param(["--output-dir", "out"], 2, "--output-dir needs --report", id="no report"),
        pytest.param(
            ["--report", "json", "--output-dir", "agents.py"], 2, "agents.py", id="folder"
        ),
        pytest.param(["--events", "gone/x.jsonl"], 2, "--events gone/x.jsonl", id="events file"),
    ],
)
def test_what_cannot_be_run_stops_before_the_first_case(
    shell: Shell, write_set: WriteSet, words: list[str], code: int, told: str
) -> None:
    write_set(case("a"))
    done = shell("run", *words)
    assert done.code == code
    assert done.out == ""
    assert told in done.err
    assert "running" not in done.err
    assert "Traceback" not in done.err


def test_every_bad_file_is_named_and_nothing_runs(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    write_set(case("a"))
    (project / "torn.evalset.json").write_text("{")
    (project / "typo.evalset.json").write_text('{"evl_cases": []}')
    done = shell("run")
    assert done.code == 4
    assert done.out == ""
    assert [line.split()[1].split(":")[0] for line in done.err.splitlines()] == [
        "torn.evalset.json",
        "typo.evalset.json",
    ]


def test_what_agents_print_is_told_apart_and_leaves_the_report_alone(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    write_set(case("a"), target="agents.py:noisy")
    done = shell("run")
    assert "thinking" not in done.out
    assert "from C" not in done.out
    lines = done.err.splitlines()
    assert {"a │ thinking", "a │ no line end", "agent │ from C"} <= set(lines)
    assert lines.index("a │ no line end") < next(
        at for at, line in enumerate(lines) if line.startswith("[PASS]")
    )
    assert "0/a stdout | thinking" in (project / ".tenxgraph-tui/logs/1.log").read_text()


def test_quiet_is_quiet(shell: Shell, write_set: WriteSet) -> None:
    write_set(case("a"), target="agents.py:noisy")
    done = shell("run", "--quiet")
    assert done.err == ""
    assert "1/1 passed" in done.out


def test_events_on_standard_output_have_it_for_themselves(
    shell: Shell, write_set: WriteSet
) -> None:
    write_set(case("a"), target="agents.py:noisy")
    done = shell("run", "--events", "-")
    events = [parse_line(line) for line in done.out.splitlines()]
    assert isinstance(events[-1], RunFinished)
    assert None not in events
    assert [event.seq for event in events if event] == list(range(len(events)))
    assert "1/1 passed" in done.err


def test_events_in_a_file(shell: Shell, write_set: WriteSet, project: Path) -> None:
    write_set(case("a"), case("b"))
    shell("run", "--events", "run.jsonl", "--preset", "quick_check")
    events = list(replay(project / "run.jsonl"))
    started = next(event for event in events if isinstance(event, RunStarted))
    assert started.sets[0].config == "quick_check (--preset)"
    assert started.number == 1
    assert {event.case.eval_id for event in events if isinstance(event, CaseFinished)} == {"a", "b"}


def test_a_report_of_each_set(shell: Shell, write_set: WriteSet, project: Path) -> None:
    write_set(case("a"), case("b", "other"), name="one")
    write_set(case("a"), name="two")
    done = shell("run", "--report", "json", "--output-dir", "out")
    assert done.code == 1
    one, two = (json.loads(path.read_text()) for path in sorted((project / "out").iterdir()))
    assert [result["eval_id"] for result in one["results"]] == ["a", "b"]
    assert one["summary"]["failed_cases"] == 1
    assert one["metadata"]["target"] == "agents.py:echo"
    assert one["config_used"]["criteria"]["rouge_match"]["threshold"] == 0.5
    assert two["eval_set_id"] == "two"
    assert done.err.count("wrote out/") == 2
    assert "2 sets: 2/3 passed, 66.6 %, 1 failed" in done.out


def test_reports_of_every_kind(shell: Shell, write_set: WriteSet, project: Path) -> None:
    write_set(case("a"), case("b", "other"))
    done = shell("run", "--report", "markdown,html,junit,json", "--output-dir", "out")
    assert done.code == 1
    names = sorted(path.name for path in (project / "out").iterdir())
    endings = [name.removeprefix("basic_")[len("20270115_080000") :] for name in names]
    assert endings == [".html", ".json", ".md", "_junit.xml"]
    assert done.err.count("wrote out/") == 4
    assert all(path.stat().st_size for path in (project / "out").iterdir())


def test_the_config_decides_what_reports_hold_but_not_which_are_written(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    config = {
        "criteria": {"rouge_match": {"threshold": 0.5}},
        "reporter": {"enabled": False, "junit_xml": True, "include_actual_response": False},
    }
    (project / "config.json").write_text(json.dumps(config))
    write_set(case("zebra", "other"))
    words = ("--config", "config.json", "--output-dir", "out", "--report")
    done = shell("run", *words, "markdown")
    assert done.code == 1
    (path,) = (project / "out").iterdir()
    assert path.suffix == ".md"
    for text in (done.out, path.read_text(encoding="utf-8")):
        assert "zebra" in text
        assert not re.search(r"^\s*answer:", text, re.MULTILINE)


def test_without_report_no_file_is_written(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    before = write_set(case("a")).parent
    shell("run")
    assert {path.name for path in before.iterdir()} - {".tenxgraph-tui"} == {
        "agents.py",
        "basic.evalset.json",
        "tenxgraph-tui.toml",
        *({"__pycache__"} & {path.name for path in project.iterdir()}),
    }


def test_a_run_is_kept(shell: Shell, write_set: WriteSet, project: Path) -> None:
    write_set(case("a"))
    shell("run")
    shell("run")
    store = RunStore(project / ".tenxgraph-tui" / "runs.db")
    assert [run.number for run in store.runs()] == [2, 1]


def test_a_target_that_cannot_be_imported_leaves_no_run(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    write_set(case("a"))
    (project / "agents.py").write_text("import gone")
    done = shell("run")
    assert done.code == 5
    assert "No module named 'gone'" in done.err
    assert RunStore(project / ".tenxgraph-tui" / "runs.db").runs() == []


def test_a_store_that_cannot_be_written_stops_the_run(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    write_set(case("a"))
    folder = project / ".tenxgraph-tui"
    folder.mkdir()
    (folder / "runs.db").write_text("this is no database, and it is longer than a header" * 9)
    done = shell("run")
    assert done.code == 3
    assert "runs.db" in done.err
    assert "Traceback" not in done.err


def test_fail_fast_stops_at_the_first_that_does_not_pass(shell: Shell, write_set: WriteSet) -> None:
    write_set(case("a"), case("b", "other"), *(case(f"c{number}") for number in range(20)))
    done = shell("run", "--fail-fast", "--max-concurrency", "1")
    assert done.code == 1
    assert "1/2 passed, 50.0 %, 1 failed, 20 cancelled" in done.out


def test_a_config_file_that_is_called_like_a_preset(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    write_set(case("a"))
    (project / "offline").write_text('{"criteria": {"rouge_match": {"threshold": 0.25}}}')
    assert "config offline (--config)" in shell("run", "--config", "offline").out


def run_until(told: str, cwd: Path, *words: str, signals: int) -> tuple[int, str, str, float]:
    """Start a run, wait until it says `told`, interrupt it; code, output, errors, seconds after."""
    process = subprocess.Popen(
        [*COMMAND, *words], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    errors = ""
    while told not in errors:
        line = process.stderr.readline()
        assert line, errors
        errors += line
    begin = time.monotonic()
    for _ in range(signals):
        process.send_signal(signal.SIGINT)
        time.sleep(0.05)
    out, rest = process.communicate(timeout=60)
    return process.returncode, out, errors + rest, time.monotonic() - begin


@pytest.mark.parametrize("agent", ["slow", "stuck"])
def test_interrupting_a_run(write_set: WriteSet, project: Path, agent: str) -> None:
    """EDGE-CASES B54."""
    (project / "wait.py").write_text(BLOCKING)
    write_set(case("a"), *(case(f"w{number}", metadata={}) for number in range(5)))
    words = ("--target", f"wait.py:{agent}", "--max-concurrency", "2")
    code, out, errors, seconds = run_until("running", project, *words, signals=1)
    assert code == 130
    assert "stopping..." in errors
    assert "0 done, 6 cancelled" in errors
    assert "6 cancelled" in out
    assert seconds < 30


def test_what_was_done_before_the_interrupt_is_reported(write_set: WriteSet, project: Path) -> None:
    (project / "wait.py").write_text(BLOCKING)
    write_set(*(case(f"quick{number}") for number in range(3)), *map(case, "abcdefg"))
    words = ("--target", "wait.py:some", "--max-concurrency", "4")
    report = ("--report", "json", "--output-dir", "out")
    code, out, errors, _ = run_until("quick2", project, *words, *report, signals=1)
    assert code == 130
    assert "3 done, 7 cancelled" in errors
    assert "3/3 passed, 100.0 %, 7 cancelled" in out
    (path,) = (project / "out").iterdir()
    read = json.loads(path.read_text())
    assert [result["eval_id"] for result in read["results"]] == ["quick0", "quick1", "quick2"]
    assert read["metadata"]["cancelled"] == list("abcdefg")


def test_interrupting_twice_leaves_at_once(write_set: WriteSet, project: Path) -> None:
    (project / "wait.py").write_text(BLOCKING)
    write_set(case("a"))
    code, _, errors, seconds = run_until("running", project, "--target", "wait.py:stuck", signals=2)
    assert code == 130
    assert "stopping..." in errors
    assert seconds < 30


def test_an_agent_that_blocks_does_not_keep_the_process(write_set: WriteSet, project: Path) -> None:
    (project / "wait.py").write_text(BLOCKING)
    write_set(case("a"))
    words = [*COMMAND, "--target", "wait.py:stuck", "--timeout", "0.3"]
    done = subprocess.run(
        words, cwd=project, capture_output=True, text=True, timeout=50, check=False
    )
    assert done.returncode == 3
    assert "timed out after 0.3 s" in done.stdout


def test_a_reader_that_has_read_enough_changes_no_code(write_set: WriteSet, project: Path) -> None:
    write_set(case("a"), case("b", "other"))
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        COMMAND,
        cwd=project,
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    os.close(write)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "Broken pipe" not in done.stderr


def test_a_file_of_the_project_shadows_nothing_of_ours(write_set: WriteSet, project: Path) -> None:
    write_set(case("a"))
    for name in ("rich", "json", "pydantic", "jinja2", "markupsafe", "tenxgraph_tui"):
        (project / f"{name}.py").write_text("raise SystemExit('shadowed')")
    words = [sys.executable, "-P", *COMMAND[1:], "--report", "html"]  # as the installed command
    done = subprocess.run(
        words, cwd=project, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "1/1 passed" in done.stdout


@pytest.mark.parametrize(
    "environment",
    [
        pytest.param({"PYTHONIOENCODING": "ascii"}, id="ASCII"),
        pytest.param({"PYTHONIOENCODING": "cp1252"}, id="cp1252"),
        pytest.param({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, id="C locale"),
        pytest.param({"TERM": "dumb", "NO_COLOR": "1"}, id="dumb"),
    ],
)
def test_any_encoding_gives_a_report(
    write_set: WriteSet, project: Path, environment: dict[str, str]
) -> None:
    """EDGE-CASES B68."""
    write_set(case("日本", "中国"), case("b"))
    words = [*COMMAND, "--report", "json", "--output-dir", "out"]
    done = subprocess.run(
        words,
        cwd=project,
        capture_output=True,
        timeout=60,
        env={**os.environ, **environment},
        check=False,
    )
    assert done.returncode == 1
    assert b"[FAIL]" in done.stdout
    assert b"\x1b" not in done.stdout
    (path,) = (project / "out").iterdir()
    assert "日本".encode() in path.read_bytes()


def test_without_capture_the_terminal_is_the_agents(write_set: WriteSet, project: Path) -> None:
    write_set(case("a"), target="agents.py:reads")
    done = subprocess.run(
        [*COMMAND, "-s"],
        cwd=project,
        input="a\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    again = subprocess.run(
        COMMAND, cwd=project, input="a\n", capture_output=True, text=True, timeout=60, check=False
    )
    assert again.returncode == 3
    assert "EOFError" in again.stdout


def test_without_capture_a_run_ends_the_same(shell: Shell, write_set: WriteSet) -> None:
    write_set(case("a"), case("b", "other"))
    done = shell("run", "-s")
    assert done.code == 1
    assert "1/2 passed" in done.out


def test_an_agent_that_leaves_the_process_is_an_error_not_a_green_run(
    write_set: WriteSet, shell: Shell
) -> None:
    path = write_set(case("one"), target="agents.py:leaves")
    left = shell("run", str(path))
    assert left.code == 3
    assert "os._exit(0)" in left.out


def test_reports_are_written_where_the_command_was_given(
    write_set: WriteSet, shell: Shell, project: Path
) -> None:
    path = write_set(case("one"), target="agents.py:moves")
    assert shell("run", str(path), "--report", "json", "--output-dir", "reports").code == 0
    assert len(list((project / "reports").iterdir())) == 1


@pytest.mark.parametrize(
    "closed",
    [
        pytest.param(">&-", id="standard output"),
        pytest.param("2>&-", id="standard error"),
        pytest.param("<&- >&- 2>&-", id="all of them"),
    ],
)
def test_standard_streams_may_be_closed_and_nothing_else_gets_their_place(
    write_set: WriteSet, project: Path, closed: str
) -> None:
    path = write_set(case("one"), target="agents.py:noisy")
    words = [*COMMAND, str(path), "--events", "events.jsonl"]
    ran = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {closed}', "sh", *words],
        check=False, capture_output=True, text=True, cwd=project, timeout=60,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert "Traceback" not in ran.stderr
    assert "[PASS]" not in ran.stdout if closed != "2>&-" else "1/1 passed" in ran.stdout
    assert "running 1 case" not in ran.stdout
    assert isinstance(list(replay(project / "events.jsonl"))[-1], RunFinished)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_under_the_report_is_told_and_no_success(
    write_set: WriteSet, project: Path
) -> None:
    words = [*COMMAND, str(write_set(case("one")))]
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            words, check=False, stdout=full, stderr=subprocess.PIPE, text=True, cwd=project,
            timeout=60,
        )  # fmt: skip
    assert ran.returncode == 3
    assert "the report could not be printed: No space left on device" in ran.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_under_the_events_is_told_in_a_line_and_the_run_goes_on(
    write_set: WriteSet, project: Path
) -> None:
    words = [*COMMAND, str(write_set(case("one"))), "--events", "/dev/full"]
    ran = subprocess.run(
        words, check=False, capture_output=True, text=True, cwd=project, timeout=60
    )
    assert ran.returncode == 0
    assert "events to /dev/full: [Errno 28] No space left on device" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_watch_mode_knows_afterwards_what_the_agent_read(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    (project / "prompt.md").write_text("Be brief")
    (project / "answers.py").write_text(
        "def agent(messages):\n"
        "    open('prompt.md').close()\n"
        "    open('said.txt', 'w').close()\n"
        "    return messages[-1]['content']\n"
    )
    write_set(case("one"), target="answers.py:agent")
    shell("run")
    assert {"answers.py", "prompt.md"} <= known_files(project / ".tenxgraph-tui")
    assert "said.txt" not in known_files(project / ".tenxgraph-tui")


def test_what_an_agent_reads_when_an_eval_module_imports_it_is_known_too(
    shell: Shell, project: Path
) -> None:
    (project / "prompt.md").write_text("Be brief")
    (project / "module_eval.py").write_text(
        "from tenxgraph_tui.evaluation import EvalCase, EvalSet\n"
        "open('prompt.md').close()\n"
        "def app(messages):\n"
        "    return messages[-1]['content']\n"
        "def one() -> EvalSet:\n"
        "    case = EvalCase.single_turn('one', 'one', expected_response='one')\n"
        "    return EvalSet(eval_set_id='one', eval_cases=[case])\n"
    )
    shell("run")
    assert known_files(project / ".tenxgraph-tui") == {"prompt.md"}
