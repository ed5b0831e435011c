from __future__ import annotations

from pathlib import Path

from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.presets import PRESETS
from tenxgraph_tui.session.discovery import FoundSet
from tenxgraph_tui.session.protocol import SetRequest
from tenxgraph_tui.tui.catalog import CaseId, Catalog, SetFile
from tenxgraph_tui.tui.choices import Choices, chosen, presets
from tests.tui.script import catalog, eval_set

WEATHER, SUPPORT = "weather.evalset.json", "support.evalset.json"


def choices(over: Catalog, **fields: object) -> Choices:
    entries = presets(over)
    return Choices(entries, chosen(entries, None), **fields)  # type: ignore[arg-type]  # by name


def sets(over: Catalog, mine: Choices, **fields: object) -> tuple[SetRequest, ...]:
    return mine.request(over, root=".", store=None, **fields).sets  # type: ignore[arg-type]  # by name


def test_every_preset_is_offered_and_says_whether_it_needs_a_model() -> None:
    kinds = {preset.name: preset.kind for preset in presets(catalog())}
    assert list(kinds) == [*PRESETS, "custom"]
    offline = [name for name, kind in kinds.items() if kind == "offline"]
    assert offline == ["offline", "quick_check", "tool_usage", "custom"]


def test_a_judged_preset_names_the_model_it_needs() -> None:
    strict = next(preset for preset in presets(catalog()) if preset.name == "strict")
    assert strict.judge_models == ["gemini-2.5-flash"]


def test_a_config_file_comes_first_and_is_chosen() -> None:
    entries = presets(catalog(), "ci.json", EvalConfig.relaxed())
    assert chosen(entries, None).value == "ci.json"
    assert chosen(entries, "tool_usage").value == "tool_usage"


def test_configs_that_the_sets_name_are_left_to_them() -> None:
    named = eval_set("weather", ["london"], config="ci.json")
    over = Catalog((SetFile.of(FoundSet(Path(WEATHER), named)),))
    first = presets(over)[0]
    assert (first.value, first.kind, first.note) == (None, "file", "ci.json")
    assert choices(over).preset is not None
    assert choices(over).preset.value is None


def test_without_a_selection_everything_is_asked_for() -> None:
    over = catalog()
    assert sets(over, choices(over)) == (SetRequest(path=WEATHER), SetRequest(path=SUPPORT))


def test_a_selection_is_asked_for_in_file_order_and_leaves_out_other_sets() -> None:
    over = catalog()
    mine = choices(over)
    mine.toggle([CaseId(WEATHER, "kobe_wind"), CaseId(WEATHER, "london_now")])
    assert sets(over, mine) == (SetRequest(path=WEATHER, ids=("london_now", "kobe_wind")),)


def test_what_is_named_wins_over_the_selection() -> None:
    over = catalog()
    mine = choices(over)
    mine.toggle([CaseId(WEATHER, "kobe_wind")])
    only = [CaseId(SUPPORT, "closes_the_account")]
    assert sets(over, mine, only=only) == (SetRequest(path=SUPPORT, ids=("closes_the_account",)),)


def test_a_file_of_which_a_part_is_wanted_is_never_asked_for_as_a_whole() -> None:
    weather = eval_set("weather", ["london", "paris"])
    over = Catalog(
        (SetFile.of(FoundSet(Path(WEATHER), weather, ids=(weather.eval_cases[1].eval_id,))),)
    )
    assert sets(over, choices(over)) == (SetRequest(path=WEATHER, ids=("paris",)),)
    assert len(over) == 1


def test_selecting_twice_takes_out_again() -> None:
    over = catalog()
    mine = choices(over)
    both = [CaseId(WEATHER, "kobe_wind"), CaseId(WEATHER, "london_now")]
    mine.toggle(both[:1])
    mine.toggle(both)
    assert mine.selected == set(both)
    mine.toggle(both)
    assert mine.selected == set()


def test_what_is_gone_from_the_files_is_not_picked_any_more() -> None:
    mine = choices(catalog())
    kept, gone = CaseId(WEATHER, "kobe_wind"), CaseId(WEATHER, "london_now")
    mine.toggle([kept, gone])
    later = catalog(weather=["kobe_wind"])
    mine.renew(later, presets(later))
    assert mine.selected == {kept}


def test_a_file_that_is_broken_for_a_moment_costs_no_selection() -> None:
    mine = choices(catalog())
    mine.toggle([CaseId(WEATHER, "kobe_wind"), CaseId(SUPPORT, "two_orders_one_email")])
    broken = Catalog((SetFile(WEATHER, problem="no JSON"),))
    mine.renew(broken, presets(broken))
    assert mine.selected == {CaseId(WEATHER, "kobe_wind")}


def test_the_preset_stays_chosen_by_its_name_when_the_files_are_read_again() -> None:
    mine = choices(catalog())
    mine.preset = mine.presets[2]
    named = eval_set("weather", ["london"], config="ci.json")
    later = Catalog((SetFile.of(FoundSet(Path(WEATHER), named)),))
    mine.renew(later, presets(later))
    assert mine.preset is mine.presets[3]
    assert mine.preset.name == presets(catalog())[2].name
