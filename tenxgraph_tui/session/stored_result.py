"""A result as the store holds it: what a node was sent again is not written again.

Every call of a model gets the whole conversation so far. Of 500 calls that is 50 MB, of which all
but a hundredth was there before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tenxgraph_tui.evaluation.encoding import as_json
from tenxgraph_tui.evaluation.results import EvalCaseResult

SENT, NODE = "input_messages", "node_name"
SAME, MORE = "same", "more"
"""How many messages are those of the node's call before, and those that follow them."""


def as_stored(result: EvalCaseResult) -> str:
    """The result as JSON."""
    replies = result.node_responses
    packed = list(_packed(replies))
    if all(one is other for one, other in zip(packed, replies, strict=True)):
        return as_json(result)
    return as_json(result.model_copy(update={"node_responses": packed}))


def from_stored(text: str) -> EvalCaseResult:
    """The result as it was. Messages that several calls were sent are the same objects in all."""
    result = EvalCaseResult.model_validate_json(text)
    before: dict[str, list[Any]] = {}
    for reply in result.node_responses:
        sent, node = reply.get(SENT), str(reply.get(NODE))
        if isinstance(sent, dict) and isinstance(sent.get(MORE), list):
            sent = [*before.get(node, ())[: int(sent.get(SAME) or 0)], *sent[MORE]]
            reply[SENT] = sent
        if isinstance(sent, list):
            before[node] = sent
    return result


def _packed(replies: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    before: dict[str, Sequence[Any]] = {}
    for reply in replies:
        sent, node = reply.get(SENT), str(reply.get(NODE))
        if not isinstance(sent, list):
            yield reply
            continue
        same = _alike(before.get(node, ()), sent)
        before[node] = sent
        yield {**reply, SENT: {SAME: same, MORE: sent[same:]}} if same else reply


def _alike(before: Sequence[Any], now: Sequence[Any]) -> int:
    """How many messages both begin with."""
    pairs = enumerate(zip(before, now, strict=False))
    different = (at for at, (one, other) in pairs if one is not other and one != other)
    return next(different, min(len(before), len(now)))
