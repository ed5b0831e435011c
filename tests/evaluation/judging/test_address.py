"""Where a model is asked, and what is missing for that."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping

import pytest

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.judging.address import address, check

HERE = "http://localhost:8000/v1"


@pytest.mark.parametrize(
    ("model", "environ", "full"),
    [
        ("gemini-2.5-flash", {"GEMINI_API_KEY": "k"}, "gemini/gemini-2.5-flash"),
        ("gemini-9-new", {"GOOGLE_API_KEY": "k"}, "gemini/gemini-9-new"),
        ("claude-opus-9", {"ANTHROPIC_API_KEY": "k"}, "anthropic/claude-opus-9"),
        ("gpt-9-ultra", {"OPENAI_API_KEY": "k"}, "openai/gpt-9-ultra"),
        ("ollama/llama3", {}, "ollama/llama3"),
        ("groq/llama", {"GROQ_API_KEY": "k"}, "groq/llama"),
        ("bedrock/x", {}, "bedrock/x"),
        ("some_cloud/x", {}, "some_cloud/x"),
    ],
)
def test_a_name_leads_to_its_provider(model: str, environ: Mapping[str, str], full: str) -> None:
    found = address(model, None, environ)
    assert (found.model, found.problem, found.extra) == (full, "", {})


@pytest.mark.parametrize(
    ("model", "environ", "told"),
    [
        ("gemini-2.5-flash", {}, "has no key: set GEMINI_API_KEY or GOOGLE_API_KEY"),
        ("gpt-4o", {"OPENAI_API_KEY": " "}, "has no key: set OPENAI_API_KEY"),
        ("claude-haiku-4-5", {}, "set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN"),
        ("azure/gpt", {"AZURE_API_KEY": "k"}, "set AZURE_API_BASE and AZURE_API_VERSION"),
        ("mistral-large", {}, "'mistral-large': write its provider too, like mistral/"),
    ],
)
def test_what_is_missing_is_said_before_anything_is_asked(
    model: str, environ: Mapping[str, str], told: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        check([model, model], None, environ)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 4


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("gemini-2.5-flash", "openai/gemini-2.5-flash"),
        ("openai/qwen3", "openai/qwen3"),
        ("meta-llama/Llama-3", "openai/meta-llama/Llama-3"),
    ],
)
def test_behind_a_base_url_every_model_is_asked_in_one_way(model: str, name: str) -> None:
    found = address(model, HERE, {"OPENAI_API_KEY": "sk-of-openai"})
    assert (found.model, found.problem) == (name, "")
    assert found.extra == {"api_base": HERE, "api_key": "none"}


def test_the_server_behind_a_base_url_has_a_key_of_its_own() -> None:
    found = address("x", HERE, {"TENXGRAPH_TUI_JUDGE_API_KEY": " secret "})
    assert found.extra["api_key"] == "secret"


@pytest.mark.parametrize("key", ["two\nlines", "caf\u00e9", "nul\0"])
def test_a_key_that_no_header_can_carry_is_refused_before_anything_is_asked(key: str) -> None:
    with pytest.raises(ConfigError, match="a character that no key has") as caught:
        check(["x"], HERE, {"TENXGRAPH_TUI_JUDGE_API_KEY": key})
    assert key not in str(caught.value)


def test_a_key_that_was_set_with_its_line_break_is_named() -> None:
    with pytest.raises(ConfigError, match=r"'gpt-4o': OPENAI_API_KEY has a character.*'\\n'"):
        check(["gpt-4o"], None, {"OPENAI_API_KEY": "sk-of-openai\n"})
    check(["gpt-4o"], None, {"OPENAI_API_KEY": "sk-of-openai"})


@pytest.mark.parametrize("url", ["localhost:8000", "http://", "", "ftp://x", "http://[::1", "/v1"])
def test_a_url_that_leads_nowhere_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="write it like http://localhost:8000/v1"):
        check(["x"], url, {})


def test_vertex_takes_what_google_calls_its_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    environ = {"GOOGLE_GENAI_USE_VERTEXAI": "true", "GOOGLE_CLOUD_PROJECT": "p"}
    found = address("gemini-2.5-flash", None, environ)
    assert found.model == "vertex_ai/gemini-2.5-flash"
    assert (found.extra, found.problem) == ({"vertex_project": "p"}, "")


def test_vertex_without_its_library_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    found = address("vertex_ai/gemini-2.5-flash", None, {})
    assert "pip install google-auth" in found.problem


def test_a_library_that_is_missing_is_said_before_anything_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name != "json5" or None)
    with pytest.raises(ConfigError, match="pip install json5"):
        check(["x"], HERE, {})


@pytest.mark.parametrize(
    ("environ", "hint"),
    [
        ({"HTTP_PROXY": "http://proxy:1"}, "HTTP_PROXY is set: add localhost to NO_PROXY"),
        ({"all_proxy": "http://proxy:1"}, "all_proxy is set: add localhost to NO_PROXY"),
        ({"HTTP_PROXY": "http://proxy:1", "NO_PROXY": "localhost,127.0.0.1"}, ""),
        ({"HTTPS_PROXY": "http://proxy:1"}, ""),
        ({}, ""),
    ],
)
def test_a_proxy_may_be_what_is_between(environ: Mapping[str, str], hint: str) -> None:
    assert address("x", HERE, environ).hint == hint
    assert address("x", "http://models.example/v1", environ).hint == ""
