"""How long a user waits before anything happens: the help text and the library's import.

Usage: python tests/benchmarks/startup.py [N]

Prints the median of N starts (default 15) and its ratio to `python -c pass`, which is measured in
turn with them, because an absolute figure moves with the machine.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

PROGRAM = str(Path(sys.executable).with_name("tenxgraph-tui"))
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "tenxgraph-tui --help": [PROGRAM, "--help"],
    "tenxgraph-tui run --help": [PROGRAM, "run", "--help"],
    "from tenxgraph_tui.evaluation import *": [
        sys.executable,
        "-c",
        "from tenxgraph_tui.evaluation import *",
    ],
}
BUDGETS = {
    "tenxgraph-tui --help": 0.15,
    "tenxgraph-tui run --help": 0.15,
    "from tenxgraph_tui.evaluation import *": 0.25,
}


def seconds(command: list[str]) -> float:
    """The wall time of one start, with everything it prints thrown away."""
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def measure(rounds: int) -> dict[str, float]:
    """The median of each command; one start of each goes before, to fill the caches."""
    taken: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for round_ in range(rounds + 1):
        for name, command in COMMANDS.items():
            elapsed = seconds(command)
            if round_:
                taken[name].append(elapsed)
    return {name: statistics.median(times) for name, times in taken.items()}


def main() -> None:
    medians = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
    bare = medians["python -c pass"]
    for name, median in medians.items():
        budget = f"budget {BUDGETS[name]:.2f} s" if name in BUDGETS else ""
        print(f"{name:42} {median:6.3f} s  {median / bare:5.1f} x  {budget}")


if __name__ == "__main__":
    main()
