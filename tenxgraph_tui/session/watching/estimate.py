"""What a rerun would ask of paid models, before it does: calls, dollars, seconds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from tenxgraph_tui.evaluation.config import JUDGED_SLOTS, SAMPLED_SLOTS, CriterionConfig, EvalConfig
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.session.models import Price

MODEL_TARGET = "model:"
TYPICAL = TokenUsage(input_tokens=900, output_tokens=150)
"""Of one call where no earlier run tells: a prompt with a question and two answers, a verdict."""

PriceOf = Callable[[str], Price | None]


class Payer(StrEnum):
    """Who asks the model."""

    AGENT = "agent"
    JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class Part:
    """Cases that are run and checked alike; `turns` are those of all of them together.

    `is_read` is False where only a worker can say what they are checked with, and none did yet.
    What earlier runs tell: `model` is the one that the agent asks, `usage` what a case of it took,
    `judge_usage` what one call of a judge took, `seconds` how long a case took; None where they
    do not.
    """

    cases: int
    turns: int
    config: EvalConfig | None = None
    target: str = ""
    model: str = ""
    usage: TokenUsage | None = None
    judge_usage: TokenUsage | None = None
    seconds: float | None = None
    is_read: bool = True


@dataclass(frozen=True, slots=True)
class Bill:
    """What one model is asked. `dollars` is None where no price is known; `basis` says why so."""

    payer: Payer
    model: str
    calls: int
    dollars: float | None
    basis: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run of `cases` would take. `judged` are the slots that ask a judge.

    `seconds` adds up what the cases took, one after the other; None where it is not known of all.
    `unread` counts the cases of which nobody knows yet whether they ask a judge.
    """

    cases: int = 0
    bills: tuple[Bill, ...] = ()
    judged: tuple[str, ...] = ()
    seconds: float | None = None
    unread: int = 0

    @property
    def is_free(self) -> bool:
        """Whether no paid model can be asked; one without charge is none."""
        return not self.unread and all(bill.dollars == 0 for bill in self.bills)

    @property
    def calls(self) -> int:
        return sum(bill.calls for bill in self.bills)

    @property
    def dollars(self) -> float | None:
        """What all of it costs; None where a price is not known."""
        known = [bill.dollars for bill in self.bills if bill.dollars is not None]
        return sum(known) if len(known) == len(self.bills) and not self.unread else None

    def of(self, payer: Payer) -> float | None:
        """What the agent costs, or the judges: the offline criteria alone cost the former."""
        bills = tuple(bill for bill in self.bills if bill.payer is payer)
        return Estimate(bills=bills, unread=self.unread if payer is Payer.JUDGE else 0).dollars

    def must_ask(self, above: float | None = 0.0) -> bool:
        """Whether a person should confirm it first: it may cost more than `above` dollars.

        What has no known price counts as more. `above` None never asks.
        """
        if above is None or self.is_free:
            return False
        return self.dollars is None or self.dollars > above


def estimate(parts: Iterable[Part], price: PriceOf) -> Estimate:
    """What running all these parts takes; `price` knows models by the names that configs have."""
    parts = list(parts)
    judged = [slot for part in parts for slot, _ in _judged(part.config)]
    seconds = [part.seconds * part.cases for part in parts if part.seconds is not None]
    return Estimate(
        cases=sum(part.cases for part in parts),
        bills=(*_agents(parts, price), *_judges(parts, price)),
        judged=tuple(dict.fromkeys(judged)),
        seconds=sum(seconds) if parts and len(seconds) == len(parts) else None,
        unread=sum(part.cases for part in parts if not part.is_read),
    )


def without_judges(config: EvalConfig) -> EvalConfig:
    """The same config with its offline criteria alone; it may have none."""
    copy = config.model_copy(deep=True)
    for slot, _ in _judged(copy):
        copy.disable_criterion(slot)
    return copy


def _agents(parts: list[Part], price: PriceOf) -> list[Bill]:
    bills = []
    for part in parts:
        named = part.target.removeprefix(MODEL_TARGET)
        model = part.model or (named if named != part.target else "")
        if not model or not part.cases:
            continue
        usage, basis = part.usage, "mean of earlier runs"
        times = part.cases
        if usage is None:
            usage, basis, times = TYPICAL, "a typical call", part.turns
        bills.append(
            Bill(Payer.AGENT, model, part.turns, _dollars(price(model), usage, times), basis)
        )
    return _added(bills)


def _judges(parts: list[Part], price: PriceOf) -> list[Bill]:
    bills = []
    for part in parts:
        asked: Counter[str] = Counter()
        for slot, criterion in _judged(part.config):
            asked[criterion.judge_model] += _calls(slot, criterion, part)
        usage = part.judge_usage or TYPICAL
        for model, calls in asked.items():
            samples = calls // part.cases if part.cases else 0
            basis = f"{plural(samples, 'call')} a case"
            if calls:
                bills.append(
                    Bill(Payer.JUDGE, model, calls, _dollars(price(model), usage, calls), basis)
                )
    return _added(bills)


def _calls(slot: str, criterion: CriterionConfig, part: Part) -> int:
    """How often a judge is asked: every sample of every turn, or once a case."""
    if slot not in SAMPLED_SLOTS:
        return part.cases
    return criterion.num_samples * max(part.cases, part.turns)


def _judged(config: EvalConfig | None) -> list[tuple[str, CriterionConfig]]:
    enabled = config.criteria.enabled() if config is not None else ()
    return [(slot, criterion) for slot, criterion in enabled if slot in JUDGED_SLOTS]


def _dollars(price: Price | None, usage: TokenUsage, times: int) -> float | None:
    return price.dollars(usage).total * times if price is not None else None


def _added(bills: list[Bill]) -> list[Bill]:
    """One bill for each model."""
    added: dict[str, Bill] = {}
    for bill in bills:
        old = added.get(bill.model)
        if old is None:
            added[bill.model] = bill
            continue
        known = old.dollars is not None and bill.dollars is not None
        dollars = (old.dollars or 0.0) + (bill.dollars or 0.0) if known else None
        basis = old.basis if old.basis == bill.basis else "differs by set"
        added[bill.model] = Bill(bill.payer, bill.model, old.calls + bill.calls, dollars, basis)
    return list(added.values())
