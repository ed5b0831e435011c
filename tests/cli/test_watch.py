"""The real `watch`, in a terminal and without one: what saves and keys lead to, and how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tenxgraph_tui.cli.watching.footer import IDLE_KEYS
from tests.cli.conftest import Shell, WriteSet, case
from tests.pty.terminal import Terminal
from tests.session.test_workers import exists

PATIENCE = 60.0
COMMAND = [sys.executable, "-m", "tenxgraph_tui", "watch"]
AGENT = """
import os, pathlib, time
import helper

def echo(messages):
    with open("asked.log", "a") as log:
        log.write(messages[-1]["content"] + "\\n")
    return helper.say(messages[-1]["content"])

def slow(messages):
    started = pathlib.Path("started")
    seconds = 3 if started.exists() else 60
    started.touch()
    time.sleep(seconds)
    return helper.say(messages[-1]["content"])

def stuck(messages):
    pathlib.Path("started").touch()
    time.sleep(1000)
"""
HELPER = "def say(text):\n    return text\n"
WRONG = "def say(text):\n    return 'nothing of the kind'\n"
RAISES = "def say(text):\n    raise ValueError('kaboom')\n"
KEYS = "v watched  q quit"


def until(is_true: Callable[[], object]) -> None:
    give_up = time.monotonic() + PATIENCE
    while not is_true():
        assert time.monotonic() < give_up
        time.sleep(0.02)


@pytest.fixture
def agents(write_set: WriteSet, project: Path) -> Path:
    """A project whose agent repeats what it is asked, with the help of a module."""
    write_set(case("london"), case("paris"), target="agent.py:echo")
    (project / "agent.py").write_text(AGENT)
    (project / "helper.py").write_text(HELPER)
    return project


class Watch:
    """The program in a terminal, and what it drew since the last look."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self._since = 0

    def sees(self, *words: str) -> str:
        """Wait until all of these were drawn since the last look, then keys."""
        for each in (*words, KEYS):
            self.terminal.read_until(each, since=self._since)
        return self.terminal.text(self._since)

    def sees_armed(self, *words: str) -> str:
        """The same while a run waits to be confirmed."""
        for each in ("armed", "stop asking  q quit", *words):
            self.terminal.read_until(each, since=self._since)
        return self.terminal.text(self._since)

    def after(self, act: Callable[[], object]) -> Watch:
        """What is seen from now on is what `act` led to."""
        self._since = len(self.terminal.written)
        act()
        return self

    def press(self, keys: str) -> Watch:
        return self.after(lambda: self.terminal.type(keys))

    def save(self, path: Path, text: str) -> Watch:
        return self.after(lambda: write(path, text))


def write(path: Path, text: str) -> None:
    """As editors do: beside the file, then in its place."""
    beside = path.with_name(f".{path.name}.tmp")
    beside.write_text(text)
    beside.replace(path)


@contextmanager
def watching(cwd: Path, *words: str, env: dict[str, str] | None = None) -> Iterator[Watch]:
    with Terminal(["watch", *words], cwd=cwd, env=env, size=(120, 30)) as terminal:
        yield Watch(terminal)


def asked(project: Path) -> list[str]:
    """What the agent was asked so far, in order."""
    log = project / "asked.log"
    return log.read_text().split() if log.exists() else []


def test_the_first_run_tells_what_fails_and_its_last_line_the_keys(agents: Path) -> None:
    (agents / "helper.py").write_text(WRONG)
    with watching(agents, "--preset", "quick_check") as watch:
        text = watch.sees("0/2 passed", "2 failed", "run #1", "watching 4 files")
        assert "fails" in text
        assert "rouge_match" in text
        last = text.strip().splitlines()[-1]
        assert last == "  ".join(f"{key} {label}" for key, label in IDLE_KEYS)
        watch.press("q")
        assert watch.terminal.leave() == 0
        assert watch.terminal.modes == watch.terminal.before


def test_a_saved_helper_runs_everything_and_what_flipped_is_told_first(agents: Path) -> None:
    with watching(agents, "--preset", "quick_check") as watch:
        watch.sees("2/2 passed", "run #1")
        broke = watch.save(agents / "helper.py", WRONG).sees("2 broke", "0/2 passed", "run #2")
        assert re.search(r"broke +london +rouge_match", broke)
        assert "helper.py changed: everything, failed cases first" in broke
        errored = watch.save(agents / "helper.py", RAISES).sees("2 errored", "run #3")
        assert re.search(r"errored +london +helper.py:2 +ValueError: kaboom", errored)
        fixed = watch.save(agents / "helper.py", HELPER).sees("2 fixed", "2/2 passed", "run #4")
        assert re.search(r"fixed +london", fixed)


def test_an_edited_case_runs_alone_and_a_touch_runs_nothing(
    agents: Path, write_set: WriteSet
) -> None:
    path = agents / "basic.evalset.json"
    with watching(agents, "--preset", "quick_check") as watch:
        watch.sees("2/2 passed")
        before = asked(agents)
        content = json.loads(path.read_text())
        content["eval_cases"][1]["conversation"][0]["user_content"]["content"] = "rome"
        told = watch.save(path, json.dumps(content)).sees("1 broke", "run #2")
        assert "1 case edited in basic.evalset.json" in told
        assert asked(agents) == [*before, "rome"]
        path.touch()
        watch.save(agents / "notes.txt", "nobody reads this")
        watch.save(agents / "helper.py", WRONG).sees("run #3")


