"""Real files, saved in the ways that editors save: one report for a save, none for anything else.

That nothing comes is waited for by a save of another file, whose report would come later.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import watchfiles

from tenxgraph_tui.session.watching.followed import Followed, Role
from tenxgraph_tui.session.watching.ignoring import Ignoring
from tenxgraph_tui.session.watching.watcher import Batches, Watcher, must_poll
from tests.waiting import LONG, until

OPEN_FILES = Path("/proc/self/fd")


@dataclass
class Heard:
    """A watcher on a folder, and what it told."""

    root: Path
    changes: list[frozenset[Path]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    watcher: Watcher = field(init=False)
    marks: int = 0

    def start(
        self, *used: Path, outputs: tuple[Path, ...] = (), since: float | None = None
    ) -> None:
        followed = Followed(self.root, dict.fromkeys(used, Role.DATA))
        self.watcher = Watcher(
            followed,
            self.changes.append,
            self.notes.append,
            ignoring=Ignoring(self.root, outputs),
        )
        self.watcher.start(since=since)
        self.settle()

    def settle(self) -> None:
        """Wait until everything that was written before has been looked at, and start afresh."""
        self.fence()
        self.changes.clear()

    def fence(self) -> list[set[str]]:
        """What was told before a save that comes last, by name."""
        mark = self.root / "zz_mark.py"
        self.marks += 1
        mark.write_text(f"{self.marks}")
        until(lambda: any(mark in paths for paths in self.changes))
        told = [{path.name for path in paths if path != mark} for paths in self.changes]
        return [names for names in told if names]

    def told(self, *names: str) -> list[set[str]]:
        """What was told by the time that all of these have been."""
        until(lambda: set(names) <= {path.name for paths in self.changes for path in paths})
        return self.fence()


@pytest.fixture
def heard(tmp_path: Path) -> Iterator[Heard]:
    root = tmp_path.resolve() / "project"
    root.mkdir()
    made = Heard(root)
    yield made
    assert made.watcher.stop(LONG)


@pytest.fixture
def agent(heard: Heard) -> Path:
    path = heard.root / "agents.py"
    path.write_text("PROMPT = 'old'\n")
    heard.start()
    return path


def open_files() -> int:
    return len(list(OPEN_FILES.iterdir())) if OPEN_FILES.is_dir() else 0


def save_in_place(path: Path, text: str) -> None:
    path.write_text(text)


def save_atomically(path: Path, text: str) -> None:
    beside = path.with_name(path.name + ".tmp")
    beside.write_text(text)
    beside.replace(path)


def save_like_vim(path: Path, text: str) -> None:
    path.with_name("4913").touch()
    path.with_name("4913").unlink()
    backup = path.with_name(path.name + "~")
    path.rename(backup)
    path.write_text(text)
    backup.unlink()


def save_in_two_steps(path: Path, text: str) -> None:
    with path.open("w") as file:
        file.flush()
        file.write(text[: len(text) // 2])
        file.flush()
        file.write(text[len(text) // 2 :])


def save_with_sed(path: Path, text: str) -> None:
    path.write_text(path.read_text())  # a touch before it
    subprocess.run(["sed", "-i", f"1s/.*/{text}/", str(path)], check=True)


@pytest.mark.parametrize(
    "save", [save_in_place, save_atomically, save_like_vim, save_in_two_steps, save_with_sed]
)
def test_a_save_is_told_once_however_it_is_done(
    heard: Heard, agent: Path, save: Callable[[Path, str], None]
) -> None:
    save(agent, "PROMPT = 'new'")
    assert heard.told("agents.py") == [{"agents.py"}]


def test_a_touch_and_a_save_of_the_same_are_no_change(heard: Heard, agent: Path) -> None:
    agent.touch()
    save_atomically(agent, agent.read_text())
    save_like_vim(agent, agent.read_text())
    assert heard.fence() == []


def test_a_file_deleted_and_made_again_is_one_change(heard: Heard, agent: Path) -> None:
    agent.unlink()
    agent.write_text("PROMPT = 'new'")
    assert heard.told("agents.py") == [{"agents.py"}]


def test_a_file_that_stays_away_is_a_change_and_so_is_its_return(heard: Heard, agent: Path) -> None:
    agent.unlink()
    until(lambda: frozenset({agent}) in heard.changes)
    agent.write_text("PROMPT = 'new'")
    assert heard.told("agents.py") == [{"agents.py"}, {"agents.py"}]


def test_what_is_written_while_the_watch_begins_is_not_missed(heard: Heard) -> None:
    agent = heard.root / "agents.py"
    agent.write_text("old")
    heard.watcher = Watcher(Followed(heard.root), heard.changes.append, heard.notes.append)
    heard.watcher.start()
    agent.write_text("newer")  # of another size: both may be of one tick of the disk's clock
    until(lambda: frozenset({agent}) in heard.changes)


def test_what_was_written_since_the_last_run_is_told_at_once(heard: Heard) -> None:
    old, new = heard.root / "old.md", heard.root / "new.md"
    for path, age in ((old, 200), (new, 0)):
        path.write_text("text")
        os.utime(path, (time.time() - age, time.time() - age))
    followed = Followed(heard.root, {old: Role.DATA, new: Role.DATA})
    heard.watcher = Watcher(followed, heard.changes.append, heard.notes.append)
    heard.watcher.start(since=time.time() - 100)
    until(lambda: heard.changes)
    assert heard.changes == [frozenset({new})]


def test_so_is_code_that_no_run_has_used_yet(heard: Heard) -> None:
    agent, notes = heard.root / "agents.py", heard.root / "notes.txt"
    for path in (agent, notes):
        path.write_text("text")
    heard.watcher = Watcher(Followed(heard.root), heard.changes.append, heard.notes.append)
    heard.watcher.start(since=time.time() - 100)
    until(lambda: heard.changes)
    assert heard.changes == [frozenset({agent})]


def test_own_outputs_caches_and_leftovers_start_nothing(heard: Heard) -> None:
    reports = heard.root / "reports"
    reports.mkdir()
    heard.start(outputs=(reports,))
    for name in (
        "reports/weather.json",
        "weather_20260101_120000.html",
        ".tenxgraph-tui/runs.db",
        ".tenxgraph-tui/x.evalset.json",
        ".git/HEAD.py",
        ".venv/agents.py",
        "node_modules/a/b.py",
        "__pycache__/agents.cpython-311.pyc",
        ".agents.py.swp",
        "agents.py~",
        "notes.txt",
    ):
        path = heard.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    assert heard.fence() == []


def test_a_new_eval_set_in_a_new_folder_appears(heard: Heard, agent: Path) -> None:
    folder = heard.root / "evals" / "deep"
    folder.mkdir(parents=True)
    (folder / "new.evalset.json").write_text("{}")
    assert heard.told("new.evalset.json") == [{"new.evalset.json"}]
    (folder / "new.evalset.json").write_text("{ }")
    until(lambda: len(heard.changes) > 2)
    assert heard.told("new.evalset.json")[-1] == {"new.evalset.json"}


def test_a_folder_that_goes_and_comes_back_is_watched_again(heard: Heard) -> None:
    folder = heard.root / "lib"
    folder.mkdir()
    (folder / "a.py").write_text("1")
    heard.start()
    shutil.rmtree(folder)
    assert heard.told("a.py") == [{"a.py"}]
    heard.settle()
    folder.mkdir()
    (folder / "a.py").write_text("2")
    assert heard.told("a.py") == [{"a.py"}]


def test_a_link_is_followed_out_of_the_project(heard: Heard, tmp_path: Path) -> None:
    outside = tmp_path.resolve() / "data"
    outside.mkdir()
    (outside / "x.json").write_text("{}")
    (heard.root / "link.evalset.json").symlink_to(outside / "x.json")
    heard.start(outside / "x.json")
    (outside / "x.json").write_text("{ }")
    assert {"x.json"} <= heard.told("x.json")[0]


def test_a_link_that_leads_elsewhere_now_is_a_change(heard: Heard, tmp_path: Path) -> None:
    one, two = tmp_path.resolve() / "one.json", tmp_path.resolve() / "two.json"
    one.write_text("1")
    two.write_text("2")
    link = heard.root / "link.evalset.json"
    link.symlink_to(one)
    heard.start(one)
    beside = heard.root / ".link"
    beside.symlink_to(two)
    beside.replace(link)
    assert "link.evalset.json" in heard.told("link.evalset.json")[0]


def test_a_broken_link_is_mended_from_outside(heard: Heard, tmp_path: Path) -> None:
    outside = tmp_path.resolve() / "later" / "x.json"
    (heard.root / "link.evalset.json").symlink_to(outside)
    heard.start(outside)
    outside.parent.mkdir()
    outside.write_text("{}")
    until(lambda: any(outside in paths for paths in heard.changes))


def test_files_that_a_run_tells_of_are_followed_from_then_on(heard: Heard, tmp_path: Path) -> None:
    prompt, far = heard.root / "prompts" / "system.md", tmp_path.resolve() / "far" / "data.txt"
    for path in (prompt, far):
        path.parent.mkdir()
        path.write_text("old")
    heard.start()
    prompt.write_text("newer")
    assert heard.fence() == []
    heard.watcher.follow(Followed(heard.root).with_used([str(prompt), str(far)]))
    prompt.write_text("newest")
    assert heard.told("system.md") == [{"system.md"}]
    far.write_text("new")
    assert {"data.txt"} in heard.told("data.txt")


def test_what_was_saved_after_the_run_read_it_is_told_once_it_is_known(heard: Heard) -> None:
    early, late = heard.root / "early.md", heard.root / "late.md"
    for path in (early, late):
        path.write_text("text")
    os.utime(early, (1.0, 1.0))
    heard.start()
    asked_at = late.stat().st_mtime - 1
    heard.watcher.follow(Followed(heard.root).with_used([str(early), str(late)]), since=asked_at)
    assert heard.told("late.md") == [{"late.md"}]


def test_saves_that_come_together_are_told_together(heard: Heard, agent: Path) -> None:
    names = [f"m{number}.py" for number in range(20)]
    for name in names:
        (heard.root / name).write_text("x")
    told = heard.told(*names)
    assert set.union(*told) == set(names)
    assert len(told) <= 2


def test_where_the_system_cannot_watch_the_files_are_polled_and_it_is_said_once(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = heard.root / "agents.py"
    agent.write_text("old")

    def without_inotify(*paths: Path, **options: object) -> None:
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr(watchfiles, "watch", without_inotify)
    heard.start()
    for save in (save_in_place, save_atomically, save_like_vim):
        save(agent, f"saved {save.__name__}")
        assert heard.told("agents.py")[-1] == {"agents.py"}
        heard.settle()
    folder = heard.root / "evals"
    folder.mkdir()
    (folder / "new.evalset.json").write_text("{}")
    assert heard.told("new.evalset.json") == [{"new.evalset.json"}]
    (note,) = heard.notes
    assert note == (
        "the system cannot watch the files (OS file watch limit reached): "
        "they are looked at every 0.3 s"
    )


@pytest.mark.parametrize(
    ("said", "polls"), [("", False), ("1", True), ("true", True), ("disabled", False)]
)
def test_polling_can_be_asked_for(said: str, polls: bool) -> None:
    assert must_poll(Path("/p"), {"WATCHFILES_FORCE_POLLING": said}) is polls


def test_disks_of_windows_are_polled_under_wsl(monkeypatch: pytest.MonkeyPatch) -> None:
    release = "5.15.167.4-microsoft-standard-WSL2"
    monkeypatch.setattr("platform.release", lambda: release)
    assert must_poll(Path("/mnt/c/p"), {})
    assert not must_poll(Path("/home/me/p"), {})


def test_a_project_with_very_many_folders_has_its_known_files_watched(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenxgraph_tui.session.watching.ground.MOST_FOLDERS", 5)
    for number in range(10):
        (heard.root / f"d{number}").mkdir()
    known = heard.root / "d7" / "prompt.md"
    known.write_text("old")
    heard.start(known)
    known.write_text("new")
    assert heard.told("prompt.md") == [{"prompt.md"}]
    assert [note.split(" has ")[1].split(":")[0] for note in heard.notes] == [
        "too many folders to watch"
    ]


def test_a_listener_that_fails_does_not_end_the_watch(heard: Heard) -> None:
    told: list[frozenset[Path]] = []

    def fail_once(paths: frozenset[Path]) -> None:
        told.append(paths)
        if len(told) == 1:
            raise RuntimeError("broken listener")

    heard.watcher = Watcher(Followed(heard.root), fail_once, heard.notes.append)
    heard.watcher.start()
    (heard.root / "a.py").write_text("1")
    until(lambda: len(told) == 1)
    (heard.root / "b.py").write_text("1")
    until(lambda: len(told) == 2)


def test_it_stops_at_once_in_any_state_and_leaves_nothing(tmp_path: Path) -> None:
    before = threading.active_count()
    descriptors = open_files()
    for number in range(20):
        watcher = Watcher(Followed(tmp_path.resolve()), lambda _: None, lambda _: None)
        assert watcher.stop()  # before it began
        watcher = Watcher(Followed(tmp_path.resolve()), lambda _: None, lambda _: None)
        watcher.start()
        if number % 2:
            (tmp_path / "a.py").write_text(f"{number}")
        time.sleep(number / 1000)  # so that it is met at another point each time
        assert watcher.stop(LONG)
    assert threading.active_count() == before
    until(lambda: open_files() <= descriptors)  # the system's part of it ends a moment later


def test_a_file_that_goes_while_others_begin_to_be_watched_is_noticed(
    heard: Heard, agent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watcher, batches = heard.watcher, heard.watcher._batches
    is_deaf = threading.Event()

    def deaf_once() -> Batches:
        if not is_deaf.is_set():
            is_deaf.set()
            agent.unlink()
            watcher._renew.set()
            return
        yield from batches()

    monkeypatch.setattr(watcher, "_batches", deaf_once)
    watcher._renew.set()
    until(is_deaf.is_set)
    until(lambda: frozenset({agent}) in heard.changes)


def test_a_root_that_goes_away_is_waited_for(heard: Heard, agent: Path) -> None:
    shutil.rmtree(heard.root)
    until(lambda: any(agent in paths for paths in heard.changes))
    heard.root.mkdir()
    agent.write_text("back")
    until(lambda: len([paths for paths in heard.changes if agent in paths]) == 2)
