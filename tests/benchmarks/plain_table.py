"""The peer of the dashboard's benchmark: a plain Textual application, a table of N rows in it.

Usage: python tests/benchmarks/plain_table.py ROWS

Nothing but what its table can do: no worker, no store, no drill-down. The first thirty-three rows
change fifteen times a second, which is what 500 events a second come to.
"""

from __future__ import annotations

import itertools
import sys

from textual.app import App, ComposeResult
from textual.widgets import DataTable

from tests.benchmarks.playground import case_id

COLUMNS = ("status", "case", "tools", "tokens", "time")
AT_ONCE = 33


class PlainTable(App[None]):
    """A table and nothing beside it."""

    def __init__(self, rows: int) -> None:
        super().__init__()
        self._rows = rows
        self._turns = itertools.count()

    def compose(self) -> ComposeResult:
        yield DataTable(cursor_type="row")

    def on_mount(self) -> None:
        table = self.query_one(DataTable)
        for name in COLUMNS:
            table.add_column(name, key=name)
        table.add_rows([("passed", case_id(i), "1.00", "412", "1.2s") for i in range(self._rows)])
        self._keys = list(table.rows)
        self.set_interval(1 / 15, self._change)

    def _change(self) -> None:
        table = self.query_one(DataTable)
        turn = next(self._turns)
        for key in self._keys[:AT_ONCE]:
            table.update_cell(key, "time", f"{turn % 10}.3s")


if __name__ == "__main__":
    PlainTable(int(sys.argv[1])).run()
