"""Asking a server: one client a loop, tries, limits, and errors without a secret in them."""

from __future__ import annotations

import asyncio
import logging
from codecs import getincrementaldecoder, lookup
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx

from tenxgraph_tui.errors import EndpointError
from tenxgraph_tui.evaluation.preview import preview
from tenxgraph_tui.evaluation.retrying import retrying, seconds_to_wait
from tenxgraph_tui.evaluation.secrets import Hiding, shown_spec, user_of
from tenxgraph_tui.evaluation.visible import visible

log = logging.getLogger(__name__)

AGAIN = frozenset({429, 502, 503, 504})
"""The agent has not acted, or a proxy before it did not wait for it."""
CONNECTING = 10.0
"""Seconds until there is a connection; the rest of the limit is for the answer."""
MOST_CHARACTERS = 16 * 1024 * 1024
TOLD = 300
"""Characters of a body that are worth reading in an error."""
REDIRECT, BAD = 300, 400
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.RemoteProtocolError)
"""It was not reached, or hung up before it said anything."""

OnLine = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server said, secrets left out; of a stream its lines were told before."""

    status: int
    text: str = ""


@dataclass(slots=True)
class Connection:
    """One URL, asked from one loop; `timeout` is for a whole request, `retries` for further tries.

    `again` are the statuses that are worth another try, `told_statuses` refusals that `ask` returns
    because the caller knows what they mean. The client closes when the loop's asynchronous
    generators do, which is at the end of a run.
    """

    url: str
    hide: Hiding
    method: str = "POST"
    headers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 60.0
    retries: int = 2
    again: frozenset[int] = AGAIN
    told_statuses: frozenset[int] = frozenset()
    _client: httpx.AsyncClient = field(init=False, repr=False)
    _opened: AsyncIterator[httpx.AsyncClient] = field(init=False, repr=False)

    async def open(self) -> None:
        """Make the client, which belongs to the running loop."""
        self._opened = _client(self.url, self.headers, self.hide)
        self._client = await anext(self._opened)

    async def ask(self, payload: Any, on_line: OnLine | None = None) -> Reply:
        """What the server answers to a JSON payload; `on_line` gets the lines of a stream instead.

        Raises:
            EndpointError: there is no answer, or it says that something is wrong.
        """
        tries = 0

        async def once() -> Reply:
            nonlocal tries
            tries += 1
            return await self._in_time(payload, on_line)

        try:
            return await retrying(
                once,
                EndpointError,
                attempts=self.retries + 1,
                say=lambda error, seconds: log.warning("%s; again in %.1f s", error, seconds),
            )
        except EndpointError as error:
            if tries == 1:
                raise
            raise EndpointError(f"{error} ({tries} tries)") from None

    def failed(self, told: str, **how: Any) -> EndpointError:
        """An error of this server in one line, with no secret in it."""
        where = f"{self.method} {shown_spec(self.url)}"
        return EndpointError(visible(self.hide(f"{where}: {told}")), **how)

    def said(self, text: str) -> str:
        """The beginning of a body, as errors quote it."""
        return preview(" ".join(text.split()), TOLD) or "nothing"

    async def _in_time(self, payload: Any, on_line: OnLine | None) -> Reply:
        """A server that sends a byte now and then never runs into httpx's own limits."""
        try:
            async with asyncio.timeout(self.timeout):
                return await self._once(payload, on_line)
        except TimeoutError:
            raise self.failed(f"no whole answer within {self.timeout:g} s") from None
        except httpx.ConnectTimeout:
            limit = min(CONNECTING, self.timeout)
            raise self.failed(f"no connection within {limit:g} s", is_transient=True) from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            told = f"cannot be asked: {str(error) or type(error).__name__}"
            raise self.failed(told, is_transient=isinstance(error, NEVER_SENT)) from None

    async def _once(self, payload: Any, on_line: OnLine | None) -> Reply:
        in_query = self.method == "GET"
        query = {**self.query, **(_in_query(payload) if in_query else {})}
        async with self._client.stream(
            self.method,
            _without_user(self.url),
            params=httpx.URL(self.url).params.merge(query),
            json=None if in_query else payload,
            auth=user_of(self.url),
        ) as response:
            if response.status_code >= REDIRECT:
                return await self._refused(response)
            if on_line is None:
                return Reply(response.status_code, await self._text(response, "strict"))
            await self._tell(response, on_line)
            return Reply(response.status_code)

    async def _tell(self, response: httpx.Response, on_line: OnLine) -> None:
        size, lines = 0, response.aiter_lines()
        try:
            async for line in lines:
                size += len(line)
                self._check_size(size)
                on_line(self.hide(line))
        except httpx.HTTPError as error:
            if not size:
                raise
            told = f"the stream broke off: {str(error) or type(error).__name__}"
            raise self.failed(told) from None

    async def _text(self, response: httpx.Response, errors: str = "replace") -> str:
        """The body; with `strict` errors one whose every character has to be right."""
        charset = _charset(response)
        decoder = getincrementaldecoder(charset)(errors)
        pieces: list[str] = []
        size, read = 0, 0
        try:
            async for piece in response.aiter_bytes():
                read += len(piece)
                pieces.append(decoder.decode(piece))
                size += len(pieces[-1])
                self._check_size(size)
            pieces.append(decoder.decode(b"", final=True))
        except UnicodeDecodeError as error:
            at = read - len(error.object) + error.start
            told = f"the answer is not {charset} at byte {at}"
            raise self.failed(f"{told}; the content-type has to name its charset") from None
        return self.hide("".join(pieces))

    def _check_size(self, size: int) -> None:
        if size > MOST_CHARACTERS:
            raise self.failed(f"the answer has more than {MOST_CHARACTERS:,} characters")

    async def _refused(self, response: httpx.Response) -> Reply:
        status = response.status_code
        text = await self._text(response)
        if status in self.told_statuses:
            return Reply(status, text)
        if status < BAD:
            there = shown_spec(response.headers.get("location", "elsewhere"))
            raise self.failed(f"answered {status}: it wants to be asked at {there}; name that URL")
        after = seconds_to_wait(response.headers.get("retry-after", "").strip())
        told = f"answered {status}: {self.said(text)}"
        raise self.failed(told, is_transient=status in self.again, after=after)


