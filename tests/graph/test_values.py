from __future__ import annotations

import datetime as dt
from decimal import Decimal
from enum import Enum
from typing import Any

import pytest
from pydantic import BaseModel

from tenxgraph_tui.graph.values import json_value


class Colour(Enum):
    RED = "red"


class Room(BaseModel):
    beds: int


class Opaque:
    def __repr__(self) -> str:
        return "<opaque>"


class Array:
    def tolist(self) -> list[int]:
        return [1, 2]


LOOP: list[Any] = []
LOOP.append(LOOP)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(None, None, id="nothing"),
        pytest.param(True, True, id="true stays true"),
        pytest.param({"a": (1, 2)}, {"a": [1, 2]}, id="tuples are lists"),
        pytest.param(Room(beds=2), {"beds": 2}, id="a model"),
        pytest.param([Colour.RED, Decimal("1.50")], ["red", "1.50"], id="enum and decimal"),
        pytest.param(dt.date(2026, 1, 2), "2026-01-02", id="a date"),
        pytest.param(float("inf"), "Infinity", id="infinity is no JSON"),
        pytest.param({"a": [float("-inf")]}, {"a": ["-Infinity"]}, id="at any depth"),
        pytest.param(b"\xff", "b'\\xff'", id="bytes that are no text"),
        pytest.param({"x": Opaque()}, {"x": "<opaque>"}, id="what has no JSON form"),
        pytest.param(Array(), [1, 2], id="an array"),
        pytest.param(LOOP, ["[[...]]"], id="a list that holds itself"),
        pytest.param({"a": ["\ud800"]}, {"a": ["\ud800"]}, id="half a character within"),
        pytest.param("\ud800", "\ud800", id="half a character"),
    ],
)
def test_json_value(value: Any, expected: Any) -> None:
    assert json_value(value) == expected


def test_what_is_kept_does_not_change_afterwards() -> None:
    rows = [{"n": 1}]
    kept = json_value(rows)
    rows[0]["n"] = 2
    assert kept == [{"n": 1}]
