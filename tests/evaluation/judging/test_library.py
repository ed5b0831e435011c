"""LiteLLM in a process of its own: what importing and asking leave behind, and whom they reach."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.evaluation.judging.server import ModelServer

GUARD = """
import sys
reached = []

def guard(event, arguments):
    if event == "socket.connect":
        place = arguments[1]
        if isinstance(place, tuple) and place[0] not in {"127.0.0.1", "::1"}:
            reached.append(place[0])
            raise ConnectionRefusedError(place)
    elif event == "socket.getaddrinfo" and arguments[0] not in {None, "127.0.0.1", "localhost"}:
        reached.append(str(arguments[0]))
        raise ConnectionRefusedError(arguments[0])

sys.addaudithook(guard)
"""
"""Whatever opens a connection but to this machine is noted, and cannot."""

ASK = """
import asyncio, json, os
from tenxgraph_tui.evaluation.judge import JudgeOptions, LiteLLMJudge, judged_by
from tenxgraph_tui.evaluation.judging.sampling import opinion

async def ask(model, base_url=None, **options):
    judge = LiteLLMJudge(JudgeOptions(base_url=base_url, attempts=1, **options))
    with judged_by(judge):
        return await opinion("Judge.", model=model, samples=2)
"""


def ran(program: str, cwd: Path, **environ: str) -> tuple[dict[str, Any], str]:
    """The last line that a program prints, as JSON; and all else that it says."""
    done = subprocess.run(
        [sys.executable, "-W", "default::ResourceWarning", "-c", GUARD + program],
        cwd=cwd,
        env={"PATH": "", "HOME": str(cwd), **_paths(), **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    *before, last = done.stdout.splitlines() or [""]
    assert done.returncode == 0, done.stderr
    return json.loads(last), "\n".join(before) + done.stderr


PROVIDERS = {
    "gemini-2.5-flash": ("GEMINI_API_KEY", "generativelanguage.googleapis.com"),
    "claude-sonnet-4-5": ("ANTHROPIC_API_KEY", "api.anthropic.com"),
    "gpt-4o": ("OPENAI_API_KEY", "api.openai.com"),
}


def test_asking_says_nothing_takes_no_file_along_and_reaches_nobody_but_the_model(
    server: ModelServer, tmp_path: Path
) -> None:
    told, said = ran(
        ASK
        + f"""
import dotenv, logging
files = []
dotenv.load_dotenv = lambda *arguments, **named: files.append(1)
logging.basicConfig(level=logging.DEBUG)
for name in ("tenxgraph_tui", "asyncio"):  # ours tells of waits, asyncio of its selector
    logging.getLogger(name).setLevel(logging.CRITICAL)
found = asyncio.run(ask("good|alone", {server.url!r}))
failed = asyncio.run(ask("401", {server.url!r}))
nobody = list(reached)
providers = {{}}
for model in {list(PROVIDERS)!r}:
    reached.clear()
    providers[model] = [str(asyncio.run(ask(model)).error), sorted(set(reached))]
print()
print(json.dumps({{
    "scores": found.scores, "error": str(failed.error), "nobody": nobody, "files": files,
    "mode": os.environ.get("LITELLM_MODE"), "providers": providers,
}}))
""",
        tmp_path,
        **{variable: "sk-a-key-of-somebody" for variable, _ in PROVIDERS.values()},
    )
    assert told["scores"] == [0.8, 0.8]
    assert "refused the key (401)" in told["error"]
    assert (told["mode"], told["nobody"], told["files"]) == (None, [], [])
    for model, (error, hosts) in told["providers"].items():
        assert "it cannot be reached" in error
        assert hosts == [PROVIDERS[model][1]]
    assert said.strip() == ""
    assert "sk-a-key" not in str(told)


def test_what_an_agent_set_in_its_own_litellm_stays_and_does_not_reach_the_judge(
    server: ModelServer, tmp_path: Path
) -> None:
    told, _ = ran(
        """
import logging, os
os.environ["LITELLM_OFFLINE_MODE"] = "true"
import litellm
seen = []
litellm.success_callback = [lambda *arguments: seen.append("success")]
litellm.num_retries = 3
litellm.api_base = "http://127.0.0.1:9/v1"
handlers = list(logging.getLogger("LiteLLM").handlers)
"""
        + ASK
        + f"""
found = asyncio.run(ask("good|shared", {server.url!r}))
print()
print(json.dumps({{
    "scores": found.scores, "seen": seen, "retries": litellm.num_retries,
    "same": handlers == logging.getLogger("LiteLLM").handlers,
}}))
""",
        tmp_path,
    )
    assert told == {"scores": [0.8, 0.8], "seen": [], "retries": 3, "same": True}


def test_after_a_fork_there_is_a_loop_again(tmp_path: Path) -> None:
    told, _ = ran(
        """
import asyncio, json
from multiprocessing import get_context
from tenxgraph_tui.evaluation.judging.library import JUDGES

async def answer():
    return 2

first = asyncio.run(JUDGES.run(answer()))

def child(results):
    results.put(asyncio.run(JUDGES.run(answer())))

forks = get_context("fork")
results = forks.SimpleQueue()
process = forks.Process(target=child, args=(results,))
process.start()
process.join(60)
print()
print(json.dumps({"first": first, "second": None if results.empty() else results.get()}))
""",
        tmp_path,
    )
    assert told == {"first": 2, "second": 2}


def _paths() -> dict[str, str]:
    return {"PYTHONPATH": ":".join(path for path in sys.path if path)}
