"""What people type for a run means exactly one, or the message says what there is."""

from __future__ import annotations

import pytest

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.session.naming import pick

RUNS = [(3, "aaaa1111"), (7, "aaaa2222"), (18, "12345678")]


@pytest.mark.parametrize(
    ("name", "run_id"),
    [
        pytest.param("18", "12345678", id="a number"),
        pytest.param("#7", "aaaa2222", id="a number with its sign"),
        pytest.param("last", "12345678", id="the last"),
        pytest.param("-1", "12345678", id="the first from the end"),
        pytest.param("-3", "aaaa1111", id="the third from the end"),
        pytest.param("aaaa1111", "aaaa1111", id="a whole id"),
        pytest.param("AAAA2", "aaaa2222", id="the beginning of an id"),
        pytest.param("1234", "12345678", id="a beginning of digits that is no number"),
    ],
)
def test_a_name_means_a_run(name: str, run_id: str) -> None:
    assert pick(name, RUNS) == run_id


@pytest.mark.parametrize(
    ("name", "says"),
    [
        pytest.param("19", "there is no run '19': the last one is #18", id="a number"),
        pytest.param("aaa", "there is no run 'aaa'", id="a beginning that is too short"),
        pytest.param("aaaa", "several runs: #3, #7", id="a beginning of two"),
        pytest.param("-4", "there are 3, '-1' is the last", id="too far back"),
        pytest.param("-0", "'-1' is the last", id="the zeroth from the end"),
        pytest.param("", "there is no run ''", id="nothing"),
    ],
)
def test_a_name_that_means_none_is_explained(name: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        pick(name, RUNS)
