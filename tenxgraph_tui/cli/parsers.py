"""What can be written on the command line; reading it imports nothing but argparse."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Sequence
from typing import NoReturn

from tenxgraph_tui.cli import flags
from tenxgraph_tui.cli.arguments import count, port
from tenxgraph_tui.errors import UsageError

PROGRAM = "tenxgraph-tui"
NEEDS = ("judge",)

DESCRIPTION = """\
Evaluate LLM agents from the terminal.

Without a command it opens the dashboard on the eval sets found at PATH (default: the project).

commands:
  run PATH[::CASE]...   evaluate without the dashboard: a report, an exit code
  watch PATH[::CASE]... run, and run again what every save touches
  list PATH...          what would be run, without running it
  open RUN              the dashboard on a past run (18, '#18', last, -1)
  rejudge RUN           new verdicts on what agents did in a past run
  serve PATH...         the dashboard in a browser
  doctor                what is installed and configured, what is wrong with it
"""
EXIT_CODES = """\
exit codes: 0 the threshold was met, 1 the pass rate is below it, 2 usage or missing path,
3 a case errored or nothing was checked, 4 a bad eval set, config or setting, 5 a bad target,
130 interrupted; where several hold, the largest.
"""
RUNS = "18, '#18', last, -1, or the start of its id"
PATHS = "an eval-set file or a folder to look in"
CASE_PATHS = f"{PATHS}; PATH::CASE takes one case of a file (default: the project)"


class Parser(argparse.ArgumentParser):
    """Complains in one line, and offers the flag that was probably meant."""

    def __init__(self, verb: str, description: str, epilog: str = "") -> None:
        super().__init__(
            prog=f"{PROGRAM} {verb}".strip(),
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """The arguments.

        Raises:
            UsageError: they make no sense.
        """
        arguments, unknown = self.parse_known_args(list(words))
        if unknown:
            word = unknown[0].partition("=")[0]
            close = difflib.get_close_matches(word, self._option_string_actions, n=1)
            hint = f"did you mean {close[0]}?" if close else f"see {self.prog} --help"
            raise UsageError(f"unknown argument {unknown[0]}: {hint}")
        return arguments

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def dashboard() -> Parser:
    """`tenxgraph-tui [PATH...]`"""
    from tenxgraph_tui import __version__

    parser = Parser("", DESCRIPTION, EXIT_CODES)
    parser.add_argument("paths", nargs="*", metavar="PATH", help=PATHS)
    flags.what(parser)
    flags.judges(parser)
    parser.add_argument("--python", metavar="FILE", help="the interpreter that runs the agents")
    parser.add_argument(
        "--watch",
        action=argparse.BooleanOptionalAction,
        help="a save runs what it touches (default: as it was last time; w switches it)",
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    return parser


def run() -> Parser:
    """`tenxgraph-tui run`"""
    parser = Parser(
        "run", "Run eval sets, print a report, say by the exit code how it went.", EXIT_CODES
    )
    parser.add_argument("paths", nargs="*", metavar="PATH[::CASE]", help=CASE_PATHS)
    flags.what(parser)
    flags.judges(parser)
    flags.which(parser)
    how = flags.how(parser)
    how.add_argument("--python", metavar="FILE", help="the interpreter that runs the agents")
    how.add_argument(
        "-s",
        "--no-capture",
        action="store_true",
        help="leave the terminal to the agent, one case at a time (for breakpoint())",
    )
    flags.out(parser)
    return parser


def watching() -> Parser:
    """`tenxgraph-tui watch`"""
    parser = Parser("watch", "Run eval sets, and again what a save touches, until q is pressed.")
    parser.add_argument("paths", nargs="*", metavar="PATH[::CASE]", help=CASE_PATHS)
    flags.what(parser)
    flags.judges(parser)
    flags.which(parser)
    how = flags.how(parser)
    how.add_argument("--python", metavar="FILE", help="the interpreter that runs the agents")
    how.add_argument(
        "--no-confirm",
        action="store_true",
        help="run what asks paid models without asking (see the setting confirm_above)",
    )
    out = flags.out(parser)
    out.add_argument("-v", "--verbose", action="store_true", help="list the files that are watched")
    return parser


def rejudging() -> Parser:
    """`tenxgraph-tui rejudge`"""
    parser = Parser(
        "rejudge",
        "Judge again what the agents did in a past run, without running them.",
        EXIT_CODES,
    )
    parser.add_argument("run", metavar="RUN", help=RUNS)
    flags.criteria(parser.add_argument_group("against what (default: what the run was)"))
    flags.judges(parser)
    flags.out(parser)
    parser.add_argument("--max-concurrency", type=count, metavar="N", help="cases at once")
    return parser


def listing() -> Parser:
    """`tenxgraph-tui list`"""
    parser = Parser("list", "Show what would be run. No code of the project is run for it.")
    parser.add_argument("paths", nargs="*", metavar="PATH[::CASE]", help=CASE_PATHS)
    flags.what(parser)
    flags.judges(parser)
    flags.which(parser)
    return parser


def opening() -> Parser:
    """`tenxgraph-tui open`"""
    parser = Parser("open", "Open the dashboard on a past run.")
    parser.add_argument("run", metavar="RUN", help=RUNS)
    return parser


def serving() -> Parser:
    """`tenxgraph-tui serve`"""
    parser = Parser("serve", "The dashboard in a browser, as long as this command runs.")
    parser.add_argument("paths", nargs="*", metavar="PATH", help=PATHS)
    parser.add_argument(
        "--host", default="127.0.0.1", help="who can reach it (default: only this machine)"
    )
    parser.add_argument("--port", type=port, default=8000, metavar="N", help="(default: 8000)")
    flags.what(parser)
    flags.judges(parser)
    parser.add_argument("--python", metavar="FILE", help="the interpreter that runs the agents")
    return parser


def doctor() -> Parser:
    """`tenxgraph-tui doctor`"""
    parser = Parser(
        "doctor", "Show what is installed, configured and found, and what is wrong with it."
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help=f"{PATHS} (default: the project)")
    parser.add_argument("--python", metavar="FILE", help="the interpreter that runs the agents")
    parser.add_argument(
        "--settings", action="store_true", help="every setting, its value, and where it came from"
    )
    parser.add_argument("--json", action="store_true", help="all of it, for programs")
    return parser


def worker() -> Parser:
    """`tenxgraph-tui worker`"""
    parser = Parser(
        "worker", "The child of the dashboard: a request on standard input, events out."
    )
    parser.add_argument(
        "--warm", action="store_true", help="load everything before the request is there"
    )
    parser.add_argument(
        "--need", action="append", default=[], choices=NEEDS, help="what else to load (repeatable)"
    )
    return parser
