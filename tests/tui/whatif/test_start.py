from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.config import EvalConfig, MatchType
from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.session.discovery import FoundSet
from tenxgraph_tui.tui.catalog import CaseId, Catalog, SetFile
from tenxgraph_tui.tui.whatif.start import Exceptions, finished, preset_of
from tests.tui.failing import CONFIG, kept, shown
from tests.tui.script import Stage, stage


def start(on: Stage) -> tuple[str, EvalConfig | None]:
    preset = preset_of(on.desk, on.app._shared.reader, finished(on.desk))
    return preset.name, preset.config


def test_it_begins_with_the_preset_in_use_if_the_run_was_checked_with_it(tmp_path: Path) -> None:
    assert start(shown(kept(tmp_path))) == ("offline", CONFIG)


def test_it_begins_with_how_the_run_was_checked_whatever_was_chosen_since(tmp_path: Path) -> None:
    on = shown(kept(tmp_path))
    on.desk.choose(next(one for one in on.desk.choices.presets if one.name == "quick_check"))
    assert start(on) == ("offline", CONFIG)


def test_an_edited_config_of_another_session_is_one_of_ones_own(tmp_path: Path) -> None:
    edited = CONFIG.model_copy(deep=True)
    assert edited.criteria.rouge_match is not None
    edited.criteria.rouge_match.threshold = 0.7
    name, config = start(shown(kept(tmp_path, config=edited)))
    assert (name, config) == ("custom", edited)


def test_without_a_store_thresholds_are_known_and_the_rest_is_as_usual(tmp_path: Path) -> None:
    on = shown(kept(tmp_path))
    on.app._shared.reader._store = None
    on.desk.choose(next(one for one in on.desk.choices.presets if one.name == "quick_check"))
    name, config = start(on)
    assert name == "custom"
    assert config is not None
    thresholds = {slot: one.threshold for slot, one in config.criteria.enabled()}
    assert thresholds == {slot: one.threshold for slot, one in CONFIG.criteria.enabled()}
    trajectory = config.criteria.trajectory
    assert trajectory is not None
    assert trajectory.match_type is MatchType.EXACT


@pytest.mark.parametrize(
    ("criteria", "own"),
    [
        pytest.param({"rouge_match": 0.4}, {"rouge_match"}, id="a number"),
        pytest.param({"rouge_match": {"threshold": 0.4}}, {"rouge_match"}, id="an object"),
        pytest.param({"trajectory": {"match_type": "EXACT"}}, set(), id="another field"),
        pytest.param({"rouge_match": False, "trajectory": True}, set(), id="off and on"),
        pytest.param(["nonsense"], set(), id="nonsense"),
    ],
)
def test_cases_may_have_thresholds_of_their_own(criteria: object, own: set[str]) -> None:
    case = EvalCase.single_turn("one", 'says "criteria": in its question', "!")
    case.metadata = {"criteria": criteria, "xfail": "not yet"}
    plain = EvalCase.single_turn("two", "?", "!")
    whole = EvalSet(eval_set_id="s", name="s", eval_cases=[case, plain])
    found = FoundSet(Path("s.evalset.json"), whole)
    exceptions = Exceptions.of(stage(Catalog((SetFile.of(found),), "s")).desk)
    one = CaseId("s.evalset.json", "one")
    assert exceptions.own == {one: own}
    assert exceptions.excused == {one}


def test_where_the_store_cannot_be_read_it_begins_with_what_the_run_told(tmp_path: Path) -> None:
    store = kept(tmp_path, config=EvalPresets.quick_check())
    on = shown(store)
    for file in tmp_path.iterdir():
        file.write_bytes(b"no database at all" * 100)
    assert start(on)[0] == "quick_check"
