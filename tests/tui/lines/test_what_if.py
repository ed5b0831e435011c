from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.glyphs import BAD, GOOD
from tenxgraph_tui.tui.lines.what_if import Shown, lines, what_if_rule
from tenxgraph_tui.tui.whatif.outcome import Bars, Listed, Outcome
from tenxgraph_tui.tui.whatif.scored import BINS
from tests.tui.screens.test_nasty import NASTY


def bars(*counts: tuple[int, int]) -> list[int]:
    found = [0] * BINS
    for at, count in counts:
        found[at] = count
    return found


def listed(eval_id: str, score: float | None = 0.52, *still: str) -> Listed:
    return Listed(CaseKey(0, eval_id), score, still)


def shown(causes: tuple[int, int] | None = (5, 4), **fields: object) -> Shown:
    told: dict[str, object] = {
        "criterion": "rouge_match",
        "is_on": True,
        "was": (0.6,),
        "now": 0.5,
        "total": 36,
        "passed": (27, 29),
        "bars": Bars(bars((8, 1), (10, 2), (16, 9)), bars((10, 2)), bars()),
        "up": [listed("two_cities"), listed("refund", 0.57)],
        "still": [listed("tokyo", 0.58, "tool_trajectory_avg_score")],
        **fields,
    }
    found = Outcome(**told)  # type: ignore[arg-type]  # fields by name
    keys = [one.key for some in (found.up, found.down, found.still) for one in some]
    return Shown(found, {key: f"weather/{key.eval_id}" for key in keys}, causes, "run #18")


def text(one: Shown, width: int = 90, height: int = 30) -> list[str]:
    return [line.plain.rstrip() for line in lines(one, width, height)]


def test_it_tells_what_was_and_what_would_be() -> None:
    told = text(shown())
    assert told[0].split() == [
        "passed",
        "27",
        "→",
        "29",
        "of",
        "36",
        *["75.0", "%", "→", "80.5", "%"],
    ]
    assert told[1].split() == ["causes", "5", "→", "4"]
    assert "no rerun, run #18" in what_if_rule(shown(), 70, focused=False).plain
    assert "rouge_match ≥ 0.50" in what_if_rule(shown(), 70, focused=True).plain


def test_what_stays_the_same_is_said_once() -> None:
    told = text(shown(passed=(27, 27), causes=(5, 5), up=[], still=[], now=0.6))
    assert told[0].split() == ["passed", "27", "of", "36", "75.0", "%"]
    assert told[1].split() == ["causes", "5"]
    assert told[-1] == "←→ moves the threshold: the cases that would flip stand here."


def test_causes_that_are_not_counted_yet_are_no_number() -> None:
    assert text(shown(causes=None))[1].split() == ["causes", "…"]


def test_bars_stand_above_their_scores_and_thresholds_below_them() -> None:
    told = text(shown())
    axis = next(line for line in told if "0.00" in line)
    marks = told[told.index(axis) + 1]
    foot = told[told.index(axis) - 1]
    start = axis.index("0.00")
    assert [at for at in range(BINS) if foot[start + 3 * at : start + 3 * at + 2] == "██"] == [
        8,
        10,
        16,
    ]
    assert axis.index("0.50") == marks.index("▲ now") == start + 30
    assert marks.index("▲ was") == start + 36


def test_only_what_flips_has_a_colour() -> None:
    flips = Bars(bars((3, 4), (12, 6)), bars((3, 4)), bars((12, 3)))
    made = lines(shown(bars=flips), 90, 30)
    foot = next(line for line in reversed(made) if "██" in line.plain)
    styles = [str(span.style) for span in foot.spans if "█" in foot.plain[span.start : span.end]]
    assert styles == [GOOD, BAD]


def test_a_bar_of_ten_thousand_is_no_higher_than_there_is_room() -> None:
    many = Bars(bars((3, 10_000), (5, 1)), bars(), bars())
    made = text(shown(bars=many), height=40)
    assert sum("██" in line for line in made) == 7
    assert made[next(i for i, line in enumerate(made) if "0.00" in line) - 1].count("██") == 2


def test_cases_are_listed_with_what_keeps_them_from_passing() -> None:
    told = text(shown(down=[listed("münchen", None)], more=40))
    assert [line.split() for line in told[-8:]] == [
        ["would", "pass", "score"],
        ["▲", "weather/two_cities", "0.52"],
        ["▲", "weather/refund", "0.57"],
        ["would", "fail"],
        ["▼", "weather/münchen", "–"],
        ["still", "fails"],
        ["✗", "weather/tokyo", "0.58", "fails", "trajectory"],
        ["…", "40", "more"],
    ]


@pytest.mark.parametrize("name", NASTY)
def test_every_line_is_as_wide_as_it_was_asked_to_be(name: str) -> None:
    one = shown(criterion=name, up=[listed(name, 0.5, name)], was=(0.2, 0.4), is_on=False)
    one = Shown(one.outcome, dict.fromkeys(one.names, name), one.causes, name)
    for width in range(1, 130):
        made = [*lines(one, width, 12), what_if_rule(one, width, focused=False)]
        assert {line.cell_length for line in made} == {width}, width
