from __future__ import annotations

from tenxgraph_tui.tui.whatif.scored import BINS, Scored, bin_of


def test_a_threshold_cuts_the_scores_in_two() -> None:
    scored = Scored("rouge_match", 0.5, [(0.9, 0), (0.2, 1), (0.5, 2)])
    assert [scored.passes(case) for case in (0, 1, 2, 3)] == [True, False, True, None]
    assert [*scored.move(0.6)] == [2]
    assert [*scored.moved] == [2]
    assert [*scored.move(0.1)] == [1, 2]
    assert [*scored.moved] == [1]


def test_each_score_is_in_the_bar_that_begins_below_it() -> None:
    assert [bin_of(score) for score in (0.0, 0.04, 0.05, 0.1 + 0.2, 0.95, 1.0)] == [
        *(0, 0, 1, 6, 19, BINS - 1)
    ]
