from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from tenxgraph_tui.evaluation.events import CaseInfo, CaseStatus, VerdictPreview
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import (
    CaseKey,
    CriterionResult,
    EvalCaseResult,
    Score,
    Verdict,
)
from tenxgraph_tui.tui.whatif.trial import Trial, concluded

TOOLS, WORDS = "tool_name_match_score", "rouge_match"
ASKED = {TOOLS: 1.0, WORDS: 0.5}


def results(
    scores: Mapping[str, float | None], asked: Mapping[str, float]
) -> list[CriterionResult]:
    """What the library makes of scores; None is a criterion that there was nothing for."""
    return [
        CriterionResult.judged(name, Score(score), asked[name])
        if score is not None
        else CriterionResult.not_evaluated(name, "nothing", asked[name])
        for name, score in scores.items()
    ]


def status(found: Sequence[CriterionResult]) -> CaseStatus:
    result = EvalCaseResult.success("", list(found))
    if result.is_error:
        return CaseStatus.ERROR
    return CaseStatus.PASSED if result.passed else CaseStatus.FAILED


def case(place: int, found: Sequence[CriterionResult], **fields: object) -> CaseProgress:
    verdicts = {
        one.criterion: VerdictPreview(one.criterion, one.verdict, one.score, one.threshold)
        for one in found
    }
    made = CaseProgress(CaseKey(0, f"case {place}"), CaseInfo(f"case {place}"), status(found))
    made.verdicts = verdicts
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def trial(*scores: Mapping[str, float | None]) -> Trial:
    made = [case(place, results(one, ASKED)) for place, one in enumerate(scores)]
    return Trial(made, lambda _: ASKED)


def statuses(one: Trial) -> list[CaseStatus]:
    return [one.status(place) for place in range(len(one.cases))]


PASSED, FAILED, ERROR = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR
SCORES = st.one_of(
    st.none(), st.sampled_from([0.0, 0.3, 0.45, 0.5, 0.6, 0.75, 1.0]), st.floats(0, 1)
)
MOVES = st.tuples(
    st.sampled_from([TOOLS, WORDS]),
    st.one_of(st.none(), st.sampled_from([0.0, 0.3, 0.5, 0.6, 1.0]), st.floats(0, 1)),
    st.booleans(),
)


@given(
    st.lists(st.fixed_dictionaries({TOOLS: SCORES, WORDS: SCORES}), max_size=12),
    st.lists(MOVES, max_size=8),
)
def test_whatever_is_moved_each_case_is_what_the_library_would_make_of_it(
    scores: list[dict[str, float | None]], moves: list[tuple[str, float | None, bool]]
) -> None:
    tried = trial(*scores)
    asked, on = dict(ASKED), dict.fromkeys(ASKED, True)
    for name, threshold, is_on in moves:
        tried.attempt(name, threshold, is_on=is_on)
        asked[name] = ASKED[name] if threshold is None else threshold
        on[name] = is_on
    wanted = [[one for one in results(score, asked) if on[one.criterion]] for score in scores]
    assert statuses(tried) == [status(found) for found in wanted]
    assert [[one.verdict for one in tried.verdicts(place)] for place in range(len(scores))] == [
        [one.verdict for one in found] for found in wanted
    ]
    flipped = {place for place, one in enumerate(tried.cases) if tried.status(place) != one.status}
    assert tried.flipped == flipped
    assert +tried.counts == +type(tried.counts)(statuses(tried))
    not_passed = [
        case.key for case, now in zip(tried.cases, statuses(tried), strict=True) if now != PASSED
    ]
    assert [one.key for one in tried.failures()] == not_passed


def test_a_lower_threshold_lets_a_case_pass_and_its_own_brings_it_back() -> None:
    tried = trial({TOOLS: 1.0, WORDS: 0.45}, {TOOLS: 0.5, WORDS: 0.45})
    assert statuses(tried) == [FAILED, FAILED]
    tried.attempt(WORDS, 0.4, is_on=True)
    assert statuses(tried) == [PASSED, FAILED]
    assert [*tried.changed(WORDS)] == [0, 1]
    tried.attempt(WORDS, None, is_on=True)
    assert statuses(tried) == [FAILED, FAILED]
    assert not tried.flipped


def test_a_score_a_hair_below_the_threshold_passes_as_in_a_run() -> None:
    tried = trial({TOOLS: 1.0, WORDS: 0.3})
    tried.attempt(WORDS, 0.1 + 0.2, is_on=True)  # 0.30000000000000004
    assert statuses(tried) == [PASSED]


