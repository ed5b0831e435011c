from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.session.discovery import FoundSet
from tenxgraph_tui.tui.catalog import CaseId, Catalog, SetFile
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
    one = Catalog((SetFile.of(FoundSet(Path("weather.json"), weather)),))
    assert one.runnable_in("weather.json") == 2
    assert one.runnable_in("other.json") == 0


def test_a_whole_case_is_as_its_file_has_it() -> None:
    weather = eval_set("weather", ["münchen", "osaka"], owner="[us]")
    weather.eval_cases[0].metadata["ticket"] = 12
    one = Catalog((SetFile.of(FoundSet(Path("weather.json"), weather, ids=("münchen",))),))
    assert one.case(CaseId("weather.json", "münchen")) == weather.eval_cases[0]
    assert one.case(CaseId("weather.json", "osaka")) is None  # it was left out
    assert one.case(CaseId("other.json", "münchen")) is None


def test_a_case_that_is_looked_at_again_is_the_same_object() -> None:
    ids = [f"case_{number}" for number in range(100)]
    one = Catalog((SetFile.of(FoundSet(Path("many.json"), eval_set("many", ids))),))
    first = one.case(CaseId("many.json", "case_0"))
    assert one.case(CaseId("many.json", "case_0")) is first
    for eval_id in ids[1:]:
        assert one.case(CaseId("many.json", eval_id)) is not None
    assert one.case(CaseId("many.json", "case_0")) is not first  # so many are not kept
    assert one.case(CaseId("many.json", "case_0")) == first
