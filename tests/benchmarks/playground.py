"""A project for the dashboard's benchmark: many cases that answer at once, a few that never stop.

The first file's agents finish in a moment; those of the second report steps for minutes, so that a
run of both ends up with every case of the first finished and events that keep arriving.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

FINISHED = "finished"
LIVE = "live"
LIVE_CASES = 200
STEPS = 100
SECONDS_A_STEP = 0.037
"""Four lanes, four events a step: about 500 events a second."""

AGENT = """\
ANSWER = "The answer to this question is a sentence of some length. " * {sentences}


async def finished(messages):
    asked = messages[-1]["content"]
    return ANSWER + asked if "neighbours" in asked else f"You asked: {{asked}}"
"""


def case_id(index: int) -> str:
    """What the case at that place of the first file is called; ids sort as they stand."""
    return f"{FINISHED}_{index:05}"


def make(folder: Path, *, cases: int, characters: int, every: int = 3) -> None:
    """Write the project; each `every`th case fails, with an answer of about `characters`."""
    (folder / "tenxgraph-tui.toml").write_text("")
    (folder / "agents.py").write_text(AGENT.format(sentences=max(1, characters // 58)))
    _write_set(folder, FINISHED, [case_id(i) for i in range(cases)], "agents.py:finished", every)
    live = [f"{LIVE}_{index:05}" for index in range(LIVE_CASES)]
    _write_set(folder, LIVE, live, f"replay:{LIVE}.script.json", every)
    call = {"name": "look_up", "args": {"subject": "the weather in Paris"}, "result": "sunny"}
    step = {"node": "MAIN", "tool_calls": [call], "delay": SECONDS_A_STEP}
    turn = {"steps": [step] * STEPS, "response": "The answer is the one that was expected."}
    script = {name: {"turns": [turn]} for name in live}
    (folder / f"{LIVE}.script.json").write_text(json.dumps(script))


def run_once(folder: Path) -> float:
    """Put a run of the first file into the store; gives the seconds that it took."""
    began = time.perf_counter()
    command = [sys.executable, "-P", "-m", "tenxgraph_tui", "run", f"{FINISHED}.evalset.json"]
    done = subprocess.run(
        [*command, "--quiet"], check=False, cwd=folder, capture_output=True, text=True
    )
    if done.returncode not in {0, 1}:  # every third case fails
        raise RuntimeError(done.stderr)
    return time.perf_counter() - began


def _write_set(folder: Path, name: str, ids: list[str], target: str, every: int) -> None:
    cases = [
        {
            "eval_id": eval_id,
            "name": f"A question about number {place}",
            "tags": ["smoke"] if place % 10 == 0 else [],
            "conversation": [_turn(eval_id, is_missed=place % every == 0)],
        }
        for place, eval_id in enumerate(ids)
    ]
    made = {"eval_set_id": name, "metadata": {"target": target}, "eval_cases": cases}
    (folder / f"{name}.evalset.json").write_text(json.dumps(made, indent=1))


def _turn(eval_id: str, *, is_missed: bool) -> dict[str, object]:
    asked = f"What is to be known about {eval_id}{' and its neighbours' if is_missed else ''}?"
    expected = f"Nothing is known about {eval_id}." if is_missed else f"You asked: {asked}"
    return {
        "user_content": {"role": "user", "content": asked},
        "expected_final_response": {"role": "assistant", "content": expected},
    }
