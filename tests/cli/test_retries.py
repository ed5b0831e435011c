"""`--retries` tries again where a server failed and the agent did not; `--max-errors` gives up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.evaluation.again import is_unreached
from tests.cli.conftest import Shell, WriteSet, case

FLAKY = """
import itertools
tries = itertools.count(1)

def flaky(messages):
    if next(tries) < 3:
        raise ConnectionError("nobody answers")
    return messages[-1]["content"]

def wrong(messages):
    next(tries)
    raise ValueError("a bug")
"""


class Busy(Exception):
    """As clients of HTTP tell of it."""

    def __init__(self, status_code: int) -> None:
        self.status_code = status_code


class RateLimitError(Exception):
    """As clients of models call it."""


@pytest.fixture
def flaky(write_set: WriteSet, project: Path) -> Path:
    path = write_set(case("a"), target="flaky.py:flaky")
    (project / "flaky.py").write_text(FLAKY)
    return path


def results(project: Path) -> list[dict[str, Any]]:
    (report,) = project.glob("eval_reports/*.json")
    found: list[dict[str, Any]] = json.loads(report.read_text())["results"]
    return found


def test_it_is_tried_again_and_the_reasons_are_kept(
    shell: Shell, flaky: Path, project: Path
) -> None:
    done = shell("run", "--retries", "2", "--report", "json")
    assert done.code == 0
    (result,) = results(project)
    assert result["metadata"]["retried"] == ["ConnectionError: nobody answers"] * 2
    assert "a starts again: try 2 of 3, because of ConnectionError: nobody answers" in done.err


def test_the_last_error_is_the_result_when_it_never_goes_well(
    shell: Shell, flaky: Path, project: Path
) -> None:
    assert shell("run", "--retries", "1", "--report", "json").code == 3
    (result,) = results(project)
    assert result["error"] == "ConnectionError: nobody answers"
    assert result["metadata"]["retried"] == ["ConnectionError: nobody answers"]


def test_without_the_flag_nothing_is_tried_again(shell: Shell, flaky: Path, project: Path) -> None:
    assert shell("run", "--report", "json").code == 3
    assert "retried" not in results(project)[0]["metadata"]


def test_a_fault_of_the_agent_is_not_tried_again(shell: Shell, flaky: Path, project: Path) -> None:
    assert (
        shell("run", "--target", "flaky.py:wrong", "--retries", "3", "--report", "json").code == 3
    )
    (result,) = results(project)
    assert result["error"] == "ValueError: a bug"
    assert "retried" not in result["metadata"]


def test_it_stops_when_so_many_errored(shell: Shell, write_set: WriteSet) -> None:
    write_set(*(case(name) for name in "abcde"), target="agents.py:broken")
    done = shell("run", "--max-errors", "2", "--max-concurrency", "1")
    assert done.code == 3
    assert "2 errors, 3 cancelled" in done.out


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ConnectionResetError(), True),
        (TimeoutError(), True),
        (Busy(503), True),
        (Busy(400), False),
        (RateLimitError(), True),
        (ValueError("a bug"), False),
        (FileNotFoundError("prompt.md"), False),
    ],
)
def test_what_is_no_fault_of_the_agent(error: Exception, *, expected: bool) -> None:
    assert is_unreached(error) is expected


def test_what_an_error_was_made_from_counts() -> None:
    error = RuntimeError("the tool failed")
    error.__cause__ = ConnectionError()
    assert is_unreached(error)
