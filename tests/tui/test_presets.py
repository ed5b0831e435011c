from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.session.discovery import FoundSet
from tenxgraph_tui.tui.catalog import Catalog, SetFile
from tenxgraph_tui.tui.offered import presets
from tenxgraph_tui.tui.presets import (
    CUSTOM,
    Preset,
    combined,
    edited,
    find,
    refusal,
    why_not_with,
)
from tests.tui.script import catalog, eval_set

ENTRIES = presets(catalog())


def entry(name: str) -> Preset:
    return next(one for one in ENTRIES if one.name == name)


def asking(**configs: object) -> Catalog:
    """A catalog of sets that ask for configs of their own."""
    made = {name: eval_set(name, ["a"], config=config) for name, config in configs.items()}
    return Catalog(
        tuple(SetFile.of(FoundSet(Path(f"{n}.evalset.json"), one)) for n, one in made.items())
    )


def test_several_presets_are_one_with_the_criteria_of_all() -> None:
    both = combined([entry("tool_usage"), entry("quick_check")])
    assert (both.name, both.kind) == ("tool_usage + quick_check", "offline")
    assert both.carried == EvalPresets.combine(
        EvalPresets.tool_usage(), EvalPresets.quick_check()
    ).model_dump(mode="json")
    assert both.called == "tool_usage + quick_check"


def test_a_preset_by_itself_is_asked_for_by_its_name() -> None:
    assert (entry("tool_usage").carried, entry("tool_usage").called) == ("tool_usage", "")
    assert entry("offline").carried is None


def test_an_edited_preset_carries_its_criteria_and_says_so() -> None:
    config = EvalPresets.tool_usage(threshold=0.9)
    changed = edited(entry("tool_usage"), config)
    assert changed.carried == config.model_dump(mode="json")
    assert changed.called == "tool_usage (edited)"
    assert changed.key == "tool_usage"


def test_what_is_the_same_again_is_not_edited() -> None:
    assert edited(entry("tool_usage"), EvalPresets.tool_usage()) is entry("tool_usage")


def keyless(model: str) -> str:
    return f"{model} has no key"


@pytest.mark.parametrize("name", ["offline", "quick_check", "tool_usage"])
def test_presets_without_a_model_can_run(name: str) -> None:
    assert refusal(entry(name), keyless) == ""


def test_a_preset_that_needs_a_model_is_refused_with_what_to_use_instead() -> None:
    assert refusal(entry("relaxed"), keyless) == (
        "relaxed needs a model for response_match: gemini-2.5-flash has no key. "
        "Use offline, quick_check or tool_usage."
    )
    assert "llm_judge, factual_accuracy and 2 more" in refusal(entry("comprehensive"), keyless)


def test_a_preset_whose_model_can_be_asked_can_run() -> None:
    assert refusal(entry("relaxed")) == ""


def test_a_combination_is_refused_for_any_part_of_it() -> None:
    both = combined([entry("quick_check"), entry("strict")])
    assert refusal(both, keyless).startswith("quick_check + strict needs a model for")


def test_nothing_to_check_is_refused() -> None:
    assert refusal(entry(CUSTOM)) == "custom checks nothing."


def test_keywords_that_are_none_are_refused() -> None:
    config = EvalConfig.model_validate({"criteria": {"contains_keywords": {"keywords": []}}})
    assert "no keywords" in refusal(Preset("mine", "mine", config))


def test_what_stands_for_several_configs_is_not_combined() -> None:
    own = presets(asking(weather="tool_usage"))[0]
    assert "cannot be combined" in why_not_with(own, entry("quick_check"))
    assert why_not_with(entry("offline"), entry("quick_check")) == ""


def test_presets_are_found_again_by_what_they_are_made_of() -> None:
    changed = edited(entry("tool_usage"), EvalPresets.tool_usage(threshold=0.9))
    both = combined([changed, entry("quick_check")])
    assert both.key == "tool_usage + quick_check"
    found = find(ENTRIES, both.key)
    assert found is not None
    assert [part.name for part in found.parts] == ["tool_usage", "quick_check"]
    assert find(ENTRIES, "tool_usage + gone") is None
    assert find(ENTRIES, "tool_usage") is entry("tool_usage")
