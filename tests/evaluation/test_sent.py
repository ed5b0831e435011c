"""What a node was sent again is the same object again, and what it was sent stays as it was."""

from __future__ import annotations

from typing import Any

from tenxgraph_tui.evaluation.sent import Sent


def said(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def test_a_message_that_a_node_got_before_is_the_same_object() -> None:
    sent = Sent()
    first = sent.again("MAIN", [said("one"), said("two")])
    second = sent.again("MAIN", [said("one"), said("two"), said("three")])
    assert second == [said("one"), said("two"), said("three")]
    assert all(one is other for one, other in zip(first, second, strict=False))


def test_what_changed_in_between_is_told_as_it_is() -> None:
    sent = Sent()
    first = sent.again("MAIN", [said("one"), said("two")])
    assert sent.again("MAIN", [said("1"), said("two")]) == [said("1"), said("two")]
    assert sent.again("MAIN", [said("two")]) == [said("two")]
    assert first == [said("one"), said("two")]


def test_each_node_has_its_own_and_they_are_json() -> None:
    sent = Sent()
    sent.again("PLAN", [said("one")])
    (told,) = sent.again("ACT", [{"role": "user", "content": {1, 2}}])
    assert told["content"] in ([1, 2], [2, 1])
    assert sent.again("PLAN", [said("one"), said("two")]) == [said("one"), said("two")]
