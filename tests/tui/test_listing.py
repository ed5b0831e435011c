from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.history import Baseline
from tenxgraph_tui.tui.changes import Comparison
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.listing import Listing, restore
from tenxgraph_tui.tui.remembered import Remembered
from tenxgraph_tui.tui.sorting import Order, order_named
from tests.tui.script import SCRIPT, SUPPORT, WEATHER, Script, catalog, stage

PASSED, FAILED = CaseStatus.PASSED, CaseStatus.FAILED


def desk() -> Desk:
    made = stage().desk
    for event in SCRIPT:
        made.apply(event)
    return made


def names(listing: Listing) -> list[str]:
    return [case.key.eval_id for case in listing.rows]


def compare(with_: Desk, **before: CaseStatus) -> None:
    cases = {("weather.evalset.json", name): status for name, status in before.items()}
    with_.comparison = Comparison(Baseline("run-0", 17, cases, frozenset(), ""))


def test_nothing_is_placed_anew_while_nothing_changes() -> None:
    listing = Listing(desk())
    assert listing.follow(4)
    assert not listing.follow(4)
    assert listing.total == len(listing.rows) == 18


def test_what_happens_moves_only_its_case() -> None:
    over = desk()
    listing = Listing(over)
    listing.follow(4)
    assert names(listing)[:3] == list(SUPPORT[:3])
    for event in Script().finish(CaseKey(1, SUPPORT[0])).events[1:]:
        over.apply(event)
    assert listing.follow(4)
    assert names(listing)[:2] == list(SUPPORT[1:3])
    assert names(listing)[2] == WEATHER[0]


def test_the_end_of_a_run_is_seen_in_cases_that_no_event_names() -> None:
    over = desk()
    listing = Listing(over)
    listing.search.want("status:cancelled")
    listing.follow(4)
    assert names(listing) == []
    for event in Script().end(was_cancelled=True).events:
        over.apply(event)
    listing.follow(4)
    assert len(names(listing)) == 12


def test_a_question_and_a_description_are_looked_through() -> None:
    listing = Listing(desk())
    listing.search.want('"what about kobe"')
    listing.follow(4)
    assert names(listing) == ["kobe_wind"]


def test_reading_ahead_ends_and_finds_the_same() -> None:
    listing = Listing(desk())
    assert listing.search.texts.read_ahead(10)
    assert not listing.search.texts.read_ahead(10)
    listing.search.want("about kobe_wind")
    listing.follow(4)
    assert names(listing) == ["kobe_wind"]
    listing.search.texts.drop()
    assert listing.search.texts.read_ahead(10)


def test_changes_are_filtered_and_sorted_as_soon_as_there_is_a_baseline() -> None:
    over = desk()
    listing = Listing(over)
    listing.search.want("change:regressed or change:fixed")
    listing.order = order_named("change")
    listing.follow(4)
    assert names(listing) == []
    assert Order("change") not in listing.orders()
    compare(over, tokyo_forecast=PASSED, london_now=FAILED, osaka_weekend=FAILED)
    listing.follow(4)
    assert names(listing) == ["tokyo_forecast", "london_now"]
    assert Order("change") in listing.orders()
    assert listing.wanted().change


@pytest.mark.parametrize(
    ("text", "told", "count"),
    [
        pytest.param("stat", "status: … how it ended, or where it stands", 18, id="maybe a key"),
        pytest.param("tokyo stat", "status: … how it ended, or where it stands", 1, id="the last"),
        pytest.param("t", "", 18, id="a letter that is found is a text"),
        pytest.param("nowhere", "", 0, id="a text that is no key finds nothing"),
        pytest.param("statsu:x", "no filter statsu: did you mean status:?", 18, id="wrong"),
    ],
)
def test_typing_hides_nothing_by_surprise(text: str, told: str, count: int) -> None:
    listing = Listing(desk())
    typed = listing.search.want(text)
    listing.follow(4)
    assert typed.told == told
    assert len(listing.rows) == count


def test_cases_are_listed_as_in_the_last_session() -> None:
    listing = Listing(desk())
    remembered = Remembered(sort="-time", filter="status:failed", columns=("-tokens",))
    restore(listing, remembered, ["traj", "tok", "time"])
    listing.follow(4)
    assert names(listing) == ["osaka_weekend", "tokyo_forecast"]
    wanted = listing.wanted()
    assert [one.slot for one in wanted.criteria] == ["trajectory"]
    assert (wanted.tokens, wanted.time, wanted.cost) == (False, True, False)


def test_what_was_remembered_and_makes_no_sense_any_more_shows_everything() -> None:
    listing = Listing(desk())
    restore(listing, Remembered(sort="gone", filter="tag:gone"), [])
    listing.follow(4)
    assert len(listing.rows) == 18


def test_the_rule_says_the_order_only_where_it_is_not_that_of_the_files() -> None:
    over = desk()
    listing = Listing(over)
    assert listing.order_words() == "running first"
    listing.order = order_named("time")
    assert listing.order_words() == "slowest first"
    for event in Script().end().events:
        over.apply(event)
    for name in ("", "safety"):  # a criterion that is not checked
        listing.order = order_named(name)
        assert listing.order_words() == ""


def test_what_a_run_skipped_is_counted() -> None:
    on = stage(catalog(one=["a", "b"]))
    listing = on.app._shared.listing
    assert listing.skipped == 0
    events = Script().begin(on.desk.catalog).finish(CaseKey(0, "a"), CaseStatus.SKIPPED, ()).events
    for event in events:
        on.desk.apply(event)
    assert listing.skipped == 1
