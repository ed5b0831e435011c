"""Record a whole loop: start, run, look into a failure, edit the agent, see the flip, export.

The real dashboard runs in tmux and is driven by keys alone, as a person would drive it.

Usage: python .github/session.py     (needs tmux; writes .github/watch.svg and .github/case.svg)
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.segment import Segment
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.pty.walk import BEFORE, SET, edit, set_up  # noqa: E402 - after the path is known
from tests.tui.shoot import svg_of_lines  # noqa: E402

SIZE = (120, 36)
SECONDS = 120
CONTENT, GROUND = "#d8dbe2", "#0f1013"
CONSOLE = Console(color_system="truecolor", width=1000)


class Session:
    """A tmux server of its own with one window."""

    def __init__(self, folder: Path, command: str) -> None:
        self._socket = f"session-{os.getpid()}"
        width, height = map(str, SIZE)
        size = ["-x", width, "-y", height]
        plain = "env -u NO_COLOR COLORTERM=truecolor TERM=xterm-256color"
        self._tmux("-f", os.devnull, "new-session", "-d", *size, "-c", str(folder), "sleep 600")
        self._tmux("set", "-g", "status", "off")
        self._tmux("set", "-g", "remain-on-exit", "on")
        self._tmux("respawn-pane", "-k", "-c", str(folder), f"{plain} {command}")

    def _tmux(self, *words: str) -> str:
        told = subprocess.run(
            ["tmux", "-L", self._socket, *words], capture_output=True, text=True, check=True
        )
        return told.stdout

    def press(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def shows(self, *words: str) -> None:
        """Wait until all of the words are on the screen."""
        deadline = time.monotonic() + SECONDS
        while any(word not in self._tmux("capture-pane", "-p") for word in words):
            if time.monotonic() > deadline:
                raise TimeoutError(f"never shown: {words}\n{self._tmux('capture-pane', '-p')}")
            time.sleep(0.1)

    def picture(self) -> str:
        """The screen as it is now."""
        time.sleep(0.5)  # the last frame is drawn
        drawn = self._tmux("capture-pane", "-p", "-e", "-N")
        lines = (_segments(line) for line in drawn.splitlines()[: SIZE[1]])
        return svg_of_lines(lines, SIZE, content=CONTENT, ground=GROUND)

    def close(self) -> None:
        subprocess.run(["tmux", "-L", self._socket, "kill-server"], check=False)


def _segments(line: str) -> list[Segment]:
    return [*Text.from_ansi(line).render(CONSOLE)]


def record(session: Session, folder: Path) -> dict[str, str]:
    """The pictures by their names."""
    found = {}
    session.shows("watching", "14 cases in 1 set")
    session.press("r")
    session.shows(BEFORE)
    session.press("]", "Enter")
    session.shows("Kyoto", "esc Back")
    found["case"] = session.picture()
    session.press("Escape")
    session.shows("━ Cases")
    edit(folder)
    session.shows("1 fixed", "1 broke", "flipped first")
    session.press("Home")
    session.shows("london_now   1 Why")
    found["watch"] = session.picture()
    session.press("e")
    session.shows("Export run #2")
    session.press("Enter")
    session.shows("Exported run #2")
    session.press("q")
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "weather"
        folder.mkdir()
        set_up(folder)
        program = Path(sys.executable).with_name("tenxgraph-tui")
        session = Session(folder, f"{program} {SET} --watch")
        try:
            pictures = record(session, folder)
        finally:
            session.close()
    for kind, picture in pictures.items():
        Path(__file__).with_name(f"{kind}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
