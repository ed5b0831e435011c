from __future__ import annotations

import pytest

from tenxgraph_tui.tui.finding import Index, matched

NAMES = [
    "weather/tokyo_forecast",
    "weather/osaka_weekend",
    "support/Two_orders_one_email",
    "support/stories [/INST]",
    "İstanbul/ßtraße",
]


@pytest.mark.parametrize(
    ("query", "text", "meant"),
    [
        ("fail", "Rerun failed cases", ["fail"]),
        ("cases rerun", "Rerun failed cases", ["Rerun", "cases"]),
        ("rfc", "Rerun failed cases", ["R", "f", "c"]),
        ("refai", "Rerun failed cases", ["Re", "fai"]),
        ("tkyo", "weather/tokyo_forecast", ["t", "kyo"]),
        ("orders two", "support/Two_orders_one_email", ["Two", "orders"]),
        ("[/", "support/stories [/INST]", ["[/"]),
        ("erun", "Rerun failed cases", ["erun"]),
    ],
)
def test_a_few_letters_find_what_was_meant(query: str, text: str, meant: list[str]) -> None:
    found = matched(query, text)
    assert found is not None
    assert [text[start:end] for start, end in found[1]] == meant


@pytest.mark.parametrize("query", ["zz", "failx", "cases now", "rrr"])
def test_what_is_not_there_is_not_found(query: str) -> None:
    assert matched(query, "Rerun failed cases") is None
    assert Index(["Rerun failed cases"]).find(query, 5) == []


def test_the_closest_match_comes_first() -> None:
    names = ["to_read_email", "shore_view", "order_two", "in_oregon", "open_raw_email"]
    found = [names[place] for place in Index(names).find("ore", 9)]
    assert found == ["in_oregon", "shore_view", "open_raw_email", "to_read_email", "order_two"]


@pytest.mark.parametrize("query", ["to", "o e", "wo", "tkyo", "İs", "traße", "[", "weather ek"])
def test_many_names_at_once_match_as_each_would_alone(query: str) -> None:
    alone = {name for name in NAMES if matched(query, name)}
    assert {NAMES[place] for place in Index(NAMES).find(query, 9)} == alone
    assert alone


def test_no_more_is_found_than_asked_for() -> None:
    assert Index(["case"] * 1000).find("c", 50) == [*range(50)]


def test_there_may_be_nothing_to_look_in() -> None:
    assert Index([]).find("a", 5) == []
    assert Index(["", "a"]).find("a", 5) == [1]


def test_a_hopeless_query_costs_no_more_than_another() -> None:
    name = "a_" * 150
    assert matched("a" * 30 + "b", name) is None
    assert Index([name] * 100).find("a" * 30 + "b", 5) == []
