"""What the store writes of a result is short, and what it reads is the result."""

from __future__ import annotations

from typing import Any

import pytest

from tenxgraph_tui.evaluation.encoding import as_json
from tenxgraph_tui.evaluation.results import EvalCaseResult
from tenxgraph_tui.session.stored_result import as_stored, from_stored

Messages = list[dict[str, Any]]


def said(*texts: str) -> Messages:
    return [{"role": "user", "content": text} for text in texts]


def result_of(*sent: tuple[str, Messages | None]) -> EvalCaseResult:
    replies: list[dict[str, Any]] = []
    for node, messages in sent:
        reply: dict[str, Any] = {"node_name": node, "response_text": "ok"}
        replies.append(reply if messages is None else reply | {"input_messages": messages})
    return EvalCaseResult(eval_id="case", passed=True, node_responses=replies)


@pytest.mark.parametrize(
    "result",
    [
        pytest.param(result_of(), id="no call"),
        pytest.param(result_of(("A", said("a"))), id="one call"),
        pytest.param(result_of(("A", said("a")), ("A", said("a", "b", "c"))), id="it goes on"),
        pytest.param(result_of(("A", said("a", "b")), ("A", said("a"))), id="it is shortened"),
        pytest.param(result_of(("A", said("a", "b")), ("A", said("a", "c"))), id="another end"),
        pytest.param(result_of(("A", said("a")), ("A", said("b"))), id="another beginning"),
        pytest.param(
            result_of(("A", said("a")), ("B", said("x")), ("A", said("a", "b")), ("B", said("x"))),
            id="two agents in turn",
        ),
        pytest.param(result_of(("A", said("a")), ("A", None), ("A", said("a"))), id="one untold"),
        pytest.param(result_of(("A", []), ("A", said("a")), ("A", [])), id="nothing was sent"),
    ],
)
def test_what_is_read_is_what_was_written(result: EvalCaseResult) -> None:
    assert from_stored(as_stored(result)) == result


def test_a_store_of_an_older_version_is_read_as_it_is() -> None:
    result = result_of(("A", said("a")), ("A", said("a", "b")))
    assert from_stored(as_json(result)) == result


def test_writing_changes_nothing_in_the_result() -> None:
    result = result_of(("A", said("a")), ("A", said("a", "b")))
    before = result.model_copy(deep=True)
    as_stored(result)
    assert result == before


def test_a_long_way_is_not_as_long_as_its_square() -> None:
    texts = [f"message {number} {'x' * 100}" for number in range(400)]
    calls = [("A", said(*texts[: at + 1])) for at in range(400)]
    text = as_stored(result_of(*calls))
    assert len(text) < 3 * sum(map(len, texts))
    read = from_stored(text)
    first, last = (read.node_responses[at]["input_messages"] for at in (0, -1))
    assert first[0] is last[0]
