"""The dashboard in a browser: a web server that starts one dashboard for each visitor."""

from __future__ import annotations

import argparse
import importlib.util
import ipaddress
import os
import shlex
import sys
from collections.abc import Sequence

from tenxgraph_tui.cli.parsers import PROGRAM
from tenxgraph_tui.errors import UsageError

PACKAGE = "textual_serve"
PASSED_ON = ("target", "preset", "config", "judge_model", "judge_base_url", "python")
WARNING = """\
{program}: warning: anybody who can reach {host} on port {port} runs code as you, without a
{program}: warning: password. Use it on a network that you trust, and stop it when you are done.
"""


def execute(arguments: argparse.Namespace) -> int:
    """Serve until ctrl+c; the answer is the exit code."""
    if importlib.util.find_spec(PACKAGE) is None:
        raise UsageError(f"serve needs one more package: pip install '{PROGRAM}[serve]'")
    for path in arguments.paths:
        if not os.path.lexists(str(path).partition("::")[0]):
            raise UsageError(f"no such file or folder: {path}")
    if not is_loopback(arguments.host):
        told = WARNING.format(program=PROGRAM, host=arguments.host, port=arguments.port)
        sys.stderr.write(told)
    from tenxgraph_tui.cli.webserver import serve

    return serve(command(arguments), arguments.host, arguments.port)


def command(arguments: argparse.Namespace) -> str:
    """The line that a shell runs for each visitor; it becomes the dashboard, not its parent."""
    given = {name: getattr(arguments, name) for name in PASSED_ON}
    flags = [
        f"--{name.replace('_', '-')}={value}" for name, value in given.items() if value is not None
    ]
    flags += _switches(arguments)
    words = [sys.executable, "-P", "-m", "tenxgraph_tui", *flags]
    return "exec " + shlex.join([*words, *_unmistakable(arguments.paths)])


def _switches(arguments: argparse.Namespace) -> list[str]:
    if arguments.judge_cache is None:
        return []
    return ["--judge-cache" if arguments.judge_cache else "--no-judge-cache"]


def _unmistakable(paths: Sequence[str]) -> list[str]:
    """The paths so that none of them is taken for a command or a flag."""
    return [path if os.path.isabs(path) else os.path.join(".", path) for path in paths]  # noqa: PTH117, PTH118 - Path would drop the `./`


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
