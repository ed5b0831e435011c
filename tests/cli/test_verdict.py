"""Exit codes: where several hold, the largest."""

from __future__ import annotations

import pytest

from tenxgraph_tui.cli.verdict import exit_code
from tenxgraph_tui.evaluation.events import RunFinished


@pytest.mark.parametrize(
    ("counts", "threshold", "code"),
    [
        pytest.param({"passed": 3}, 1.0, 0, id="all passed"),
        pytest.param({"passed": 3, "skipped": 2}, 1.0, 0, id="skipped cases do not count"),
        pytest.param({"passed": 2, "failed": 1}, 1.0, 1, id="one failed"),
        pytest.param({"passed": 2, "failed": 1}, 0.5, 0, id="the threshold was met"),
        pytest.param({"passed": 1, "failed": 2}, 1 / 3, 0, id="exactly met"),
        pytest.param({"passed": 7, "failed": 3}, 0.7, 0, id="float noise fails nobody"),
        pytest.param({"failed": 3}, 0.0, 0, id="nothing needs to pass"),
        pytest.param({"passed": 2, "errors": 1}, 0.0, 3, id="an error is never outweighed"),
        pytest.param({"failed": 2, "errors": 1}, 1.0, 3, id="an error beside a failure"),
        pytest.param({}, 0.0, 3, id="nothing was checked"),
        pytest.param({"skipped": 5}, 0.0, 3, id="everything was skipped"),
        pytest.param({"passed": 3, "error": "disk full"}, 1.0, 3, id="the run had to stop"),
    ],
)
def test_exit_code(counts: dict[str, int], threshold: float, code: int) -> None:
    """EDGE-CASES B61."""
    finished = RunFinished.model_validate({"seq": 0, "at": 0.0, "run_id": "r", **counts})
    assert exit_code(finished, threshold=threshold) == code
    assert exit_code(finished, threshold=threshold, interrupted=True) == 130
