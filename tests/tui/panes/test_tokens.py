"""What a case took: exact numbers, bars to scale, prices, and what it is compared with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.events import CaseInfo
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.opinions import cached_samples
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult, EvalCaseResult, Score
from tenxgraph_tui.session.models import Price
from tenxgraph_tui.tui.panes import tokens
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.models import models_in
from tenxgraph_tui.tui.panes.peers import Peers
from tenxgraph_tui.tui.panes.spending import spending
from tenxgraph_tui.tui.panes.token_table import bar
from tests.tui.story import START, Story, call, kyoto, looked_at

CASE = EvalCase.single_turn("case", "What now?")
CHEAP, DEAR = Price(1.0, 2.0), Price(10.0, 30.0, cache_read=1.0)


def shown(model: DetailModel, width: int = 120, **how: Any) -> list[str]:
    return [line.plain.rstrip() for line in tokens.lines(model, width, 40, **how)]


def row(lines: list[str], name: str) -> list[str]:
    """The cells of the first row with that name, its bar left out."""
    line = next(line for line in lines if line.startswith(name))
    return [word for word in line.split() if not set(word) <= set("╌━═")]


def bars(lines: list[str], name: str) -> str:
    line = next(line for line in lines if line.startswith(name))
    return "".join(sign for sign in line if sign in "╌━═")


def judged(score: float = 0.5, model: str = "judge-1") -> CriterionResult:
    details = {"judge_model": model}
    usage = TokenUsage(1240, 96, 960)
    result = CriterionResult.judged("final_response_match_v2", Score(score, "", details), 0.6)
    return result.model_copy(update={"token_usage": usage})


def test_every_call_has_exact_numbers() -> None:
    story = Story().user("?").ask(call("a"), usage=(12_345, 1_067, 0)).model("ok", usage=(9, 1, 4))
    lines = shown(looked_at(CASE, story.result()))
    assert row(lines, "MAIN 1") == ["MAIN", "1", "12,345", "–", "1,067", "–"]
    assert row(lines, "MAIN 2") == ["MAIN", "2", "9", "4", "1", "–"]
    assert row(lines, "agent") == ["agent", "12,354", "4", "1,068", "–"]
    assert "TOOL 1            no model call" in lines


def test_what_asked_no_model_is_named_once() -> None:
    story = Story().user("?")
    for _ in range(3):
        story.ask(call("a"))
    assert spending(looked_at(CASE, story.result())).agent.silent == "TOOL 1 2 3"
    for _ in range(3):
        story.ask(call("a"))
    assert spending(looked_at(CASE, story.result())).agent.silent == "TOOL 1–6"


def test_agent_and_judge_stand_beside_each_other_and_are_summed_up() -> None:
    story = Story().user("?").model("ok", usage=(543, 112, 320))
    lines = shown(looked_at(CASE, story.result(judged())))
    assert row(lines, "agent") == ["agent", "543", "320", "112", "–"]
    assert row(lines, "judge") == ["judge", "1,240", "960", "96", "–"]
    assert row(lines, "total") == ["total", "1,783", "1,280", "208", "–"]
    assert row(lines, "llm_judge") == ["llm_judge", "0.50", "1,240", "960", "96", "–"]
    assert bars(lines, "total") == ""


@pytest.mark.parametrize(
    ("usage", "kept", "named"),
    [
        pytest.param(TokenUsage(), [True, True], "llm_judge  0.50  cached", id="all"),
        pytest.param(TokenUsage(9, 1), [True, False], "llm_judge  0.50  1 cached", id="some"),
        pytest.param(TokenUsage(9, 1), [False, False], "llm_judge  0.50", id="none"),
    ],
)
def test_answers_of_earlier_runs_are_named_as_cached(
    usage: TokenUsage, kept: list[bool], named: str
) -> None:
    samples = [{"sample": at, "score": 0.5, "cached": one} for at, one in enumerate(kept)]
    criterion = judged().model_copy(update={"token_usage": usage})
    criterion.details["judge_samples"] = samples
    story = Story().user("?").model("ok", usage=(543, 112, 320))
    model = looked_at(CASE, story.result(criterion))
    (entry,) = spending(model).judge.entries
    assert (entry.name, entry.usage) == (named, usage)
    assert any(named in line for line in shown(model))
    turns = {"turns": [{"turn": 0, "judge_samples": samples}, {"judge_samples": samples}]}
    assert cached_samples(turns) == 2 * sum(kept)


def test_without_a_judge_it_says_that_none_was_asked() -> None:
    lines = shown(looked_at(CASE, Story().user("?").model("ok").result()))
    assert "judge             no model was asked" in lines
    assert not any(line.startswith("Judge, by") for line in lines)


def test_every_section_says_what_its_longest_bar_stands_for() -> None:
    story = Story().user("?").model("a", usage=(100, 20, 0)).model("b", usage=(300, 50, 0))
    lines = shown(looked_at(CASE, story.result(judged())))
    heads = [line for line in lines if line.startswith(("Agent", "Judge"))]
    assert [head.partition("longest bar ")[2][:9] for head in heads] == [
        "1,336 tok",
        "350 tok",
        "1,336 tok",
    ]
    assert heads[0].endswith("╌╌╌ in, cached   ━━━ in   ═══ out")


def test_the_longest_bar_fills_the_column_and_the_others_are_to_scale() -> None:
    story = Story().user("?").model("a", usage=(90, 10, 0)).model("b", usage=(180, 20, 0))
    lines = shown(looked_at(CASE, story.result()))
    longer, shorter = bars(lines, "MAIN 2"), bars(lines, "MAIN 1")
    assert len(longer) == 2 * len(shorter)
    assert longer.count("═") == pytest.approx(len(longer) / 10, abs=1)


@pytest.mark.parametrize(
    ("parts", "drawn"),
    [
        pytest.param((5, 3, 2), "╌╌╌╌╌━━━══", id="to scale"),
        pytest.param((0, 10, 0), "━━━━━━━━━━", id="one part"),
        pytest.param((0, 999, 1), "━━━━━━━━━━", id="no room for the last part"),
        pytest.param((1, 0, 1), "╌═        ", id="what is there does not vanish"),
        pytest.param((0, 0, 0), "          ", id="nothing"),
    ],
)
def test_bars(parts: tuple[float, float, float], drawn: str) -> None:
    longest = 1000 if 999 in parts else 100 if parts == (1, 0, 1) else 10
    assert bar(parts, longest, 10).plain == drawn


def test_the_parts_of_a_bar_have_a_style_each() -> None:
    spans = bar((5, 3, 2), 10, 10).spans
    assert [str(span.style) for span in spans] == ["$foreground-muted", "$primary"]


def test_prices_are_those_of_the_model_that_answered() -> None:
    story = Story().user("?")
    story.model("a", usage=(1000, 100, 500), model="dear")
    story.model("b", usage=(1000, 100, 0), model="cheap")
    story.model("c", usage=(1000, 100, 0), model="homemade")
    prices = {"dear": DEAR, "cheap": CHEAP, "homemade": None}
    model = replace(looked_at(CASE, story.result()), prices=prices)
    lines = shown(model)
    assert row(lines, "MAIN 1")[-1] == "$0.0085"
    assert row(lines, "MAIN 2")[-1] == "$0.0012"
    assert row(lines, "MAIN 3")[-1] == "–"
    assert row(lines, "agent")[-1] == "$0.0097"
    assert "dear, cheap, homemade   longest bar 1,100 tok" in next(
        line for line in lines if line.startswith("Agent, by call")
    )
    assert " ".join(lines).endswith("A model without a price shows – and is left out of totals.")


def test_a_free_model_costs_nothing_and_says_so() -> None:
    story = Story().user("?").model("a", model="local")
    model = replace(looked_at(CASE, story.result()), prices={"local": Price(0, 0)})
    assert row(shown(model), "agent")[-1] == "$0"


def test_a_model_that_is_not_told_has_no_price_and_the_pane_says_why() -> None:
    lines = shown(looked_at(CASE, Story().user("?").model("a").result()))
    assert lines[-1] == "There is no price: the agent does not tell which model it asked."


def test_in_money_the_bars_are_dollars() -> None:
    story = Story().user("?")
    story.model("a", usage=(100, 10, 0), model="dear").model(
        "b", usage=(1000, 100, 0), model="cheap"
    )
    story.model("c", model="homemade")
    model = replace(looked_at(CASE, story.result()), prices={"dear": DEAR, "cheap": CHEAP})
    lines = shown(model, in_money=True)
    assert len(bars(lines, "MAIN 1")) > len(bars(lines, "MAIN 2"))
    assert "longest bar $0.0013" in next(line for line in lines if line.startswith("Agent, by"))
    assert "price unknown" in next(line for line in lines if line.startswith("MAIN 3"))


def test_it_is_compared_with_the_baseline_the_set_and_the_cache() -> None:
    model = replace(kyoto(), peers=Peers(533, 13, "weather", 18))
    lines = shown(model)
    at = lines.index("Compared with")
    assert [line.split("  ")[0] for line in lines[at + 1 : at + 4]] == [
        "this case in #17",
        "median of weather, #18",
        "cached share of input",
    ]
    assert lines[at + 1].split()[4:] == ["421", "tok", "+16", "%"]
    assert lines[at + 2].split()[4:] == ["533", "tok", "-9", "%", "of", "13", "cases"]
    assert lines[at + 3].split()[4:] == ["57", "%", "+57", "pt"]


@pytest.mark.parametrize(
    ("then", "now", "told"),
    [
        (["a"], ["a", "b"], "one more call: b"),
        (["a", "b"], ["a"], "one call fewer: b"),
        (["a"], ["a", "b", "b"], "2 more calls: b, b"),
        (["a", "b"], ["b", "c"], "one more call: c, one call fewer: a"),
        ([], list("abcde"), "5 more calls: a, b, c and 2 more"),
    ],
)
def test_calls_that_are_more_or_fewer_explain_the_change(
    then: list[str], now: list[str], told: str
) -> None:
    stories = []
    for names in (then, now):
        story = Story().user("?")
        for name in names:
            story.ask(call(name))
        stories.append(story.model("ok", usage=(1, 1, 0)).result())
    lines = shown(looked_at(CASE, stories[1], stories[0]))
    assert next(line for line in lines if line.startswith("this case in #17")).endswith(told)


@pytest.mark.parametrize(
    ("then", "now", "change"),
    [(100, 100, "same"), (100, 107, "+7 %"), (1000, 1004, "+0.4 %"), (1000, 996, "-0.4 %")],
)
def test_a_small_change_is_not_called_none(then: int, now: int, change: str) -> None:
    before, after = (
        Story().user("?").model("ok", usage=(count, 0, 0)).result() for count in (then, now)
    )
    lines = shown(looked_at(CASE, after, before))
    assert change in next(line for line in lines if line.startswith("this case in #17"))


def test_where_there_is_nothing_to_compare_with_it_says_so() -> None:
    lines = shown(looked_at(CASE, Story().user("?").model("ok").result()))
    assert "There is no earlier run and no other case to compare with." in lines


def test_a_median_needs_more_than_one_case() -> None:
    assert Peers.of([400, 0], "weather") is None
    assert Peers.of([400, 0, 500, 900], "weather", 18) == Peers(500, 3, "weather", 18)


def test_an_agent_that_tells_no_tokens_is_told_how_to() -> None:
    lines = shown(looked_at(CASE, Story().user("?").model("ok", usage=(0, 0, 0)).result()))
    assert lines[0].startswith("No tokens were recorded")
    assert " ".join(lines).endswith("output_tokens of its settings point."), "nothing is cut"
    assert "usage" in " ".join(lines)


def test_a_result_without_calls_has_the_sum_of_the_agent() -> None:
    result = EvalCaseResult.success(
        "case",
        [CriterionResult.judged("rouge_match", Score(1.0), 0.5)],
        token_usage=TokenUsage(7, 3),
    )
    assert row(shown(looked_at(CASE, result)), "agent") == ["agent", "7", "–", "3", "–"]


def test_a_running_case_shows_its_tokens_so_far() -> None:
    progress = CaseProgress(CaseKey(0, "case"), CaseInfo("case"))
    progress.begin(START)
    progress.tokens = 412
    lines = shown(DetailModel(progress.key, CASE, None, progress, now=START))
    assert lines[0] == "412 tok so far. Known by call when the case has finished."


def test_the_models_of_a_result_are_named_once() -> None:
    story = Story().user("?").model("a", model="m").model("b", model="m").model("c")
    assert models_in(story.result(judged(model="j"))) == ["m", "j"]


def test_the_table_is_copied_with_a_tab_between_its_columns() -> None:
    story = Story().user("?").model("a", usage=(1000, 100, 500), model="dear")
    model = replace(looked_at(CASE, story.result(judged())), prices={"dear": DEAR})
    assert tokens.table_text(spending(model)).splitlines() == [
        "what\tinput\tcached\toutput\tdollars",
        "MAIN 1\t1000\t500\t100\t0.008500",
        "llm_judge 0.50\t1240\t960\t96\t",
        "agent\t1000\t500\t100\t0.008500",
        "judge\t1240\t960\t96\t",
        "total\t2240\t1460\t196\t0.008500",
    ]


@pytest.mark.parametrize("width", [1, 2, 5, 13, 30, 40, 51, 60, 80, 100, 160, 400])
@pytest.mark.parametrize("in_money", [False, True])
def test_it_fits_into_any_width(width: int, *, in_money: bool) -> None:
    story = Story().user("?").ask(call("a"), usage=(1_234_567, 89_000, 1_000_000), model="dear")
    result = story.model("ok").result(judged())
    model = replace(looked_at(CASE, result, result), prices={"dear": DEAR})
    for line in tokens.lines(model, width, 9, in_money=in_money):
        assert line.cell_length <= width
