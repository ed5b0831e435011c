"""What the files of eval sets are called: by whoever ran them, and here."""

from __future__ import annotations

from pathlib import Path


class SetPaths:
    """Each name is looked for once, and nothing is made ready for it before."""

    def __init__(self) -> None:
        self._paths: list[str] = []
        self._found: dict[str, str] = {}

    def add(self, path: str) -> None:
        """A file that is here."""
        self._paths.append(path)

    def path_of(self, file: str) -> str:
        """The path of the file that a run calls `file`, however either of them was written."""
        if file not in self._found:
            self._found[file] = self._find(Path(file)) or file
        return self._found[file]

    def _find(self, file: Path) -> str | None:
        known = {Path(one).absolute(): one for one in self._paths}
        if file.is_absolute() or file.absolute() in known:
            return known.get(file.absolute())
        # the run may have been started in another folder, from which its paths go
        ends = len(file.parts)
        alike = [path for full, path in known.items() if full.parts[-ends:] == file.parts]
        return alike[0] if len(alike) == 1 else None
