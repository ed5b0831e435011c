"""The files that runs use are followed, also before the first run of the next session."""

from __future__ import annotations

import os
from pathlib import Path

from tenxgraph_tui.evaluation.events import Files
from tenxgraph_tui.evaluation.paths import real
from tenxgraph_tui.session.watching.contents import Contents
from tenxgraph_tui.session.watching.followed import Followed, Role
from tenxgraph_tui.session.watching.known_files import keep_known
from tenxgraph_tui.session.watching.watcher import OnChange, OnNote
from tenxgraph_tui.settings import Loaded
from tenxgraph_tui.tui.catalog import Catalog
from tenxgraph_tui.tui.pump import EventPump
from tenxgraph_tui.tui.watching.reading import Reader
from tenxgraph_tui.tui.watching.saves import Save, Saves
from tests.tui.saves import watching
from tests.tui.script import NOW, FakeWatcher, catalog, screen_text, stage, until
from tests.waiting import until as wait


async def test_a_run_tells_what_to_follow() -> None:
    on = stage(catalog(weather=["oslo"]))
    prompt, log = Path.cwd() / "prompt.md", Path.cwd() / "run.log"
    async with on.app.run_test() as pilot:
        await watching(pilot, on)
        told = Files(seq=0, at=NOW, run_id="r", paths=(str(prompt), str(log)), written=(str(log),))
        on.app.post_message(EventPump.Drained((told,)))
        await until(pilot, lambda: prompt in on.watchers[-1].followed.files)
        assert log not in on.watchers[-1].followed.files


async def test_what_any_earlier_run_used_is_followed_from_the_start(tmp_path: Path) -> None:
    on = stage(catalog(weather=["oslo"]))
    on.desk.root = real(tmp_path)
    on.app.conductor._store = str(tmp_path / "runs.db")
    prompt = on.desk.root / "prompt.md"
    prompt.write_text("Be brief")
    async with on.app.run_test() as pilot:
        keep_known(
            tmp_path, on.desk.root, [str(prompt)]
        )  # by a headless run, say, since it was opened
        await pilot.press("w")
        await until(pilot, lambda: bool(on.watchers))
        assert on.watchers[-1].followed.files[prompt] is Role.DATA
        assert not list(on.app._notifications)


async def test_w_says_what_to_do_where_no_run_has_told_what_the_agent_reads() -> None:
    on = stage(catalog(weather=["oslo"]))
    async with on.app.run_test(size=(100, 30), notifications=True) as pilot:
        await pilot.press("w")
        await until(pilot, lambda: bool(list(on.app._notifications)))
        (toast,) = on.app._notifications
        assert toast.title == "– What the agent reads is not known yet"
        assert "r once: until then only eval sets and .py files" in toast.message
        await until(pilot, lambda: bool(on.watchers))
        await pilot.press("W")
        await until(pilot, lambda: "and every other .py file of the project" in screen_text(on.app))


def test_the_next_session_follows_it_before_its_first_run(tmp_path: Path) -> None:
    prompt = tmp_path.resolve() / "prompt.md"
    prompt.write_text("Be brief")
    on = stage(catalog(weather=["oslo"]))
    on.desk.root = tmp_path
    made: list[FakeWatcher] = []
    told: list[Save] = []
    notes: list[str] = []

    def make(followed: Followed, on_change: OnChange, on_note: OnNote) -> FakeWatcher:
        made.append(FakeWatcher(followed, on_change, on_note))
        return made[-1]

    reader = Reader(lambda: Loaded(tmp_path))
    saves = Saves(on.desk, on.app.rereader, reader, tell=told.append, note=notes.append, make=make)
    saves.recall({"prompt.md", "gone.md"})
    saves.begin()
    wait(lambda: made)
    saves.end()
    assert made[0].followed.files[prompt] is Role.DATA
    assert tmp_path.resolve() / "gone.md" not in made[0].followed.files


def test_code_that_is_saved_while_the_watch_begins_is_noticed(tmp_path: Path) -> None:
    agents = tmp_path.resolve() / "agents.py"
    agents.write_text("def agent(): ...")
    long_ago = agents.stat().st_mtime - 100
    os.utime(agents, (long_ago, long_ago))
    on = stage(catalog(weather=["oslo"]))
    on.desk.root = tmp_path
    told: list[Save] = []

    class SlowReader(Reader):
        """Somebody saves while it reads."""

        def contents(self, catalog: Catalog) -> tuple[Contents, Loaded | None]:
            found = super().contents(catalog)
            if not told:
                agents.write_text("def agent(: ...")
            return found

    reader = SlowReader(lambda: Loaded(tmp_path))
    saves = Saves(on.desk, on.app.rereader, reader, tell=told.append, note=print)
    saves.begin()
    wait(lambda: any(agents in save.paths for save in told))
    saves.end()
