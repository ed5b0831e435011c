"""A project is found from anywhere inside it, and what we keep lies where one would look."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.session.mounts import is_shared
from tenxgraph_tui.session.owner import Owner
from tenxgraph_tui.session.project import log_path, make_private, project_root, store_place

MARKS = [
    pytest.param("tenxgraph-tui.toml", "", True, id="our settings file"),
    pytest.param("10xgraph.json", "{}", True, id="10xGraph's settings file"),
    pytest.param("pyproject.toml", "[tool.tenxgraph-tui]\n", True, id="our table"),
    pytest.param("pyproject.toml", "[ tool . 'tenxgraph-tui' ]\n", True, id="our table, quoted"),
    pytest.param("pyproject.toml", "[tool.tenxgraph-tui.judge]\n", True, id="a table of ours"),
    pytest.param("pyproject.toml", "[tool.tenxgraph-tui]\n= broken", True, id="a broken file"),
    pytest.param("pyproject.toml", "[tool.ruff]\n", False, id="other people's tables"),
    pytest.param("pyproject.toml", "# [tool.tenxgraph-tui]\n", False, id="a comment"),
    pytest.param("pyproject.toml", "[tool.tenxgraph-tui-x]\n", False, id="a longer name"),
    pytest.param("agents.py", "", False, id="any other file"),
]


@pytest.mark.parametrize(("name", "text", "is_root"), MARKS)
def test_a_folder_is_a_project_by_its_marks(
    project: Path, name: str, text: str, is_root: bool
) -> None:
    inner = project / "inner"
    (inner / "evals" / "deep").mkdir(parents=True)
    (inner / name).write_text(text)

    assert project_root(inner / "evals" / "deep") == (inner if is_root else project)


def test_a_file_starts_the_search_too_and_dots_do_not_mislead_it(project: Path) -> None:
    (project / "a" / ".git").mkdir(parents=True)
    (project / "b").mkdir()
    (project / "b" / "x.evalset.json").touch()

    assert project_root(project / "a" / ".." / "b" / "x.evalset.json") == project


def test_without_any_mark_the_current_folder_is_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenxgraph_tui.session.project.MARKS", ())
    monkeypatch.chdir(tmp_path)

    assert project_root(Path("/usr")) == tmp_path


def test_runs_are_kept_below_the_root(project: Path) -> None:
    place = store_place(project)

    assert place.path == project / ".tenxgraph-tui" / "runs.db"
    assert place.note is None
    assert not place.path.parent.exists()  # looking makes nothing


def test_a_read_only_project_keeps_them_in_the_users_cache_and_says_so(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK or path != project)

    place = store_place(project)

    cache = Path(os.environ["XDG_CACHE_HOME"]) / "tenxgraph-tui"
    assert place.path.is_relative_to(cache)
    assert place.path.parent.name.startswith(project.name)
    assert place.note == f"{project} is read-only: runs are kept in {place.path.parent}"
    assert store_place(project).path != store_place(project / "x").path


def test_the_log_of_a_run_lies_beside_the_store(project: Path) -> None:
    path = log_path(project, 18)

    assert path == project / ".tenxgraph-tui" / "logs" / "18.log"
    path.write_text("x")
    assert (project / ".tenxgraph-tui" / ".gitignore").read_text() == "*\n"


def test_a_gitignore_that_somebody_changed_is_theirs(tmp_path: Path) -> None:
    make_private(tmp_path / "x")
    (tmp_path / "x" / ".gitignore").write_text("logs\n")
    make_private(tmp_path / "x")

    assert (tmp_path / "x" / ".gitignore").read_text() == "logs\n"


def test_a_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / ".tenxgraph-tui").touch()

    with pytest.raises(StoreError, match="cannot make"):
        log_path(tmp_path, 1)


MOUNTS = """\
/dev/vda / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
/dev/vdb /home/kim/local ext4 rw 0 0
host:/a\\040b /mnt/a\\040b fuse.sshfs rw 0 0
broken
"""


@pytest.mark.parametrize(
    ("folder", "shared"),
    [
        pytest.param("/srv/project", False, id="a disk"),
        pytest.param("/home/kim", True, id="a network file system"),
        pytest.param("/home/kim/local/x", False, id="a disk below it"),
        pytest.param("/homeless", False, id="a name that only begins like it"),
        pytest.param("/mnt/a b/c", True, id="a mount with a space in its name"),
    ],
)
def test_shared_file_systems_are_told_apart(tmp_path: Path, folder: str, shared: bool) -> None:
    table = tmp_path / "mounts"
    table.write_text(MOUNTS)

    assert is_shared(Path(folder), table) is shared
    assert not is_shared(Path(folder), tmp_path / "no table")


def test_only_a_process_that_lives_may_still_be_writing() -> None:
    me = Owner.this_process()

    assert me.may_be_writing(age=1e9)
    assert not me.model_copy(update={"pid": 2**22 + 1}).may_be_writing(age=0)
    assert not me.model_copy(update={"boot": "another"}).may_be_writing(age=0)
    assert not me.model_copy(update={"start": "before"}).may_be_writing(age=0)


def test_of_a_process_elsewhere_only_the_age_tells() -> None:
    elsewhere = Owner.this_process().model_copy(update={"host": "another", "pid": 2**22 + 1})

    assert elsewhere.may_be_writing(age=3600)
    assert not elsewhere.may_be_writing(age=2 * 24 * 3600)
