"""textual-serve, kept to pages of its own: what it serves runs code as the user who started it."""

from __future__ import annotations

import errno
import sys
from contextvars import ContextVar
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler
from textual_serve.server import Server

from tenxgraph_tui.cli.parsers import PROGRAM
from tenxgraph_tui.cli.serve import is_loopback
from tenxgraph_tui.errors import UsageError

TITLE = "tenxgraph"
NOTHING_FROM_ELSEWHERE = "style-src 'self' 'unsafe-inline'; font-src 'self' data:"
"""The page asks for a font of a third party otherwise; every visit would be known there."""
SOCKET = "websocket"
"""What textual-serve calls its one route that is no page."""
_asked_as: ContextVar[str] = ContextVar("_asked_as")


class DashboardServer(Server):
    """Addresses in its pages are those that the visitor used: `localhost`, a name, a number."""

    @property
    def public_url(self) -> str:
        return f"http://{_asked_as.get()}"

    @public_url.setter
    def public_url(self, url: str) -> None:
        """Not fixed."""

    async def on_startup(self, app: web.Application) -> None:
        """Nothing is said before the address can be used."""

    def announce(self) -> None:
        shown = f"[{self.host}]" if ":" in self.host else self.host
        sys.stderr.write(f"{PROGRAM}: http://{shown}:{self.port} (ctrl+c stops it)\n")
        sys.stderr.flush()

    async def application(self) -> web.Application:
        app = await self._make_app()
        app.middlewares.append(self._only_own_pages)
        return app

    @web.middleware
    async def _only_own_pages(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Turn away pages of other sites, which could start runs from a browser on this machine."""
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != request.host:
            raise web.HTTPForbidden(text="a page of another site may not use the dashboard\n")
        name = urlsplit(f"//{request.host}").hostname or ""
        if is_loopback(self.host) and not is_loopback(name):
            raise web.HTTPForbidden(text=f"the dashboard is served as {self.host}, not {name}\n")
        is_socket = request.match_info.route.name == SOCKET
        if is_socket and not web.WebSocketResponse().can_prepare(request):
            raise web.HTTPUpgradeRequired(text="this address is for the page's own connection\n")
        _asked_as.set(request.host)
        response = await handler(request)
        if not response.prepared:
            response.headers["Content-Security-Policy"] = NOTHING_FROM_ELSEWHERE
        return response


def serve(command: str, host: str, port: int) -> int:
    """Serve `command` until ctrl+c.

    Raises:
        UsageError: the address cannot be used.
    """
    server = DashboardServer(command, host=host, port=port, title=TITLE)
    try:
        web.run_app(server.application(), host=host, port=port, print=lambda *_: server.announce())
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise UsageError(f"port {port} is taken: choose another with --port") from None
        raise UsageError(f"cannot serve on {host}: {error.strerror or error}") from None
    return 0
