"""A project with an agent, and the command line run in it as a shell would."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.cli.main import main

AGENTS = """
import os, sys

def echo(messages):
    return messages[-1]["content"]

def noisy(messages):
    print("thinking")
    os.write(1, b"from C\\n")
    sys.stderr.write("no line end")
    return messages[-1]["content"]

def broken(messages):
    raise ValueError("kaboom")

def reads(messages):
    return input()

def leaves(messages):
    os._exit(0)

def moves(messages):
    os.makedirs("elsewhere", exist_ok=True)
    os.chdir("elsewhere")
    return messages[-1]["content"]
"""

WriteSet = Callable[..., Path]
Shell = Callable[..., "Outcome"]


class Outcome:
    """What a command left: its exit code and what it wrote."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


def case(eval_id: str, expected: str = "", **fields: Any) -> dict[str, Any]:
    """A case that says its id and expects it, or something else, as the answer."""
    turn = {
        "user_content": {"role": "user", "content": eval_id},
        "expected_final_response": {"role": "assistant", "content": expected or eval_id},
    }
    return {"eval_id": eval_id, "conversation": [turn], **fields}


@pytest.fixture
def write_set(project: Path) -> WriteSet:
    """Write an eval set on the agents of the project."""
    (project / "agents.py").write_text(AGENTS)

    def write(
        *cases: dict[str, Any],
        name: str = "basic",
        target: str | None = "agents.py:echo",
        **meta: Any,
    ) -> Path:
        path = project / f"{name}.evalset.json"
        metadata = {"target": target, **meta} if target else meta
        content = {"eval_set_id": name, "eval_cases": list(cases), "metadata": metadata}
        path.write_text(json.dumps(content))
        return path

    return write


@pytest.fixture
def shell(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Run a command line; what it wrote before is forgotten."""
    monkeypatch.setattr(sys, "path", [*sys.path])

    def run(*words: str) -> Outcome:
        capfd.readouterr()
        code = main(list(words))
        return Outcome(code, *capfd.readouterr())

    return run
