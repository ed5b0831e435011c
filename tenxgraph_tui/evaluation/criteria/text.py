"""Whether the agent said what was expected: no model, no cost."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from tenxgraph_tui.evaluation.config import CriterionConfig
from tenxgraph_tui.evaluation.criteria.base import SyncCriterion
from tenxgraph_tui.evaluation.criteria.reasons import listed
from tenxgraph_tui.evaluation.criteria.tools import worst_turn
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import ExecutionResult
from tenxgraph_tui.evaluation.results import NotEvaluated, Score
from tenxgraph_tui.evaluation.tokens import fold, shared, spans, words

NO_RESPONSE_EXPECTED = NotEvaluated("no expected response")


class _AnswerCriterion(SyncCriterion):
    """Scores every turn that has an expected answer; the worst turn is the score."""

    def score_sync(self, actual: ExecutionResult, expected: EvalCase) -> Score | NotEvaluated:
        turns = list(_expected_answers(actual, expected))
        if not turns:
            return NO_RESPONSE_EXPECTED
        scores = [self.compare(wanted, answer) for _, wanted, answer in turns]
        return worst_turn(scores, [position for position, _, _ in turns])

    def compare(self, expected: str, answer: str) -> Score:
        """The score of one turn's answer beside the expected one."""
        raise NotImplementedError


class RougeMatchCriterion(_AnswerCriterion):
    """ROUGE-1 F1: how many words the answer shares with the expected one, repeats clipped.

    The number is the one of the `rouge_score` package with the words of `tokens.words` instead of
    its own, which knows only a to z and digits. The measure is from Lin, "ROUGE: A Package for
    Automatic Evaluation of Summaries" (2004).
    """

    name = "rouge_match"
    description = "Evaluates response text similarity using ROUGE-1"

    def compare(self, expected: str, answer: str) -> Score:
        wanted, said = words(expected), words(answer)
        common = shared(wanted, said)
        details = {
            "precision": common / len(said) if said else 0.0,
            "recall": common / len(wanted) if wanted else 0.0,
            "expected_response": expected,
        }
        both = len(wanted) + len(said)
        return Score(
            2 * common / both if both else 0.0,
            _rouge_reason(len(wanted), len(said), common, answer),
            details,
        )


class ExactMatchCriterion(_AnswerCriterion):
    """1.0 where the answer is the expected text, but for space around it and its Unicode form."""

    name = "exact_match"
    description = "Evaluates exact string match of response"

    def compare(self, expected: str, answer: str) -> Score:
        wanted, said = (unicodedata.normalize("NFC", text.strip()) for text in (expected, answer))
        details = {"expected_response": expected}
        if wanted == said:
            return Score(1.0, "the same text", details)
        if not said:
            return Score(0.0, "no response", details)
        at = next(
            (at for at, (a, b) in enumerate(zip(wanted, said, strict=False)) if a != b),
            min(len(wanted), len(said)),
        )
        there = f"expected {wanted[at : at + 20]!r} / got {said[at : at + 20]!r}"
        return Score(0.0, f"differs from character {at + 1} on: {there}", details)


class ContainsKeywordsCriterion(SyncCriterion):
    """The share of the keywords that stand in any answer of the conversation.

    A keyword must stand alone where it begins or ends with a word: `cat` is not in `concatenate`,
    `C++` is in `C++17`. Case, Unicode form and line breaks do not matter; a keyword that is listed
    twice counts twice. Keywords of the config win over `keywords`.
    """

    name = "contains_keywords"
    description = "Evaluates presence of required keywords in response"

    def __init__(
        self, keywords: list[str] | None = None, config: CriterionConfig | None = None
    ) -> None:
        super().__init__(config)
        self.keywords = list(self.config.keywords or keywords or [])

    def score_sync(
        self,
        actual: ExecutionResult,
        expected: EvalCase,  # noqa: ARG002 - the keywords are the expectation
    ) -> Score | NotEvaluated:
        keywords = [keyword for keyword in self.keywords if keyword.strip()]
        if not keywords:
            return NotEvaluated("no keywords to look for")
        answers = [_plain(answer) for answer in actual.responses()]
        found = [word for word in keywords if any(_holds(answer, word) for answer in answers)]
        missing = [word for word in keywords if word not in found]
        total = len(keywords)
        return Score(
            len(found) / total,
            f"missing: {listed(missing)}" if missing else f"{total} of {total} keywords found",
            {"keywords": keywords, "found": found, "missing": missing},
        )


def _expected_answers(
    actual: ExecutionResult, expected: EvalCase
) -> Iterator[tuple[int, str, str]]:
    """(position of the turn, expected answer, answer) of each turn that expects one.

    A turn that was never reached has the answer "". Of a hand-made execution without turns only the
    last turn can be compared.
    """
    answers = dict(enumerate(turn.response for turn in actual.turns))
    last = len(expected.conversation) - 1
    for position, turn in enumerate(expected.conversation):
        wanted = turn.expected_text()
        if wanted is None:
            continue
        if actual.turns:
            yield position, wanted, answers.get(position, "")
        elif position == last:
            yield position, wanted, actual.actual_response


def _rouge_reason(wanted: int, said: int, common: int, answer: str) -> str:
    longer = max(wanted, said)
    if not answer.strip():
        return "no response"
    if not longer:
        return "neither text has a word"
    if common == longer:
        return "the same words"
    return f"{longer - common} of {longer} words differ"


def _plain(text: str) -> str:
    return " ".join(fold(text).split())


def _holds(text: str, keyword: str) -> bool:
    """Whether a plain text holds a keyword that neither begins nor ends within a word of it."""
    keyword = _plain(keyword)
    at = text.find(keyword)
    while at >= 0:
        end = at + len(keyword)
        if _stands_alone(text, at, end):
            return True
        at = text.find(keyword, at + 1)
    return False


def _stands_alone(text: str, at: int, end: int) -> bool:
    first = text.rfind(" ", 0, at) + 1  # no word reaches over a space
    last = text.find(" ", end)
    around = text[first : last if last >= 0 else len(text)]
    return not any(
        start < edge - first < stop for _, start, stop in spans(around) for edge in (at, end)
    )
