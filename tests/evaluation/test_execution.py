"""What a target did: tokens as models tell them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tenxgraph_tui.evaluation import TokenUsage


@pytest.mark.parametrize(
    ("said", "counted"),
    [
        (7, 7),
        (7.0, 7),
        ("7", 7),
        (None, 0),
        (-1, 0),
        (math.nan, 0),
        (math.inf, 0),
        ("many", 0),
        ([7], 0),
    ],
)
def test_what_is_no_count_of_tokens_is_none_and_no_error(said: Any, counted: int) -> None:
    counts = {"input_tokens": said, "output_tokens": 3, "cache_read_tokens": said}
    assert TokenUsage.from_mapping(counts) == TokenUsage(counted, 3, cache_read_tokens=counted)
