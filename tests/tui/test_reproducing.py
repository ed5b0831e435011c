"""Commands that are copied, or shown beside an error, do what the dashboard did."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet
from tenxgraph_tui.evaluation.events import SetInfo
from tenxgraph_tui.session.discovery import discover
from tenxgraph_tui.session.protocol import SetRequest, WorkerRequest
from tenxgraph_tui.tui.catalog import CaseId, Catalog
from tenxgraph_tui.tui.choices import Choices, chosen, presets
from tenxgraph_tui.tui.reproducing import (
    blamed_in,
    command_of,
    reopen_command,
    rerun_command,
    unnamed,
)
from tests.tui.script import catalog


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(*files: str, **fields: object) -> WorkerRequest:
    sets = tuple(SetRequest(path=file) for file in files)
    return WorkerRequest.model_validate({"root": ".", "sets": sets, **fields})


def test_files_are_named_as_people_type_them(here: Path) -> None:
    request = asked(str(here / "evals" / "a b.evalset.json"), "c.evalset.json")
    assert command_of(request) == "tenxgraph-tui run 'evals/a b.evalset.json' c.evalset.json"


def test_files_elsewhere_keep_their_whole_path() -> None:
    assert command_of(asked("/elsewhere/a.json")) == "tenxgraph-tui run /elsewhere/a.json"


def test_many_files_are_their_folder(here: Path) -> None:
    files = [str(here / "evals" / folder / f"{folder}.json") for folder in "abcd"]
    assert command_of(asked(*files)) == "tenxgraph-tui run evals"


@pytest.mark.parametrize(
    ("fields", "flags"),
    [
        ({"target": "agents.py:other one"}, ["--target", "agents.py:other one"]),
        ({"target": "http://me:pass@h/x?key=k"}, ["--target", "http://***@h/x?key=***"]),
        ({"config": "strict"}, ["--preset", "strict"]),
        ({"config": "ci.evalconfig.json"}, ["--config", "ci.evalconfig.json"]),
        ({"config": {"criteria": {}}}, []),
        (
            {"options": {"judge_model": "gpt-4o", "judge_base_url": "http://x/v1"}},
            ["--judge-model", "gpt-4o", "--judge-base-url", "http://x/v1"],
        ),
    ],
)
def test_what_was_chosen_is_asked_for(fields: dict[str, object], flags: list[str]) -> None:
    words = shlex.split(command_of(asked("a.json", **fields)))
    assert words == ["tenxgraph-tui", "run", "a.json", *flags]


def test_one_file_of_the_target_is_enough_to_see_its_error() -> None:
    sets = [
        SetInfo(eval_set_id=name, file=f"{name}.json", target=target)
        for name, target in (("a", "good.py:x"), ("b", "bad.py:x"), ("c", "bad.py:x"), ("d", ""))
    ]
    assert blamed_in("target bad.py:x could not be imported", sets) is sets[1]
    assert blamed_in("there is no preset 'x'", sets) is None
    assert command_of(asked("a.json", "b.json"), ["b.json"]) == "tenxgraph-tui run b.json"


def rerun(found: Catalog, *only: tuple[str, str], **fields: object) -> str:
    """What is copied for some cases, or for everything."""
    entries = presets(found)
    choices = Choices(entries, chosen(entries, None))
    wanted = [CaseId(f"{name}.evalset.json", eval_id) for name, eval_id in only]
    request = choices.request(found, root=".", store=None, only=wanted or None)
    return rerun_command(request.model_copy(update=fields), found)


ODD = catalog(plain=["one", "two"], odd=["it's $HOME", "a;b", "ünï", "[x]*", "--flag"])


def test_single_cases_are_named_for_a_shell() -> None:
    command = rerun(ODD, ("odd", "it's $HOME"), ("odd", "ünï"), ("plain", "two"))
    assert shlex.split(command) == [
        *("tenxgraph-tui", "run", "plain.evalset.json::two"),
        *("odd.evalset.json::it's $HOME", "odd.evalset.json::ünï"),
    ]


def test_a_file_of_which_every_case_is_wanted_is_named_alone() -> None:
    assert rerun(ODD, ("plain", "one"), ("plain", "two")) == "tenxgraph-tui run plain.evalset.json"
    assert rerun(ODD) == "tenxgraph-tui run plain.evalset.json odd.evalset.json"


def test_of_a_file_that_is_known_in_part_every_case_is_named() -> None:
    whole = ODD.files[0]
    part = Catalog((replace(whole, is_part=True),))
    assert rerun(part) == ("tenxgraph-tui run plain.evalset.json::one plain.evalset.json::two")


def test_a_path_that_looks_like_a_flag_is_no_flag() -> None:
    command = rerun(catalog(**{"-x": ["one", "two"]}), ("-x", "two"))
    assert command == "tenxgraph-tui run ./-x.evalset.json::two"


def test_what_it_names_is_what_the_command_line_runs(here: Path) -> None:
    ids = ["it's $HOME", "a;b", "ünï", "[x]*", "--flag", "a::b", "two\nlines"]
    path = here / "my evals" / "odd.evalset.json"
    path.parent.mkdir()
    EvalSet(
        eval_set_id="odd", eval_cases=[EvalCase.single_turn(name, "hi") for name in ids]
    ).to_file(str(path))
    found = Catalog.of(discover([path], here), "odd", ())
    for eval_id in ids:
        entries = presets(found)
        only = [CaseId(str(path), eval_id)]
        request = Choices(entries, entries[0]).request(found, root=".", store=None, only=only)
        _, _, *places = shlex.split(rerun_command(request, found))
        again = discover(places, here)
        assert [case.eval_id for one in again.sets for case in one.cases] == [eval_id]


def test_criteria_without_a_name_are_told_apart() -> None:
    request = asked("a.json", config={"criteria": {}}, config_name="offline (edited)")
    assert unnamed(request) == "offline (edited)"
    assert unnamed(asked("a.json", config="strict")) == ""
    assert unnamed(asked("a.json")) == ""


def test_a_run_is_opened_in_its_project(here: Path) -> None:
    (here / "tenxgraph-tui.toml").touch()
    assert reopen_command(18, here) == "tenxgraph-tui open 18"
    other = here / "other one"
    other.mkdir()
    assert reopen_command(18, other) == f"cd '{other}' && tenxgraph-tui open 18"
