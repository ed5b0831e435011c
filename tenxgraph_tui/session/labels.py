"""What eval sets are called on the screen: as their files, as short as they are told apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import PurePath

from tenxgraph_tui.evaluation.events import SetInfo

SUFFIXES = (".evalset.json", ".json")


def set_label(path: str, eval_set_id: str) -> str:
    """The name of a set's file without what every file ends in."""
    name = PurePath(path).name
    suffix = next((suffix for suffix in SUFFIXES if name.endswith(suffix)), "")
    return name.removesuffix(suffix) or eval_set_id


def set_labels(sets: Sequence[SetInfo]) -> tuple[str, ...]:
    """What each of the sets is called beside the others."""
    return told_apart([(info.file, set_label(info.file, info.eval_set_id)) for info in sets])


def told_apart(named: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """For each path and label the label; of files that share one, with the folders that differ.

    `smoke/weather` and `full/weather`, or `a/smoke/weather` and `b/smoke/weather`.
    """
    sharing: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for path, label in named:
        sharing[label][path] = None
    longer: dict[str, str] = {}
    for label, paths in sharing.items():
        longer.update(_with_folders(label, [*paths]))
    return tuple(longer[path] for path, _ in named)


def _with_folders(label: str, paths: Sequence[str]) -> dict[str, str]:
    folders = {path: PurePath(path).parent.parts for path in paths}
    deepest = max(len(parts) for parts in folders.values())
    for count in range(deepest + 1):
        names = {
            path: "/".join([*parts[len(parts) - min(count, len(parts)) :], label])
            for path, parts in folders.items()
        }
        if len(set(names.values())) == len(paths):
            return names
    return {path: path for path in paths}
