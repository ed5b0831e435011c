"""Files that people keep: eval sets and configs, read with clear errors and written atomically."""

from __future__ import annotations

from tenxgraph_tui.evaluation.formats.native import Loaded, read_config, read_eval_set
from tenxgraph_tui.evaluation.formats.writing import write_json

__all__ = ["Loaded", "read_config", "read_eval_set", "write_json"]
