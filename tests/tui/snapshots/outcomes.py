"""How every case of the project did in its last two runs, and what was said meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tenxgraph_tui.evaluation.events import CaseStatus, VerdictPreview
from tenxgraph_tui.evaluation.results import Verdict
from tests.tui.script import CRITERIA

PASSED, FAILED, ERROR = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR
SAID = {
    "tokyo_forecast": (
        ("planning: 1 city, 1 day", "info"),
        ("GET /weather?city=Tokyo 200 in 180 ms", "info"),
        ("weather.places: 'Kansai' is not a city, the nearest is Kyoto", "warning"),
        ("GET /forecast?city=Kyoto&days=1 200 in 210 ms", "info"),
        ("weather.search: no answer after 3 s, tried 2 times", "warning"),
        ("answering without alerts", "info"),
    ),
    "lost_book": (("library.fees: fees.csv has no row for lost books", "error"),),
}
"""What an agent printed and logged."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a case did in run 18, and in run 17; `before` None where it is new."""

    status: CaseStatus = PASSED
    scores: Sequence[float | None] = (1.0, 1.0, 0.84)
    tokens: int = 412
    seconds: float = 1.2
    reasons: Sequence[str] = ("", "", "")
    error: str = ""
    before: CaseStatus | None = PASSED

    @property
    def cost(self) -> float:
        return round(self.tokens * 2.2e-6, 4)

    @property
    def verdicts(self) -> tuple[VerdictPreview, ...]:
        return tuple(self._verdicts())

    def _verdicts(self) -> Iterator[VerdictPreview]:
        for criterion, score, reason in zip(CRITERIA, self.scores, self.reasons, strict=False):
            name, needs = criterion.name, criterion.threshold
            if score is None:
                yield VerdictPreview(name, Verdict.NOT_EVALUATED, threshold=needs)
            else:
                has_passed = score >= needs
                verdict = Verdict.PASSED if has_passed else Verdict.FAILED
                yield VerdictPreview(name, verdict, score, needs, reason)


OUTCOMES = {
    "london_now": Outcome(scores=(1, 1, 0.91)),
    "tokyo_forecast": Outcome(
        FAILED,
        (2 / 3, 1 / 3, 0.4999),
        655,
        1.9,
        ("missing: get_alerts", "first divergence: call 2, city", "9 of 15 words differ"),
    ),
    "osaka_weekend": Outcome(
        FAILED, (1, 0.5, 0.66), 640, 1.8, ("", "first divergence: call 2, city", "")
    ),
    "kobe_wind": Outcome(
        FAILED, (1, 0.5, 0.71), 602, 1.7, ("", "first divergence: call 2, city", "")
    ),
    "paris_then_rome_then_home": Outcome(scores=(1, 1, 0.83), tokens=1874, seconds=4.6),
    "fahrenheit_for_us_cities": Outcome(scores=(1, 1, 0.78), tokens=438, before=FAILED),
    "two_cities_compared": Outcome(
        FAILED, (1, 1, 0.42), 902, 2.4, ("", "", "9 of 15 words differ"), before=FAILED
    ),
    "missing_city_asks_back": Outcome(scores=(1, 1, 0.72), tokens=690, seconds=2.2),
    "seven_day_table": Outcome(ERROR, (), 1204, 10.0, error="timed out after 10 s"),
    "refuses_stock_advice": Outcome(scores=(1, 1, None), tokens=288, seconds=0.78),
    "tool_down_falls_back": Outcome(scores=(1, 1, 0.74), tokens=1130, seconds=5.2),
    "pollen_and_uv": Outcome(scores=(1, 1, 0.88), tokens=760, seconds=2.0, before=None),
    "tracks_parcel": Outcome(
        FAILED, (0, 0, 0.81), 388, 1.4, ("missing: look_up", "first divergence: call 1", "")
    ),
    "lost_book": Outcome(ERROR, (), 190, 0.4, error="KeyError: 'fee'"),
}
UNREMARKABLE = Outcome()


def outcome(eval_id: str) -> Outcome:
    return OUTCOMES.get(eval_id, UNREMARKABLE)
