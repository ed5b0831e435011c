"""The command that is shown beside an error runs into the same one."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.events import SetInfo
from tenxgraph_tui.session.protocol import SetRequest, WorkerRequest
from tenxgraph_tui.tui.reproducing import blamed_in, command_of


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
        ({"config": "strict"}, ["--preset", "strict"]),
        ({"config": "ci.evalconfig.json"}, ["--config", "ci.evalconfig.json"]),
        ({"config": {"criteria": {}}}, []),
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
