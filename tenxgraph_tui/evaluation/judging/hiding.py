"""Keeping keys out of everything that is shown or written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from tenxgraph_tui.evaluation.judging.providers import PROVIDERS

HIDDEN = "***"
SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL")
LOOKS_SECRET = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai|hf|AIza|AKIA|ya29)[-_.A-Za-z0-9]{12,}"
    r"|(?<=Bearer )\S{6,}|(?<=api[_-]key[=:])\S{6,}",
    re.IGNORECASE,
)
ENDINGS = ("_API_KEY", "_SECRET_ACCESS_KEY", "_AUTH_TOKEN")
"""Also of providers that are not in our list; `TENXGRAPH_TUI_JUDGE_API_KEY` among them."""
SHORTEST = 6
"""Shorter values may be words: to hide them would only garble the text."""


def hiding(environ: Mapping[str, str]) -> Callable[[str], str]:
    """A function that takes the keys of `environ`, and what looks like one, out of a text."""
    secrets = sorted(_values(environ), key=len, reverse=True)

    def hide(text: str) -> str:
        for secret in secrets:
            text = text.replace(secret, HIDDEN)
        return LOOKS_SECRET.sub(HIDDEN, text)

    return hide


def _values(environ: Mapping[str, str]) -> Iterable[str]:
    of_providers = {name for groups in PROVIDERS.values() for group in groups for name in group}
    for name, value in environ.items():
        is_of_provider = name in of_providers and SECRET_NAME.search(name) is not None
        if not is_of_provider and not name.endswith(ENDINGS):
            continue
        if len(value.strip()) >= SHORTEST:
            yield value.strip()
