"""What a case cost: the tokens of every model call, of the agent and of the judges, and dollars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.numbers import score
from tenxgraph_tui.evaluation.opinions import cached_samples
from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult
from tenxgraph_tui.session.models import Dollars, Price
from tenxgraph_tui.tui.panes.blocks import SCORED, slot_of
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.models import judge_of
from tenxgraph_tui.tui.panes.node_call import Kind
from tenxgraph_tui.tui.panes.node_calls import node_calls

Prices = Mapping[str, Price | None]


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that took tokens. `dollars` is None where its price is not known."""

    name: str
    usage: TokenUsage
    dollars: Dollars | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """The agent or the judges: each call, and all of them together.

    `silent` are the calls that asked no model. `models` are those that were asked, by name.
    """

    usage: TokenUsage = field(default_factory=TokenUsage)
    entries: tuple[Entry, ...] = ()
    models: tuple[str, ...] = ()
    silent: str = ""

    @property
    def dollars(self) -> Dollars | None:
        """What is known to have been paid; None where no price is."""
        return together(entry.dollars for entry in self.entries)


@dataclass(frozen=True, slots=True)
class Spending:
    """What a case took."""

    agent: Part = field(default_factory=Part)
    judge: Part = field(default_factory=Part)

    @property
    def usage(self) -> TokenUsage:
        return self.agent.usage + self.judge.usage

    @property
    def dollars(self) -> Dollars | None:
        return together((self.agent.dollars, self.judge.dollars))

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.agent.models, *self.judge.models)))


def spending(model: DetailModel) -> Spending:
    """What a case with a result took; nothing of one without."""
    if model.result is None:
        return Spending()
    return Spending(_agent(model, model.result), _judge(model, model.result))


def together(parts: Iterable[Dollars | None]) -> Dollars | None:
    """The sum of those that are known."""
    known = [part for part in parts if part is not None]
    return sum(known, Dollars()) if known else None


def _agent(model: DetailModel, result: EvalCaseResult) -> Part:
    entries, silent, models = [], [], []
    for call in node_calls(model):
        if call.kind is not Kind.MODEL or call.reply is None:
            silent.append(call)
            continue
        reply = call.reply
        models.append(reply.model)
        dollars = dollars_of(reply.usage, reply.model, model.prices)
        entries.append(Entry(call.name, reply.usage, dollars))
    usage = sum((entry.usage for entry in entries), TokenUsage())
    if not usage.total_tokens:
        usage = _agent_total(result)
    named = tuple(dict.fromkeys(filter(None, models)))
    return Part(usage, tuple(entries), named, _silent([(c.label, c.number) for c in silent]))


def _agent_total(result: EvalCaseResult) -> TokenUsage:
    """What a result says of the agent without saying which call took it."""
    if result.agent_token_usage.total_tokens:
        return result.agent_token_usage
    judged = any(one.token_usage.total_tokens for one in result.criterion_results)
    return TokenUsage() if judged else result.token_usage


def _judge(model: DetailModel, result: EvalCaseResult) -> Part:
    asked = [
        one
        for one in result.criterion_results
        if one.token_usage.total_tokens or cached_samples(one.details)
    ]
    names = [judge_of(one) for one in asked]
    entries = tuple(
        Entry(_scored(one), one.token_usage, dollars_of(one.token_usage, name, model.prices))
        for one, name in zip(asked, names, strict=True)
    )
    usage = sum((entry.usage for entry in entries), TokenUsage())
    return Part(usage, entries, tuple(dict.fromkeys(filter(None, names))))


def _scored(criterion: CriterionResult) -> str:
    parts = [slot_of(criterion.criterion)]
    if criterion.verdict in SCORED:
        parts.append(score(criterion.score, passed=criterion.passed))
    if cached := cached_samples(criterion.details):
        parts.append(f"{cached} cached" if criterion.token_usage.total_tokens else "cached")
    return "  ".join(parts)


def dollars_of(usage: TokenUsage, model: str, prices: Prices) -> Dollars | None:
    """What tokens of a model cost; None where its name or its price is not known."""
    price = prices.get(model)
    return price.dollars(usage) if price is not None else None


def _silent(calls: Sequence[tuple[str, int]]) -> str:
    """`TOOL 1 2 3`; of many the first and the last."""
    numbers: dict[str, list[int]] = {}
    for label, number in calls:
        numbers.setdefault(label, []).append(number)
    return ", ".join(_numbered(numbers))


def _numbered(numbers: Mapping[str, Sequence[int]]) -> Iterator[str]:
    most = 4
    for label, found in numbers.items():
        if len(found) <= most:
            yield f"{label} {' '.join(map(str, found))}"
        else:
            yield f"{label} {found[0]}–{found[-1]}"
