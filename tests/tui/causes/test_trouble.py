from __future__ import annotations

from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.evidence import Evidence
from tenxgraph_tui.tui.causes.trouble import breakdown


def at(place: str, *calls: str) -> Evidence:
    made = tuple(ToolCall(name=name, args={}) for name in calls)
    return Evidence(CaseKey(0, "one"), calls=made, place=place)


def test_an_error_is_told_by_its_kind_and_its_place() -> None:
    found = breakdown("KeyError: 'city'", at("src/agents.py:31"))
    assert found.title == "KeyError in agents.py line 31"
    assert found.actual == (("", "'city'"),)


def test_errors_of_a_kind_at_one_place_are_alike_whatever_they_say() -> None:
    place = at("agents.py:31")
    one = breakdown("KeyError: 'city'", place)
    assert one.key == breakdown("turn 2: KeyError: 'days'", place).key
    assert one.key != breakdown("ValueError: 'city'", place).key
    assert one.key != breakdown("KeyError: 'city'", at("agents.py:32")).key


def test_errors_of_one_name_in_two_folders_are_not_alike() -> None:
    one = breakdown("KeyError: 1", at("a/agents.py:3"))
    other = breakdown("KeyError: 1", at("b/agents.py:3"))
    assert one.title == other.title
    assert one.key != other.key


def test_without_a_place_it_is_what_the_error_says() -> None:
    found = breakdown("response_match_score: judge not available", at(""))
    assert found.title == "response_match_score: judge not available"
    assert breakdown("KeyError: 'city'").title == "KeyError: 'city'"
    assert breakdown("").title == "it broke without a word"


def test_a_time_out_names_what_was_called_last() -> None:
    found = breakdown("timed out after 10 s", at("", "get_weather", "get_forecast"))
    assert found.title == "timed out after 10 s"
    assert found.actual == (("", "after get_forecast"),)


def test_nothing_to_check_is_one_cause_for_each_reason() -> None:
    found = breakdown("nothing to check: no expected response")
    assert found.title == "nothing to check"
    assert found.actual == (("", "no expected response"),)
    assert found.key != breakdown("nothing to check: the case expects nothing").key
