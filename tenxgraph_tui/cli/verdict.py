"""What a run's end means for whoever called the command: its exit code."""

from __future__ import annotations

from tenxgraph_tui.evaluation.events import RunFinished
from tenxgraph_tui.evaluation.results import TOLERANCE

MET, BELOW, BROKEN, INTERRUPTED = 0, 1, 3, 130


def exit_code(finished: RunFinished, *, threshold: float = 1.0, interrupted: bool = False) -> int:
    """The largest of the codes that hold; `threshold` is the pass rate needed, 0 to 1.

    Errors and a run that checked nothing are not outweighed by any threshold.
    """
    done = finished.passed + finished.failed + finished.errors
    codes = [MET]
    if not done or finished.errors or finished.error is not None:
        codes.append(BROKEN)
    if done and finished.passed / done < threshold - TOLERANCE:
        codes.append(BELOW)
    if interrupted:
        codes.append(INTERRUPTED)
    return max(codes)
