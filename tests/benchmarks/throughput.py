"""Cases per second of the library, on a target that answers at once; peers beside it, if given.

Usage: python tests/benchmarks/throughput.py [CASES] [--peer COMMAND]...

Every peer command is run with CASES and 10 (the concurrency) appended and prints one JSON line with
`peer` and `cases_per_s`. Ours and theirs are run in turn, five times; the ratio of the medians is
what counts, since machines differ.
"""

from __future__ import annotations

import argparse
import json
import resource
import shlex
import statistics
import subprocess
import sys
import time

from tenxgraph_tui.evaluation.config import CriteriaConfig, CriterionConfig, EvalConfig
from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet
from tenxgraph_tui.evaluation.memory import MemorySink
from tenxgraph_tui.evaluation.objects import ObjectSource
from tenxgraph_tui.evaluation.plan import RunOptions, SetPlan
from tenxgraph_tui.evaluation.runner import Run
from tenxgraph_tui.evaluation.stream import EventStream

CONCURRENCY = 10
ROUNDS = 5


async def answers(messages: list[dict[str, str]]) -> str:
    return messages[-1]["content"].replace("question", "answer")


def answers_blocking(messages: list[dict[str, str]]) -> str:
    return messages[-1]["content"].replace("question", "answer")


def measure(count: int, *, plain: bool) -> float:
    """Cases a second."""
    cases = [EvalCase.single_turn(f"c{i}", f"question {i}", f"answer {i}") for i in range(count)]
    config = EvalConfig(
        criteria=CriteriaConfig(
            tool_name_match=CriterionConfig.tool_name_match(),
            rouge_match=CriterionConfig.rouge_match(),
        )
    )
    target = ObjectSource(answers_blocking if plain else answers)
    options = RunOptions(max_concurrency=CONCURRENCY)
    stream = EventStream(run_id=options.run_id)
    plan = SetPlan(EvalSet(eval_cases=cases), target, config)
    began = time.perf_counter()
    finished = Run([plan], options, stream, MemorySink()).execute()
    seconds = time.perf_counter() - began
    if finished.passed != count:
        raise AssertionError(f"{finished.passed} of {count} passed")
    return count / seconds


def ours(count: int, *flags: str) -> float:
    done = subprocess.run(
        [sys.executable, __file__, str(count), "--once", *flags],
        check=True,
        capture_output=True,
        text=True,
    )
    return float(json.loads(done.stdout)["cases_per_s"])


def theirs(count: int, command: str) -> tuple[str, float]:
    line = [*shlex.split(command), str(count), str(CONCURRENCY)]
    done = subprocess.run(line, check=True, capture_output=True, text=True)
    told = json.loads(done.stdout.strip().splitlines()[-1])
    return str(told["peer"]), float(told["cases_per_s"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="?", type=int, default=5000)
    parser.add_argument("--peer", action="append", default=[])
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--plain", action="store_true")
    arguments = parser.parse_args()
    if arguments.once:
        rate = measure(arguments.cases, plain=arguments.plain)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(json.dumps({"peer": "ours", "cases_per_s": round(rate), "peak_rss_mib": peak}))
        return
    rates: dict[str, list[float]] = {"async callable": [], "plain def": []}
    for _ in range(ROUNDS):
        rates["async callable"].append(ours(arguments.cases))
        rates["plain def"].append(ours(arguments.cases, "--plain"))
        for command in arguments.peer:
            name, rate = theirs(arguments.cases, command)
            rates.setdefault(name, []).append(rate)
    medians = {name: statistics.median(values) for name, values in rates.items()}
    for name, median in medians.items():
        ratio = medians["async callable"] / median
        print(f"{name:16} {median:8.0f} cases/s   the async callable is {ratio:.2f} × that")


if __name__ == "__main__":
    main()
