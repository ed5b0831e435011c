"""Targets that are no Python object, from a shell: past runs, and servers with their secrets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tenxgraph_tui.session.store import RunStore
from tests.cli.conftest import Shell, WriteSet, case
from tests.targets.conftest import Server, agent_server

__all__ = ["agent_server"]


def stored(project: Path) -> RunStore:
    return RunStore(project / ".tenxgraph-tui" / "runs.db")


def test_a_past_run_is_scored_against_what_is_expected_now(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    write_set(case("a"), case("b"))
    assert shell("run").code == 0
    (project / "agents.py").write_text("raise RuntimeError('no agent is needed')")
    write_set(case("a"), case("b", expected="something else entirely"))
    done = shell("run", "--target", "replay:last")
    assert done.code == 1
    assert "1/2 passed" in done.out
    assert "answer: b" in done.out
    again = stored(project)
    started = next(iter(again.events(again.resolve("last"))))
    assert getattr(started, "sets")[0].target == "replay:#1"  # noqa: B009 - of any event


def test_each_set_is_replayed_from_its_own_of_the_run(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    write_set(case("same", expected="b"), name="first")
    write_set(case("same"), name="second")
    assert shell("run").code == 1
    write_set(case("same"), name="first")
    assert shell("run", "--target", "replay:#1").code == 0
    write_set(case("same"), name="third")
    done = shell("run", "third.evalset.json", "--target", "replay:#1")
    assert done.code == 5
    assert "that run has no set 'third'" in done.err
    assert "'first', 'second'" in done.err


def test_an_agent_that_broke_off_does_so_again(shell: Shell, write_set: WriteSet) -> None:
    write_set(case("a"), target="agents.py:broken")
    assert shell("run").code == 3
    done = shell("run", "--target", "replay:1")
    assert done.code == 3
    assert "ValueError: kaboom" in done.out


@pytest.mark.parametrize("spec", ["replay:last", "replay:#4", "replay:gone.json"])
def test_a_run_that_is_not_there_is_said(shell: Shell, write_set: WriteSet, spec: str) -> None:
    write_set(case("a"))
    done = shell("run", "--target", spec)
    assert done.code == 5
    assert f"target {spec}: there is no" in done.err


def test_secrets_of_a_server_are_nowhere_afterwards(
    shell: Shell,
    write_set: WriteSet,
    project: Path,
    agent_server: Server,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DESK_TOKEN", "token-of-the-desk")
    url = f"{agent_server.url}/chat"
    with_user = url.replace("//", "//someone:word-that-passes@")
    (project / "tenxgraph-tui.toml").write_text(
        f'[http."{url}"]\nanswer = "reply.text"\nheaders = {{ "X-Key" = "env:DESK_TOKEN" }}\n'
        'body = \'{"q": {{ text | tojson }}, "thread": {{ thread_id | tojson }}}\'\n'
    )
    write_set(case("a", expected="nothing like it"), target=f"{with_user}?api_key=key-in-the-query")
    seen = [shell("run", "--report", "json,html,junit,markdown", "--events", "events.jsonl")]
    assert "answer: a Basic ***" in seen[0].out  # it says what credentials it was given
    seen += [shell("list"), shell("doctor"), shell("doctor", "--settings")]
    (asked,) = agent_server.asked("/chat?api_key=key-in-the-query")
    assert asked["headers"]["x-key"] == "token-of-the-desk"
    scheme, _, encoded = asked["headers"]["authorization"].partition(" ")
    assert scheme == "Basic"
    told = "".join(f"{each.out}{each.err}" for each in seen).encode()
    own = {project / "basic.evalset.json"}
    files = [path for path in project.rglob("*") if path.is_file() and path not in own]
    everything = told + b"".join(path.read_bytes() for path in files)
    assert json.dumps("http://***@").strip('"').encode() in everything
    for secret in ("token-of-the-desk", "word-that-passes", "key-in-the-query", encoded):
        assert secret.encode() not in everything
