"""What a run imports and reads below the root is told, each file once, and nothing else is."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tenxgraph_tui.cli.used_files import UsedFiles
from tenxgraph_tui.evaluation.events import Files, RunEvent
from tenxgraph_tui.evaluation.stream import EventStream
from tests.waiting import until


class Told:
    """What was told, by names from the root."""

    def __init__(self, root: Path) -> None:
        self.root, self.events = root.resolve(), list[RunEvent]()
        self.stream = EventStream(self.events.append, run_id="r")

    def used(self) -> UsedFiles:
        return UsedFiles(self.root, self.stream)

    def paths(self, *, written: bool = False) -> list[str]:
        files = [event for event in self.events if isinstance(event, Files)]
        found = [path for event in files for path in (event.written if written else event.paths)]
        return [os.path.relpath(path, self.root) for path in found]


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Told]:
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.syspath_prepend(root)
    before = set(sys.modules)
    yield Told(root)
    for name in set(sys.modules) - before:
        del sys.modules[name]


def write(path: Path, text: str = "text") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_files_that_are_read_are_told_once_however_they_are_opened(
    told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [write(told.root / name) for name in ("a.md", "b.md", "c.md", "d/e.md")]
    monkeypatch.chdir(told.root / "d")
    with told.used():
        paths[0].read_text()
        paths[0].read_bytes()
        with open(os.fsencode(paths[1]), "rb") as file:  # noqa: PTH123 - as agents do
            os.fdopen(os.dup(file.fileno())).close()
        os.close(os.open(paths[2], os.O_RDONLY))
        Path("e.md").read_text()
    assert sorted(told.paths()) == ["a.md", "b.md", "c.md", "d/e.md"]
    assert told.paths(written=True) == []


def test_imports_are_told_by_their_source_also_when_it_is_compiled_already(told: Told) -> None:
    write(told.root / "deep_one.py", "import deep_two")
    write(told.root / "deep_two.py", "")
    for _ in range(2):
        told.events.clear()
        for name in ("deep_one", "deep_two"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        with told.used():
            importlib.import_module("deep_one")
        assert sorted(told.paths()) == ["deep_one.py", "deep_two.py"]
        assert told.paths(written=True) == []


def test_a_module_that_cannot_be_imported_is_told_too(told: Told) -> None:
    write(told.root / "good_part.py", "import bad_part")
    write(told.root / "bad_part.py", "def broken(:")
    with told.used(), pytest.raises(SyntaxError):
        importlib.import_module("good_part")
    assert sorted(told.paths()) == ["bad_part.py", "good_part.py"]


def test_a_file_that_is_looked_for_in_vain_is_told_since_it_may_be_made(told: Told) -> None:
    with told.used(), pytest.raises(FileNotFoundError):
        (told.root / "missing.md").read_text()
    assert told.paths() == ["missing.md"]


@pytest.mark.parametrize("mode", ["w", "a", "x", "r+"])
def test_what_the_run_writes_is_told_apart(told: Told, mode: str) -> None:
    path = told.root / "memory.json"
    if mode == "r+":
        path.write_text("{}")
    with told.used(), path.open(mode) as file:
        file.write("x")
    assert (told.paths(), told.paths(written=True)) == ([], ["memory.json"])


def test_what_is_read_and_then_written_is_told_in_both_ways(told: Told) -> None:
    path = write(told.root / "memory.json")
    with told.used():
        path.write_text(path.read_text() + "more")
    assert (told.paths(), told.paths(written=True)) == (["memory.json"], ["memory.json"])


def test_outside_of_the_project_and_where_nobody_works_nothing_is_told(
    told: Told, tmp_path: Path
) -> None:
    outside = write(tmp_path / "outside.md")
    names = (".git/x", ".venv/x.py", "lib/site-packages/x.py", ".tenxgraph-tui/runs.db")
    inside = [write(told.root / name) for name in names]
    with told.used():
        for path in (outside, *inside, Path(os.__file__)):
            path.read_text()
        with pytest.raises(IsADirectoryError):
            told.root.read_text()
        os.close(os.open(told.root, os.O_RDONLY))
    assert told.paths() == []


def test_a_hidden_file_that_is_read_is_told(told: Told) -> None:
    path = write(told.root / ".env", "KEY=1")
    with told.used():
        path.read_text()
    assert told.paths() == [".env"]


def test_a_link_counts_wherever_it_leads(told: Told, tmp_path: Path) -> None:
    outside = write(tmp_path / "outside.md")
    (told.root / "link.md").symlink_to(outside)
    with told.used():
        (told.root / "link.md").read_text()
    assert told.paths() == ["../outside.md"]


def test_a_link_from_elsewhere_into_the_project_counts(told: Told, tmp_path: Path) -> None:
    inside, folder = write(told.root / "prompt.md"), tmp_path / "elsewhere"
    plain = write(folder / "plain.md")
    (folder / "link.md").symlink_to(inside)
    with told.used():
        for path in (plain, folder / "link.md"):
            path.read_text()
    assert told.paths() == ["prompt.md"]


def test_files_are_told_while_the_run_goes_on(told: Told) -> None:
    path = write(told.root / "late.md")
    with told.used() as used:
        path.read_text()
        assert told.paths() == []  # nobody knows yet whose they are
        used.tell_from_now_on()
        until(lambda: told.paths() == ["late.md"])


def test_nothing_is_heard_before_and_after(told: Told) -> None:
    path = write(told.root / "a.md")
    path.read_text()
    with told.used():
        pass
    path.read_text()
    assert told.paths() == []


def test_what_cannot_be_opened_at_all_does_no_harm(told: Told) -> None:
    with told.used():
        for wrong in ("a\0b", "\udcff.md"):
            with pytest.raises((ValueError, OSError)):
                open(wrong)  # noqa: PTH123, SIM115 - it does not open
        read, write_end = os.pipe()
        os.fdopen(read).close()
        os.close(write_end)
    assert [path for path in told.paths() if "\0" in path] == []
