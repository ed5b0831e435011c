from __future__ import annotations

import random

import pytest

from tenxgraph_tui.evaluation.events import CaseInfo, CaseStatus
from tenxgraph_tui.evaluation.progress import NOT_PASSED, CaseProgress
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.filtering.conditions import Predicate
from tenxgraph_tui.tui.rows import Rows, View
from tenxgraph_tui.tui.sorting import Rank

RUNNING, PASSED, FAILED = CaseStatus.RUNNING, CaseStatus.PASSED, CaseStatus.FAILED


def cases(count: int = 8, **by_name: CaseStatus) -> list[CaseProgress]:
    made = [CaseProgress(CaseKey(0, str(n)), CaseInfo(eval_id=str(n))) for n in range(count)]
    for one in made:
        one.status = by_name.get(f"c{one.key.eval_id}", CaseStatus.WAITING)
    return made


def as_in_files(case: CaseProgress) -> float:
    return 0.0


def by_tokens(case: CaseProgress) -> float:
    return -case.tokens


def names(rows: Rows) -> str:
    return "".join(one.key.eval_id for one in rows)


def made(
    over: list[CaseProgress], wants: Predicate | None = None, rank: Rank = as_in_files
) -> Rows:
    rows = Rows()
    rows.set(over, View(wants, rank, lanes=3))
    return rows


def test_running_cases_come_first_and_the_rest_keeps_its_order() -> None:
    rows = made(cases(c1=RUNNING, c3=RUNNING, c5=RUNNING, c7=RUNNING))
    assert names(rows) == "13502467"
    assert [rows.place_of(one.key) for one in rows] == list(range(8))


def test_a_case_that_ends_goes_back_to_its_place() -> None:
    over = cases(c1=RUNNING, c3=RUNNING)
    rows = made(over)
    over[1].status = PASSED
    over[6].status = RUNNING
    assert rows.update([over[1].key, over[6].key])
    assert names(rows) == "36012457"


def test_a_change_that_moves_nothing_says_so() -> None:
    over = cases()
    rows = made(over)
    over[2].status = FAILED
    assert not rows.update([over[2].key, CaseKey(9, "unknown")])
    assert rows.not_passed == 1


def test_rows_are_only_what_is_wanted_and_come_and_go() -> None:
    over = cases(c2=FAILED, c5=FAILED)
    rows = made(over, wants=lambda one: one.status is FAILED)
    assert names(rows) == "25"
    over[2].status, over[7].status = PASSED, FAILED
    assert rows.update([over[2].key, over[7].key])
    assert names(rows) == "57"
    assert rows.place_of(over[2].key) is None
    assert rows.near(over[2].key) == 0
    assert rows.near(over[6].key) == 1
    assert rows.near(CaseKey(9, "unknown")) == 0


def test_the_next_row_that_did_not_pass_is_found_from_anywhere() -> None:
    over = cases(c2=FAILED, c5=CaseStatus.ERROR, c7=RUNNING)
    rows = made(over)

    def after(name: str | None, step: int = 1) -> str:
        key = over[int(name)].key if name is not None else None
        found = rows.next_not_passed(key, step)
        return found.eval_id if found else ""

    assert (after("0"), after("2"), after("3"), after("5")) == ("2", "5", "5", "2")
    assert (after("0", -1), after("2", -1), after("3", -1), after("6", -1)) == ("5", "5", "2", "5")
    assert (after("7"), after("7", -1), after(None)) == ("2", "5", "2")
    assert [rows.standing(one.key) for one in over] == [0, 0, 1, 0, 0, 2, 0, 0]
    assert made(cases()).next_not_passed(None, 1) is None


@pytest.mark.parametrize("rank", [as_in_files, by_tokens], ids=["file order", "most tokens first"])
@pytest.mark.parametrize(
    "wants", [None, lambda one: one.tokens % 3 != 0], ids=["everything", "filtered"]
)
def test_rows_that_were_updated_are_those_that_would_be_made_anew(
    rank: Rank, wants: Predicate | None
) -> None:
    dice = random.Random(7)
    over = cases(40)
    rows = made(over, wants=wants, rank=rank)
    for _ in range(300):
        changed = dice.sample(over, dice.randint(1, 5))
        for one in changed:
            one.status, one.tokens = dice.choice(list(CaseStatus)), dice.randint(0, 9)
        rows.update(one.key for one in changed)
        anew = made(over, wants=wants, rank=rank)
        assert names_of(rows) == names_of(anew)
        assert [rows.place_of(one.key) for one in rows] == list(range(len(rows)))
        bad = [one.key for one in rows if one.status in NOT_PASSED]
        assert [rows.standing(key) for key in bad] == list(range(1, rows.not_passed + 1))


def names_of(rows: Rows) -> list[str]:
    return [one.key.eval_id for one in rows]
