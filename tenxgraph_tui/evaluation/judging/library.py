"""LiteLLM, imported on first use, silent and offline; and the one loop that judges are asked on."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import logging
import os
import sys
import threading
import warnings
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from tenxgraph_tui.errors import JudgeError, JudgeFailure, worded

T = TypeVar("T")

NEVER_AWAITED = r"coroutine '\w+\.(acompletion|async_completion|acompletion_\w+|_?async_\w+)' was"

OFFLINE = {"LITELLM_OFFLINE_MODE": "true", "LITELLM_LOCAL_MODEL_COST_MAP": "true"}
"""Nothing is fetched: prices, tokenizers, headers. Read while it is used too, so it stays set."""
MODE, NO_DOTENV = "LITELLM_MODE", "PRODUCTION"
"""It would load the `.env` above its own folder; read during the import alone."""
NEEDED = ("jinja2", "json5", "tenacity")
ITS_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy")
LOGGERS_BELOW = ("openai", "httpx", "httpcore", "aiohttp", "asyncio")

_importing = threading.Lock()


def litellm() -> Any:
    """The module, imported if need be: seconds, and 190 MiB.

    Where the agent under test imported it before, its loggers stay as the agent set them.

    Raises:
        JudgeError: it cannot be imported.
    """
    with _importing:
        module: Any = sys.modules.get("litellm")
        if module is None or not hasattr(module, "acompletion"):
            module = _imported()
        # A call that is cancelled while LiteLLM prepares it in a thread leaves one of these behind.
        # An agent's own mistake is told still: what it calls is no method.
        warnings.filterwarnings("ignore", NEVER_AWAITED, RuntimeWarning)
        module.suppress_debug_info = True  # else every error is printed to standard output
        module.disable_hf_tokenizer_download = True
        return module


def _imported() -> Any:
    os.environ.update(OFFLINE)
    before = os.environ.get(MODE)
    os.environ[MODE] = NO_DOTENV
    for name in ITS_LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # it logs while it is imported
    for name in LOGGERS_BELOW:
        logging.getLogger(name).setLevel(logging.WARNING)  # prompts, at DEBUG
    try:
        module = importlib.import_module("litellm")
    except Exception as error:
        told = f"litellm could not be imported: {worded(error)}"
        raise JudgeError(told, JudgeFailure.NO_LIBRARY) from error
    finally:
        if before is None:
            del os.environ[MODE]
        else:
            os.environ[MODE] = before
    for name in ITS_LOGGERS:
        logging.getLogger(name).handlers[:] = [logging.NullHandler()]
        logging.getLogger(name).propagate = False
    return module


def import_all(*, with_models: bool = True) -> None:
    """Everything that asking needs, now: before the folders of a project come first on the path.

    Without models, scripts alone are asked. What cannot be imported is told by who needs it.
    """
    for name in NEEDED:
        with suppress(ImportError):
            importlib.import_module(name)
    if not with_models:
        return
    with suppress(JudgeError):
        litellm()


def not_installed() -> list[str]:
    """What of it is missing, found out without importing anything."""
    return [name for name in (*NEEDED, "litellm") if importlib.util.find_spec(name) is None]


class JudgeLoop:
    """An event loop in a daemon thread, for all judges of the process.

    LiteLLM's queues belong to one loop, and an agent that holds its own must not hold up judges.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    async def run(self, asking: Coroutine[Any, Any, T]) -> T:
        """What `asking` returns or raises; cancelling this cancels it."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(asking, self._running()))

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            # In a forked child there is the loop, but no thread that runs it.
            if self._loop is None or self._thread is None or not self._thread.is_alive():
                self._loop = asyncio.SelectorEventLoop()
                self._thread = threading.Thread(
                    target=self._loop.run_forever, daemon=True, name="judge"
                )
                self._thread.start()
            return self._loop


JUDGES = JudgeLoop()
