"""Which provider serves a model, and which environment variables it wants.

All of it is known without importing litellm, which takes seconds and 190 MiB.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

Keys = tuple[tuple[str, ...], ...]
"""Every group must be there, by any one of its variables; the first is the one that is named."""

GOOGLE_WANTS_VERTEX = "GOOGLE_GENAI_USE_VERTEXAI"
VERTEX: Keys = (
    ("VERTEXAI_PROJECT", "GOOGLE_CLOUD_PROJECT"),
    ("VERTEXAI_LOCATION", "GOOGLE_CLOUD_LOCATION"),
)
AWS: Keys = (
    (
        "AWS_ACCESS_KEY_ID",
        "AWS_PROFILE",
        "AWS_ROLE_ARN",
        "AWS_WEB_IDENTITY_TOKEN_FILE",
        "AWS_BEARER_TOKEN_BEDROCK",
        "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
        "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    ),
)
PROVIDERS: dict[str, Keys] = {
    "openai": (("OPENAI_API_KEY",),),
    "anthropic": (("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),),
    "gemini": (("GEMINI_API_KEY", "GOOGLE_API_KEY"),),
    "vertex_ai": VERTEX,
    "azure": (("AZURE_API_KEY",), ("AZURE_API_BASE",), ("AZURE_API_VERSION",)),
    "azure_ai": (("AZURE_AI_API_KEY",), ("AZURE_AI_API_BASE",)),
    "bedrock": AWS,
    "sagemaker": AWS,
    "openrouter": (("OPENROUTER_API_KEY",),),
    "groq": (("GROQ_API_KEY",),),
    "mistral": (("MISTRAL_API_KEY",),),
    "codestral": (("CODESTRAL_API_KEY",),),
    "cohere": (("COHERE_API_KEY",),),
    "cohere_chat": (("COHERE_API_KEY",),),
    "deepseek": (("DEEPSEEK_API_KEY",),),
    "xai": (("XAI_API_KEY",),),
    "together_ai": (("TOGETHERAI_API_KEY", "TOGETHER_API_KEY", "TOGETHER_AI_API_KEY"),),
    "fireworks_ai": (
        (
            "FIREWORKS_AI_API_KEY",
            "FIREWORKS_API_KEY",
            "FIREWORKSAI_API_KEY",
            "FIREWORKS_AI_TOKEN",
        ),
    ),
    "perplexity": (("PERPLEXITYAI_API_KEY",),),
    "huggingface": (("HF_TOKEN", "HUGGINGFACE_API_KEY"),),
    "replicate": (("REPLICATE_API_KEY", "REPLICATE_API_TOKEN"),),
    "nvidia_nim": (("NVIDIA_NIM_API_KEY",),),
    "cerebras": (("CEREBRAS_API_KEY",),),
    "sambanova": (("SAMBANOVA_API_KEY",),),
    "deepinfra": (("DEEPINFRA_API_KEY",),),
    "moonshot": (("MOONSHOT_API_KEY",),),
    "dashscope": (("DASHSCOPE_API_KEY",),),
    "ai21": (("AI21_API_KEY",),),
    "github": (("GITHUB_API_KEY",),),
    "databricks": (("DATABRICKS_API_KEY",), ("DATABRICKS_API_BASE",)),
    "scripted": (),
    "ollama": (),
    "ollama_chat": (),
    "hosted_vllm": (("HOSTED_VLLM_API_BASE",),),
    "lm_studio": (("LM_STUDIO_API_BASE",),),
}
"""What LiteLLM's providers take from the environment; a local Ollama takes nothing."""

SCRIPTED = "scripted:"
"""What the name of a judge begins with that answers from a file."""

BARE_NAMES = (
    (re.compile(r"gemini-"), "gemini"),
    (re.compile(r"gpt-|chatgpt-|o\d|ft:"), "openai"),
    (re.compile(r"claude-"), "anthropic"),
)
"""Families whose names are written without a provider, also those newer than the price file."""


@dataclass(frozen=True, slots=True)
class ModelAccess:
    """Who serves a model, under which full name, and which variables are not set for it.

    `provider` is "" where it cannot be told from the name.
    """

    model: str
    provider: str = ""
    wanted: Keys = ()
    missing: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether `wanted` is known at all."""
        return self.provider in PROVIDERS


def access(model: str, environ: Mapping[str, str]) -> ModelAccess:
    """Whether a model, as people write its name, can be asked with this environment.

    A blank variable counts as not set.
    """
    provider, name = _provider(model.strip(), environ)
    wanted = PROVIDERS.get(provider, ())
    missing = tuple(
        group[0]
        for group in wanted
        if not any(environ.get(variable, "").strip() for variable in group)
    )
    return ModelAccess(f"{provider}/{name}" if provider else name, provider, wanted, missing)


def script_of(model: str) -> Path | None:
    """The file that `scripted:FILE` stands for; None where the name is that of a model."""
    name = model.strip()
    return Path(name.removeprefix(SCRIPTED)) if name.startswith(SCRIPTED) else None


def _provider(model: str, environ: Mapping[str, str]) -> tuple[str, str]:
    if script_of(model) is not None:
        return "scripted", model.removeprefix(SCRIPTED)
    before, slash, after = model.partition("/")
    if slash and before:
        return before.lower(), after
    provider = next((name for family, name in BARE_NAMES if family.match(model)), "")
    if provider == "gemini" and environ.get(GOOGLE_WANTS_VERTEX, "").lower() in {"true", "1"}:
        provider = "vertex_ai"
    return provider, model
