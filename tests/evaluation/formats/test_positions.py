"""Positions in a JSON text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenxgraph_tui.evaluation.formats.positions import JsonPath, line_of, walk

TEXT = """{
  "a": {"b": 1},
  "list": [
    {"c": "x, [y] {z} \\" : 2"},
    3
  ]
}"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        pytest.param(("a",), 2, id="a key"),
        pytest.param(("a", "b"), 2, id="a nested key"),
        pytest.param(("list", 0, "c"), 4, id="a key in a list"),
        pytest.param(("list", 1), 5, id="an item after a text full of brackets"),
        pytest.param(("list", 0, "nope"), 4, id="what is missing is at what surrounds it"),
        pytest.param((), 1, id="the whole"),
    ],
)
def test_a_path_has_a_line(path: JsonPath, line: int) -> None:
    assert line_of(TEXT, path) == line


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(value=values, indent=st.sampled_from([None, 1]), ascii_only=st.booleans())
def test_the_walk_finds_every_member_and_item_in_order(
    value: Any, indent: int | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)

    assert [found.path for found in walk(text)] == list(_paths(value, ()))


def _paths(value: Any, path: JsonPath) -> list[JsonPath]:
    if isinstance(value, dict):
        items: list[tuple[str | int, Any]] = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    else:
        return []
    found = []
    for key, item in items:
        found += [(*path, key), *_paths(item, (*path, key))]
    return found
