"""What judging takes is told before anything is run, of the cases that would run."""

from __future__ import annotations

from tenxgraph_tui.evaluation.config import CriterionConfig, EvalConfig
from tenxgraph_tui.session.models import Price
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.judges import Judges
from tenxgraph_tui.tui.lines.presets import contents
from tenxgraph_tui.tui.presets import Preset
from tenxgraph_tui.tui.prospects import Prospects
from tests.tui.script import WEATHER, catalog, stage

MODEL = CriterionConfig().judge_model


def judged(samples: int = 3) -> Preset:
    config = EvalConfig()
    config.enable_criterion("llm_judge", CriterionConfig(num_samples=samples))
    return Preset("mine", "mine", config)


def offline() -> Preset:
    config = EvalConfig()
    config.enable_criterion("rouge_match", CriterionConfig())
    return Preset("plain", "plain", config)


def test_calls_are_samples_times_turns_of_all_cases() -> None:
    desk = stage().desk
    cost = Prospects(desk).of(judged(3))
    turns = sum(info.turns for file in desk.catalog.readable for info in file.cases)
    assert cost.calls == 3 * turns
    assert cost.cases == desk.catalog.runnable
    assert cost.dollars is None, "nobody looked the price up yet"


def test_of_a_selection_it_is_what_the_selection_takes() -> None:
    desk = stage().desk
    prospects = Prospects(desk)
    everything = prospects.of(judged(1)).cases
    path = desk.catalog.readable[0].path
    desk.choices.toggle([CaseId(path, WEATHER[0])])
    assert prospects.of(judged(1)).cases == 1
    desk.choices.clear()
    assert prospects.of(judged(1)).cases == everything > 1


def test_a_price_makes_dollars_of_it() -> None:
    desk = stage(catalog()).desk
    desk.choices.judges = Judges({}, lambda name, provider: Price(1.0, 2.0))
    desk.choices.judges.look_up([MODEL])
    assert (Prospects(desk).of(judged(1)).dollars or 0.0) > 0.0


def test_without_a_judge_there_is_nothing_to_tell() -> None:
    assert Prospects(stage().desk).of(offline()).calls == 0
    lines = [
        line.plain for line in contents(offline(), 34, cost=Prospects(stage().desk).of(offline()))
    ]
    assert not any("call" in line for line in lines)


def test_it_is_a_line_below_the_judge_with_a_dash_for_a_price_that_nobody_knows() -> None:
    lines = [
        line.plain for line in contents(judged(3), 34, cost=Prospects(stage().desk).of(judged(3)))
    ]
    assert lines[0].split() == ["llm_judge", "judge", "×3", "≥", "0.80"]
    assert lines[-1] == f"  ≈ 54 calls, 18 cases{'–':>12}"
