from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation.judging.providers import access


@pytest.mark.parametrize(
    ("name", "provider", "full"),
    [
        ("gemini-2.5-flash", "gemini", "gemini/gemini-2.5-flash"),
        ("gemini/gemini-2.5-pro", "gemini", "gemini/gemini-2.5-pro"),
        ("gpt-4o", "openai", "openai/gpt-4o"),
        ("chatgpt-4o-latest", "openai", "openai/chatgpt-4o-latest"),
        ("o4-mini", "openai", "openai/o4-mini"),
        ("ft:gpt-4o:acme", "openai", "openai/ft:gpt-4o:acme"),
        ("claude-opus-9", "anthropic", "anthropic/claude-opus-9"),
        ("ollama/llama3", "ollama", "ollama/llama3"),
        ("vertex_ai/gemini-2.5-flash", "vertex_ai", "vertex_ai/gemini-2.5-flash"),
        ("bedrock/anthropic.claude-v2", "bedrock", "bedrock/anthropic.claude-v2"),
        ("openrouter/openai/gpt-4o", "openrouter", "openrouter/openai/gpt-4o"),
        ("Groq/llama-3.3-70b", "groq", "groq/llama-3.3-70b"),
        ("mistral-large-latest", "", "mistral-large-latest"),
        ("/odd", "", "/odd"),
    ],
)
def test_the_provider_is_told_from_the_name(name: str, provider: str, full: str) -> None:
    found = access(name, {})
    assert (found.provider, found.model) == (provider, full)


@pytest.mark.parametrize(
    ("name", "environ", "missing"),
    [
        pytest.param("gpt-4o", {}, ("OPENAI_API_KEY",), id="not set"),
        pytest.param("gpt-4o", {"OPENAI_API_KEY": " "}, ("OPENAI_API_KEY",), id="blank"),
        pytest.param("gpt-4o", {"OPENAI_API_KEY": "sk-1"}, (), id="set"),
        pytest.param("gemini-2.5-flash", {}, ("GEMINI_API_KEY",), id="the usual name is said"),
        pytest.param("gemini-2.5-flash", {"GOOGLE_API_KEY": "k"}, (), id="the other one will do"),
        pytest.param(
            "azure/gpt-4o",
            {"AZURE_API_KEY": "k"},
            ("AZURE_API_BASE", "AZURE_API_VERSION"),
            id="all of several",
        ),
        pytest.param("bedrock/x", {"AWS_PROFILE": "dev"}, (), id="a profile is a credential"),
        pytest.param("ollama/llama3", {}, (), id="nothing is needed"),
        pytest.param(
            "gemini-2.5-flash",
            {"GOOGLE_GENAI_USE_VERTEXAI": "true", "GEMINI_API_KEY": "k"},
            ("VERTEXAI_PROJECT", "VERTEXAI_LOCATION"),
            id="Google was told to use Vertex",
        ),
    ],
)
def test_what_is_missing_is_named(
    name: str, environ: dict[str, str], missing: tuple[str, ...]
) -> None:
    assert access(name, environ).missing == missing


@pytest.mark.parametrize("name", ["llama3", "some_cloud/llama3"])
def test_of_an_unknown_provider_nothing_is_claimed(name: str) -> None:
    found = access(name, {})
    assert not found.is_known
    assert found.missing == ()
