"""A whole loop as a person goes through it: run, look into a failure, edit the agent, see the flip.

Both the test and the script that takes the README's pictures go this way.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[2] / "sample_evalsets"
SET = "weather.evalset.json"
MODEL = "weather.script.json"
FIXED, BROKEN = "tokyo_forecast", "london_now"
BEFORE, AFTER = "12/14 passed", "12/14 passed"
"""One case is fixed by the edit, and another one breaks."""


def set_up(folder: Path) -> None:
    """A project with the weather agent of the samples."""
    for name in ("agents.py", "scripted_model.py", "world.json", "handbook.md"):
        shutil.copy(SAMPLES / name, folder)
    for file in SAMPLES.glob("*.script.json"):
        if file.name != "broken.script.json":
            shutil.copy(file, folder)
            shutil.copy(file.with_name(file.name.replace(".script.", ".evalset.")), folder)
    (folder / "tenxgraph-tui.toml").touch()


def edit(folder: Path) -> None:
    """Have the agent ask for the right city, and speak another language where it should not.

    The file is written as careful editors do: beside the old one, which it then replaces.
    """
    file = folder / MODEL
    script = json.loads(file.read_text(encoding="utf-8"))
    turn = script[FIXED]["turns"][0]
    turn["steps"][1]["tool_calls"][0]["args"]["city"] = "Tokyo"
    turn["response"] = (
        "Yes, rain is likely in Tokyo tomorrow afternoon, so take an umbrella with you."
    )
    script[BROKEN]["turns"][0]["response"] = "Es regnet."
    draft = file.with_name(f".{file.name}.new")
    draft.write_text(json.dumps(script, ensure_ascii=False, indent=1), encoding="utf-8")
    draft.replace(file)