def _charset(response: httpx.Response) -> str:
    """The charset that the header names; JSON is UTF-8 where it names none (RFC 8259)."""
    try:
        return lookup(response.charset_encoding or "utf-8").name
    except LookupError:
        return "utf-8"


def is_loopback(url: str) -> bool:
    """Whether a server of this machine is meant, which no proxy reaches."""
    return (urlsplit(url).hostname or "") in LOOPBACK


class _HidingFilter(logging.Filter):
    """httpx logs the URL of every request, with its query."""

    def __init__(self, hide: Hiding) -> None:
        super().__init__()
        self._hide = hide

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = self._hide(record.getMessage()), ()
        return True


async def _client(
    url: str, headers: Mapping[str, str], hide: Hiding
) -> AsyncIterator[httpx.AsyncClient]:
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=32)
    client = httpx.AsyncClient(
        headers={"accept": "application/json, text/event-stream", **headers},
        timeout=httpx.Timeout(None, connect=CONNECTING),
        limits=limits,
        trust_env=not is_loopback(url),
    )
    hiding, its_logger = _HidingFilter(hide), logging.getLogger("httpx")
    its_logger.addFilter(hiding)
    try:
        yield client
    finally:
        its_logger.removeFilter(hiding)
        await client.aclose()


def _without_user(url: str) -> str:
    """The URL without user and query, which are sent apart: httpx logs what it is given."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def _in_query(payload: Any) -> dict[str, Any]:
    return payload if isinstance(payload, dict) else {"q": payload}
