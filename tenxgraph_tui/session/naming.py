"""What people call a run (`18`, `#18`, `last`, `-2`, the beginning of its id), and which it is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tenxgraph_tui.errors import UsageError

NUMBER = re.compile(r"#?([0-9]+)")
FROM_THE_END = re.compile(r"-([0-9]+)")
SHORTEST_PREFIX = 4


def pick(name: str, runs: Sequence[tuple[int, str]]) -> str:
    """The id of the run that `name` means, out of (number, id) pairs in the order of numbers.

    Raises:
        UsageError: there is no such run, or more than one.
    """
    if not runs:
        raise UsageError(f"there is no run {name!r}: nothing has been run here yet")
    if name == "last":
        return runs[-1][1]
    if back := FROM_THE_END.fullmatch(name):
        return _from_the_end(int(back[1]), runs)
    by_number = NUMBER.fullmatch(name)
    for number, run_id in runs:
        if run_id == name or (by_number and number == int(by_number[1])):
            return run_id
    alike = [pair for pair in runs if pair[1].startswith(name.lower())]
    if len(name) < SHORTEST_PREFIX or not alike:
        raise UsageError(f"there is no run {name!r}: the last one is #{runs[-1][0]}")
    if len(alike) > 1:
        choices = ", ".join(f"#{number}" for number, _ in alike)
        raise UsageError(f"{name!r} is the beginning of several runs: {choices}")
    return alike[0][1]


def _from_the_end(back: int, runs: Sequence[tuple[int, str]]) -> str:
    if not 1 <= back <= len(runs):
        raise UsageError(f"there is no run '-{back}': there are {len(runs)}, '-1' is the last")
    return runs[-back][1]
