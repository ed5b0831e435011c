"""However many saves arrive, and whatever the user presses: one run at a time, nothing is lost."""

from __future__ import annotations

import itertools
import random

import pytest

from tenxgraph_tui.session.watching.decision import Rerun
from tenxgraph_tui.session.watching.loop import (
    Ask,
    Commands,
    Discard,
    Ending,
    Keep,
    Loop,
    Phase,
    Start,
    Stop,
)

A, B = Rerun(frozenset({("s", "a")}), ("a",)), Rerun(frozenset({("s", "b")}), ("b",))
AB = Rerun(frozenset({("s", "a"), ("s", "b")}), ("a", "b"))
ALL = Rerun(None, ("code",))


def started(loop: Loop, commands: Commands) -> Rerun:
    assert isinstance(commands[-1], Start)
    assert loop.phase is Phase.RUNNING
    return commands[-1].rerun


def test_a_change_starts_a_run_and_its_results_count() -> None:
    loop = Loop()
    assert loop.changed(A) == (Start(A),)
    assert loop.ended(Ending.COMPLETED) == (Keep(),)
    assert (loop.phase, loop.due, loop.running) == (Phase.IDLE, None, None)


def test_five_saves_during_a_run_make_one_that_follows() -> None:
    loop = Loop()
    loop.changed(A)
    answers = [loop.changed(B) for _ in range(5)]
    assert answers == [(Stop(),), (), (), (), ()]
    assert loop.ended(Ending.CANCELLED) == (Discard(), Start(AB))
    assert loop.ended(Ending.COMPLETED) == (Keep(),)


def test_a_run_that_ends_by_itself_while_it_is_stopped_is_discarded_too() -> None:
    loop = Loop()
    loop.changed(A)
    loop.changed(B)
    assert loop.ended(Ending.COMPLETED) == (Discard(), Start(AB))


def test_everything_that_was_superseded_runs_again_as_everything() -> None:
    loop = Loop()
    loop.changed(ALL)
    loop.changed(A)
    assert started(loop, loop.ended(Ending.CANCELLED)).is_everything


def test_what_could_not_be_run_is_due_with_the_next_change() -> None:
    loop = Loop()
    loop.changed(A)
    assert loop.ended(Ending.FAILED) == (Discard(),)
    assert (loop.phase, loop.due) == (Phase.IDLE, A)
    assert started(loop, loop.changed(B)) == AB


def test_what_the_user_cancelled_counts_as_far_as_it_came() -> None:
    loop = Loop()
    loop.changed(ALL)
    assert loop.ended(Ending.CANCELLED) == (Keep(),)
    assert loop.due is None


def test_a_paid_run_waits_for_a_key() -> None:
    loop = Loop(must_ask=lambda rerun: rerun.is_everything)
    assert loop.changed(A) == (Start(A),)
    loop.ended(Ending.COMPLETED)
    assert loop.changed(ALL) == (Ask(ALL),)
    assert loop.phase is Phase.ARMED
    assert loop.confirm() == (Start(ALL),)


def test_a_change_while_it_is_armed_asks_for_both() -> None:
    loop = Loop(must_ask=lambda _: True)
    loop.changed(A)
    assert loop.changed(B) == (Ask(AB),)


def test_not_now_stays_due_and_is_asked_for_with_the_next_change() -> None:
    loop = Loop(must_ask=lambda _: True)
    loop.changed(A)
    assert loop.decline() == ()
    assert (loop.phase, loop.due) == (Phase.IDLE, A)
    assert loop.changed(B) == (Ask(AB),)


def test_a_part_can_be_confirmed_and_the_rest_is_not_due_any_more() -> None:
    loop = Loop(must_ask=lambda _: True)
    loop.changed(ALL)
    assert loop.confirm(A) == (Start(A),)
    assert loop.due is None


def test_a_change_during_a_paid_run_stops_it_and_asks() -> None:
    loop = Loop(must_ask=lambda _: True)
    loop.changed(A)
    loop.confirm()
    assert loop.changed(B) == (Stop(),)
    assert loop.ended(Ending.CANCELLED) == (Discard(), Ask(AB))


def test_the_users_run_is_never_asked_about_and_stops_what_goes_on() -> None:
    loop = Loop(must_ask=lambda rerun: rerun.is_everything)
    loop.changed(A)
    assert loop.wanted(ALL) == (Stop(),)
    assert loop.ended(Ending.CANCELLED) == (Discard(), Start(ALL))


def test_what_the_users_run_leaves_out_of_a_save_stays_due() -> None:
    loop = Loop()
    loop.changed(A)
    loop.wanted(B)
    assert started(loop, loop.ended(Ending.CANCELLED)) == B
    assert loop.due == A


def test_what_the_users_run_covers_is_not_due_any_more() -> None:
    loop = Loop(must_ask=lambda _: True)
    loop.changed(A)
    assert loop.wanted(ALL) == (Start(ALL),)
    assert loop.due is None


def test_one_run_of_the_users_in_place_of_another_leaves_nothing_due() -> None:
    loop = Loop()
    loop.wanted(ALL)
    loop.wanted(A)
    assert started(loop, loop.ended(Ending.CANCELLED)) == A
    assert loop.due is None


def test_a_save_while_the_users_run_waits_makes_one_run_of_both() -> None:
    loop = Loop()
    loop.changed(A)
    loop.wanted(A)
    assert loop.changed(B) == ()
    assert started(loop, loop.ended(Ending.CANCELLED)) == AB


def test_a_run_that_went_on_before_is_superseded_like_any() -> None:
    loop = Loop()
    loop.began(A)
    assert loop.changed(B) == (Stop(),)
    assert started(loop, loop.ended(Ending.CANCELLED)) == AB


@pytest.mark.parametrize("method", ["confirm", "decline"])
def test_keys_of_a_question_do_nothing_where_none_is_asked(method: str) -> None:
    loop = Loop()
    assert getattr(loop, method)() == ()
    loop.changed(A)
    assert getattr(loop, method)() == ()
    assert loop.phase is Phase.RUNNING


def test_an_end_that_nobody_waits_for_is_nothing() -> None:
    assert Loop().ended(Ending.COMPLETED) == ()


@pytest.mark.parametrize("seed", range(20))
def test_whatever_happens_one_runs_at_a_time_and_no_change_is_lost(seed: int) -> None:
    chance, running, covered = random.Random(seed), 0, set[str]()
    loop = Loop(must_ask=lambda _: chance.random() < 0.3)
    names = map(str, itertools.count())
    changed = set[str]()

    def carry_out(commands: Commands) -> None:
        nonlocal running
        for command in commands:
            if isinstance(command, Start):
                running += 1
                assert running == 1
            if isinstance(command, Keep):
                assert kept is not None
                covered.update(eval_id for _, eval_id in kept.cases or ())

    kept: Rerun | None = None
    for _ in range(200):
        match chance.randrange(4):
            case 0 | 1:
                changed.add(name := next(names))
                carry_out(loop.changed(Rerun(frozenset({("s", name)}))))
            case 2 if running:
                running, kept = 0, loop.running
                carry_out(loop.ended(chance.choice([Ending.COMPLETED, Ending.FAILED])))
            case _:
                carry_out(chance.choice([loop.confirm, loop.decline])())
    due = loop.due.cases if loop.due is not None else ()
    still = loop.running.cases if loop.running is not None else ()
    left = {eval_id for part in (due, still) for _, eval_id in part or ()}
    assert covered | left == changed