def test_a_broken_file_is_shown_and_the_results_stay(agents: Path) -> None:
    path = agents / "basic.evalset.json"
    good = path.read_text()
    with watching(agents, "--preset", "quick_check") as watch:
        watch.sees("2/2 passed")
        told = watch.save(path, good[:-30]).sees("basic.evalset.json:1:", "read again when saved")
        assert "2/2 passed" in told
        edited = good.replace('"london"', '"oslo"')
        text = watch.save(path, edited).sees("run #2", "2/2 passed")
        assert "read again when saved" not in text


def test_a_syntax_error_shows_its_lines_and_waits_for_the_next_save(agents: Path) -> None:
    with watching(agents, "--preset", "quick_check") as watch:
        watch.sees("2/2 passed")
        broken = watch.save(agents / "helper.py", "x = 1\ndef say(text:\n")
        text = broken.sees("SyntaxError", "helper.py, line 2", "2/2 passed  (before")
        assert "def say(text:" in text
        watch.save(agents / "helper.py", HELPER).sees("run #", "2/2 passed")


def test_five_saves_during_a_run_are_one_more_run(agents: Path, write_set: WriteSet) -> None:
    write_set(case("london"), target="agent.py:slow")
    with watching(agents, "--preset", "quick_check") as watch:
        until((agents / "started").exists)
        for number in range(5):
            write(agents / "helper.py", f"{HELPER}# {number}\n")
            time.sleep(0.1)
        text = watch.sees("1/1 passed", "helper.py changed")
        number = int(re.findall(r"run #(\d+)", text)[-1])
        assert "run #1 " not in text
        watch.press("a").sees(f"run #{number + 1}")


def test_keys_run_all_failed_again_and_what_is_filtered(agents: Path) -> None:
    path = agents / "basic.evalset.json"
    content = json.loads(path.read_text())
    content["eval_cases"][0]["conversation"][0]["expected_final_response"]["content"] = "no"
    path.write_text(json.dumps(content))
    with watching(agents, "--preset", "quick_check") as watch:
        watch.sees("1/2 passed", "run #1")
        for keys, ran, number in [
            ("f", ["london"], 2),
            ("\r", ["london"], 3),
            ("a", ["london", "paris"], 4),
            ("tpar\r", ["paris"], 5),
            ("t\x15\x1b\r", ["paris"], 6),
            ("a", ["london", "paris"], 7),
        ]:
            before = asked(agents)
            watch.press(keys).sees(f"run #{number}")
            assert sorted(asked(agents)[len(before) :]) == ran, keys
        watch.press("pno such\r").sees("files 'no such': no case to run")


def test_the_watched_files_are_listed_with_a_key(agents: Path) -> None:
    with watching(agents) as watch:
        watch.sees("watching 4 files")
        text = watch.press("v").sees("agent code")
        assert re.search(r"eval set +basic.evalset.json\s+agent code +agent.py", text)
        assert re.search(r"agent code +helper.py", text)
        watch.press("v").sees("2/2 passed")


QUITS = [
    pytest.param("q", 0, id="q"),
    pytest.param(signal.SIGINT, 130, id="ctrl+c"),
    pytest.param(signal.SIGTERM, 130, id="terminated"),
]


@pytest.mark.parametrize("target", ["echo", "stuck"])
@pytest.mark.parametrize(("how", "code"), QUITS)
def test_it_is_left_at_once_in_every_state(
    how: str | signal.Signals, code: int, target: str, agents: Path, write_set: WriteSet
) -> None:
    write_set(case("london"), target=f"agent.py:{target}")
    with watching(agents) as watch:
        if target == "echo":
            watch.sees("1/1 passed")
        else:
            until((agents / "started").exists)
        children = children_of(watch.terminal.process.pid)
        assert children
        began = time.monotonic()
        if isinstance(how, str):
            watch.terminal.type(how)
        else:
            watch.terminal.process.send_signal(how)
        assert watch.terminal.leave() == code
        assert time.monotonic() - began < 10.0
        assert watch.terminal.modes == watch.terminal.before
    until(lambda: not any(map(exists, children)))


def test_a_run_can_be_stopped_and_its_results_count(agents: Path, write_set: WriteSet) -> None:
    write_set(case("london"), target="agent.py:stuck")
    with watching(agents) as watch:
        until((agents / "started").exists)
        watch.press("x").sees("stopped")


def test_the_terminal_is_given_back_when_it_crashes(agents: Path) -> None:
    (agents / "sitecustomize.py").write_text(
        "import tenxgraph_tui.cli.watching.controls as c\n"
        "def crash(self, key): raise RuntimeError('on purpose')\n"
        "c.Controls.press = crash\n"
    )
    with watching(agents, env={"PYTHONPATH": str(agents)}) as watch:
        watch.sees("2/2 passed")
        watch.press("a")
        assert watch.terminal.leave() == 3
        assert "on purpose" in watch.terminal.text()
        assert watch.terminal.modes == watch.terminal.before


