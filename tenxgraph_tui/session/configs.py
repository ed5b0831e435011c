"""The config files of a project: what could be chosen beside the presets."""

from __future__ import annotations

from pathlib import Path

from tenxgraph_tui.session.files import CONFIG_SUFFIX, Walk

__all__ = ["CONFIG_SUFFIX", "discover_configs"]


def discover_configs(root: Path) -> tuple[Path, ...]:
    """Every `*.evalconfig.json` below `root`, where eval sets are looked for too; none is read."""
    walk = Walk()
    walk.at(root)
    return tuple(walk.configs)
