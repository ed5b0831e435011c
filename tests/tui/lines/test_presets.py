from __future__ import annotations

from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.tui.choices import Preset
from tenxgraph_tui.tui.lines.presets import contents


def shown(**config: object) -> list[list[str]]:
    preset = Preset("mine", "mine", EvalConfig.model_validate(config))
    return [line.plain.split() for line in contents(preset, 36)]


def test_criteria_of_ones_own_are_listed_with_their_threshold() -> None:
    own = {"criterion": "checks.tone:Polite", "config": {"threshold": 0.7}}
    criteria = {"rouge_match": {"threshold": 0.5}}
    assert shown(criteria=criteria, custom=[own]) == [
        ["rouge_match", "≥", "0.50"],
        ["Polite", "≥", "0.70"],
    ]


def test_a_config_with_nothing_but_ones_own_criteria_checks_something() -> None:
    assert shown(custom=["checks.tone:Polite"]) == [["Polite", "≥", "0.80"]]


def test_a_criterion_of_ones_own_that_is_off_is_not_listed() -> None:
    own = {"criterion": "checks.tone:Polite", "config": {"enabled": False}}
    assert shown(custom=[own]) == [["checks", "nothing"]]
