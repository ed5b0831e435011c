"""What a project and its user set: defaults < project file < environment < flags.

`load` merges the layers and remembers of every value where it came from.
"""

from __future__ import annotations

from tenxgraph_tui.settings.loading import load
from tenxgraph_tui.settings.model import Layer, Loaded, Origin, Settings

__all__ = ["Layer", "Loaded", "Origin", "Settings", "load"]
