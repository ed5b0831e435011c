"""Both sides of the worker's standard input must understand each other, and refuse strangers."""

from __future__ import annotations

import json
import os

import pytest

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.protocol import (
    Cancel,
    RequestOptions,
    SetRequest,
    WorkerRequest,
    parse_command,
    parse_request,
)


def test_a_request_survives_the_pipe() -> None:
    request = WorkerRequest(
        root="/project",
        sets=(SetRequest(path="a.evalset.json", ids=("ü\nx", "2")), SetRequest(path="b")),
        target="agents.py:weather",
        config={"criteria": {"rouge_match": {"threshold": 0.3}}},
        config_name="edited",
        options=RequestOptions(max_concurrency=3, timeout=1.5, fail_fast=True),
        store="/project/.tenxgraph-tui/runs.db",
    )

    line = request.line()

    assert line.count(b"\n") == 1
    assert parse_request(line) == request


def test_a_file_whose_name_is_not_utf8_survives_the_pipe() -> None:
    name = os.fsdecode(b"latin\xe9.evalset.json")
    request = WorkerRequest(root="/p", sets=(SetRequest(path=name),), env_file=name)

    assert parse_request(request.line()) == request
    assert parse_request(request.line()).sets[0].path == name


def test_every_request_starts_a_run_of_its_own() -> None:
    assert WorkerRequest(root="/").run_id != WorkerRequest(root="/").run_id


@pytest.mark.parametrize(
    ("line", "says"),
    [
        pytest.param("{", "not JSON", id="a torn line"),
        pytest.param("[1]", "a list, not an object", id="a list"),
        pytest.param('{"v": 2, "root": "/"}', "version 2, this worker speaks 1", id="a newer one"),
        pytest.param('{"root": "/"}', "version None", id="no version"),
        pytest.param('{"v": 1}', "root: Field required", id="no root"),
        pytest.param('{"v": 1, "root": "/", "kind": "fly"}', "kind: ", id="an unknown kind"),
        pytest.param(
            '{"v": 1, "root": "/", "options": {"max_concurrency": 0}}',
            "options.max_concurrency: ",
            id="a number out of range",
        ),
    ],
)
def test_a_bad_request_is_refused_in_one_line(line: str, says: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_request(line)

    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_unknown_keys_of_a_newer_dashboard_are_ignored() -> None:
    raw = {**json.loads(WorkerRequest(root="/").line()), "colour": "red"}

    assert parse_request(json.dumps(raw)).root == "/"


def test_the_other_side_cannot_even_be_built() -> None:
    with pytest.raises(ValueError, match="v"):
        WorkerRequest.model_validate({"v": 2, "root": "/"})


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(Cancel(), id="the whole run"),
        pytest.param(Cancel(CaseKey(1, "plain")), id="one case"),
        pytest.param(Cancel(CaseKey(0, 'a "b" \n ✗ ]', 2)), id="a case with an odd id"),
    ],
)
def test_a_command_survives_the_pipe(command: Cancel) -> None:
    line = command.line()

    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert parse_command(line) == command


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b"\n", id="a blank line"),
        pytest.param(b"pause\n", id="a command of a newer version"),
        pytest.param(b"\xff\xfe\n", id="bytes that are no text"),
    ],
)
def test_a_line_that_means_nothing_is_no_command(line: bytes) -> None:
    assert parse_command(line) is None


@pytest.mark.parametrize("rest", ["london", "[1]", "5", '["a", "b", 0]'])
def test_a_case_that_cannot_be_read_is_named(rest: str) -> None:
    with pytest.raises(UsageError, match="expected"):
        parse_command(f"cancel {rest}\n")
