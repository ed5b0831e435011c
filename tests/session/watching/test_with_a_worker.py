"""The whole of watch mode without a screen: real files, the real watcher, a real worker."""

from __future__ import annotations

import json
import queue
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.evaluation.events import CaseStatus, Files, Reply, RunEvent
from tenxgraph_tui.evaluation.progress import RunState
from tenxgraph_tui.session.discovery import discover
from tenxgraph_tui.session.history import Name
from tenxgraph_tui.session.protocol import RequestOptions, WorkerRequest
from tenxgraph_tui.session.watching.contents import Contents
from tenxgraph_tui.session.watching.decision import Rerun, decide, narrowed
from tenxgraph_tui.session.watching.flips import Flips, flips, results
from tenxgraph_tui.session.watching.followed import Followed
from tenxgraph_tui.session.watching.ignoring import Ignoring
from tenxgraph_tui.session.watching.loop import (
    Commands,
    Discard,
    Ending,
    Keep,
    Loop,
    Phase,
    Start,
    Stop,
)
from tenxgraph_tui.session.watching.watcher import Watcher
from tenxgraph_tui.session.workers import Worker, WorkerExit
from tests.waiting import LONG

AGENT = """
import time
from pathlib import Path
from lib.one import answer

PROMPT = (Path(__file__).parent / "prompts" / "system.md").read_text().strip()
RUNS = Path(__file__).parent / "runs.log"

async def agent(messages):
    with RUNS.open("a") as log:
        log.write("x")
    asked = messages[-1]["content"]
    if asked == "slow":
        import asyncio
        seconds = float((Path(__file__).parent / "seconds.txt").read_text())
        RUNS.with_name("asleep.log").touch()
        await asyncio.sleep(seconds)
    return f"{PROMPT} {answer(asked)}"
"""
EVERYTHING = ["one", "two"]


def case(eval_id: str, asked: str, expected: str) -> dict[str, Any]:
    turn = {
        "user_content": {"role": "user", "content": asked},
        "expected_final_response": {"role": "assistant", "content": expected},
    }
    return {"eval_id": eval_id, "conversation": [turn]}


class Clock:
    """Goes as all do, unless it is stopped: what happens meanwhile happens at once."""

    def __init__(self) -> None:
        self._behind, self._stopped_at = 0.0, 0.0

    def __call__(self) -> float:
        return self._stopped_at or time.monotonic() - self._behind

    @contextmanager
    def stopped(self) -> Iterator[None]:
        self._stopped_at = self()
        yield
        self._behind = time.monotonic() - self._stopped_at
        self._stopped_at = 0.0


