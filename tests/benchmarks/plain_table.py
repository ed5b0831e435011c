"""The peer of the dashboard's benchmark: a plain Textual application, a table of N rows in it.

Usage: python tests/benchmarks/plain_table.py ROWS

Nothing but what its table can do: no worker, no store, no drill-down, and nothing that changes: a
plain table draws all of its rows for every cell that does, and no key could be told from that.
"""

from __future__ import annotations

import sys

from textual.app import App, ComposeResult
from textual.widgets import DataTable

from tests.benchmarks.playground import case_id

COLUMNS = ("status", "case", "tools", "tokens", "time")


class PlainTable(App[None]):
    """A table and nothing beside it."""

    def __init__(self, rows: int) -> None:
        super().__init__()
        self._rows = rows

    def compose(self) -> ComposeResult:
        yield DataTable(cursor_type="row")

    def on_mount(self) -> None:
        table = self.query_one(DataTable)
        table.add_columns(*COLUMNS)
        table.add_rows([("passed", case_id(i), "1.00", "412", "1.2s") for i in range(self._rows)])


if __name__ == "__main__":
    PlainTable(int(sys.argv[1])).run()
