"""Which Python runs the agents: the project's own, where this package is installed there too."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from tenxgraph_tui.errors import UsageError

PROBE = "import importlib.util as u, sys; sys.exit(u.find_spec('tenxgraph_tui') is None)"
LOOK = """
import importlib.util as u, json, sys
print(json.dumps([sys.version_info[:2], [n for n in sys.argv[1:] if u.find_spec(n)]]))
"""
PROBE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python, and how it came to be chosen, as people read it."""

    path: str
    origin: str


@dataclass(frozen=True, slots=True)
class Installed:
    """Which of the modules that were asked for an interpreter can import, and its version."""

    python: str
    version: tuple[int, ...]
    modules: frozenset[str]

    def without(self, names: Sequence[str]) -> list[str]:
        """Those of the names that it cannot import."""
        return [name for name in names if name not in self.modules]


def choose(
    root: Path,
    python: str | None = None,
    *,
    named_by: str = "--python",
    environ: Mapping[str, str] = os.environ,
) -> Interpreter:
    """The interpreter for the project at `root`: `python`, else its environment's, else ours.

    `named_by` is where `python` was written. Starts at most one interpreter a candidate, once a
    process, to ask whether we are importable.

    Raises:
        UsageError: `python` is no interpreter, or this package is not installed for it.
    """
    if python is not None:
        return Interpreter(_named(python, named_by), named_by)
    for path, origin in _environments(root, environ):
        if _is_ours(path) or (_may_have_us(path) and has_us(str(path))):
            return Interpreter(str(path), origin)
    return Interpreter(sys.executable, "this program's")


@functools.cache
def has_us(python: str) -> bool:
    """Whether this package can be imported there; asked by starting it."""
    return _answer(python, PROBE) is not None


def installed(python: str, names: Sequence[str]) -> Installed | None:
    """Which top-level modules of these can be imported there, none of which is.

    None where the interpreter gives no answer; ours is not started for it.
    """
    if _is_ours(Path(python)):
        found = frozenset(name for name in names if find_spec(name) is not None)
        return Installed(python, sys.version_info[:2], found)
    answer = _answer(python, LOOK, *names)
    try:
        version, modules = json.loads(answer or "")
    except ValueError:
        return None
    return Installed(python, tuple(version), frozenset(modules))


def _answer(python: str, question: str, *words: str) -> str | None:
    """What an interpreter prints; None if it cannot be started, or does not end well."""
    try:
        asked = subprocess.run(
            [python, "-P", "-c", question, *words],
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=PROBE_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return asked.stdout.decode(errors="replace") if asked.returncode == 0 else None


def _named(python: str, named_by: str) -> str:
    path = shutil.which(python)
    if path is None:
        raise UsageError(f"{named_by} {python}: there is no such program")
    if not (_is_ours(Path(path)) or has_us(path)):
        raise UsageError(
            f"{named_by} {python}: tenxgraph-tui is not installed there; "
            f"install it with: {path} -m pip install tenxgraph-tui"
        )
    return path


def _environments(root: Path, environ: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    places = [(root / ".venv", ".venv")]
    if active := environ.get("VIRTUAL_ENV"):
        places.append((Path(active), "$VIRTUAL_ENV"))
    for folder, origin in places:
        python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        if os.access(python, os.X_OK):
            yield python, origin


def _is_ours(python: Path) -> bool:
    # Not resolved: the interpreters of two environments are often links to the same file.
    return python.absolute().parent == Path(sys.executable).absolute().parent


def _may_have_us(python: Path) -> bool:
    """A look at the files, which spares the start of an interpreter that cannot import us."""
    environment = python.parent.parent
    if any(environment.glob("[Ll]ib/python3*/site-packages/tenxgraph_tui-*.dist-info")):
        return True
    if any(environment.glob("[Ll]ib/site-packages/tenxgraph_tui-*.dist-info")):
        return True
    try:
        text = (environment / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True  # no environment as `venv` makes them
    return "include-system-site-packages = true" in text.lower()
