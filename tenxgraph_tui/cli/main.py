"""The entry point: finds the command, runs it, and turns what it raises into a line and a code."""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from tenxgraph_tui.cli import parsers
from tenxgraph_tui.cli.descriptors import fill_closed
from tenxgraph_tui.errors import TenxError, UsageError

VERBS: dict[str, tuple[Callable[[], parsers.Parser], str]] = {
    "run": (parsers.run, "tenxgraph_tui.cli.run"),
    "watch": (parsers.watching, "tenxgraph_tui.cli.watch"),
    "list": (parsers.listing, "tenxgraph_tui.cli.listing"),
    "open": (parsers.opening, "tenxgraph_tui.cli.dashboard"),
    "serve": (parsers.serving, "tenxgraph_tui.cli.serve"),
    "rejudge": (parsers.rejudging, "tenxgraph_tui.cli.rejudge"),
    "doctor": (parsers.doctor, "tenxgraph_tui.cli.doctor"),
    "worker": (parsers.worker, "tenxgraph_tui.cli.worker"),
}
"""Each command's parser, and the module whose `execute` carries it out."""

SHOWN = ("run", "watch", "list", "open", "rejudge", "serve", "doctor")
DASHBOARD = (parsers.dashboard, "tenxgraph_tui.cli.dashboard")
INTERRUPTED = 130
BUG = 3
PATIENCE = 3.0


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; the answer is the exit code."""
    fill_closed()
    words = sys.argv[1:] if argv is None else list(argv)
    try:
        code = _command(words)
    except SystemExit as leaving:  # --help, --version
        code = leaving.code if isinstance(leaving.code, int) else 0
    except TenxError as error:
        _say(str(error))
        code = error.exit_code
    except KeyboardInterrupt:
        _say("interrupted")
        code = INTERRUPTED
    except BrokenPipeError:
        code = _reader_is_gone()
    except Exception as error:  # noqa: BLE001 - the last place where a bug can be told apart
        if (missing := _what_is_missing(error)) is None:
            traceback.print_exc()
        _say(missing or "this is a bug in tenxgraph-tui; please report it with the lines above")
        code = BUG
    if argv is None:
        _leave_at_the_latest(code)
    return code


def _command(words: list[str]) -> int:
    try:
        Path.cwd()
    except OSError as error:
        told = error.strerror or error
        raise UsageError(f"the working directory cannot be used: {told}") from None
    verb = words[0] if words else ""
    if verb in VERBS:
        make_parser, module = VERBS[verb]
        arguments = make_parser().read(words[1:])
    else:
        make_parser, module = DASHBOARD
        arguments = make_parser().read(words)
        _check_paths(arguments)
    arguments.words = words
    execute: Callable[[argparse.Namespace], int] = importlib.import_module(module).execute
    return execute(arguments)


def _check_paths(arguments: argparse.Namespace) -> None:
    for word in arguments.paths:
        if os.path.lexists(word.partition("::")[0]):
            continue
        if word in VERBS:
            raise UsageError(f"a command comes first: {parsers.PROGRAM} {word} …")
        raise UsageError(_neither(word))


def _neither(word: str) -> str:
    from difflib import get_close_matches

    folder = Path(word).parent
    there = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    verbs = get_close_matches(word, SHOWN, n=1)
    paths = [str(folder / name) for name in get_close_matches(Path(word).name, there, n=1)]
    meant = " or ".join(repr(name) for name in (*verbs, *paths))
    hint = f"did you mean {meant}?" if meant else f"commands are {', '.join(SHOWN)}"
    return f"{word!r} is neither a command nor a path: {hint}"


def _what_is_missing(error: Exception) -> str | None:
    from tenxgraph_tui.cli.abilities import what_is_missing

    return what_is_missing(error)


def _leave_at_the_latest(code: int) -> None:
    """A thread that an agent left running would keep the interpreter waiting for ever."""
    # Python gives its own handlers back while it ends; one more Ctrl+C must not change the code.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    last = threading.Timer(PATIENCE, os._exit, (code,))
    last.daemon = True
    last.start()


def _say(text: str) -> None:
    from tenxgraph_tui.evaluation.visible import visible  # names from files may drive terminals

    for line in visible(text, multiline=True).split("\n"):
        print(f"{parsers.PROGRAM}: {line}", file=sys.stderr)  # noqa: T201 - this is where it is said


def _reader_is_gone() -> int:
    """`… | head` has read enough; Python must not complain of it when it flushes at its end."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
    return 0
