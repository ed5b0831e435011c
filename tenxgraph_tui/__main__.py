"""`python -m tenxgraph_tui` is the `tenxgraph-tui` command."""

from __future__ import annotations

import sys

from tenxgraph_tui.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