def test_what_is_not_checked_any_more_may_leave_nothing_to_check() -> None:
    tried = trial({TOOLS: None, WORDS: 0.1})
    tried.attempt(WORDS, None, is_on=False)
    assert statuses(tried) == [ERROR]
    assert [one.error for one in tried.failures()] == ["nothing to check: "]


def test_a_threshold_of_its_own_stays_with_its_case() -> None:
    made = [case(0, results({TOOLS: 1.0, WORDS: 0.35}, {TOOLS: 1.0, WORDS: 0.3}))]
    tried = Trial(made, lambda _: ASKED)
    tried.attempt(WORDS, 0.9, is_on=True)
    assert statuses(tried) == [PASSED]
    named = Trial([case(0, results({TOOLS: 1.0, WORDS: 0.6}, ASKED))], lambda _: {TOOLS: 1.0})
    named.attempt(WORDS, 0.9, is_on=True)
    assert statuses(named) == [PASSED]


def test_a_criterion_that_decides_by_itself_keeps_its_verdict() -> None:
    odd = case(0, results({TOOLS: 1.0, WORDS: 0.2}, ASKED))
    odd.verdicts[WORDS] = VerdictPreview(WORDS, Verdict.PASSED, 0.2, 0.5)
    odd.status = PASSED
    tried = Trial([odd, case(1, results({TOOLS: 1.0, WORDS: 0.6}, ASKED))], lambda _: ASKED)
    tried.attempt(WORDS, 0.9, is_on=True)
    assert statuses(tried) == [PASSED, FAILED]
    tried.attempt(WORDS, None, is_on=False)
    assert statuses(tried) == [PASSED, PASSED]


def test_a_known_failure_counts_as_passed_whatever_the_threshold_is() -> None:
    known = case(0, results({TOOLS: 0.5, WORDS: 0.2}, ASKED), known=True, status=PASSED)
    tried = Trial([known], lambda _: ASKED)
    for threshold in (0.0, 0.2, 1.0):
        tried.attempt(WORDS, threshold, is_on=True)
        assert statuses(tried) == [PASSED]


def test_an_error_whose_failure_is_expected_is_known_once_it_is_no_error() -> None:
    found = [*results({TOOLS: 0.5}, ASKED), CriterionResult.failure(WORDS, "broke", 0.5)]
    broken = case(0, found)
    assert broken.status is ERROR
    tried = Trial([broken], lambda _: ASKED, excused={0})
    tried.attempt(WORDS, None, is_on=False)
    assert statuses(tried) == [PASSED]


def test_an_agent_that_broke_is_in_error_whatever_the_scores_were() -> None:
    broken = case(0, results({TOOLS: 1.0, WORDS: 0.9}, ASKED), status=ERROR, error="KeyError: 1")
    tried = Trial([broken], lambda _: ASKED)
    tried.attempt(WORDS, 0.1, is_on=True)
    tried.attempt(TOOLS, None, is_on=False)
    assert statuses(tried) == [ERROR]
    assert [one.error for one in tried.failures()] == ["KeyError: 1"]


def test_sets_with_different_thresholds_move_to_the_same_one() -> None:
    made = [
        case(0, results({WORDS: 0.45}, {WORDS: 0.4})),
        case(1, results({WORDS: 0.45}, {WORDS: 0.5})),
    ]
    asked = {made[0].key: {WORDS: 0.4}, made[1].key: {WORDS: 0.5}}
    tried = Trial(made, lambda one: asked[one.key])
    assert statuses(tried) == [PASSED, FAILED]
    tried.attempt(WORDS, 0.6, is_on=True)
    assert statuses(tried) == [FAILED, FAILED]
    tried.attempt(WORDS, None, is_on=True)
    assert statuses(tried) == [PASSED, FAILED]


def test_verdicts_tell_the_threshold_that_was_tried() -> None:
    tried = trial({TOOLS: 1.0, WORDS: 0.55})
    tried.attempt(WORDS, 0.6, is_on=True)
    assert [(one.criterion, one.threshold) for one in tried.verdicts(0)] == [
        (TOOLS, 1.0),
        (WORDS, 0.6),
    ]


def test_what_verdicts_make_of_a_case_is_the_rule_of_the_library() -> None:
    assert concluded(frozenset({Verdict.PASSED, Verdict.NOT_EVALUATED})) is PASSED
    assert concluded(frozenset({Verdict.PASSED, Verdict.FAILED})) is FAILED
    assert concluded(frozenset({Verdict.FAILED, Verdict.ERROR})) is ERROR
    assert concluded(frozenset({Verdict.NOT_EVALUATED})) is ERROR
    assert concluded(frozenset()) is ERROR
