from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.tui.whatif.model import WhatIf, moved_in_words
from tenxgraph_tui.tui.whatif.outcome import Listed
from tests.tui.failing import CONFIG, kept, shown

TOOLS, TRAJECTORY, ROUGE = 0, 1, 2


@pytest.fixture
def what_if(tmp_path: Path) -> WhatIf:
    on = shown(kept(tmp_path))
    return WhatIf.of(on.desk, on.app._shared.reader)


def ids(listed: list[Listed] | tuple[Listed, ...]) -> list[str]:
    return [one.key.eval_id for one in listed]


def test_rows_are_what_the_run_was_checked_with(what_if: WhatIf) -> None:
    rows = [what_if.row(place) for place in range(len(what_if))]
    assert [row.slot for row in rows] == ["tool_name_match", "trajectory", "rouge_match"]
    assert [what_if.was(place) for place in range(3)] == [(1.0,), (1.0,), (0.5,)]
    assert not what_if.moved


def test_a_lower_threshold_lets_cases_pass_and_tells_which_do_not(what_if: WhatIf) -> None:
    what_if.step(ROUGE, -1)
    what_if.step(ROUGE, -1)
    found = what_if.outcome(ROUGE)
    assert (found.now, found.was) == (0.4, (0.5,))
    assert found.passed == (2, 3)
    assert ids([*found.up]) == ["nearly"]
    assert ids([*found.still]) == ["tokyo_forecast"]
    assert found.still[0].still == ("tool_trajectory_avg_score",)
    assert what_if.flips(ROUGE) == (1, 0)
    assert sum(found.bars.scores) == 7
    assert sum(found.bars.up) == 1


def test_a_higher_threshold_lets_cases_fail(what_if: WhatIf) -> None:
    for _ in range(10):
        what_if.step(ROUGE, 1)
    found = what_if.outcome(ROUGE)
    assert found.passed == (2, 1)  # a known failure is one whatever its score is
    assert ids([*found.down]) == ["fine"]
    assert what_if.flips(ROUGE) == (0, 1)


def test_two_criteria_together_let_a_case_pass(what_if: WhatIf) -> None:
    what_if.toggle(TRAJECTORY)
    assert ids([*what_if.outcome(TRAJECTORY).up]) == ["osaka_weekend", "kobe_wind"]
    what_if.step(ROUGE, -1)
    what_if.step(ROUGE, -1)
    assert ids([*what_if.outcome(ROUGE).up]) == [
        *("tokyo_forecast", "osaka_weekend", "kobe_wind", "nearly")
    ]
    assert what_if.flips(TRAJECTORY) == (3, 0)
    assert what_if.flips(ROUGE) == (2, 0)
    assert moved_in_words(what_if.moved) == "no trajectory, rouge_match ≥ 0.40"


def test_reset_is_as_it_was_in_the_run(what_if: WhatIf) -> None:
    what_if.step(ROUGE, -1)
    what_if.toggle(ROUGE)
    what_if.reset(ROUGE)
    assert what_if.outcome(ROUGE).passed == (2, 2)
    assert not what_if.moved
    assert what_if.preset.name == "offline"


def test_what_is_moved_is_an_edited_preset(what_if: WhatIf) -> None:
    what_if.step(ROUGE, -1)
    preset = what_if.preset
    assert preset.name == "offline (edited)"
    assert preset.config is not None
    assert preset.config.criteria.rouge_match is not None
    assert preset.config.criteria.rouge_match.threshold == 0.45
    assert preset.config.criteria.trajectory == CONFIG.criteria.trajectory


def test_reset_of_an_edited_preset_goes_back_to_the_run_and_not_further(tmp_path: Path) -> None:
    edited = CONFIG.model_copy(deep=True)
    assert edited.criteria.rouge_match is not None
    edited.criteria.rouge_match.threshold = 0.8
    on = shown(kept(tmp_path, config=edited))
    what_if = WhatIf.of(on.desk, on.app._shared.reader)
    what_if.step(ROUGE, -1)
    what_if.reset(ROUGE)
    assert what_if.row(ROUGE).now.threshold == 0.8


def test_a_threshold_of_ones_own_between_the_steps_stays_until_it_is_moved(tmp_path: Path) -> None:
    config = EvalPresets.quick_check()
    assert config.criteria.rouge_match is not None
    config.criteria.rouge_match.threshold = 0.42
    on = shown(kept(tmp_path, config=config))
    what_if = WhatIf.of(on.desk, on.app._shared.reader)
    assert len(what_if) == 1
    what_if.step(0, 1)
    assert what_if.row(0).now.threshold == 0.45
