"""Agents behind HTTP: what they are sent, what is read from their replies, and what goes wrong."""

from __future__ import annotations

import asyncio
import logging
import re
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.errors import EndpointError, TargetError
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.recorder import Recorder, recording
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.evaluation.target_options import TargetOptions
from tenxgraph_tui.targets import resolve
from tests.targets.conftest import Server, ask

SECRET = "private-token-4711"
BODY = '{"q": {{ text | tojson }}, "thread": {{ thread_id | tojson }}}'
CHAT: dict[str, Any] = {
    "body": BODY,
    "answer": "reply.text",
    "tool_calls": "calls",
    "nodes": "reply.via",
    "input_tokens": "usage.in",
    "output_tokens": "usage.out",
}


def test_a_described_endpoint_is_evaluated_like_any_agent(agent_server: Server) -> None:
    done = ask(f"{agent_server.url}/chat", 'say "no"\nplease', **CHAT)
    assert done.actual_response == 'say "no"\nplease'
    looked, saved = done.tool_calls
    assert (looked.name, looked.args, looked.result) == (
        "look_up",
        {"q": 'say "no"\nplease'},
        {"found": 1},
    )
    assert (saved.name, saved.args, saved.error) == ("save", {"ok": True}, "disk full")
    assert done.node_visits == ["PLAN", "ACT"]
    usage = done.token_usage
    assert (usage.input_tokens, usage.output_tokens) == (10, 4)


def test_the_server_remembers_by_the_thread_that_is_each_attempts_own(
    agent_server: Server,
) -> None:
    url = f"{agent_server.url}/chat"
    assert ask(url, "one", "two", **CHAT).responses() == ["one", "one / two"]
    assert ask(url, "three", **CHAT).actual_response == "three"


def test_a_template_may_send_the_whole_history_instead(agent_server: Server) -> None:
    body = '{"q": {{ (turn ~ ": " ~ messages | map(attribute="content") | join("; ")) | tojson }}}'
    done = ask(f"{agent_server.url}/chat?whole", "one", "two", body=body, answer="reply.text")
    assert done.responses()[1].endswith("1: one; 0: one; two")


def test_with_get_the_keys_of_the_body_are_the_query(agent_server: Server) -> None:
    done = ask(f"{agent_server.url}/chat?v=1", "a b", method="GET", body=BODY, answer="reply.text")
    assert re.match(r"v=1&q=a(\+|%20)b&thread=case-", done.actual_response.split(" / ")[-1])


def test_events_of_a_stream_are_read_as_they_come(agent_server: Server) -> None:
    done = ask(
        f"{agent_server.url}/events",
        stream=True,
        answer="delta",
        tool_calls="calls",
        input_tokens="usage.in",
    )
    assert done.actual_response == "Hello"
    assert [(call.name, call.args) for call in done.tool_calls] == [("look", {"at": "it"})]
    assert done.token_usage.input_tokens == 7


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_what_may_pass_is_tried_again(agent_server: Server, status: int) -> None:
    path = f"/refuse/{status}/2"
    assert ask(f"{agent_server.url}{path}", **CHAT).actual_response == "hello"
    assert len(agent_server.asked(path)) == 3


@pytest.mark.parametrize("status", [400, 401, 500])
def test_what_the_agent_may_have_acted_on_is_not(agent_server: Server, status: int) -> None:
    path = f"/refuse/{status}"
    before = len(agent_server.asked(path))
    with pytest.raises(EndpointError, match=rf"POST http://.*{path}: answered {status}: .*no, "):
        ask(f"{agent_server.url}{path}", **CHAT)
    assert len(agent_server.asked(path)) == before + 1


def test_tries_come_to_an_end(agent_server: Server) -> None:
    with pytest.raises(EndpointError, match=r"answered 503: .* \(2 tries\)$"):
        ask(f"{agent_server.url}/refuse/503", retries=1, **CHAT)


