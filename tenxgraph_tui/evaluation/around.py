"""What had its `before_case` gets its `after_case`, once, however the case ended."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tenxgraph_tui.adapters.port import CURRENT
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.generation import GRACE, new_loop, shut_down
from tenxgraph_tui.evaluation.hooks import FileHooks, Hook, told_of
from tenxgraph_tui.evaluation.places import place_in_code
from tenxgraph_tui.evaluation.recorder import Recorder
from tenxgraph_tui.evaluation.results import EvalCaseResult
from tenxgraph_tui.graph.threads import in_thread, is_async

LAST = 5.0
"""Seconds that an `after_case` has, at most, once its case was broken off from outside."""


class Around:
    """The hooks around one attempt; `files` go from the outermost folder to the innermost.

    Hooks may be async. Those that are not run in a thread of their own, so that they hold up
    nobody. `limit` is the seconds that each of them has.
    """

    def __init__(self, files: Sequence[FileHooks], case: EvalCase, recorder: Recorder) -> None:
        self._files, self._case, self._recorder = files, case, recorder
        self._begun: list[FileHooks] = []

    async def before(self, *, limit: float) -> str | None:
        """Call every `before_case`; why the case cannot be run, if one of them raised."""
        with self._within():
            for each in self._files:
                self._begun.append(each)
                told = await _problem("before_case", each.before_case, limit, self._case)
                if told is not None:
                    return told
        return None

    async def after(self, result: EvalCaseResult, *, limit: float) -> str:
        """Call the `after_case` of every file that began, the innermost first; what they raised.

        One that raises makes the case an error, and keeps none of the others from being called.
        """
        problems: list[str] = []
        with self._within():
            while self._begun:
                hook = self._begun.pop().after_case
                told = await _problem("after_case", hook, limit, self._case, result)
                problems += [told] if told is not None else []
        if problems:
            result.error = "; ".join([*([result.error] if result.error else []), *problems])
            result.passed = False
        return "; ".join(problems)

    def after_on_a_loop_of_its_own(self, result: EvalCaseResult, *, limit: float) -> str:
        """As `after`, where the loop of the case was left; one that never ends is left, too."""
        told: list[str] = []

        def run() -> None:
            loop = new_loop()
            told.append(loop.run_until_complete(self.after(result, limit=limit)))
            loop.run_until_complete(shut_down())
            loop.close()

        if not self._begun:
            return ""
        patience = limit * len(self._begun) + GRACE
        thread = threading.Thread(target=run, daemon=True, name="agent after_case")
        thread.start()
        thread.join(patience)
        return told[0] if told else f"after_case() took longer than {patience:g} s"

    @contextmanager
    def _within(self) -> Iterator[None]:
        """What is printed meanwhile is the case's."""
        token = CURRENT.set(self._recorder)
        try:
            yield
        finally:
            CURRENT.reset(token)


async def _problem(name: str, hook: Hook | None, limit: float, *args: Any) -> str | None:
    if hook is None:
        return None
    try:
        async with asyncio.timeout(limit):
            value = hook(*args) if is_async(hook) else await in_thread(hook, *args)
            if inspect.isawaitable(value):
                await value
    except TimeoutError as error:
        took = f"{name}() took longer than {limit:g} s"
        return told_of(name, hook, error) if place_in_code(error) else took
    except asyncio.CancelledError:
        raise
    except BaseException as error:  # noqa: BLE001 - a hook is user code, and may say sys.exit()
        return told_of(name, hook, error)
    return None
