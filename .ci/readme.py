"""Print one of the two commands that the README gives to a newcomer, so that CI runs those.

Usage: python3 .ci/readme.py dashboard|tests [--set-up|--last]

`--last` gives what stands after the last `&&` of the command, `--set-up` what stands before it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def command(name: str) -> str:
    """The shell block that follows the comment `<!-- command: NAME -->`."""
    text = README.read_text(encoding="utf-8")
    found = re.findall(
        rf"<!-- command: {name} -->\n+```(?:sh|bash|shell)\n(.+?)```", text, re.DOTALL
    )
    if len(found) != 1:
        raise SystemExit(f"README.md must have one block marked '<!-- command: {name} -->'")
    return str(found[0]).strip()


if __name__ == "__main__":
    _, name, *part = sys.argv
    whole = command(name)
    set_up, _, last = whole.rpartition("&&")
    print({"": whole, "--set-up": set_up, "--last": last}["".join(part)].strip())
