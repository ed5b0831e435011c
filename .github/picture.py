"""Take the README's picture: the real dashboard after a run of the samples, a failed case open.

Usage: python .github/picture.py     (writes .github/dashboard.svg)
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ |= {"TEXTUAL_ANIMATIONS": "none", "TEXTUAL_COLOR_SYSTEM": "truecolor"}
os.environ.pop("NO_COLOR", None)

from tenxgraph_tui.evaluation.results import CaseKey  # noqa: E402 - textual reads these once
from tenxgraph_tui.tui.app import TenxApp  # noqa: E402
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen  # noqa: E402
from tenxgraph_tui.tui.start import make_app  # noqa: E402
from tests.tui.shoot import svg_of  # noqa: E402

SIZE = (120, 40)
CASE = "tokyo_forecast"
LAST = "wind_chill_feels_like"
SETS = ["library", "support", "trains", "weather"]
SECONDS = 120


async def photograph(app: TenxApp) -> str:
    """Press r, wait for the end, and go to the case."""
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("r")
        deadline = time.monotonic() + SECONDS
        while app.desk.is_busy:
            if time.monotonic() > deadline:
                raise TimeoutError(f"the run did not end in {SECONDS} s")
            await pilot.pause(0.1)
        screen = app.screen
        assert isinstance(screen, DashboardScreen)
        screen.table.focus()
        for case in (LAST, CASE):  # from the end back to it, so that its own set fills the table
            screen.table.put_cursor(CaseKey(SETS.index("weather"), case))
            await pilot.pause(0.5)
        return svg_of(app)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        shutil.copytree(ROOT / "sample_evalsets", "sample_evalsets")
        Path("sample_evalsets/broken.evalset.json").unlink()
        Path("tenxgraph-tui.toml").touch()
        app, control = make_app(paths=["sample_evalsets"])
        try:
            picture = asyncio.run(photograph(app))
        finally:
            control.close()
    Path(__file__).with_name("dashboard.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
