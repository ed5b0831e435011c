from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.evaluation.dataset import EvalSet
from tenxgraph_tui.session.discovery import FoundSet
from tenxgraph_tui.tui.catalog import Catalog, SetFile
from tenxgraph_tui.tui.choices import presets
from tenxgraph_tui.tui.rereading import Reading, Reread, Rereader, changes
from tests.tui.script import catalog, eval_set

PATIENCE = 10


def of(*files: SetFile) -> Catalog:
    return Catalog(files)


def file(path: str, *ids: str, change: Callable[[EvalSet], None] | None = None) -> SetFile:
    made = eval_set(path, ids)
    if change is not None:
        change(made)
    return SetFile.of(FoundSet(Path(path), made))


def broken(path: str, problem: str = "no JSON") -> SetFile:
    return SetFile(path, problem=problem)


def describe(one: EvalSet) -> None:
    one.eval_cases[0].description = "Changed."


def aim_elsewhere(one: EvalSet) -> None:
    one.metadata["target"] = "other.py:agent"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        pytest.param(of(file("a", "x")), of(file("a", "x")), "", id="nothing"),
        pytest.param(of(file("a", "x")), of(file("a", "x", "y")), "1 case new", id="a case"),
        pytest.param(of(), of(file("a", "x", "y")), "2 cases new", id="a file"),
        pytest.param(of(), of(file("a")), "1 file new", id="a file without cases"),
        pytest.param(of(file("a", "x", "y")), of(), "2 cases gone", id="a file is gone"),
        pytest.param(of(file("a")), of(), "1 file gone", id="one without cases is gone"),
        pytest.param(
            of(file("a", "x", "y")),
            of(file("a", "z", "y", change=None)),
            "1 case new, 1 case gone",
            id="a case has another name",
        ),
        pytest.param(
            of(file("a", "x", "y")),
            of(file("a", "x", "y", change=describe)),
            "1 case changed",
            id="a case is written anew",
        ),
        pytest.param(
            of(file("a", "x")),
            of(file("a", "x", change=aim_elsewhere)),
            "1 file changed",
            id="a set has another target",
        ),
        pytest.param(of(file("a", "x")), of(broken("a")), "1 file cannot be read", id="broken"),
        pytest.param(of(), of(broken("a")), "1 file cannot be read", id="new and broken"),
        pytest.param(of(broken("a")), of(broken("a")), "", id="broken as before"),
        pytest.param(
            of(broken("a", "line 3")),
            of(broken("a", "line 9")),
            "1 file still cannot be read",
            id="broken elsewhere",
        ),
        pytest.param(
            of(broken("a")), of(file("a", "x", "y")), "1 file can be read again", id="mended"
        ),
        pytest.param(
            of(file("a", "x"), file("b", "v"), broken("c")),
            of(broken("a"), file("b", "v", "w"), file("c", "u")),
            "1 file cannot be read, 1 file can be read again, 1 case new",
            id="what is wrong comes first",
        ),
    ],
)
def test_what_changed_is_told_in_a_few_words(before: Catalog, after: Catalog, told: str) -> None:
    assert changes(before, after) == told


def read_with(read: Callable[[], Catalog]) -> Reread:
    told: queue.Queue[Reread] = queue.Queue()
    Rereader(read, presets).start(told.put)
    return told.get(timeout=PATIENCE)


def test_a_reading_is_told() -> None:
    over = catalog()
    assert read_with(lambda: over) == Reread(Reading(over, presets(over)))


def test_a_path_that_is_gone_is_a_problem_that_is_told() -> None:
    def gone() -> Catalog:
        raise UsageError("no such file or folder: evals")

    assert read_with(gone) == Reread(None, "no such file or folder: evals")


def test_files_that_no_longer_can_be_reached_are_a_problem_that_is_told() -> None:
    def gone() -> Catalog:
        raise FileNotFoundError(2, "No such file or directory")

    assert read_with(gone).problem == "the files cannot be read: No such file or directory"


def test_what_is_asked_for_while_files_are_read_is_read_once_more() -> None:
    catalogs = [catalog(first=["x"]), catalog(second=["y"])]
    begun, go_on, done = threading.Event(), threading.Event(), threading.Event()
    told: list[tuple[str, Reread]] = []
    left = iter(catalogs)

    def read() -> Catalog:
        over = next(left)
        begun.set()
        assert go_on.wait(PATIENCE)
        return over

    def tell(name: str) -> Callable[[Reread], None]:
        def note(found: Reread) -> None:
            told.append((name, found))
            if len(told) == len("abc"):
                done.set()

        return note

    rereader = Rereader(read, presets)
    rereader.start(tell("a"))
    assert begun.wait(PATIENCE)
    rereader.start(tell("b"))
    rereader.start(tell("c"))
    go_on.set()
    assert done.wait(PATIENCE)
    first, second = (Reread(Reading(over, presets(over))) for over in catalogs)
    assert told == [("a", first), ("b", second), ("c", second)]
