"""What a project does around a run and its cases: `before_run`, `before_case`, `after_case`."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tenxgraph_tui.adapters.port import CURRENT
from tenxgraph_tui.errors import ConfigError, worded
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.heldtime import from_here
from tenxgraph_tui.evaluation.places import place_in_code
from tenxgraph_tui.evaluation.recorder import Recorder
from tenxgraph_tui.evaluation.results import EvalCaseResult
from tenxgraph_tui.graph.threads import in_thread, is_async

Hook = Callable[..., Any]

SIGNATURES = {"before_run": "()", "before_case": "(case)", "after_case": "(case, result)"}
"""The hooks there are, and what they take: an `EvalCase`, an `EvalCaseResult`."""


@dataclass(slots=True)
class FileHooks:
    """The hooks of one file; `before_run` is called once, however many sets lie below it."""

    before_run: Hook | None = None
    before_case: Hook | None = None
    after_case: Hook | None = None
    has_begun: bool = False


class Hooks:
    """The hooks around one eval set; `files` go from the outermost folder to the innermost.

    Hooks may be async. Those that are not run in a thread of their own, so that they hold up
    nobody, but for `before_run`, which everything waits for.
    """

    def __init__(self, files: Sequence[FileHooks] = ()) -> None:
        self._files = files

    def __bool__(self) -> bool:
        return bool(self._files)

    def begin(self) -> None:
        """Call every `before_run` that was not called yet, on the main thread, without a loop.

        Raises:
            ConfigError: one raised, whatever it was; one line with file and line.
        """
        for each in self._files:
            if each.before_run is None or each.has_begun:
                continue
            each.has_begun = True
            try:
                value = each.before_run()
                if inspect.isawaitable(value):
                    asyncio.run(_awaited(value))
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                raise ConfigError(_told("before_run", each.before_run, error)) from error

    async def before(self, case: EvalCase, recorder: Recorder, *, limit: float) -> str | None:
        """Call every `before_case`; why the case cannot be run, if one of them raised.

        Each has `limit` seconds.
        """
        hooks = [each.before_case for each in self._files]
        with _within(recorder):
            return await _first_problem("before_case", hooks, limit, case)

    async def after(
        self, case: EvalCase, recorder: Recorder, result: EvalCaseResult, *, limit: float
    ) -> None:
        """Call every `after_case`, the innermost first; one that raises makes the case an error.

        Each has `limit` seconds.
        """
        hooks = [each.after_case for each in reversed(self._files)]
        with _within(recorder):
            told = await _first_problem("after_case", hooks, limit, case, result)
        if told is not None:
            result.error = f"{result.error}; {told}" if result.error else told
            result.passed = False


def fits(hook: Hook, name: str) -> bool:
    """Whether the hook can be called with what hooks of that name get."""
    count = len([word for word in SIGNATURES[name].strip("()").split(",") if word])
    try:
        inspect.signature(hook).bind(*[None] * count)
    except TypeError:
        return False
    return True


@contextmanager
def _within(recorder: Recorder) -> Iterator[None]:
    """What is printed meanwhile is the case's."""
    token = CURRENT.set(recorder)
    try:
        yield
    finally:
        CURRENT.reset(token)


async def _first_problem(
    name: str, hooks: Iterable[Hook | None], limit: float, *args: Any
) -> str | None:
    for hook in hooks:
        if hook is None:
            continue
        try:
            async with asyncio.timeout(limit):
                value = hook(*args) if is_async(hook) else await in_thread(hook, *args)
                if inspect.isawaitable(value):
                    await value
        except TimeoutError as error:
            took = f"{name}() took longer than {limit:g} s"
            return _told(name, hook, error) if place_in_code(error) else took
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # noqa: BLE001 - a hook is user code, and may say sys.exit()
            return _told(name, hook, error)
    return None


def _told(name: str, hook: Hook, error: BaseException) -> str:
    place = from_here(place_in_code(error))
    where = place or from_here(inspect.getfile(hook))
    return f"{where}: {name}() raised {worded(error)}"


async def _awaited(value: Any) -> Any:
    return await value