@dataclass(repr=False)
class Watch:
    """What a front end does: it reads again, decides, and carries out what the loop says."""

    root: Path
    clock: Clock = field(default_factory=Clock)
    loop: Loop = field(default_factory=Loop)
    state: RunState = field(default_factory=RunState)
    statuses: dict[Name, CaseStatus] = field(default_factory=dict)
    news: list[Flips] = field(default_factory=list)
    asked: list[tuple[list[str], str]] = field(default_factory=list)
    problems: tuple[str, ...] = ()
    failures: list[str] = field(default_factory=list)
    discarded: int = 0
    worker: Worker | None = None
    asked_at: float = 0.0

    def __post_init__(self) -> None:
        self.inbox: queue.Queue[Callable[[], None]] = queue.Queue()
        self.contents = Contents.of(self.discovery())
        self.followed = Followed(self.root).with_sets(self.contents)
        self.watcher = Watcher(
            self.followed,
            lambda paths: self.inbox.put(lambda: self.changed(paths)),
            self.failures.append,
            ignoring=Ignoring(self.root, [self.root / "reports"]),
            clock=self.clock,
        )

    def discovery(self) -> Any:
        return discover([self.root], self.root)

    def begin(self) -> None:
        self.watcher.start()
        self.carry_out(self.loop.wanted(Rerun(None, ("the first run",))))

    def changed(self, paths: frozenset[Path]) -> None:
        before, after = self.contents, Contents.of(self.discovery())
        decision = decide(before, after, paths, self.followed)
        self.contents, self.problems = after.over(before), decision.problems
        self.follow(self.followed.with_sets(self.contents))
        if decision.rerun is not None:
            self.carry_out(self.loop.changed(decision.rerun))

    def carry_out(self, commands: Commands) -> None:
        for command in commands:
            match command:
                case Start(rerun=rerun):
                    self.start(rerun)
                case Stop() if self.worker is not None:
                    self.worker.stop_in_background()
                case Keep():
                    found = results(self.state, lambda file: str(self.root / file))
                    self.news.append(flips(self.statuses, found))
                    self.statuses |= {name: one.status for name, one in found}
                case Discard():
                    self.discarded += 1

    def start(self, rerun: Rerun) -> None:
        sets = narrowed(self.discovery().requests, self.contents, rerun.cases)
        first = tuple(name for name, one in self.statuses.items() if one is not CaseStatus.PASSED)
        ids = [i for one in sets for i in (one.ids or self.contents.sets[one.path].cases)]
        self.asked.append((ids, rerun.reason))
        self.state, self.asked_at = RunState(), time.time()
        worker = self.worker = Worker(
            lambda event: self.inbox.put(lambda: self.heard(worker, event)),
            lambda how: self.inbox.put(lambda: self.ended(worker, how)),
            cwd=self.root,
        )
        options = RequestOptions(first=first, max_concurrency=1)
        worker.start(WorkerRequest(root=str(self.root), sets=sets, options=options))

    def heard(self, worker: Worker, event: RunEvent) -> None:
        if worker is not self.worker:
            return
        self.state.apply(event)
        if isinstance(event, Files):
            self.follow(self.followed.with_used(event.paths, event.written), self.asked_at)
        if isinstance(event, Reply) and event.error is not None:
            self.failures.append(event.error)

    def ended(self, worker: Worker, how: WorkerExit) -> None:
        if worker is not self.worker:
            return
        if how.is_crash:
            self.failures.append(how.sentence)
        is_complete = self.state.finished_at is not None
        self.worker = None
        if is_complete or not how.was_stopped:
            self.follow(self.followed.completed(is_complete=is_complete))
        self.carry_out(self.loop.ended(Ending.COMPLETED if is_complete else Ending.FAILED))

    def follow(self, followed: Followed, since: float | None = None) -> None:
        if followed != self.followed:
            self.followed = followed
            self.watcher.follow(followed, since=since)

    def until(self, condition: Callable[[], object]) -> None:
        deadline = time.monotonic() + LONG
        while not condition():
            self.take(deadline)

    def take(self, deadline: float) -> None:
        left = deadline - time.monotonic()
        assert left > 0, f"waited in vain: {self.asked} {self.failures}"
        with suppress(queue.Empty):
            self.inbox.get(timeout=min(left, 0.2))()

    def until_runs(self, count: int) -> None:
        """Until so many runs have been started, and the last has its results."""
        self.until(lambda: len(self.asked) == count and self.loop.phase is Phase.IDLE)

    def stay_quiet(self) -> None:
        """Until a save that comes now has been looked at: nothing before it started a run."""
        mark = self.root / "other.evalset.json"
        runs, seen = len(self.asked), len(self.contents.sets)
        write_set(mark, case(f"mark_{time.monotonic_ns()}", "hi", "Dear hi"))
        self.until(lambda: len(self.asked) > runs and self.loop.phase is Phase.IDLE)
        assert len(self.asked) == runs + 1, self.asked[runs:]
        assert "other.evalset.json" in self.asked[-1][1]
        assert len(self.contents.sets) >= seen

    def close(self) -> None:
        assert self.watcher.stop(LONG)
        if self.worker is not None:
            assert self.worker.stop()


