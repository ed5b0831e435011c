"""What a rerun would cost is known before: from configs, prices and earlier runs."""

from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation.config import CriterionConfig, EvalConfig
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.session.models import Price
from tenxgraph_tui.session.watching.estimate import Part, Payer, estimate, without_judges

PRICES = {"cheap": Price(1.0, 2.0), "dear": Price(10.0, 20.0), "local": Price(0.0, 0.0)}
SOME = TokenUsage(input_tokens=1000, output_tokens=500)


def judged(model: str, samples: int = 3) -> EvalConfig:
    config = EvalConfig()
    config.enable_criterion(
        "llm_judge", CriterionConfig.llm_judge(judge_model=model, num_samples=samples)
    )
    return config


def test_offline_criteria_and_plain_code_cost_nothing() -> None:
    found = estimate([Part(36, 40, EvalPresets.quick_check(), "agents.py:a")], PRICES.get)
    assert (found.cases, found.calls, found.dollars, found.is_free) == (36, 0, 0, True)
    assert not found.must_ask()


def test_a_judge_is_asked_for_every_sample_of_every_turn() -> None:
    found = estimate([Part(10, 12, judged("cheap"))], PRICES.get)
    assert (found.calls, found.judged) == (36, ("llm_judge",))
    (bill,) = found.bills
    assert (bill.payer, bill.model, bill.calls) == (Payer.JUDGE, "cheap", 36)


def test_a_judge_is_asked_once_a_case_of_goals_whatever_the_samples() -> None:
    config = EvalConfig()
    asks = CriterionConfig(judge_model="gpt-4o", num_samples=3)
    config.enable_criterion("simulation_goals", asks)
    found = estimate([Part(cases=2, turns=8, config=config)], lambda _: None)
    assert [bill.calls for bill in found.bills] == [2]


def test_earlier_runs_tell_what_a_call_takes() -> None:
    part = Part(2, 2, judged("cheap", 1), judge_usage=SOME)
    assert estimate([part], PRICES.get).dollars == pytest.approx(2 * 0.002)


def test_agent_and_judge_are_billed_apart() -> None:
    part = Part(2, 2, judged("cheap", 1), "agents.py:a", "dear", SOME, SOME, seconds=1.5)
    found = estimate([part], PRICES.get)
    assert [(bill.payer, bill.model, bill.calls) for bill in found.bills] == [
        (Payer.AGENT, "dear", 2),
        (Payer.JUDGE, "cheap", 2),
    ]
    assert found.of(Payer.AGENT) == pytest.approx(2 * 0.02)
    assert found.dollars == pytest.approx(2 * 0.022)
    assert found.seconds == pytest.approx(3.0)


def test_a_model_as_target_is_paid_without_any_earlier_run() -> None:
    found = estimate([Part(3, 4, None, "model:cheap")], PRICES.get)
    assert [(bill.model, bill.calls, bill.basis) for bill in found.bills] == [
        ("cheap", 4, "a typical call")
    ]
    assert found.must_ask()


def test_without_a_price_there_is_no_sum_and_it_is_asked_for() -> None:
    parts = [Part(1, 1, judged("unheard of")), Part(1, 1, judged("cheap"))]
    found = estimate(parts, PRICES.get)
    assert found.dollars is None
    assert found.must_ask(above=1000.0)


def test_a_local_model_is_free() -> None:
    found = estimate([Part(5, 5, judged("local"))], PRICES.get)
    assert (found.calls, found.is_free, found.must_ask()) == (15, True, False)


@pytest.mark.parametrize(("above", "asks"), [(0.0, True), (0.0019, True), (0.003, False)])
def test_it_is_asked_for_above_an_amount(above: float, asks: bool) -> None:
    found = estimate([Part(1, 1, judged("cheap", 1), judge_usage=SOME)], PRICES.get)
    assert found.must_ask(above) is asks
    assert not found.must_ask(None)


def test_sets_that_ask_the_same_model_share_a_bill() -> None:
    found = estimate([Part(1, 1, judged("cheap")), Part(2, 2, judged("cheap"))], PRICES.get)
    assert [(bill.model, bill.calls) for bill in found.bills] == [("cheap", 9)]


def test_without_judges_the_offline_criteria_are_left() -> None:
    config = judged("cheap")
    config.enable_criterion("rouge_match", CriterionConfig.rouge_match())
    left = without_judges(config)
    assert [slot for slot, _ in left.criteria.enabled()] == ["rouge_match"]
    assert [slot for slot, _ in config.criteria.enabled()] == ["rouge_match", "llm_judge"]


def test_nothing_to_run_costs_nothing() -> None:
    assert estimate([], PRICES.get).is_free
    assert estimate([Part(0, 0, judged("cheap"))], PRICES.get).bills == ()
