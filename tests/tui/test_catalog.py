from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.session.discovery import FoundSet, discover, survey
from tenxgraph_tui.tui.catalog import CaseId, Catalog, SetFile
from tenxgraph_tui.tui.surveying import again
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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a", "b"):
        eval_set(name, [f"{name}_1", f"{name}_2"]).to_file(str(tmp_path / f"{name}.evalset.json"))
    return tmp_path


def read_first(folder: Path) -> Catalog:
    return Catalog.of(discover([folder], folder), "sets", (str(folder),))


def test_a_file_that_was_not_written_since_is_not_read_again(folder: Path) -> None:
    before = read_first(folder)
    eval_set("b", ["b_1", "b_3"]).to_file(str(folder / "b.evalset.json"))
    eval_set("c", ["c_1"]).to_file(str(folder / "c.evalset.json"))
    after = again(before, survey([folder], folder))
    assert [case.eval_id for case in after] == ["a_1", "a_2", "b_1", "b_3", "c_1"]
    assert after.files[0] is before.files[0]
    assert after.files[1] is not before.files[1]
    assert (after.title, after.looked_in) == (before.title, before.looked_in)


def test_what_is_read_again_is_what_would_be_read_first(folder: Path) -> None:
    (folder / "link.evalset.json").symlink_to(folder / "a.evalset.json")
    (folder / "0_broken.evalset.json").write_text("[")
    (folder / "x_eval.py").touch()
    before = read_first(folder)
    (folder / "b.evalset.json").write_text("[")
    (folder / "0_broken.evalset.json").unlink()
    after, anew = again(before, survey([folder], folder)), read_first(folder)
    assert after.files == anew.files
    assert after.modules == anew.modules
    assert [bool(file.problem) for file in after.files] == [False, True]


def test_a_file_that_is_gone_is_gone(folder: Path) -> None:
    before = read_first(folder)
    (folder / "a.evalset.json").unlink()
    assert [case.eval_id for case in again(before, survey([folder], folder))] == ["b_1", "b_2"]


def test_a_case_that_was_asked_for_by_name_is_looked_for_again(folder: Path) -> None:
    named: list[str | Path] = [f"{folder}/a.evalset.json::a_2", folder / "b.evalset.json"]
    before = Catalog.of(discover(named, folder), "sets", ())
    after = again(before, survey(named, folder))
    assert [case.eval_id for case in after] == ["a_2", "b_1", "b_2"]
    eval_set("a", ["other"]).to_file(str(folder / "a.evalset.json"))
    with pytest.raises(UsageError, match="no case 'a_2'"):
        again(before, survey(named, folder))


def test_each_selection_is_counted_anew_without_what_is_skipped_or_gone() -> None:
    weather = eval_set("weather", ["a", "b", "c"])
    weather.eval_cases[1].metadata["skip"] = "no key"
    one = Catalog((SetFile.of(FoundSet(Path("weather.json"), weather)),))
    everything, gone = frozenset(one), frozenset({CaseId("weather.json", "x")})
    assert [one.count_runnable(some) for some in (everything, everything, gone)] == [2, 2, 0]