def test_what_costs_money_waits_for_a_key(agents: Path) -> None:
    env = {"GEMINI_API_KEY": "not a key"}
    with watching(agents, "--preset", "response_quality", env=env) as watch:
        armed = watch.sees_armed("first run")
        assert re.search(r"2 cases would make \d+ calls of \S+, ≈ \$0\.\d+", armed)
        assert "enter run them  f not passed only  esc not now  ! stop asking  q quit" in armed
        watch.press("\x1b").sees("not run; a runs it")
        watch.save(agents / "agent.py", f"{AGENT}# again").sees_armed("agent.py changed")
        watch.press("f").sees_armed("nothing of it failed")
        watch.press("q")
        assert watch.terminal.leave() == 0
    assert asked(agents) == []


def test_where_nobody_can_confirm_it_is_told_how_to_run_it(agents: Path) -> None:
    with piped(agents, "--preset", "response_quality"):
        reads(agents / "err.txt", "armed", "start with --no-confirm to run it")
    assert asked(agents) == []


@contextmanager
def piped(cwd: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    with (
        (cwd / "out.txt").open("wb") as out,
        (cwd / "err.txt").open("wb") as err,
        subprocess.Popen(
            [*COMMAND, *words], cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=err
        ) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


def reads(path: Path, *words: str) -> str:
    until(lambda: all(each in path.read_text() for each in words))
    return path.read_text()


def test_without_a_terminal_only_saves_run_and_it_says_so(agents: Path) -> None:
    with piped(agents, "--preset", "quick_check") as process:
        out, err = agents / "out.txt", agents / "err.txt"
        reads(out, "2/2 passed", "run #1")
        told = reads(err, "no terminal on standard input", "first run", "watching 4 files")
        assert "q quit" not in told
        write(agents / "helper.py", WRONG)
        text = reads(out, "2 broke", "run #2")
        assert "\x1b" not in text + err.read_text()
        assert text.index("run #1") < text.index("run #2")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130


def test_events_and_reports_of_every_run_are_written_and_start_none(agents: Path) -> None:
    words = ["--report", "json,junit", "--output-dir", "reports", "--events", "events.jsonl"]
    with piped(agents, *words) as process:
        err = agents / "err.txt"
        reads(err, "wrote", ".json", "_junit.xml")
        write(agents / "helper.py", WRONG)
        reads(agents / "out.txt", "run #2")
        until(lambda: len(list((agents / "reports").glob("*.json"))) == 2)
        write(agents / "helper.py", HELPER)
        text = reads(agents / "out.txt", "run #3")
        assert "run #4" not in text
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=20)
    kinds = [
        json.loads(line)["kind"] for line in (agents / "events.jsonl").read_text().splitlines()
    ]
    assert kinds.count("run_finished") == 3


def test_events_on_standard_output_are_alone_there(agents: Path) -> None:
    with piped(agents, "--events", "-") as process:
        reads(agents / "err.txt", "2/2 passed")
        process.send_signal(signal.SIGINT)
        process.wait(timeout=20)
    for line in (agents / "out.txt").read_text().splitlines():
        json.loads(line)


REFUSED = [
    pytest.param(["nowhere"], 2, "nowhere", id="missing path"),
    pytest.param(["--preset", "offlin"], 4, "did you mean 'offline'?", id="no such preset"),
    pytest.param(["--python", "/no/such"], 2, "/no/such: there is no such program", id="python"),
    pytest.param(["--output-dir", "x"], 2, "--output-dir needs --report", id="folder alone"),
    pytest.param(["--confirm"], 2, "did you mean --no-confirm?", id="wrong flag"),
    pytest.param(["--events", "no/such/file"], 2, "--events no/such/file", id="events"),
]


@pytest.mark.parametrize(("words", "code", "told"), REFUSED)
def test_what_can_never_run_is_refused_at_the_start(
    words: list[str], code: int, told: str, agents: Path, shell: Shell
) -> None:
    done = shell("watch", *words)
    assert (done.code, done.out) == (code, "")
    assert told in done.err
    assert len(done.err.splitlines()) == 1


def children_of(pid: int) -> list[int]:
    """The processes that it started."""
    listed = subprocess.run(
        ["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True
    )
    pairs = (line.split() for line in listed.stdout.splitlines())
    return [int(child) for child, parent in pairs if int(parent) == pid]


def test_processes_are_as_many_after_many_runs_as_after_one(agents: Path) -> None:
    with watching(agents, "--preset", "quick_check") as watch:
        watch.sees("2/2 passed")
        pid = watch.terminal.process.pid
        until(lambda: len(children_of(pid)) == 1)
        files = len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208 - names
        for number in range(2, 6):
            watch.save(agents / "helper.py", f"{HELPER}# {number}\n").sees(f"run #{number}")
        until(lambda: len(children_of(pid)) == 1)
        assert len(os.listdir(f"/proc/{pid}/fd")) <= files  # noqa: PTH208 - names
