"""What our rules give where 10xGraph breaks its own documents, worked out by hand.

Scores are by reported name; what is not listed is as golden. `NOT` is "not evaluated".
"""

from __future__ import annotations

from typing import Any

NOT = "not_evaluated"

_TRAJECTORY = "tool_trajectory_avg_score"
_NODES = "node_order_score"


def _trajectory(score: float) -> dict[str, Any]:
    return {_TRAJECTORY: score}


def _nodes(**scores: Any) -> dict[str, dict[str, Any]]:
    return {case: {_NODES: score} for case, score in scores.items()}


def _rouge(**scores: Any) -> dict[str, dict[str, Any]]:
    return {case: {"rouge_match": score} for case, score in scores.items()}


SCORES: dict[str, dict[str, dict[str, Any]]] = {
    # D04: true is not 1. D05: an argument called state stays. D03: the largest assignment counts.
    "args-any_order-check": {
        "int_vs_bool": _trajectory(0.0),
        "arg_named_state": _trajectory(1.0),
        "wildcard_then_specific": _trajectory(1.0),
    },
    "args-exact-check": {"int_vs_bool": _trajectory(0.0), "arg_named_state": _trajectory(1.0)},
    # D11: one word of 200 000 is not the same text.
    "huge-output": _rouge(c=2 / 200_001),
    # D46: keywords are whole words, and a blank one is none.
    "keywords-empty_keyword": {"c": {"contains_keywords": NOT}},
    "keywords-substring": {"c": {"contains_keywords": 0.0}},
    # D14: every turn is judged, the worst one counts; keywords may stand in any answer.
    "multiturn-early-turn-wrong": {"c": {"rouge_match": 0.0}},
    "multiturn-keyword-in-first-turn": {"c": {"contains_keywords": 1.0}},
    # D15: an expected answer is compared with the answer of its own turn.
    "multiturn-last-turn-no-expected": _rouge(c=1.0),
    # D10: the visits are MAIN, TOOL, MAIN; __start__ and __end__ are none.
    "nodes-any_order": _nodes(
        actual_full=1.0,
        docs_example=1.0,
        main_main=1.0,
        main=1.0,
        start_main=1.0,
        extra_expected=2 / 3,
        wrong=0.0,
        reversed=1.0,
        empty=NOT,
        with_end=1.0,
        case_differs=0.0,
    ),
    "nodes-exact": _nodes(
        actual_full=1 / 3,
        docs_example=1.0,
        main_main=1 / 3,
        main=1 / 3,
        start_main=1 / 3,
        extra_expected=2 / 3,
        wrong=0.0,
        reversed=1 / 3,
        empty=NOT,
        with_end=1 / 3,
        case_differs=0.0,
    ),
    "nodes-no-tools": _nodes(c=1.0),
    # D45: exactly three quarters.
    "rouge-float-boundary": _rouge(c=0.75),
    # D11: counted words of any script. D12: nothing to compare is not half right.
    "rouge-matrix": _rouge(
        repeat_actual=4 / 7,
        repeat_expected=4 / 7,
        repeat_both=2 / 3,
        three_quarter_float=0.75,
        unicode_case=1.0,
        nfc_nfd=1.0,
        cjk=5 / 6,
        emoji_only=0.0,
        underscore=1.0,
        devanagari=2 / 3,
        thai=8 / 11,
        empty_expected_string=NOT,
        punct_only_both=0.0,
        turkish_i=0.0,
        zero_width=0.0,
    ),
    "rouge-no-expected": _rouge(with_answer=NOT, no_answer=NOT),
    # D09: what the runtime injects is no argument.
    "tool-injected-config-leak": {"c": _trajectory(1.0)},
    # D07: a call of an unknown tool was made.
    "tool-unregistered": {"c": {_TRAJECTORY: 1.0, "tool_name_match_score": 1.0}},
    # D01: EXACT allows no extra call.
    "traj-exact-dup_actual": {"c": _trajectory(0.5)},
    # D02: one missing first call does not zero the rest.
    "traj-in_order-missing_first": {"c": _trajectory(0.5)},
    "traj-in_order-missing_first_of_three": {"c": _trajectory(2 / 3)},
}

TOOLS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "arg_named_state": [("alpha", {"state": "CA", "x": 1})],
    "tool-injected-config-leak": [("alpha", {"x": 1})],
    "tool-unregistered": [("alpha", {})],
    # D19: what was recorded before an error is kept, also where the corpus calls it pure parity.
    "error-after-tool": [("alpha", {})],
    "tool-thirteen-steps": [("alpha", {"i": number}) for number in range(12)],
}
"""By file, or by case id in a file of many: calls that 10xGraph loses or invents."""

ONLY_OURS = {"empty-conversation": "nothing to check: the case has no turns"}
"""D13: files whose only case is an error here, and why."""

REFUSED = {
    # D20, D44
    "duplicate-eval-ids": r"'dup' stands twice: eval_cases\[0\] and eval_cases\[1\]",
    "traj-threshold-2.0": r"threshold must be between 0\.0 and 1\.0, not 2\.0",
    "traj-threshold-negative": r"threshold must be between 0\.0 and 1\.0, not -1\.0",
}
"""Files that are not run at all, and what is said instead."""