def write_set(path: Path, *cases: dict[str, Any], config: str = "quick_check") -> None:
    beside = path.with_name(f"{path.name}.tmp")
    metadata = {"target": "agents.py:agent", "config": config}
    data = {"eval_set_id": path.stem, "metadata": metadata, "eval_cases": cases}
    beside.write_text(json.dumps(data))
    beside.replace(path)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "project"
    for name, text in {
        "tenxgraph-tui.toml": "",
        "agents.py": AGENT,
        "lib/__init__.py": "",
        "lib/one.py": "from lib.two import answer\n",
        "lib/two.py": "def answer(asked):\n    return asked\n",
        "prompts/system.md": "Dear\n",
        "seconds.txt": "0",
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    write_set(root / "a.evalset.json", case("one", "hi", "Dear hi"), case("two", "yo", "Dear yo"))
    return root


@pytest.fixture
def watch(root: Path) -> Iterator[Watch]:
    made = Watch(root)
    with closing(made):
        made.begin()
        made.until_runs(1)
        assert (made.asked, made.failures) == ([(EVERYTHING, "the first run")], [])
        yield made


def kinds(watch: Watch) -> dict[str, str]:
    return {flip.name[1]: flip.kind for flip in watch.news[-1].cases}


def test_an_edited_case_alone_runs_again_with_its_new_text(watch: Watch, root: Path) -> None:
    path = root / "a.evalset.json"
    write_set(path, case("one", "hi", "Dear hi"), case("two", "yo", "something else"))
    watch.until_runs(2)
    assert watch.asked[-1] == (["two"], "1 case edited in a.evalset.json")
    assert kinds(watch) == {"two": "broke"}


def test_an_edited_prompt_runs_everything(watch: Watch, root: Path) -> None:
    (root / "prompts" / "system.md").write_text("Goodbye for ever")
    watch.until_runs(2)
    told = "prompts/system.md changed: everything, failed cases first"
    assert watch.asked[-1] == (EVERYTHING, told)
    assert kinds(watch) == {"one": "broke", "two": "broke"}


def test_a_helper_two_imports_deep_runs_everything_with_its_new_code(
    watch: Watch, root: Path
) -> None:
    (root / "lib" / "two.py").write_text("def answer(asked):\n    return 'no ' * 9\n")
    watch.until_runs(2)
    assert watch.asked[-1][1].startswith("lib/two.py changed")
    assert kinds(watch) == {"one": "broke", "two": "broke"}
    (root / "lib" / "two.py").write_text("def answer(asked):\n    return asked\n")
    watch.until_runs(3)
    assert kinds(watch) == {"one": "fixed", "two": "fixed"}


def test_the_config_that_a_set_names_runs_it_with_its_new_thresholds(
    watch: Watch, root: Path
) -> None:
    config = root / "ci.evalconfig.json"
    rouge = {"criteria": {"rouge_match": {"threshold": 0.1}}}
    config.write_text(json.dumps(rouge))
    path = root / "more.evalset.json"
    write_set(path, case("half", "yo", "Dear you all"), config=config.name)
    watch.until_runs(2)
    assert kinds(watch) == {"half": "new"}
    rouge["criteria"]["rouge_match"]["threshold"] = 0.9
    config.write_text(json.dumps(rouge))
    watch.until_runs(3)
    told = "ci.evalconfig.json changed: 1 case of more.evalset.json"
    assert (watch.asked[-1], kinds(watch)) == ((["half"], told), {"half": "broke"})


def test_failed_cases_begin_first_and_results_stay_in_file_order(watch: Watch, root: Path) -> None:
    path = root / "a.evalset.json"
    write_set(path, case("one", "hi", "Dear hi"), case("two", "yo", "something else"))
    watch.until_runs(2)
    (root / "prompts" / "system.md").write_text("Dear\n\n")
    watch.until_runs(3)
    begun = sorted(watch.state.cases.values(), key=lambda one: one.started_at or 0.0)
    assert [one.key.eval_id for one in begun] == ["two", "one"]
    assert [key.eval_id for key in watch.state.cases] == ["one", "two"]


def test_a_syntax_error_keeps_the_results_and_the_next_good_save_runs(
    watch: Watch, root: Path
) -> None:
    before = dict(watch.statuses)
    (root / "agents.py").write_text(AGENT + "\ndef broken(:\n")
    watch.until(lambda: watch.failures)
    assert "agents.py" in watch.failures[-1]
    watch.until(lambda: watch.loop.phase is Phase.IDLE)
    assert (watch.statuses, len(watch.news), watch.discarded) == (before, 1, 1)
    (root / "agents.py").write_text(AGENT)
    watch.until_runs(3)
    assert kinds(watch) == {"one": "unchanged", "two": "unchanged"}


def test_a_module_that_was_missing_is_noticed_when_it_is_made(watch: Watch, root: Path) -> None:
    (root / "agents.py").write_text("import extra\n" + AGENT)
    watch.until(lambda: watch.failures and watch.loop.phase is Phase.IDLE)
    (root / "extra.py").write_text("")
    watch.until_runs(3)
    assert watch.asked[-1][0] == EVERYTHING
    assert kinds(watch) == {"one": "unchanged", "two": "unchanged"}


def test_a_broken_eval_set_is_a_problem_until_the_next_good_save(watch: Watch, root: Path) -> None:
    path = root / "a.evalset.json"
    good = path.read_text()
    path.write_text(good[: len(good) // 2])
    watch.until(lambda: watch.problems)
    assert "a.evalset.json" in watch.problems[0]
    assert len(watch.asked) == 1
    path.write_text(good.replace("yo", "hey"))
    watch.until_runs(2)
    assert (watch.asked[-1][0], watch.problems) == (["two"], ())


def test_five_saves_during_a_run_make_one_that_follows(watch: Watch, root: Path) -> None:
    with watch.clock.stopped():
        (root / "seconds.txt").write_text("60")
        cases = case("one", "slow", "Dear slow"), case("two", "yo", "Dear yo")
        write_set(root / "a.evalset.json", *cases)
    seconds = root / "seconds.txt"  # the agent has read it, and it is known to be followed
    watch.until(lambda: (root / "asleep.log").exists() and watch.followed.is_followed(seconds))
    asked, discarded = len(watch.asked), watch.discarded
    with watch.clock.stopped():
        for number in range(5):
            (root / "seconds.txt").write_text("0")
            (root / "lib" / "two.py").write_text(f"def answer(asked):\n    return '{number}'\n")
    watch.until(lambda: watch.loop.phase is Phase.IDLE)
    assert watch.asked[-1][0] == EVERYTHING
    assert len(watch.news) == 2  # that of the first run, and of the last
    assert watch.news[-1].cases[0].now.response == "Dear 4"
    assert (len(watch.asked) - asked, watch.discarded - discarded) == (1, 1)
    watch.stay_quiet()


def test_own_outputs_and_what_agents_write_start_nothing(watch: Watch, root: Path) -> None:
    assert (root / "runs.log").read_text() == "xx"
    for name in ("reports/a.json", "a_20260101_120000.html", ".tenxgraph-tui/x.evalset.json"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("{}")
    (root / "agents.py").touch()
    watch.stay_quiet()


def test_a_set_that_is_deleted_and_made_again_runs_nothing_twice(watch: Watch, root: Path) -> None:
    path = root / "a.evalset.json"
    good = path.read_text()
    path.unlink()
    path.write_text(good)
    watch.stay_quiet()


def test_a_new_set_in_a_new_folder_runs(watch: Watch, root: Path) -> None:
    (root / "more").mkdir()
    write_set(root / "more" / "b.evalset.json", case("three", "hi", "Dear hi"))
    (root / "more" / "agents.py").write_text("def agent(messages):\n    return 'Dear hi'\n")
    watch.until(lambda: len(watch.news) >= 2 and watch.loop.phase is Phase.IDLE)
    assert watch.asked[1][0][-1] == "three"


def test_a_linked_set_is_read_again_when_its_file_changes(watch: Watch, root: Path) -> None:
    real = root.parent / "data.json"
    write_set(real, case("far", "hi", "Dear hi"))
    (root / "link.evalset.json").symlink_to(real)
    watch.until_runs(2)
    write_set(real, case("far", "hi", "something else"))
    watch.until_runs(3)
    assert watch.asked[-1] == (["far"], f"1 case edited in {real}")
    assert kinds(watch) == {"far": "broke"}


def test_a_broken_link_is_told_and_starts_nothing(watch: Watch, root: Path) -> None:
    (root / "link.evalset.json").symlink_to(root / "nowhere.json")
    watch.until(lambda: watch.problems)
    assert len(watch.problems) == 1
    assert "link.evalset.json" in watch.problems[0]
    assert len(watch.asked) == 1


@pytest.mark.parametrize("is_running", [False, True])
def test_it_can_be_left_in_any_state(root: Path, is_running: bool) -> None:
    watch = Watch(root)
    watch.begin()
    if not is_running:
        watch.until_runs(1)
    began = time.monotonic()
    watch.close()
    assert time.monotonic() - began < 10.0
    assert watch.worker is None or not watch.worker.is_running
