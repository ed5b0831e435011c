"""How eval modules and the sets in them are called; nothing of them is read here."""

from __future__ import annotations

from pathlib import Path

from tenxgraph_tui.evaluation.paths import real

CONFEVAL = "confeval.py"


def is_module(path: str | Path) -> bool:
    """Whether a file is called like an eval module: `*_eval.py` or `eval_*.py`."""
    name = Path(path)
    return name.suffix == ".py" and (name.stem.endswith("_eval") or name.stem.startswith("eval_"))


def split(path: str | Path) -> tuple[str, str | None] | None:
    """File and function of the path of a module's set; None where it is no module's.

    Any Python file is one that somebody names, however it is called.
    The set of `get_eval_set()` goes by the path of the file, that of any other function by
    `FILE:FUNCTION`.
    """
    text = str(path)
    file, colon, function = text.rpartition(".py:")
    if colon and function.isidentifier():
        return f"{file}.py", function
    return (text, None) if text.endswith(".py") else None


def file_in(path: str | Path) -> Path:
    """The file that a set's path leads to."""
    found = split(path)
    return Path(found[0] if found is not None else path)


def confevals_above(path: str | Path, root: Path) -> list[Path]:
    """The files that concern an eval set, the outermost first, none of them above `root`."""
    folder, top = real(file_in(path)).parent, real(root)
    inside = [folder, *folder.parents] if folder.is_relative_to(top) else [folder]
    below = [one for one in inside if one == folder or one.is_relative_to(top)]
    return [one / CONFEVAL for one in reversed(below) if (one / CONFEVAL).is_file()]
