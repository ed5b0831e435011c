"""Where a model is asked: its full name, its server and its key, and what is missing for that."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tenxgraph_tui.errors import ConfigError, JudgeFailure
from tenxgraph_tui.evaluation.judging.hiding import SECRET_NAME
from tenxgraph_tui.evaluation.judging.library import not_installed
from tenxgraph_tui.evaluation.judging.providers import access, script_of
from tenxgraph_tui.evaluation.judging.script_file import read_script

API_KEY = "TENXGRAPH_TUI_JUDGE_API_KEY"
"""The key of the server behind a base URL. Keys of providers are never sent there."""
NO_KEY = "none"
OPENAI = "openai/"
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
HAS_OTHER_CREDENTIALS = {"vertex_ai", "bedrock", "sagemaker"}
"""Profiles, roles and files will do too: what is missing is found out by asking."""


@dataclass(frozen=True, slots=True)
class Address:
    """What a request to a model carries, beside its prompt; `problem` says why there can be none.

    `model` has the provider before the name, as LiteLLM wants it; `extra` are further arguments.
    `cause` is what kind of problem that is, `hint` what may be the matter if nobody answers.
    """

    model: str
    extra: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""
    hint: str = ""
    cause: JudgeFailure = JudgeFailure.OTHER


def address(
    model: str,
    base_url: str | None,
    environ: Mapping[str, str],
    *,
    who: str = "judge",
    key: str | None = None,
) -> Address:
    """The address of a model as people write its name; with `base_url` that server's.

    `who` asks, as problems tell it; `key` is for that server, instead of the judges' own.

    A script has none, and no problem: whoever reads it says what is wrong with it.
    """
    if script_of(model) is not None:
        return Address(model)
    if base_url is not None:
        key = key or environ.get(API_KEY, "").strip() or NO_KEY
        name = model.strip().removeprefix(OPENAI)
        extra = {"api_base": base_url, "api_key": key}
        problem = _wrong_url(base_url, who) or _wrong_key(key, who)
        return Address(
            OPENAI + name, extra, problem, "" if problem else _proxied(base_url, environ)
        )
    found = access(model, environ)
    if not found.provider:
        told = f"{who} model {model!r}: write its provider too, like mistral/{model}"
        return Address(found.model, problem=told, cause=JudgeFailure.NO_MODEL)
    if found.missing and found.provider not in HAS_OTHER_CREDENTIALS:
        told = _unset(f"{who} model {model!r}", found.missing, found.wanted)
        return Address(found.model, problem=told, cause=JudgeFailure.NO_KEY)
    if found.provider == "vertex_ai":
        told = _no_google(f"{who} model {model!r}")
        return Address(found.model, _vertex(environ), told, cause=JudgeFailure.NO_LIBRARY)
    wrong = _wrong_variable(found.wanted, environ)
    return Address(found.model, problem=f"{who} model {model!r}: {wrong}" if wrong else "")


def check(models: Iterable[str], base_url: str | None, environ: Mapping[str, str]) -> None:
    """Find out before anything is run that a model cannot be asked, or a script not be read.

    Raises:
        ConfigError: with a line for each problem; it names the variable to set.
    """
    scripts, models = _apart(models)
    for script in scripts:
        read_script(script)
    found = [address(model, base_url, environ).problem for model in models]
    problems = dict.fromkeys(problem for problem in found if problem)
    if problems:
        raise ConfigError("\n".join(problems))
    if models and (missing := not_installed()):
        told = " ".join(missing)
        raise ConfigError(f"judges need what is not installed: pip install {told}")


def _apart(names: Iterable[str]) -> tuple[list[Path], list[str]]:
    """The files of scripts, and the names of models."""
    scripts: list[Path] = []
    models: list[str] = []
    for name in dict.fromkeys(names):
        script = script_of(name)
        if script is None:
            models.append(name)
        else:
            scripts.append(script)
    return scripts, models


def _unset(called: str, missing: tuple[str, ...], wanted: Iterable[tuple[str, ...]]) -> str:
    others = {group[0]: group[1:] for group in wanted}
    named = [" or ".join((name, *others[name][:1])) for name in missing]
    return f"{called} has no key: set {' and '.join(named)}"


def _wrong_url(url: str, who: str) -> str:
    try:
        parts = urlsplit(url)
        is_right = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        is_right = False
    return "" if is_right else f"{who} base URL {url!r}: write it like http://localhost:8000/v1"


def _wrong_key(key: str, who: str) -> str:
    wrong = _in_no_key(key)
    return f"the key for the {who}'s server has {wrong}" if wrong else ""


def _wrong_variable(wanted: Iterable[tuple[str, ...]], environ: Mapping[str, str]) -> str:
    keys = [name for names in wanted for name in names if SECRET_NAME.search(name)]
    found = ((name, _in_no_key(environ.get(name, ""))) for name in keys)
    return next((f"{name} has {wrong}" for name, wrong in found if wrong), "")


def _in_no_key(key: str) -> str:
    """It goes into a header, which holds printable ASCII: a line break is easily copied along."""
    wrong = next((char for char in key if not " " <= char <= "~"), None)
    return "" if wrong is None else f"a character that no key has: {wrong!a}"


def _proxied(url: str, environ: Mapping[str, str]) -> str:
    """LiteLLM asks a proxy for servers of this machine too."""
    host, scheme = urlsplit(url).hostname or "", urlsplit(url).scheme
    named = (f"{scheme}_proxy", "all_proxy")
    proxies = [name for name in environ if name.lower() in named and environ[name].strip()]
    spared = environ.get("NO_PROXY", "") or environ.get("no_proxy", "")
    if host not in LOOPBACK or not proxies or host in spared:
        return ""
    return f"{proxies[0]} is set: add {host} to NO_PROXY"


def _vertex(environ: Mapping[str, str]) -> dict[str, str]:
    """LiteLLM does not look at Google's own variables."""
    wanted = {
        "vertex_project": ("VERTEXAI_PROJECT", "GOOGLE_CLOUD_PROJECT"),
        "vertex_location": ("VERTEXAI_LOCATION", "GOOGLE_CLOUD_LOCATION"),
    }
    found = {
        name: next((environ[each].strip() for each in names if environ.get(each, "").strip()), "")
        for name, names in wanted.items()
    }
    return {name: value for name, value in found.items() if value}


def _no_google(called: str) -> str:
    try:
        if importlib.util.find_spec("google.auth") is not None:
            return ""
    except ModuleNotFoundError:
        pass
    return f"{called} is asked through Vertex AI: pip install google-auth"
