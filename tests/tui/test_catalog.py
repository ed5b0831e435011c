from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.tui.catalog import Catalog, SetFile
from tests.tui.script import eval_set

HERE = Path.cwd()


def over(*paths: Path) -> Catalog:
    return Catalog(tuple(SetFile(str(path)) for path in paths))


@pytest.mark.parametrize(
    "told",
    [
        pytest.param("evals/weather.evalset.json", id="from here"),
        pytest.param("weather.evalset.json", id="from within the folder"),
        pytest.param(f"{HERE.name}/evals/weather.evalset.json", id="from above the project"),
        pytest.param(str(HERE / "evals/weather.evalset.json"), id="in full"),
    ],
)
def test_a_file_is_found_wherever_the_run_was_started(told: str) -> None:
    file = HERE / "evals/weather.evalset.json"
    assert over(file, HERE / "evals/support.evalset.json").path_of(told) == str(file)


def test_a_name_that_two_files_end_in_is_neither() -> None:
    two = over(HERE / "a/weather.evalset.json", HERE / "b/weather.evalset.json")
    assert two.path_of("weather.evalset.json") == "weather.evalset.json"


def test_a_file_outside_is_not_taken_for_one_of_the_same_name() -> None:
    assert over(HERE / "weather.evalset.json").path_of("/x/weather.evalset.json").startswith("/x/")


def test_cases_that_are_skipped_are_not_counted_among_those_that_can_run() -> None:
    weather = eval_set("weather", ["a", "b", "c"])
    weather.eval_cases[1].metadata["skip"] = "no key"
    one = Catalog((SetFile("weather.json", weather, tuple(weather.eval_cases)),))
    assert one.runnable_in("weather.json") == 2
    assert one.runnable_in("other.json") == 0