@pytest.mark.parametrize(
    ("path", "how", "told"),
    [
        ("html", {}, r"answered no JSON: <html>gateway \\x1b\[31m</html>"),
        ("latin", {}, r"the answer is not utf-8 at byte 23; the content-type has to name its ch"),
        ("latin_late", {}, r"the answer is not utf-8 at byte 200020; "),
        ("moved", {}, r"answered 307: it wants to be asked at /elsewhere.*name that URL"),
        ("chat", {"answer": "a.b"}, r"'a.b' found nothing: the reply is an object with reply, ca"),
        ("chat", {"answer": "reply"}, r"'reply' found an object with text, via, not a text"),
        ("chat", {"answer": "sum(reply.text)"}, r"answer = 'sum\(reply.text\)' does not fit"),
        ("chat", {"tool_name": "nom"}, r"'nom' found no name: the call is an object with name"),
        ("chat", {"error": "reply.text"}, r"the agent says: hello"),
        ("events", {"stream": True}, r"found nothing: the last of 4 events is an object with"),
        ("events/broken", {"stream": True, "answer": "delta"}, r"an event is no JSON: .*no JSON"),
        ("drip", {"timeout": 0.3}, r"no whole answer within 0.3 s"),
        ("hangup", {"retries": 0}, r"cannot be asked: Server disconnected"),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_one_line(
    agent_server: Server, path: str, how: dict[str, Any], told: str
) -> None:
    with pytest.raises(EndpointError, match=told) as caught:
        ask(f"{agent_server.url}/{path}", **{**CHAT, **how})
    assert str(caught.value).startswith(f"POST {agent_server.url}/{path}: ")
    assert str(caught.value).isprintable()


def test_an_answer_is_read_in_the_charset_that_its_header_names(agent_server: Server) -> None:
    how: dict[str, Any] = {"body": BODY, "answer": "reply.text"}
    assert ask(f"{agent_server.url}/latin/iso-8859-1", **how).actual_response == "Café"
    with pytest.raises(EndpointError, match="not utf-8"):
        ask(f"{agent_server.url}/latin/klingon", **how)


def test_a_server_that_is_not_there_is_tried_again_and_named() -> None:
    with pytest.raises(
        EndpointError, match=r"POST http://127\.0\.0\.1:1/: cannot be asked: .*2 tr"
    ):
        ask("http://127.0.0.1:1/", retries=1, **CHAT)


def test_a_cancelled_case_closes_its_request(agent_server: Server) -> None:
    url = f"{agent_server.url}/slow"
    options = TargetOptions.model_validate({"http": {url: CHAT}})

    async def run() -> None:
        source = resolve(url, base=Path.cwd(), options=options)
        source.load()
        target, recorder = await source.open(), Recorder(CaseKey(0, "case"))
        with recording(recorder):
            task = asyncio.create_task(target.run(EvalCase.single_turn("case", "hi"), recorder))
            async with asyncio.timeout(30):
                while not agent_server.asked("/slow"):  # noqa: ASYNC110 - another process
                    await asyncio.sleep(0.02)
                task.cancel()
                while "abandoned" not in agent_server.asked("/slow")[0]:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)

    asyncio.run(run())


def test_secrets_are_sent_and_never_told(
    agent_server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("SHOP_TOKEN", SECRET)
    caplog.set_level(logging.DEBUG)
    headers = {"Authorization": "Bearer env:SHOP_TOKEN"}
    query = {"api_key": "env:SHOP_TOKEN"}
    done = ask(f"{agent_server.url}/chat", headers=headers, query=query, **CHAT)
    (asked,) = agent_server.asked(f"/chat?api_key={SECRET}")
    assert asked["headers"]["authorization"] == f"Bearer {SECRET}"
    assert SECRET not in done.model_dump_json()
    assert done.actual_response == "hello ***"
    with pytest.raises(EndpointError, match=r"no, \*\*\*") as caught:
        ask(f"{agent_server.url}/refuse/403", headers=headers, query=query, **CHAT)
    assert SECRET not in str(caught.value)
    assert SECRET not in caplog.text


def test_a_user_in_the_url_is_sent_and_never_told(
    agent_server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    bare = agent_server.url.removeprefix("http://")
    spec = f"http://shop:pass-word-1@{bare}/refuse/402?key=in-the-query"
    with pytest.raises(EndpointError) as caught:
        ask(spec, http={agent_server.url: CHAT})
    (asked,) = agent_server.asked("/refuse/402?key=in-the-query")
    assert asked["headers"]["authorization"].startswith("Basic ")
    told = f"{caught.value}{caplog.text}"
    assert f"***@{bare}/refuse/402?key=***" in told
    assert "pass-word-1" not in told
    assert "in-the-query" not in told


@pytest.mark.parametrize(
    ("described", "is_sent"),
    [
        ("http://127.0.0.1:PORT", True),
        ("http://127.0.0.1:PORT/chat/", True),
        ("http://127.0.0.1:PORT/cha", False),
        ("http://127.0.0.1:PORT/chat/room", False),
        ("http://localhost:PORT", False),
        ("https://127.0.0.1:PORT", False),
        ("http://127.0.0.1:1", False),
    ],
)
def test_headers_go_to_their_own_server_and_path_alone(
    agent_server: Server, monkeypatch: pytest.MonkeyPatch, described: str, is_sent: bool
) -> None:
    monkeypatch.setenv("SHOP_TOKEN", SECRET)
    key = described.replace("PORT", agent_server.url.rpartition(":")[2])
    mine = {**CHAT, "headers": {"Authorization": "env:SHOP_TOKEN"}}
    spec = f"{agent_server.url}/chat?{described.partition('//')[2].replace('/', '-')}"
    if is_sent:
        assert ask(spec, http={key: mine}).actual_response == "hello ***"
    else:  # it is taken for a server of 10xGraph, which it is not
        with pytest.raises(EndpointError):
            ask(spec, http={key: mine})


def test_of_two_descriptions_the_nearer_one_counts(agent_server: Server) -> None:
    options = {agent_server.url: {"answer": "nothing"}, f"{agent_server.url}/chat": CHAT}
    assert ask(f"{agent_server.url}/chat", http=options).actual_response == "hello"


@pytest.mark.parametrize(
    ("described", "told"),
    [
        ({"body": "{{ txt }}"}, "body: 'txt' is undefined; there are text, messages, thread_id"),
        ({"body": '{"q": "{{ text }}"}'}, r"body: it makes no JSON .* write values as \{\{ text"),
        ({"body": "{% if %}"}, r"body: .*line 1 of it"),
        ({"body": '{{ "".__class__.__mro__ | tojson }}'}, "body: .*unsafe"),
        ({"answer": "a b"}, r"answer: 'a b' is no JMESPath"),
        ({"headers": {"Authorization": "env:NOT_SET_1"}}, "needs the variable NOT_SET_1, which is"),
        ({"headers": {"X Y": "a"}}, "headers: X Y cannot be sent"),
        ({"headers": {"X": "a\nb"}}, "headers: X cannot be sent"),
    ],
)
def test_a_wrong_description_is_found_before_anything_is_asked(
    described: dict[str, Any], told: str
) -> None:
    with pytest.raises(TargetError, match=told) as caught:
        ask("http://127.0.0.1:1/chat", **{**CHAT, **described})
    assert str(caught.value).startswith('http."http://127.0.0.1:1/chat": ')


@pytest.mark.parametrize("spec", ["http://", "http://a:x/", "https://a b/", "http://[::1/"])
def test_what_is_no_url_is_said(spec: str) -> None:
    with pytest.raises(TargetError, match="this is no URL"):
        resolve(spec, base=Path.cwd())
