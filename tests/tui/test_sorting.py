from __future__ import annotations

from typing import Any

import pytest

from tenxgraph_tui.evaluation.events import CaseInfo, CaseStatus, VerdictPreview
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import CaseKey, Verdict
from tenxgraph_tui.tui.sorting import FILE_ORDER, Order, next_order, order_named, orders, rank_of
from tests.tui.script import CRITERIA, verdict


def case(name: str, status: CaseStatus = CaseStatus.PASSED, **fields: Any) -> CaseProgress:
    scores = fields.pop("scores", ())
    verdicts = {c.name: verdict(c, score) for c, score in zip(CRITERIA, scores, strict=False)}
    info = CaseInfo(eval_id=name)
    return CaseProgress(CaseKey(0, name), info, status=status, verdicts=verdicts, **fields)


BROKEN = VerdictPreview(criterion=CRITERIA[1].name, verdict=Verdict.ERROR)
CASES = (
    case("a", scores=(1.0, 0.9), tokens=10, cost=0.2, duration_seconds=1.0),
    case("b", CaseStatus.FAILED, scores=(1.0, 0.2), tokens=30, cost=0.1, duration_seconds=3.0),
    case("c", CaseStatus.ERROR, tokens=20, duration_seconds=2.0),
    case("d", CaseStatus.WAITING),
    case("e", CaseStatus.RUNNING, tokens=99),
    case("f", scores=(1.0, None), tokens=5, cost=0.3, duration_seconds=4.0),
)
CASES[2].verdicts[BROKEN.criterion] = BROKEN
CHANGES = {"b": 0.0, "a": 1.0}


def sorted_by(order: Order) -> str:
    rank = rank_of(
        order,
        CRITERIA,
        change_rank=lambda one: CHANGES.get(one.key.eval_id, float("inf")),
        name_rank=lambda one: ord(one.key.eval_id),
    )
    return "".join(one.key.eval_id for one in sorted(CASES, key=rank))


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        pytest.param("", "abcdef", id="as in the files"),
        pytest.param("case", "abcdef", id="by name"),
        pytest.param("-case", "fedcba", id="by name, from the end"),
        pytest.param("status", "cbedaf", id="errors, failures, what is not over, passes"),
        pytest.param("-status", "afdebc", id="passes first"),
        pytest.param("trajectory", "cbadef", id="no verdict is worse than a low score"),
        pytest.param("-trajectory", "abcdef", id="what has no score is last either way"),
        pytest.param("tokens", "bcafde", id="most tokens; a running case has no number yet"),
        pytest.param("-tokens", "facbde", id="fewest tokens"),
        pytest.param("cost", "fabcde", id="dearest, an unknown price last"),
        pytest.param("-cost", "bafcde", id="cheapest, an unknown price last"),
        pytest.param("time", "fbcade", id="slowest"),
        pytest.param("change", "bacdef", id="regressed first"),
        pytest.param("gone", "abcdef", id="a criterion that no case has changes nothing"),
    ],
)
def test_cases_are_sorted(name: str, wanted: str) -> None:
    order = order_named(name)
    assert order.name == name
    assert sorted_by(order) == wanted


def test_one_key_goes_through_every_order_that_there_is() -> None:
    among = orders(CRITERIA, costs=True, changes=True)
    names = [order.by for order in among]
    assert names[:3] == ["", "status", "tool_name_match"]
    assert names[-4:] == ["tokens", "cost", "time", "change"]
    assert next_order(Order("change"), among) == FILE_ORDER
    assert next_order(Order("status", is_reversed=True), among) == Order("tool_name_match")
    assert next_order(Order("gone"), among) == FILE_ORDER
    assert [order.by for order in orders((), costs=False)] == ["", "status", "tokens", "time"]


def test_a_header_sorts_then_turns_then_gives_the_order_of_the_files() -> None:
    once = FILE_ORDER.clicked("time")
    assert once == Order("time")
    assert once.clicked("time") == Order("time", is_reversed=True)
    assert once.clicked("time").clicked("time") == FILE_ORDER
    assert once.clicked("cost") == Order("cost")


@pytest.mark.parametrize(
    ("name", "words", "arrow"),
    [
        ("time", "slowest first", "↓"),
        ("-time", "fastest first", "↑"),
        ("trajectory", "lowest traj first", "↑"),
        ("-trajectory", "highest traj first", "↓"),
        ("", "in file order", "↑"),
    ],
)
def test_an_order_says_what_is_on_top(name: str, words: str, arrow: str) -> None:
    order = order_named(name)
    assert order.words(CRITERIA) == words
    assert order.arrow == arrow
