"""Secrets of targets: where they come from, and how they are kept out of everything told."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl, quote, unquote, urlsplit, urlunsplit

from tenxgraph_tui.errors import TargetError
from tenxgraph_tui.evaluation.judging.hiding import HIDDEN, SHORTEST

VARIABLE = re.compile(r"env:([A-Za-z_][A-Za-z0-9_]*)")
SECRET_NAME = re.compile(
    r"auth|key|token|secret|passw|pwd|credential|cookie|session|signature|^sig$", re.IGNORECASE
)
WEB = re.compile(r"https?://", re.IGNORECASE)
SCHEME_WORDS = ("bearer", "basic", "token", "digest")
SCHEME = re.compile(rf"^({'|'.join(SCHEME_WORDS)})\s+", re.IGNORECASE)


def is_secret_name(name: str) -> bool:
    """Whether a header or a query key of that name usually carries a secret."""
    return SECRET_NAME.search(name) is not None


def names_a_variable(text: str) -> bool:
    """Whether `text` holds `env:NAME`, the place of a secret that stands elsewhere."""
    return VARIABLE.search(text) is not None


def filled(text: str, environ: Mapping[str, str], where: str) -> str:
    """`text` with the variables that it names.

    Raises:
        TargetError: one of them is not set; the message names it and begins with `where`.
    """

    def value(found: re.Match[str]) -> str:
        if not environ.get(found[1], "").strip():
            raise TargetError(f"{where} needs the variable {found[1]}, which is not set")
        return environ[found[1]].strip()

    return VARIABLE.sub(value, text)


def shown_spec(spec: str) -> str:
    """A target as it may be told: of a URL without password and without keys in its query."""
    if not WEB.match(spec):
        return spec
    try:
        parts = urlsplit(spec)
        pairs = parse_qsl(parts.query, keep_blank_values=True)
    except ValueError:
        return WEB.match(spec)[0] + HIDDEN  # type: ignore[index]  # it matched above
    _, at, host = parts.netloc.rpartition("@")
    query = "&".join(
        f"{quote(name)}={HIDDEN if is_secret_name(name) else quote(value)}" for name, value in pairs
    )
    return urlunsplit((parts.scheme, f"{HIDDEN}@{host}" if at else host, parts.path, query, ""))


def user_of(url: str) -> tuple[str, str] | None:
    """User and password of a URL, as they are meant; None where it has none."""
    parts = urlsplit(url)
    if parts.username is None:
        return None
    return unquote(parts.username), unquote(parts.password or "")


def secrets_in(url: str) -> list[str]:
    """What `shown_spec` leaves out, also as a header of a request has it."""
    found = [value for name, value in parse_qsl(urlsplit(url).query) if is_secret_name(name)]
    user = user_of(url)
    if user is None:
        return found
    as_header = base64.b64encode(":".join(user).encode()).decode()
    return [*found, *(text for text in (*user, as_header) if text)]


class Hiding:
    """Takes secrets out of texts, also where they stand in JSON, and without `Bearer` before."""

    def __init__(self, secrets: Iterable[str]) -> None:
        whole = {secret.strip() for secret in secrets}
        bare = {SCHEME.sub("", secret) for secret in whole}
        known = {each for each in whole | bare if each.lower() not in SCHEME_WORDS}
        spelled = {form for each in known for form in (each, json.dumps(each)[1:-1], quote(each))}
        wanted = sorted((each for each in spelled if len(each) >= SHORTEST), key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, wanted))) if wanted else None

    def __call__(self, text: str) -> str:
        return self._pattern.sub(HIDDEN, text) if self._pattern is not None else text
