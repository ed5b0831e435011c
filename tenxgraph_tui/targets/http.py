"""Targets behind a URL: what is said of them in the settings, checked and made ready."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

from tenxgraph_tui.adapters.port import Runnable
from tenxgraph_tui.errors import TargetError
from tenxgraph_tui.evaluation.conversation import Conversation
from tenxgraph_tui.evaluation.execution import Target
from tenxgraph_tui.evaluation.secrets import (
    Hiding,
    filled,
    is_secret_name,
    names_a_variable,
    secrets_in,
    shown_spec,
)
from tenxgraph_tui.evaluation.target_options import HttpOptions

PORTS = {"http": 80, "https": 443}
HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
HEADER_VALUE = re.compile(r"[\t\x20-\x7e]*")


class HttpSource:
    """A `TargetSource` for a URL; `known` are the descriptions of the settings, by their URLs.

    A description holds for its own server alone, and there for what lies below its path: headers
    with secrets go nowhere else, whatever an eval set names.
    """

    reloads = True

    def __init__(self, url: str, known: Mapping[str, HttpOptions]) -> None:
        self._url = url
        self._key = _nearest(url, known)
        self._options = known[self._key] if self._key is not None else HttpOptions()
        self._values: tuple[dict[str, str], dict[str, str]] = {}, {}

    def load(self, *, afresh: bool = False) -> None:  # noqa: ARG002 - nothing is kept
        """See `TargetSource`. Reads the template, the selectors and the variables."""
        headers = self._filled("headers", self._options.headers)
        for name, value in headers.items():
            if not HEADER_NAME.fullmatch(name) or not HEADER_VALUE.fullmatch(value):
                raise TargetError(
                    f"{self._where}: headers: {name} cannot be sent: names and values of headers "
                    "are printable ASCII"
                )
        self._values = headers, self._filled("query", self._options.query)
        if self._options.is_described:
            from tenxgraph_tui.targets.http_json import Description

            Description(self._options, self._where)

    async def open(self) -> Target:
        """See `TargetSource`. Nothing is asked yet."""
        from tenxgraph_tui.targets.http_client import AGAIN, Connection
        from tenxgraph_tui.targets.http_json import Description, JsonEndpoint
        from tenxgraph_tui.targets.http_tenxgraph import (
            AGENT_RAISED,
            RUN_ENDED,
            TenxgraphServer,
            api_url,
        )

        options, is_described = self._options, self._options.is_described
        connection = Connection(
            self._url if is_described else api_url(self._url, stream=options.stream),
            Hiding([*secrets_in(self._url), *self._secrets()]),
            method=options.method,
            headers=self._values[0],
            query=self._values[1],
            timeout=options.timeout,
            retries=options.retries,
            again=AGAIN if is_described else AGAIN - {RUN_ENDED},
            told_statuses=frozenset() if is_described else frozenset({AGENT_RAISED}),
        )
        runnable: Runnable = (
            JsonEndpoint(connection, Description(options, self._where))
            if is_described
            else TenxgraphServer(connection, stream=options.stream)
        )
        await connection.open()
        return Conversation(runnable)

    @property
    def _where(self) -> str:
        """The place of the description, or the target that has none."""
        if self._key is None:
            return f"target {shown_spec(self._url)}"
        return f'http."{self._key}"'

    def _filled(self, what: str, values: Mapping[str, str]) -> dict[str, str]:
        where = f"{self._where}: {what}"
        return {
            name: filled(value, os.environ, f"{where}: {name}") for name, value in values.items()
        }

    def _secrets(self) -> list[str]:
        """The values that came from variables, or that have the name of a secret."""
        written = {**self._options.headers, **self._options.query}
        return [
            value
            for values in self._values
            for name, value in values.items()
            if names_a_variable(written[name]) or is_secret_name(name)
        ]


def check_url(spec: str) -> None:
    """Find out that a URL cannot be asked.

    Raises:
        TargetError: it is none.
    """
    try:
        parts = urlsplit(spec)
        is_right = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        is_right = False
    if not is_right or not spec.isprintable() or " " in spec:
        raise TargetError(
            f"target {shown_spec(spec)}: this is no URL; write it like http://localhost:8000/chat"
        )


def _nearest(url: str, known: Mapping[str, HttpOptions]) -> str | None:
    """The longest of the URLs that `url` is, or lies below."""
    asked = urlsplit(url)
    found = [each for each in known if _holds(urlsplit(each), asked)]
    return max(found, key=len, default=None)


def _holds(described: SplitResult, asked: SplitResult) -> bool:
    if _origin(described) != _origin(asked):
        return False
    path = described.path.rstrip("/")
    return asked.path.rstrip("/") == path or asked.path.startswith(f"{path}/")


def _origin(url: SplitResult) -> tuple[str, str | None, int | None]:
    return url.scheme.lower(), url.hostname, url.port or PORTS.get(url.scheme.lower())
