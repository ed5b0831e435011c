"""Run the sample sets and compare what came of every case with `expected.json`.

Usage: python .ci/check_run.py PATH-OF-TENXGRAPH-TUI [NAME…]

The exit code, the events and the JSON reports must all tell the same, case by case.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

EXPECTED: dict[str, dict[str, Any]] = json.loads(
    Path(__file__).with_name("expected.json").read_text(encoding="utf-8")
)
STATUSES = ("failed", "error", "known", "skipped")
Outcome = dict[str, list[str]]


def outcome_of_events(path: Path) -> Outcome:
    """The case ids by status, as the events told them."""
    found: Outcome = {"all": [], "passed": [], **{status: [] for status in STATUSES}}
    for line in path.read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["kind"] == "case_finished":
            _, eval_id, _ = event["case"]
            found["all"].append(eval_id)
            found.setdefault(event["status"], []).append(eval_id)
            if event["known"]:
                found["known"].append(eval_id)
    return found


def outcome_of_reports(folder: Path) -> Outcome:
    """The same, read from every JSON report of the run."""
    found: Outcome = {"all": [], "passed": [], **{status: [] for status in STATUSES}}
    for path in folder.glob("*.json"):
        report = json.loads(path.read_text(encoding="utf-8"))
        metadata = report["metadata"]
        for result in report["results"]:
            status = "passed" if result["passed"] else "error" if result["error"] else "failed"
            found["all"].append(result["eval_id"])
            found[status].append(result["eval_id"])
        for status, key in (("known", "xfailed"), ("skipped", "skipped")):
            found[status] += metadata.get(key, [])
        found["all"] += metadata.get("skipped", [])
    return found


def differences(expected: dict[str, Any], found: Outcome, source: str) -> list[str]:
    """One line for each thing that is not as expected."""
    lines = [
        f"{source}: {status} is {sorted(found[status])}, expected {sorted(expected[status])}"
        for status in STATUSES
        if sorted(found[status]) != sorted(expected[status])
    ]
    if len(found["all"]) != expected["cases"]:
        lines.append(f"{source}: {len(found['all'])} cases, expected {expected['cases']}")
    if not expected["exit_code"] and not found["passed"]:
        lines.append(f"{source}: nothing passed")
    return lines


def check(program: str, expected: dict[str, Any]) -> list[str]:
    """Run it once in a fresh folder for reports; what was wrong, line by line."""
    with tempfile.TemporaryDirectory() as folder:
        events = Path(folder, "events.jsonl")
        reports = Path(folder, "reports")
        command = [program, "run", *expected["arguments"], "--quiet", "--report", "json"]
        command += ["--output-dir", str(reports), "--events", str(events)]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        wrong = []
        if done.returncode != expected["exit_code"]:
            wrong = [f"exit code {done.returncode}, expected {expected['exit_code']}"]
            wrong += [done.stdout[-4000:], done.stderr[-4000:]]
        if not events.exists():
            return [*wrong, "no events file was written"]
        wrong += differences(expected, outcome_of_events(events), "events")
        return wrong + differences(expected, outcome_of_reports(reports), "reports")


def main(program: str, names: list[str]) -> int:
    """All of them at the same time: they mostly wait, and share the run store as users' do."""
    chosen = names or list(EXPECTED)
    with ThreadPoolExecutor(len(chosen)) as pool:
        found = list(pool.map(lambda name: check(program, EXPECTED[name]), chosen))
    for name, wrong in zip(chosen, found, strict=True):
        print(f"{'wrong' if wrong else 'as expected'}: {name}", *wrong, sep="\n  ")
    return 1 if any(found) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
