"""What judges said of a case, in lines: for screens and for every kind of report.

Details may come from a file that anybody wrote: what has another shape is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tenxgraph_tui.evaluation.numbers import score

SAMPLES = "judge_samples"
NOTHING = "–"
CLAIMS = {
    "errors": "wrong",
    "hallucinations": "not grounded",
    "issues": "issue",
    "achieved_goals": "reached",
    "unachieved_goals": "not reached",
}
"""Lists of texts that judges give, and what one of them is called."""
TOLD = frozenset(
    {
        SAMPLES,
        "individual_scores",
        "reasonings",
        "spread",
        "samples",
        "scores",
        "rubrics",
        "rubric_verdicts",
        "category_scores",
        "judge_model",
        "judge_cost",
        *CLAIMS,
    }
)
"""The details that `said` tells."""


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that judges said: of what, the number if there is one, and the words."""

    of: str
    value: str = ""
    text: str = ""

    def __str__(self) -> str:
        return ": ".join(filter(None, (f"{self.of} {self.value}".strip(), self.text)))


def said(details: Mapping[str, Any]) -> Iterator[Said]:
    """Samples with their spread, rubrics, categories, and what was found wrong.

    Of several turns it is about the one that decided; `of_turns` tells the others.
    """
    samples = [each for each in _listed(details.get(SAMPLES)) if isinstance(each, Mapping)]
    if len(samples) > 1:
        yield _together(samples, details)
        yield from map(_sample, samples)
    elif samples and (notes := _notes(samples[0])):
        yield Said("note", text=notes)  # its score and reason are the criterion's
    yield from _rubrics(details)
    categories = details.get("category_scores")
    for name, value in categories.items() if isinstance(categories, Mapping) else ():
        if _shown(value) != NOTHING:
            yield Said(str(name), _shown(value))
    for key, called in CLAIMS.items():
        for claim in _listed(details.get(key)):
            yield Said(called, text=str(claim))
    for name in _listed(details.get("ignored_rubrics")):
        yield Said("ignored", text=f"a verdict of rubric {name!r}, which the config does not have")
    if details.get("extras_error"):
        yield Said("note", text=f"details are missing: {details['extras_error']}")


def of_turns(details: Mapping[str, Any]) -> Iterator[Said]:
    """The score and the reason of each turn of a judged conversation."""
    if SAMPLES not in details:
        return
    for turn in _listed(details.get("turns")):
        if isinstance(turn, Mapping) and isinstance(turn.get("turn"), int):
            value = turn.get("score")
            yield Said(f"turn {turn['turn'] + 1}", _shown(value), str(turn.get("reason") or ""))


def all_said(details: Mapping[str, Any]) -> list[Said]:
    """What judges said, of the whole and of each turn."""
    return [*said(details), *of_turns(details)]


def cached_samples(details: Mapping[str, Any]) -> int:
    """How many answers were kept from earlier runs, of all turns together: they cost nothing."""
    turns = [turn for turn in _listed(details.get("turns")) if isinstance(turn, Mapping)]
    samples = [one for part in turns or [details] for one in _listed(part.get(SAMPLES))]
    return sum(isinstance(one, Mapping) and one.get("cached") is True for one in samples)


def _together(samples: list[Mapping[str, Any]], details: Mapping[str, Any]) -> Said:
    """`samples 0.90 0.70 –  spread 0.20`."""
    scores = [_shown(sample.get("score")) for sample in samples]
    spread, counted = _shown(details.get("spread")), len(scores) - scores.count(NOTHING)
    if counted > 1 and spread != NOTHING:
        scores.append(f"spread {spread}")
    return Said("samples", "  ".join(scores))


def _sample(sample: Mapping[str, Any]) -> Said:
    notes = _notes(sample)
    reason = str(sample.get("error") or sample.get("reasoning") or "")
    told = f"{reason} ({notes})" if notes else reason
    called = f"sample {sample.get('sample', '?')}"
    return Said(called, _shown(sample.get("score")), told)


def _notes(sample: Mapping[str, Any]) -> str:
    notes = [str(note) for note in _listed(sample.get("notes"))]
    return "; ".join([*notes, *(["cached"] if sample.get("cached") else [])])


def _rubrics(details: Mapping[str, Any]) -> Iterator[Said]:
    for each in _listed(details.get("rubric_verdicts")):
        if not isinstance(each, Mapping):
            continue
        weight, number = each.get("weight"), _shown(each.get("score"))
        if isinstance(weight, int | float) and weight != 1:
            number += f" ×{weight:g}"
        reason = each.get("error") or each.get("reason") or ""
        yield Said(f"rubric {each.get('rubric_id', '?')}", number, str(reason))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _shown(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return NOTHING
    return score(value, passed=False)
