"""What lies in a project is found in an order people expect, and one bad file hides no other."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.session.discovery import Discovery, discover, select


def write(path: Path, *ids: str, tags: dict[str, list[str]] | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    cases = [
        {
            "eval_id": each,
            "tags": (tags or {}).get(each, []),
            "conversation": [{"user_content": {"role": "user", "content": "hi"}}],
        }
        for each in ids
    ]
    name = path.name.partition(".")[0]
    path.write_text(json.dumps({"eval_set_id": name, "eval_cases": cases}))
    return path


def names(found: Discovery) -> list[str]:
    return [str(each.file) for each in found.sets]


def wanted(found: Discovery) -> list[str]:
    return [f"{e.eval_set.eval_set_id}/{case.eval_id}" for e in found.sets for case in e.cases]


def test_folders_are_searched_in_natural_order(project: Path) -> None:
    for name in ("set10", "Set9", "set2", "sub/b", "sub/a"):
        write(Path("evals", f"{name}.evalset.json"), "x")
    Path("evals/notes.json").write_text("{}")

    found = discover(["evals"], project)

    assert names(found) == [
        f"evals/{name}.evalset.json" for name in ("set2", "Set9", "set10", "sub/a", "sub/b")
    ]
    assert found.problems == ()


@pytest.mark.parametrize(
    "folder", [".git", ".venv", "venv", "node_modules", "__pycache__", ".hidden"]
)
def test_folders_that_are_no_ones_own_are_skipped_unless_named(project: Path, folder: str) -> None:
    write(Path(folder, "a.evalset.json"), "x")

    assert names(discover([], project)) == []
    assert names(discover([folder], project)) == [f"{folder}/a.evalset.json"]


def test_without_paths_the_project_is_searched(project: Path) -> None:
    write(project / "deep" / "down" / "a.evalset.json", "x", "y")

    found = discover([], project)

    assert found.total == 2
    assert [request.ids for request in found.requests] == [None]


def test_a_bad_file_stands_beside_the_good_ones(project: Path) -> None:
    write(Path("good.evalset.json"), "x")
    Path("bad.evalset.json").write_text("{")
    Path("gone.evalset.json").symlink_to("nowhere.json")

    found = discover([], project)

    assert [each.file.name for each in found.sets] == ["good.evalset.json"]
    assert [problem.file.name for problem in found.problems] == [
        "bad.evalset.json",
        "gone.evalset.json",
    ]
    for problem in found.problems:
        assert problem.file.name in problem.text
        assert "\n" not in problem.text


def test_an_eval_module_is_listed_and_never_imported(project: Path) -> None:
    for name in ("weather_eval.py", "eval_weather.py", "evaluate.py", "conftest.py"):
        Path(name).write_text("raise SystemExit('imported')")

    found = discover([".", "weather_eval.py"], project)

    assert [path.name for path in found.unread] == ["eval_weather.py", "weather_eval.py"]
    assert found.sets == ()
    assert found.problems == ()


def test_a_file_named_twice_is_read_once(project: Path) -> None:
    write(Path("evals/a.evalset.json"), "x", "y", "z")
    Path("link.evalset.json").symlink_to("evals/a.evalset.json")

    both = discover(["evals", "evals/a.evalset.json", "link.evalset.json"], project)
    some = discover(["evals/a.evalset.json::z", "link.evalset.json::x"], project)
    more = discover(["evals/a.evalset.json::z", "evals"], project)

    assert names(both) == names(some) == ["evals/a.evalset.json"]
    assert wanted(some) == ["a/x", "a/z"]
    assert more.total == both.total == 3


def test_folders_that_are_linked_in_a_circle_end(project: Path) -> None:
    write(Path("evals/a.evalset.json"), "x")
    Path("evals/loop").symlink_to(project, target_is_directory=True)

    assert names(discover(["evals"], project)) == ["evals/a.evalset.json"]


def test_what_can_be_read_for_ever_is_a_problem_and_never_opened(project: Path) -> None:
    write(Path("evals/good.evalset.json"), "x")
    os.mkfifo("evals/pipe.evalset.json")
    Path("evals/zero.evalset.json").symlink_to("/dev/zero")

    for paths in (["evals"], ["evals/pipe.evalset.json", "evals/zero.evalset.json"]):
        found = discover(paths, project)

        assert [problem.text for problem in found.problems] == [
            f"evals/{name}.evalset.json: this is a pipe or a device, not a file"
            for name in ("pipe", "zero")
        ]


def test_a_link_to_itself_is_a_problem_of_its_own(project: Path) -> None:
    write(Path("evals/good.evalset.json"), "x")
    Path("evals/loop.evalset.json").symlink_to("loop.evalset.json")

    found = discover([], project)

    assert names(found) == [str(project / "evals/good.evalset.json")]
    assert [problem.file.name for problem in found.problems] == ["loop.evalset.json"]


def test_a_case_is_chosen_by_its_path(project: Path) -> None:
    write(Path("evals/a.evalset.json"), "x", "y::z")
    write(Path("evals/b.evalset.json"), "x")

    assert wanted(discover(["evals/a.evalset.json::x"], project)) == ["a/x"]
    assert wanted(discover(["evals/a.evalset.json::y::z"], project)) == ["a/y::z"]
    assert wanted(discover(["evals::x"], project)) == ["a/x", "b/x"]
    assert wanted(discover(["evals::y::z"], project)) == ["a/y::z"]


MISTAKES = [
    pytest.param("evils", "no such file or folder: evils (did you mean evals?)", id="a path"),
    pytest.param("/no/such/x", "no such file or folder: /no/such/x", id="a path far away"),
    pytest.param("evals::", "a case id is missing", id="no case"),
    pytest.param(
        "evals/a.evalset.json::londn",
        "evals/a.evalset.json: there is no case 'londn' (did you mean 'london'?)",
        id="a case",
    ),
    pytest.param("evals::tokyo", "evals: there is no case 'tokyo'", id="a case in a folder"),
]


@pytest.mark.parametrize(("path", "says"), MISTAKES)
def test_what_does_not_exist_is_named(project: Path, path: str, says: str) -> None:
    write(Path("evals/a.evalset.json"), "london")

    with pytest.raises(UsageError, match=re.escape(says)):
        discover([path], project)


def test_a_case_of_a_broken_file_is_its_problem_not_a_mistake(project: Path) -> None:
    Path("bad.evalset.json").write_text("[]")

    found = discover(["bad.evalset.json::london"], project)

    assert len(found.problems) == 1


FILTERS = [
    pytest.param([], [], ["a/one", "a/two", "b/one", "b/Two"], id="nothing keeps all"),
    pytest.param(["one"], [], ["a/one", "b/one"], id="an id"),
    pytest.param(["t*"], [], ["a/two"], id="a glob tells upper from lower case"),
    pytest.param(["b/*"], [], ["b/one", "b/Two"], id="a glob over the set"),
    pytest.param(["two", "Two"], [], ["a/two", "b/Two"], id="any of several globs"),
    pytest.param([], ["smoke"], ["a/one", "b/Two"], id="a tag"),
    pytest.param([], ["smoke", "slow"], ["a/one", "a/two", "b/Two"], id="any of several tags"),
    pytest.param(["one"], ["slow"], [], id="both must fit"),
]


@pytest.mark.parametrize(("globs", "tags", "left"), FILTERS)
def test_filters_narrow_what_was_found(
    project: Path, globs: list[str], tags: list[str], left: list[str]
) -> None:
    write(Path("a.evalset.json"), "one", "two", tags={"one": ["smoke"], "two": ["slow"]})
    write(Path("b.evalset.json"), "one", "Two", tags={"Two": ["smoke"]})

    narrowed = select(discover([], project), globs, tags)

    assert wanted(narrowed) == left
    assert narrowed.total == len(left)
    assert len(narrowed.sets) == len({name[0] for name in left})


def test_a_filter_narrows_what_a_path_chose(project: Path) -> None:
    write(Path("a.evalset.json"), "one", "two")

    assert wanted(select(discover(["a.evalset.json::one"], project), ["*"])) == ["a/one"]
    assert wanted(select(discover(["a.evalset.json::one"], project), ["two"])) == []
