"""From a spec, as people write it, to a target."""

from __future__ import annotations

from pathlib import Path

from tenxgraph_tui.errors import TargetError
from tenxgraph_tui.evaluation.execution import TargetSource
from tenxgraph_tui.evaluation.paths import real
from tenxgraph_tui.evaluation.secrets import WEB
from tenxgraph_tui.evaluation.target_options import TargetOptions
from tenxgraph_tui.targets.python import PythonSource
from tenxgraph_tui.targets.replay import ReplaySource

FORMS = "module:attr, path/to/file.py:attr, http://HOST/PATH, model:NAME or replay:FILE"
NONE = TargetOptions()


def resolve(
    spec: str,
    *,
    base: Path,
    root: Path | None = None,
    is_confined: bool = True,
    options: TargetOptions = NONE,
) -> TargetSource:
    """The source that `spec` names; nothing is imported yet.

    A relative file is looked for under `base`. `root` is the project, whose modules a target may
    import. Files must lie below it if `is_confined`: what an eval set names may not reach out of
    its project. `options` are what the settings say of servers and models.

    Raises:
        TargetError: the spec has no known form, or its file does not exist or lies outside.
    """
    if WEB.match(spec):
        from tenxgraph_tui.targets.http import HttpSource, check_url

        check_url(spec)
        return HttpSource(spec, options.http)
    kind, colon, rest = spec.partition(":")
    within = root if is_confined else None
    if kind == "replay" and colon:
        return ReplaySource(_file(rest, spec, base, within))
    if kind == "model" and colon and rest:
        from tenxgraph_tui.targets.model import ModelSource

        home = Path(options.root) if options.root else root or base
        return ModelSource(rest, options.model, lambda tool: _python(tool, home, home, None))
    return _python(spec, base, root, within)


def _python(spec: str, base: Path, root: Path | None, within: Path | None) -> PythonSource:
    name, colon, attr = spec.rpartition(":")
    if not colon or not name or not attr:
        hint = f"write {spec}:NAME" if spec.endswith(".py") else f"write {FORMS}"
        raise TargetError(f"target {spec!r} names no attribute: {hint}")
    if name.endswith(".py") or "/" in name:
        path = _file(name, spec, base, within)
        home = root.resolve() if root else path.parent
        return PythonSource(spec, path, attr, home if path.is_relative_to(home) else path.parent)
    return PythonSource(spec, name, attr, (root or base).resolve())


def _file(name: str, spec: str, base: Path, root: Path | None) -> Path:
    path = real(base / name)
    if root is not None and not path.is_relative_to(root.resolve()):
        raise TargetError(f"target {spec}: {path} lies outside the project {root.resolve()}")
    if not path.is_file():
        is_run = spec.startswith("replay:") and "/" not in name and "." not in name
        hint = "; only tenxgraph-tui itself knows the runs that are kept" if is_run else ""
        raise TargetError(f"target {spec}: there is no file {path}{hint}")
    return path
